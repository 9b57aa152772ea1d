"""Print, as JSON, what the report shows of a run on some ranks: mpiexec -n 4 python measure.py [DATA], see train.py."""

import json
import sys
import time

import numpy as np
import train
from data_parallel import train_batches, train_softmax
from model_parallel import train_tensor_parallel
from mpi4py import MPI
from network import cost, predict, random_weights
from threadpoolctl import threadpool_limits

SAMPLES, FEATURES, HIDDEN, CLASSES = 800, 400, 128, 10
SETTINGS = 0.3, 40, 0.05
REPEATS = 3


def measure_softmax(comm):
    """Return training -> its seconds on rank 0, and those inside MPI's calls, for both ways to divide the network."""
    rng = np.random.default_rng(0)
    data = rng.random((SAMPLES, FEATURES)), rng.integers(0, CLASSES, SAMPLES)
    shapes = (FEATURES, HIDDEN), (HIDDEN,), (HIDDEN, CLASSES), (CLASSES,)
    W1, b1, W2, b2 = weights = [rng.normal(size=shape) / 20 for shape in shapes]
    own = (*data, *weights) if comm.rank == 0 else (None,) * 6
    parts = [np.array_split(one, comm.size, axis)[comm.rank].copy() for one, axis in ((W1, 1), (b1, 0), (W2, 0))]
    found = {}
    for name, training, given in (
        ("samples divided", train_softmax, own),
        ("weights divided", train_tensor_parallel, (*data, *parts, b2.copy())),
    ):
        timed = train.TimedComm(comm)
        comm.Barrier()
        start = time.perf_counter()
        training(timed, *given, *SETTINGS)
        whole = time.perf_counter() - start
        found[name] = {"whole": whole, "inside": sum(timed.seconds.values())}
    return found


def measure_batches(comm, path=""):
    """Return, for sizes of mini-batches and learning rates, the steps of one pass, and cost and precision after it."""
    rows = []
    inputs, labels = train.load(path) if comm.rank == 0 else (None, None)
    thetas = (random_weights(FEATURES, 25), random_weights(25, CLASSES)) if comm.rank == 0 else (None, None)
    for size in (5000, 500, 50):
        for rate in (0.1, 1.0):
            theta1, theta2, costs = train_batches(comm, inputs, labels, *thetas, rate, size)
            if comm.rank == 0:
                right = float(np.mean(predict(theta1, theta2, inputs) == labels))
                rows.append([size, rate, len(costs), float(cost(theta1, theta2, inputs, labels)), right])
    return rows


def main():
    """Print what rank 0 finds: the best of some runs."""
    comm, path = MPI.COMM_WORLD, sys.argv[1:2]
    runs = [train.run(comm, *path) for _ in range(REPEATS)]
    with threadpool_limits(1):
        softmax = [measure_softmax(comm) for _ in range(REPEATS)]
        batches = measure_batches(comm, *path)
    if comm.rank == 0:
        best = {name: min((one[name] for one in softmax), key=lambda one: one["whole"]) for name in softmax[0]}
        print(json.dumps({**min(runs, key=lambda one: one["parallel"]["whole"]), "softmax": best, "batches": batches}))


if __name__ == "__main__":
    main()
