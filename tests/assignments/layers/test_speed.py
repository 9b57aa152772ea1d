"""The speed of the training: judged as any other speed-up, in a simulated world, and with real workers around it."""

from collections import Counter
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import simulated_speed
from handins import LAYERS
from rows import each

from grader.assignment import load_assignment
from grader.assignments.layers import inputs, recipe, speed
from grader.assignments.layers.baselines import baseline, serial
from grader.authoring import Inconclusive, Note, StudentFault
from grader.authoring.comparison import matches
from grader.authoring.judges import networks, speedup
from grader.authoring.judges.substitutes import Runner
from grader.model import File, Outcome, Submission
from grader.timing.lane import Lane, pick_core
from grader.worker.client import Staff
from grader.worker.process import Limits, PlainLauncher, Settings, WorkerProcess
from grader.worker.student import Student

THRESHOLD = load_assignment("layers").rubric.criterion("network.speedup").threshold
SMALL = 24, 20
RIGHT = (load_assignment("layers").folder / "right.py").read_text("utf-8")
ALL_LAYERS = ["layers.Linear", "layers.ReLU", "layers.Sigmoid", "losses.cross_entropy_gradient"]


class World(simulated_speed.World):
    def __init__(self, **seconds):
        usual = {"train": 0.05, "hand_over": 0.0, "copies": 0.0002, "train_on_cpu": 0.06, "train_on_gpu": 0.005}
        super().__init__(speed.make_workload(), usual | seconds)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(recipe, "TIMED_SHAPE", SMALL)


measured = partial(simulated_speed.measured, threshold=THRESHOLD)
graded = partial(simulated_speed.graded, threshold=THRESHOLD)


@each("gpu_s, outcome", (0.005, Outcome.PASSED), (0.05, Outcome.INCONCLUSIVE), (0.1, Outcome.FAILED))
def test_a_clear_ratio_to_the_staffs_numpy_is_decided_and_a_close_one_is_open(monkeypatch, gpu_s, outcome):
    assert graded(measured(monkeypatch, World(train=0.05, train_on_gpu=gpu_s))).outcome is outcome


@pytest.mark.parametrize("cpu_s", [0.01, 0.06, 0.5])
def test_ones_own_cpu_path_moves_no_point_and_is_shown(monkeypatch, cpu_s):
    note = measured(monkeypatch, World(train_on_cpu=cpu_s))
    low, high = graded(note).observation.facts["speedup"]
    assert 9 < low < high < 11
    assert note.facts["raw_ratios"]["to the CPU path"] == pytest.approx(cpu_s / 0.005, rel=0.1)
    assert note.flags == []


def test_a_cpu_path_of_plain_loops_leaves_time_for_the_verdict(monkeypatch):
    world = World(train_on_cpu=4.0)
    assert graded(measured(monkeypatch, world)).outcome is Outcome.PASSED
    assert world.seen.count("train_on_cpu") == 1 + 2


def test_a_wrong_cpu_path_is_a_remark_and_a_wrong_gpu_path_fails(monkeypatch):
    world = World()
    world.wrong["train_on_cpu"] = 1
    note = measured(monkeypatch, world)
    assert graded(note).outcome is Outcome.PASSED
    assert any(remark.message.startswith("the CPU path failed") for remark in note.remarks)
    world = World()
    world.wrong["train_on_gpu"] = 20
    with pytest.raises(StudentFault, match="The GPU path, while it was timed"):
        measured(monkeypatch, world)


def test_every_training_begins_with_numbers_of_its_own(monkeypatch):
    world = World()
    measured(monkeypatch, world)
    assert len({parameters[0].tobytes() + X.tobytes() for parameters, X, *_ in world.inputs}) == len(world.inputs)


def test_the_baseline_follows_the_gradient():
    parameters, X, Y, *_ = speed.draw_training(np.random.default_rng(1), (7, 9))

    def loss(flat):
        parts = zip(np.split(flat, [14, 21, 28]), parameters, strict=True)
        W1, b1, W2, b2 = (part.reshape(one.shape) for part, one in parts)
        return inputs.cross_entropies(networks.logistic(W2 @ np.maximum(W1 @ X + b1, 0) + b2), Y).mean()

    before = baseline.hand_over(parameters)
    step = before - baseline.train(parameters, X, Y, (1.0, 1))
    numeric = [(loss(before + 1e-6 * e) - loss(before - 1e-6 * e)) / 2e-6 for e in np.eye(before.size)]
    assert step == pytest.approx(np.array(numeric), abs=1e-8)


def test_serial_loops_end_where_numpy_does_and_every_function_has_its_time():
    given = speed.draw_training(np.random.default_rng(2), (7, 9))
    timed = serial.profile(*given)
    assert timed["parameters"] == pytest.approx(baseline.train(*given), abs=1e-12)
    assert {name.partition(".")[0] for name in timed["functions_s"]} == {"Linear", "ReLU", "Sigmoid", "loss"}
    assert 0 < sum(timed["functions_s"].values()) <= timed["total_s"]


