"""The simulated cluster, and what is done about unfinished tasks there."""

import os
import random
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

import cluster_batches as cases
import numpy as np
import pytest
from benchmarks.cluster_simulation import HOUR_S, Scenario, draw_arrivals, simulate
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as some
from rows import each

from grader.course.cluster import controller
from grader.course.cluster.arrays import Array, read_array
from grader.course.cluster.controller import SlurmSettings, TaskState
from grader.course.cluster.slurm import MAX_TRIES, SlurmBackend
from grader.course.files import read_task, write_record
from grader.course.job import Done, is_done
from grader.errors import GraderError, UsageError
from grader.intake.disk import write_atomically

SERVICE_S = some.lists(some.floats(0.1, 100), min_size=1, max_size=5)
CALM = Scenario(submissions=100, nodes=4, rush_h=0.0, node_life_h=0.0, task_loss=0.0, start_s=0.0, array_notice_s=0.0)
SCENARIOS = some.builds(
    Scenario,
    submissions=some.integers(1, 60),
    nodes=some.integers(1, 5),
    gpus=some.integers(1, 3),
    rush_h=some.sampled_from([0.0, 0.1, 2.0]),
    node_life_h=some.sampled_from([0.0, 0.01, 0.1, 10.0]),
    repair_h=some.sampled_from([0.0, 0.01, 1.0]),
    task_loss=some.sampled_from([0.0, 0.1, 0.9, 1.0]),
    start_s=some.floats(0, 5),
    array_size=some.integers(1, 70),
    seed=some.integers(0, 1000),
)


@settings(deadline=None, max_examples=examples(100))
@given(SCENARIOS, SERVICE_S)
def test_every_hand_in_ends_once_after_at_most_two_further_tries_and_no_cluster_is_faster_than_its_gpus(
    scenario, service_s
):
    outcome = simulate(scenario, service_s)
    assert len(outcome.ended_s) == len(outcome.tries) == scenario.submissions
    assert all(1 <= tries <= MAX_TRIES for tries in outcome.tries)
    assert all(outcome.tries[handin] == MAX_TRIES for handin in outcome.given_up)
    shortest_s = min(service_s) + scenario.start_s
    for handin, (arrived_s, ended_s) in enumerate(zip(outcome.arrived_s, outcome.ended_s, strict=True)):
        assert ended_s >= arrived_s + (0 if handin in outcome.given_up else shortest_s) * 0.999
    assert outcome.regraded == sum(outcome.tries) - scenario.submissions
    graded = scenario.submissions - len(outcome.given_up)
    assert outcome.work_s >= graded * (min(service_s) + scenario.start_s) * 0.999
    assert outcome.makespan_s >= (outcome.work_s + outcome.wasted_s) / (scenario.nodes * scenario.gpus) * 0.999


@given(some.integers(1, 50), some.integers(1, 5), some.integers(0, 99))
def test_without_losses_nothing_is_tried_twice_and_no_gpu_idles_behind_a_queue(submissions, nodes, seed):
    outcome = simulate(replace(CALM, submissions=submissions, nodes=nodes, seed=seed), [10.0])
    assert outcome.tries == (1,) * submissions
    assert outcome.makespan_s == pytest.approx(-(-submissions // nodes) * 10)


def test_the_same_seed_gives_the_same_batch_and_as_many_tasks_are_lost_as_asked_for_three_tries_each():
    scenario = Scenario(submissions=500, task_loss=0.1)
    assert simulate(scenario, [5.0, 9.0]) == simulate(scenario, [5.0, 9.0])
    assert simulate(scenario, [5.0, 9.0]) != simulate(replace(scenario, seed=1), [5.0, 9.0])
    outcome = simulate(replace(CALM, task_loss=1.0), [10.0])
    assert (set(outcome.tries), len(outcome.given_up)) == ({MAX_TRIES}, CALM.submissions)
    assert outcome.work_s == 0
    outcome = simulate(replace(CALM, submissions=20_000, nodes=50, task_loss=0.05), [10.0])
    # 5 % of the first tries, and 5 % of those again: 0.05 + 0.0025, give or take four standard deviations
    assert outcome.regraded / 20_000 == pytest.approx(0.0525, abs=0.0065)


@each("impossible", {"nodes": 0}, {"submissions": -1}, {"task_loss": 1.5}, {"rush_h": -1.0}, {"repair_h": float("nan")})
def test_what_cannot_be_is_refused(impossible):
    with pytest.raises(UsageError, match=f"{next(iter(impossible))} = .* cannot be simulated: give"):
        Scenario(**impossible)


def test_most_hand_ins_come_in_the_last_hours_and_a_dead_node_costs_what_it_ran_and_no_more():
    scenario = Scenario(submissions=20_000, rush_h=2.0)
    arrived_s, deadline_s = draw_arrivals(scenario, np.random.default_rng(3))
    left_h = (deadline_s - arrived_s) / HOUR_S
    assert arrived_s[0] == 0
    assert left_h.min() >= 0
    assert left_h.max() <= 24
    assert np.mean(left_h < 2) == pytest.approx(1 - np.exp(-1), abs=0.02)
    calm = simulate(CALM, [10.0])
    deadly = simulate(replace(CALM, submissions=2000, node_life_h=0.2, repair_h=0.05), [10.0])
    assert calm.wasted_s == 0
    assert deadly.lost_nodes > 5
    assert deadly.wasted_with_nodes_s == deadly.wasted_s
    assert 0 < deadly.wasted_s <= deadly.lost_nodes * 10


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
                job = read_task(self.store, key)
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
    cluster = Cluster(random.Random(seed), store, success, silence=silence)
    keys = [f"s{number}" for number in range(count)]
    with pytest.MonkeyPatch.context() as monkeypatch:
        install(monkeypatch, cluster)
        ended = run_all(make_backend(array_size=array_size), store, keys)
    assert sorted(key for key, _trouble in ended) == keys
    for key, problem in ended:
        assert is_done(store, read_task(store, key)) == (problem == "")
        assert cluster.starts[key] <= MAX_TRIES
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
            left = [key for key in keys if not is_done(store, read_task(store, key))]
            ended += run_all(make_backend(), store, left)
    assert all(is_done(store, read_task(store, key)) for key in keys)
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
    backend = make_backend(on_stop="leave")
    ended = backend.run(cases.make_jobs(store, ["a", "b"]), store, lambda *_: None)
    next(ended)
    ended.close()
    left = [key for key in ("a", "b") if not is_done(store, read_task(store, key))]
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
