"""What is done about tasks that do not finish, on a cluster that moves them on by chance."""

import os
import random
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cluster_batches as cases
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as some

from grader.course.cluster import slurm as controller
from grader.course.cluster.arrays import Array, read_array
from grader.course.cluster.slurm import MAX_TRIES, SlurmBackend, SlurmSettings, TaskState
from grader.course.job import Done, is_done
from grader.course.model import Job, read_record, write_record
from grader.errors import GraderError, UsageError
from grader.intake.disk import write_atomically

LIMIT = 20_000
_SILENCE = GraderError("nobody answers")


@dataclass
class Cluster:
    """Moves each task on by chance whenever it is asked; a task may end with a result, without one, or vanish."""

    random: random.Random
    store: cases.Store
    success: float = 0.5
    problem: float = 0.2
    silence: float = 0.0
    arrays: dict[str, Array] = field(default_factory=dict)
    alive: dict[tuple[str, int], TaskState] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    calls: int = 0

    def submit(self, script, _options):
        self.calls += 1
        array = read_array(script.parent)
        assert not self.alive, "one array at a time"
        self.arrays[array.name] = array
        for index, key in enumerate(array.keys):
            self.alive[array.name, index] = TaskState("PENDING", "", "Resources")
            self.starts[key] = self.starts.get(key, 0) + 1

    def list_alive(self, name):
        self.calls += 1
        assert self.calls < LIMIT, "the batch never ends"
        if self.random.random() < self.silence:
            raise _SILENCE
        for task in list(self.alive):
            self._move(task)
        return {index: state for (array, index), state in self.alive.items() if array == name}

    def cancel(self, name):
        self.alive = {task: state for task, state in self.alive.items() if task[0] != name}

    def _move(self, task):
        if self.random.random() < 0.4:
            return
        if self.alive[task].state == "PENDING" and self.random.random() < 0.8:
            self.alive[task] = TaskState("RUNNING", "node0")
            return
        del self.alive[task]
        array, index = self.arrays[task[0]], task[1]
        key = array.keys[index]
        if self.random.random() < self.success:
            problem = "no GPU answers" if self.random.random() < self.problem else ""
            if not problem:
                self.store.folder(key).mkdir(parents=True, exist_ok=True)
                self.store.evidence(key).write_text("{}")
                job = read_record(self.store.task(key), Job)
                write_record(self.store.job(key), Done(job.fingerprint, job.regrade_id))
            write_atomically(array.path / "ended" / str(index), problem.encode())


@pytest.fixture(scope="module")
def memory_folder(tmp_path_factory):
    """A folder for thousands of small files, in memory where there is such a place."""
    place = "/dev/shm" if os.access("/dev/shm", os.W_OK) else tmp_path_factory.mktemp("m")
    with tempfile.TemporaryDirectory(dir=place) as name:
        yield Path(name)


def install(monkeypatch, cluster):
    monkeypatch.setattr(os, "fsync", lambda _descriptor: None)  # thousands of files, no power cut
    for name in ("submit", "list_alive", "cancel"):
        monkeypatch.setattr(controller, name, getattr(cluster, name))


def make_backend(**changes):
    return SlurmBackend(SlurmSettings(**({"poll_s": 0.0, "grace_s": 0.0} | changes)))


def run_all(backend, store, keys):
    return [(done.key, done.problem) for done in backend.run(cases.make_jobs(store, keys), store, lambda *_: None)]