def test_serial_loops_stand_beside_the_text_and_the_gpu_where_there_is_one():
    class Loops:
        def call(self, *_):
            return SimpleNamespace(value={"total_s": 2.0, "functions_s": {"Linear.forward": 1.0}})

    rng, told = np.random.default_rng(0), {}
    for gpu_s in (None, 0.5):
        note = Note()
        speed.note_serial(Loops(), gpu_s, rng, note)
        told[gpu_s] = note.facts["serial"].get("speedup_measured"), note.remarks[0].message
    assert (told[None][0], told[0.5][0]) == (None, 4.0)
    assert "50.00 % of the time lies in parts that can run in parallel: Linear 50.00" in told[None][1]
    assert "The text has Linear 81.93" in told[0.5][1]


def test_single_precision_is_right_and_a_forgotten_step_is_not():
    parameters, X, Y, (rate, epochs) = case = speed.draw_training(np.random.default_rng(1), (1024, 1000))
    right, tolerance = speed.solve(*case)
    rounded = [one.astype(np.float32) for one in (*parameters, X, Y, np.float64(rate))]
    assert matches(baseline.train(rounded[:4], *rounded[4:6], (rounded[6], epochs)), right, atol=tolerance).all()
    for steps in range(epochs):
        assert not matches(baseline.train(parameters, X, Y, (rate, steps)), right, atol=tolerance).all()


@pytest.fixture
def opened(tmp_path):
    """Return a function that opens the reference with a text in the place of another; its workers end with the test."""
    handins = []

    def make(old="", new=""):
        (tmp_path / "submission").mkdir()
        for name in LAYERS.sources:
            text = (LAYERS.reference / name).read_text("utf-8")
            (tmp_path / "submission" / name).write_text(text.replace(old, new) if old else text, "utf-8")
        assignment = load_assignment("layers")
        files = tuple(File(name, 0, "") for name in LAYERS.sources)
        settings = Settings(tmp_path / "submission", assignment.staff)
        start = partial(WorkerProcess, launcher=PlainLauncher())
        handins.append(Student(settings, Submission("layers", "", files), assignment.graded, start))
        return Runner(handins[-1], RIGHT)

    yield make
    for handin in handins:
        handin.close()


@pytest.fixture
def runner(opened):
    return opened()


@pytest.mark.wide
def test_real_workers_take_samples_of_what_kernels_compute(runner):
    rng, note = np.random.default_rng(0), Note()
    baselines = load_assignment("layers").baselines
    staff = Staff(lambda: WorkerProcess(Settings(baselines, baselines), PlainLauncher()), Limits())
    work = speed.make_workload()
    before = speed.count_launches(runner, work, rng, Note())
    assert before["multiply_and_add"] == 2 * recipe.TIMED_EPOCHS
    with Lane(pick_core()) as core:
        bench = speedup.Bench(work, runner.student, staff, core, rng)
        speedup.prepare(bench, note)
        taken = speedup.take(bench, replace(THRESHOLD, at_least=1e6))  # which is decided at the first look
    staff.close()
    speedup.explain(taken, THRESHOLD, bench, note)
    assert {*note.facts["times_s"]} == {"the CPU path", "staff's NumPy", "the GPU path"}
    speed.expect_same_launches(before, speed.count_launches(runner, work, rng, Note()))
    speed.expect_kernels(runner, work, rng, note)


def test_a_training_whose_host_works_at_the_timed_size_only_is_for_a_person(opened):
    sized = "        if cpu_only or A.shape[1] == 20:\n            Z.set("
    runner, rng = opened("        if cpu_only:\n            Z.set(", sized), np.random.default_rng(0)
    with pytest.raises(Inconclusive, match="A TA should read it"):
        speed.expect_kernels(runner, speed.make_workload(), rng, Note())


@pytest.mark.wide
@each("replaced", ["matrix.Matrix"], ["layers.ReLU", "network.FFN"], ALL_LAYERS)
def test_the_staffs_parts_stand_in_on_the_gpu_path(runner, replaced):
    rng = np.random.default_rng(0)
    work = speed.make_workload(RIGHT, replaced)
    args = work.work.draw(rng, work.shape)
    right, tolerance = speed.solve(*args)
    for function in (speed.ON_GPU, speed.ON_CPU):
        found = runner.student.run_unobserved(work.uses, speed.MODULE, function, args).value
        assert matches(found, right, atol=tolerance).all()
    assert bool(speed.count_launches(runner, work, rng, Note())) is ("layers.Linear" not in replaced)


def test_other_launches_after_the_times_than_before_are_for_a_person():
    speed.expect_same_launches(Counter(relu=2), Counter(relu=2))
    for after, count in ((Counter(), 0), (Counter(empty=2), 2)):
        with pytest.raises(Inconclusive, match=f"2 kernels before it was timed, and {count} after it"):
            speed.expect_same_launches(Counter(relu=2), after)


def test_stand_ins_take_arguments_by_name_as_the_submissions_layers_do(opened):
    runner, work = opened("(X, cpu_only)", "(X, cpu_only=cpu_only)"), speed.make_workload(RIGHT, ALL_LAYERS)
    args = work.work.draw(np.random.default_rng(0), work.shape)
    right, tolerance = speed.solve(*args)
    found = runner.student.run_unobserved(work.uses, speed.MODULE, speed.ON_GPU, args).value
    assert matches(found, right, atol=tolerance).all()
