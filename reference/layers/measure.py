"""Print, as JSON, what the report shows: shares and times by the definitions of the grading, and what is learnt."""

import json
import sys
import time
from pathlib import Path

import numpy as np
from dataset import Dataset
from layers import Linear, ReLU, Sigmoid
from network import FFN
from threadpoolctl import threadpool_limits

import grader
from grader.assignments.layers import recipe, speed
from grader.assignments.layers.baselines import serial

sys.path.append(str(Path(grader.__file__).parent / "assignments/layers/staff"))
import timed_scenarios  # the line above finds it

HALF = 0.5


def build_network(hidden, seed):
    """Return the network of the sheet, with `hidden` hidden neurons."""
    network = FFN()
    for layer in (Linear(2, hidden, seed), ReLU(), Linear(hidden, 1, seed + 1), Sigmoid()):
        network.add(layer)
    return network


def measure_shares():
    """Return what `network.amdahl` measures of the CPU path: seconds of a training, and of each function in it."""
    hidden, size, setting = recipe.PROFILED
    batches = Dataset(recipe.POINTS, size, 0).batches
    points, labels = ([one.copy_to_host() for one in column] for column in zip(*batches, strict=True))
    return timed_scenarios.profile(hidden, points, labels, (*setting, 0))


def measure_serial(shape):
    """Return the same of the course's serial loops, for `shape`: hidden neurons and points."""
    timed = serial.profile(*speed.draw_training(np.random.default_rng(0), shape))
    return {name: timed[name] for name in ("total_s", "functions_s")}


def time_training():
    """Return the seconds of the training that `network.speedup` times: in serial loops, by NumPy, and by kernels."""
    given = speed.draw_training(np.random.default_rng(0), recipe.TIMED_SHAPE)
    times = {"serial loops": measure_serial(recipe.TIMED_SHAPE)["total_s"]}
    for name, train in (("CPU path", timed_scenarios.train_on_cpu), ("GPU path", timed_scenarios.train_on_gpu)):
        samples = []
        for _ in range(4):
            start = time.perf_counter()
            train(*given, "", [])
            samples.append(time.perf_counter() - start)
        times[name] = min(samples[1:])  # the first one compiles
    return times


def learn():
    """Train as the sheet asks; return the loss of each epoch, and the share of fresh points that come out right."""
    network = build_network(32, 0)
    losses = network.train(Dataset(1000, 100, 0), 1.0, 60, cpu_only=True)
    X, Y = Dataset(2000, 2000, 1).batches[0]
    right = (network.forward(X, cpu_only=True).copy_to_host() > HALF) == Y.copy_to_host()
    return losses, float(right.mean())


if __name__ == "__main__":
    losses, accuracy = learn()
    with threadpool_limits(1):  # of NumPy's: one core, as in the grading
        shares = {"CPU path": measure_shares(), "serial loops": measure_serial(recipe.PROFILED[:2])}
        times = time_training()
    print(json.dumps({"shares": shares, "times": times, "losses": losses, "accuracy": accuracy}))