@settings(deadline=None, max_examples=examples(100))
@given(
    *(some.integers(), some.integers(1, 8), some.sampled_from([0.0, 0.3, 0.7, 1.0])),
    *(some.sampled_from([0.0, 0.3]), some.integers(1, 9)),
)
def test_every_hand_in_ends_once_with_a_result_or_a_reason(memory_folder, seed, count, success, silence, array_size):
    store = cases.open_store(Path(tempfile.mkdtemp(dir=memory_folder)))
    cluster = Cluster(random.Random(seed), store, success, 0.2 * (success < 1), silence)
    keys = [f"s{number}" for number in range(count)]
    with pytest.MonkeyPatch.context() as monkeypatch:
        install(monkeypatch, cluster)
        ended = run_all(make_backend(array_size=array_size), store, keys)
    assert sorted(key for key, _trouble in ended) == keys
    for key, problem in ended:
        assert is_done(store, read_record(store.task(key), Job)) == (problem == "")
        assert cluster.starts[key] <= (MAX_TRIES if success < 1 else 1), "a controller's silence costs no try"
        assert not problem or cluster.starts[key] == MAX_TRIES
    assert not list((store.root / "slurm").iterdir())
    assert all(len(array.keys) <= array_size for array in cluster.arrays.values())


@settings(deadline=None, max_examples=examples(60))
@given(some.integers(), some.integers(1, 20))
def test_a_batch_that_is_killed_at_any_call_goes_on_and_submits_nothing_twice(memory_folder, seed, last_call):
    store = cases.open_store(Path(tempfile.mkdtemp(dir=memory_folder)))
    cluster = Cluster(random.Random(seed), store, success=1.0, problem=0.0)
    keys = ["a", "b", "c", "d", "e"]

    class Killed(BaseException):
        pass

    def count():
        if cluster.calls == last_call:
            cluster.calls += 1
            raise Killed

    with pytest.MonkeyPatch.context() as monkeypatch:
        install(monkeypatch, cluster)
        for name in ("submit", "list_alive"):
            whole = getattr(cluster, name)
            monkeypatch.setattr(controller, name, lambda *args, whole=whole: (whole(*args), count())[0])
        ended = []
        try:
            ended += run_all(make_backend(), store, keys)
        except Killed:
            left = [key for key in keys if not is_done(store, read_record(store.task(key), Job))]
            ended += run_all(make_backend(), store, left)
    assert all(is_done(store, read_record(store.task(key), Job)) for key in keys)
    assert not any(problem for _key, problem in ended)
    assert cluster.starts == dict.fromkeys(keys, 1)


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """A cluster on which every task succeeds."""
    kind = Cluster(random.Random(1), cases.open_store(tmp_path), success=1.0, problem=0.0)
    install(monkeypatch, kind)
    return kind


def test_what_a_running_array_of_an_earlier_run_does_not_hold_is_submitted_after_it(cluster):
    store = cluster.store
    ended = make_backend(on_stop="leave").run(cases.make_jobs(store, ["a", "b"]), store, lambda *_: None)
    next(ended)
    ended.close()
    left = [key for key in ("a", "b") if not is_done(store, read_record(store.task(key), Job))]
    assert sorted(run_all(make_backend(), store, [*left, "c"])) == [(key, "") for key in [*left, "c"]]
    assert [array.keys for array in cluster.arrays.values()] == [("a", "b"), ("c",)]


def test_a_cluster_that_refuses_ends_the_batch_and_leaves_no_files(cluster, monkeypatch):
    def refuse(*_arguments):
        raise UsageError("Slurm refuses")

    monkeypatch.setattr(controller, "submit", refuse)
    with pytest.raises(UsageError, match="Slurm refuses"):
        run_all(make_backend(), cluster.store, ["a"])
    assert not list((cluster.store.root / "slurm").iterdir())


def test_an_array_whose_submission_got_no_answer_is_found_by_the_next_run(cluster, monkeypatch):
    def submit_silently(script, options):
        cluster.submit(script, options)
        raise _SILENCE

    monkeypatch.setattr(controller, "submit", submit_silently)
    with pytest.raises(GraderError, match="nobody answers"):
        run_all(make_backend(), cluster.store, ["a"])
    assert (run_all(make_backend(), cluster.store, ["a"]), cluster.starts) == ([("a", "")], {"a": 1})
