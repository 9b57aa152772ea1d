"""What is done about lost tasks, against a cluster of the imagination that does everything a real one might."""

import os
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cluster_batches as cases
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from grader.batch.cluster import controller
from grader.batch.cluster.arrays import TROUBLE, ArrayFolder, read_array
from grader.batch.cluster.controller import ControllerError, TaskState
from grader.batch.cluster.slurm import SlurmBackend
from grader.batch.cluster.slurm_settings import SlurmSettings
from grader.batch.cluster.tries import NodeRecord
from grader.batch.cluster.watch import MAX_TRIES
from grader.errors import GraderError, UsageError

LIMIT = 20_000
_SILENCE = ControllerError("nobody answers")
ENDS = ("FAILED", "CANCELLED", "NODE_FAIL", "PREEMPTED", "TIMEOUT", "")


@dataclass
class Cluster:
    """Moves each task on by chance whenever it is asked; a task may end with a result, without one, or vanish."""

    random: random.Random
    success: float = 0.5
    trouble: float = 0.2
    failing_calls: float = 0.0
    max_array: int = 3
    arrays: dict[str, ArrayFolder] = field(default_factory=dict)
    states: dict[tuple[str, int], TaskState] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    results: dict[str, int] = field(default_factory=dict)
    calls: int = 0

    def submit(self, script, _options):
        lost_answer = self._fail_sometimes(sure=False)
        folder = read_array(script.parent)
        self.arrays[folder.name] = folder
        for index, task in enumerate(folder.array.tasks):
            self.states[folder.name, index] = TaskState("PENDING", "Resources")
            self.starts[task.key] = self.starts.get(task.key, 0) + 1
        if lost_answer:
            raise _SILENCE
        return str(len(self.arrays))

    def read_states(self, names):
        self._fail_sometimes()
        for key, state in list(self.states.items()):
            self._move(key, state)
        return {key: state for key, state in self.states.items() if key[0] in names and state.state}

    def read_max_array(self):
        if self.calls:
            self._fail_sometimes()
        return self.max_array

    def cancel(self, *names):
        for key in list(self.states):
            if key[0] in names:
                self.states[key] = TaskState("")

    def cancel_task(self, name, index):
        self.states[name, index] = TaskState("CANCELLED")

    def _fail_sometimes(self, *, sure=True):
        self.calls += 1
        assert self.calls < LIMIT, "the batch never ends"
        fails = self.random.random() < self.failing_calls
        if fails and (sure or self.random.random() < 0.5):
            raise _SILENCE
        return fails

    def _move(self, key, state):
        if not state.is_alive or self.random.random() < 0.4:
            return
        if state.state == "PENDING" and self.random.random() < 0.8:
            self.states[key] = TaskState("RUNNING", "", "node0")
        elif self.random.random() < self.success:
            self._finish(*key)
            self.states[key] = TaskState(self.random.choice(["COMPLETED", "COMPLETING", ""]))
        else:
            self.states[key] = TaskState(self.random.choice(ENDS), "", "node0")

    def _finish(self, name, index):
        folder = self.arrays[name]
        done = folder.path / "done" / str(index)
        if not done.exists():
            done.mkdir()
            names = [TROUBLE] if self.random.random() < self.trouble else ["evidence.json", "job.json"]
            for file in names:
                (done / file).write_text("{}")
            key = folder.array.tasks[index].key
            self.results[key] = self.results.get(key, 0) + (names != [TROUBLE])


