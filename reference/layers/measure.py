"""Print, as JSON, what the report shows: shares of the CPU path, times of both paths, and what the network learns."""

import cProfile
import json
import time

from dataset import Dataset
from layers import Linear, ReLU, Sigmoid
from network import FFN

HIDDEN = 256
HALF = 0.5


def build_network(hidden, seed):
    """Return the network of the sheet, with so many hidden neurons."""
    network = FFN()
    for layer in (Linear(2, hidden, seed), ReLU(), Linear(hidden, 1, seed + 1), Sigmoid()):
        network.add(layer)
    return network


def measure_shares():
    """Return which share of a training on the CPU path each method of the layers takes."""
    network, data = build_network(HIDDEN, 0), Dataset(1000, 500, 0)
    profiler = cProfile.Profile()
    profiler.runcall(network.train, data, 0.1, 20, True)
    seconds = {}
    for entry in profiler.getstats():
        name = getattr(entry.code, "co_qualname", "")
        seconds[name] = seconds.get(name, 0.0) + entry.totaltime
    names = (
        f"{kind}.{method}" for kind in ("Linear", "ReLU", "Sigmoid") for method in ("forward", "backward", "update")
    )
    return {name: seconds[name] / seconds["FFN.train"] for name in names if name in seconds}


def time_training(cpu_only):
    """Return the seconds of a training, the best of three after one that compiles the kernels."""
    times = []
    for _ in range(4):
        network, data = build_network(HIDDEN, 0), Dataset(1000, 500, 0)
        start = time.perf_counter()
        network.train(data, 0.1, 5, cpu_only)
        times.append(time.perf_counter() - start)
    return min(times[1:])


def learn():
    """Train as the sheet asks; return the loss of each epoch, and the share of fresh points that come out right."""
    network = build_network(32, 0)
    losses = network.train(Dataset(1000, 100, 0), 1.0, 60, cpu_only=True)
    X, Y = Dataset(2000, 2000, 1).batches[0]
    right = (network.forward(X, cpu_only=True).copy_to_host() > HALF) == Y.copy_to_host()
    return losses, float(right.mean())


if __name__ == "__main__":
    losses, accuracy = learn()
    times = {"CPU": time_training(True), "GPU": time_training(False)}
    print(json.dumps({"shares": measure_shares(), "times": times, "losses": losses, "accuracy": accuracy}))
