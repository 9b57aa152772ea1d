"""Trainings of the submission's network whose times are taken: part by part, or the whole on either path."""

import contextlib
import time
from unittest import mock

import losses
import network
import numpy as np
from network_scenarios import as_data, build_network

from grader.worker import substitutes

METHODS = ("forward", "backward", "update")
LOSSES = ("cross_entropy", "cross_entropy_gradient")
LONG_S, MOST_RUNS = 0.5, 9
REST = "the rest"
TRAIN = "network_scenarios", "train_parts"
ON_EITHER_PATH = ("network.FFN", "matrix.Matrix")  # staff parts that are equally fast on both paths


class Clock:
    """Adds up the seconds of functions; if one calls another, the outer function gets all the time."""

    def __init__(self):
        self.seconds, self.is_busy = {}, False

    def watching(self, owner, attribute, name):
        """Count the time of a class's method, or of a module's function, under `name` in the block."""
        function = getattr(owner, attribute)

        def call_timed(*args, **options):
            if self.is_busy:
                return function(*args, **options)
            self.is_busy, start = True, time.perf_counter()
            try:
                return function(*args, **options)
            finally:
                self.is_busy = False
                self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start

        return mock.patch.object(owner, attribute, call_timed)


def profile(hidden, points, labels, setting):
    """Return the seconds of a training on the CPU path, and those of each method of layers and each function of losses.

    They are medians of some trainings; one more, before them, only warms up.
    """
    args = hidden, points, labels, setting
    runs, spent_s = [], _train_watched(Clock(), *args)
    while not runs or (len(runs) < MOST_RUNS and spent_s < LONG_S):
        clock = Clock()
        total_s = _train_watched(clock, *args)
        spent_s += total_s
        runs.append({**clock.seconds, REST: total_s - sum(clock.seconds.values())})
    medians = {name: float(np.median([run.get(name, 0.0) for run in runs])) for name in runs[0]}
    return {"total_s": sum(medians.values()), "functions_s": {name: medians[name] for name in medians if name != REST}}


def _train_watched(clock, hidden, points, labels, setting):
    """Return the seconds of one training, whose parts `clock` counts."""
    learning_rate, epochs, seed = setting
    (net, parts), data = build_network(hidden, seed), as_data(points, labels)
    with contextlib.ExitStack() as watched:
        for kind, layer in zip(("Linear", "ReLU", "Sigmoid"), parts[:2] + parts[3:], strict=True):
            for method in METHODS:
                watched.enter_context(clock.watching(type(layer), method, f"{kind}.{method}"))
        for module in (network, losses):
            for name in LOSSES:
                if name in vars(module):
                    watched.enter_context(clock.watching(module, name, f"loss.{name}"))
        start = time.perf_counter()
        net.train(data, learning_rate, epochs, True)
        return time.perf_counter() - start


def train_on_cpu(parameters, X, Y, setting, right, replaced):
    """Return all parameters after a training on the CPU path; of `replaced`, only `ON_EITHER_PATH` are the staff's."""
    kept = [name for name in replaced if name in ON_EITHER_PATH]
    return _flat(substitutes.call(right, kept, *TRAIN, parameters, X, Y, setting, True))


def train_on_gpu(parameters, X, Y, setting, right, replaced):
    """Return all parameters after a training on the GPU path; the parts `replaced` are the staff's, in NumPy."""
    return _flat(substitutes.call(right, replaced, *TRAIN, parameters, X, Y, setting, False))


def _flat(parameters):
    return np.concatenate([parameter.ravel() for parameter in parameters.values()])