@pytest.fixture(scope="module")
def memory_folder(tmp_path_factory):
    """A folder for thousands of small files, in memory where there is such a place."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(
        dir=memory if os.access(memory, os.W_OK) else tmp_path_factory.mktemp("m")
    ) as name:
        yield Path(name)


def install(monkeypatch, cluster):
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # thousands of files, no power cut
    for name in ("submit", "read_states", "read_max_array", "cancel", "cancel_task"):
        monkeypatch.setattr(controller, name, getattr(cluster, name))


def make_backend(**changes):
    return SlurmBackend(SlurmSettings(**({"poll_s": 0.0, "grace_s": 0.0, "patience_s": 60.0} | changes)))


def run_all(backend, store, keys):
    return [(done.key, done.trouble) for done in backend.run(cases.make_jobs(store, keys), store, lambda *_: None)]


@settings(deadline=None, max_examples=150)
@given(some.integers(), some.integers(1, 8), some.sampled_from([0.0, 0.3, 0.7, 1.0]), some.sampled_from([0.0, 0.3]))
def test_every_hand_in_ends_once_with_a_result_or_with_a_reason(memory_folder, seed, count, success, failing_calls):
    store = cases.open_store(Path(tempfile.mkdtemp(dir=memory_folder)))
    cluster = Cluster(random.Random(seed), success, failing_calls)
    keys = [f"s{number}" for number in range(count)]
    with pytest.MonkeyPatch.context() as monkeypatch:
        install(monkeypatch, cluster)
        ended = run_all(make_backend(), store, keys)
    assert sorted(key for key, _trouble in ended) == keys
    for key, trouble in ended:
        assert store.job(key).exists() == (trouble == "")
        assert bool(cluster.results.get(key)) or trouble, "a result never comes from nothing"
        # An `sbatch` whose answer was lost may have started tasks that nobody counted.
        assert failing_calls or cluster.starts[key] <= MAX_TRIES
        assert not trouble or "time limit" in trouble or cluster.starts[key] >= MAX_TRIES
    assert not list((store.root / "slurm").iterdir())


@settings(deadline=None, max_examples=100)
@given(some.integers(), some.integers(1, 30))
def test_a_batch_that_is_killed_at_any_call_goes_on_and_submits_nothing_twice(memory_folder, seed, last_call):
    store = cases.open_store(Path(tempfile.mkdtemp(dir=memory_folder)))
    cluster = Cluster(random.Random(seed), success=1.0, trouble=0.0)
    keys = ["a", "b", "c", "d", "e"]

    class Killed(BaseException):
        pass

    def count():
        if cluster.calls == last_call:
            cluster.calls += 1
            raise Killed

    with pytest.MonkeyPatch.context() as monkeypatch:
        install(monkeypatch, cluster)
        for name in ("submit", "read_states"):
            whole = getattr(cluster, name)
            monkeypatch.setattr(controller, name, lambda *args, whole=whole: (whole(*args), count())[0])
        ended = []
        try:
            ended += run_all(make_backend(), store, keys)
        except Killed:
            left = [key for key in keys if not store.job(key).exists()]
            ended += run_all(make_backend(), store, left)
    assert all(store.job(key).exists() for key in keys)
    assert not any(trouble for _key, trouble in ended)
    assert cluster.starts == dict.fromkeys(keys, 1)


def test_a_cluster_that_refuses_everything_ends_the_batch_and_leaves_no_files(tmp_path, monkeypatch):
    store = cases.open_store(tmp_path)
    cluster = Cluster(random.Random(1))
    install(monkeypatch, cluster)

    def refuse(*_arguments):
        message = "Slurm refuses"
        raise UsageError(message)

    monkeypatch.setattr(controller, "submit", refuse)
    with pytest.raises(UsageError, match="Slurm refuses"):
        run_all(make_backend(), store, ["a"])
    assert not list((store.root / "slurm").iterdir())


def test_what_is_refused_while_other_tasks_run_is_offered_again(tmp_path, monkeypatch):
    """As where a user may have only so many jobs in the queue."""
    store = cases.open_store(tmp_path)
    cluster = Cluster(random.Random(1), success=1.0, max_array=1)
    install(monkeypatch, cluster)

    def submit_if_free(script, options):
        if any(state.is_alive for state in cluster.states.values()):
            message = "Slurm refuses (sbatch: Job violates accounting/QOS policy)"
            raise UsageError(message)
        return cluster.submit(script, options)

    monkeypatch.setattr(controller, "submit", submit_if_free)
    ended = run_all(make_backend(), store, ["a", "b", "c"])
    assert sorted(key for key, _trouble in ended) == ["a", "b", "c"]


def test_a_controller_that_is_silent_from_the_beginning_ends_the_batch_at_once(tmp_path, monkeypatch):
    store = cases.open_store(tmp_path)
    install(monkeypatch, Cluster(random.Random(1), failing_calls=1.0, calls=1))
    with pytest.raises(GraderError, match="nobody answers; what is graded is kept"):
        run_all(make_backend(), store, ["a"])


def test_a_controller_that_stays_silent_ends_the_batch_after_the_patience(tmp_path, monkeypatch):
    store = cases.open_store(tmp_path)
    cluster = Cluster(random.Random(1), success=0.0)
    install(monkeypatch, cluster)
    backend = make_backend(patience_s=0.2, poll_s=0.02)

    def fail(_names):
        raise _SILENCE

    monkeypatch.setattr(controller, "read_states", fail)
    with pytest.raises(GraderError, match="the same command goes on from there"):
        run_all(backend, store, ["a"])
    assert list((store.root / "slurm").iterdir()), "the next run finds the task"


def test_nodes_that_lose_more_than_they_give_are_bad():
    record = NodeRecord()
    record.losses.update({"once": 1, "good": 3, "bad": 3, "": 9})
    record.results.update({"good": 3, "bad": 2})
    assert record.find_bad() == ("bad",)
