"""A simulated machine with a GPU for `grader.authoring.judges.speedup`: the real code around simulated calls."""

from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import numpy as np

from grader.authoring import Answer, Note
from grader.authoring.judges import speedup
from grader.errors import WorkerError
from grader.model import Criterion, Evidence, Observation, Outcome, Rubric, Run, Submission
from grader.scoring.score import score
from grader.timing import health, sampling
from grader.timing.gpus import Gpu
from grader.timing.health import Health

GPU = {"uuid": "GPU-1", "to_device_bytes_per_s": 12e9, "from_device_bytes_per_s": 12e9}
WORD_S, COPY_S = 0.0001, 0.001


class World:
    """Simulated time, and how long each function of a workload takes in it.

    The first call of each function of the submission takes a second more.
    """

    def __init__(self, work, seconds):
        self.work, self.seconds = work, seconds
        self.now_s, self.gpu = 0.0, GPU
        self.own = {work.slow, work.fast, work.beside}
        self.rng = np.random.default_rng(2)
        self.seen, self.inputs, self.stood_still = [], [], []
        self.wrong, self.late_s = {}, {}
        self.is_locked = False
        self.machine = Health(Gpu("GPU-1", pids=(), last_active_us={}))

    def spend(self, function):
        noise = float(np.exp(self.rng.normal(0, 0.01)))
        first = 1.0 if function not in self.seen and function in self.own else 0.0
        self.seen.append(function)
        spent_s = self.seconds[function] * noise + first + WORD_S
        self.now_s += spent_s
        return spent_s


class Player:
    pids = (1,)

    def __init__(self, world):
        self.world, self.begun, self.doubts, self.loaded = world, 0, ["an earlier doubt"], []

    def begin_time(self):
        self.begun += 1

    def load(self, module):
        self.loaded.append(module)

    def run_unobserved(self, uses, module, function, args, *, timed=False):
        assert uses == self.world.work.uses
        assert function in self.world.own
        return self.call(module, function, args, timed=timed)

    def call(self, module, function, args, *, timed=False):
        assert module in {self.world.work.module, "baseline", "grader.timing.physics"}
        if function == "describe_gpu":
            assert self.world.is_locked
            if self.world.gpu is None:
                raise WorkerError
            return Answer("it", self.world.gpu)
        assert timed
        self.world.inputs.append(args)
        returned_s = self.world.spend(function)
        value = np.asarray(self.world.work.work.solve(*args)[0])
        if self.world.seen.count(function) >= self.world.wrong.get(function, np.inf):
            value = np.zeros(value.shape)
        received_s = returned_s + self.world.late_s.get(function, 0.0) + COPY_S
        return Answer("it", value, wall_s=received_s, returned_s=returned_s, received_s=received_s)

    run = call


class Track:
    core = 0

    def __init__(self, world):
        self.world = world

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def run(self, worker, call, still=()):
        self.world.stood_still.append((worker, tuple(still)))
        return call()


def measured(monkeypatch, world, threshold, disturbances=()):
    """Run the whole measurement in `world` and return what it noted; `disturbances` in the order of sections."""
    left = list(disturbances)

    @contextmanager
    def hold(names):
        assert names == ("gpu-GPU-1", f"core-{speedup.lane.pick_core()}")
        world.is_locked = True
        yield 12.5
        world.is_locked = False

    monkeypatch.setattr(speedup.locks, "hold", hold)
    monkeypatch.setattr(speedup, "name_gpu", lambda: "GPU-1")
    monkeypatch.setattr(speedup.lane, "Lane", lambda _core: Track(world))
    monkeypatch.setattr(speedup.health, "observe", lambda *_, **__: world.machine)
    undisturbed = partial(health.undisturbed, find=lambda *_: left.pop(0) if left else "")
    monkeypatch.setattr(speedup.health, "undisturbed", undisturbed)
    sample = partial(sampling.sample, now_s=lambda: world.now_s)
    monkeypatch.setattr(speedup, "sampling", SimpleNamespace(**{**vars(sampling), "sample": sample}))
    note, student, staff = Note(), Player(world), Player(world)
    try:
        speedup.measure(world.work, student, staff, threshold, np.random.default_rng(1), note)
    finally:
        world.student, world.staff = student, staff
        world.note = note
    return note


def graded(note, threshold, outcome=Outcome.PASSED):
    """Return the result that scoring makes of what was noted."""
    row = Criterion("it.speedup", "Part 2", 7.0, threshold=threshold, hardware="gpu")
    seen = Observation(row.id, "It is fast.", outcome, facts=note.facts, flags=tuple(note.flags))
    evidence = Evidence(Submission("it", ""), Run("gpu", "mnist", "full", 1), (seen,))
    (result,) = score(evidence, Rubric("it", "Homework", 7.0, (row,))).results
    return result
