"""How sure the thresholds of `layers` are: trainings from many seeds, of right code and of networks that learn nothing.

    python tests/benchmarks/quadrants.py [SEEDS]

Prints a table and writes out/bench/quadrants.json.
"""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "reference" / "layers")]

from layers import Linear, ReLU, Sigmoid  # noqa: E402 - found by the line above
from matrix import Matrix  # noqa: E402 - found by the line above
from network import FFN  # noqa: E402 - found by the line above
from tables import write_figures  # noqa: E402 - beside this file

from grader.assignments.layers import inputs, recipe  # noqa: E402 - after the others

THRESHOLD_PERCENT = 98


class Given:
    def __init__(self, points, labels):
        pairs = zip(inputs.cut(points, recipe.BATCH_SIZE), inputs.cut(labels, recipe.BATCH_SIZE), strict=True)
        self.batches = [tuple(map(as_matrix, pair)) for pair in pairs]


def as_matrix(values):
    matrix = Matrix(*values.shape)
    matrix.set(values)
    return matrix


def train(seed, kind):
    """Return accuracy in percent and loss on hidden points of one network."""
    rng = np.random.default_rng(seed)
    points, labels = inputs.draw_points(rng, recipe.POINTS)
    hidden, right = inputs.draw_points(rng, recipe.HIDDEN_POINTS, recipe.MARGIN)
    if kind == "x only":
        points[1], hidden[1] = 0, 0
    if kind == "other rule":
        labels = inputs.label_otherwise(points)
    layers = [Linear(2, recipe.HIDDEN, seed), ReLU(), Linear(recipe.HIDDEN, 1, seed + 1), Sigmoid()]
    if kind == "one layer":
        layers = [Linear(2, 1, seed), Sigmoid()]
    network = FFN()
    for layer in layers:
        network.add(layer)
    epochs = {"untrained": 0, "one epoch": 1}.get(kind, recipe.EPOCHS)
    network.train(Given(points, labels), recipe.LEARNING_RATE, epochs, cpu_only=True)
    found = np.clip(network.forward(as_matrix(hidden), cpu_only=True).copy_to_host(), 1e-12, 1 - 1e-12)
    return 100 * float(((found > 0.5) == right).mean()), float(inputs.cross_entropies(found, right).mean())


def main():
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    rows = {}
    print(f"{'network':<12} {'accuracy %':>18} {'loss':>18} {'passes':>10}")
    for kind in ("right", "one epoch", "one layer", "x only", "other rule", "untrained"):
        found = [train(seed, kind) for seed in range(seeds)]
        accuracies, losses = zip(*found, strict=True)
        passed = sum(one >= THRESHOLD_PERCENT and loss <= recipe.HIGHEST_LOSS for one, loss in found)
        spans = {"accuracy_percent": (min(accuracies), max(accuracies)), "loss": (min(losses), max(losses))}
        rows[kind] = {**spans, "passed": passed}
        words = f"{min(accuracies):7.2f} to {max(accuracies):6.2f} {min(losses):8.4f} to {max(losses):6.3f}"
        print(f"{kind:<12} {words} {passed:>5} of {seeds}")
    write_figures("quadrants", {"seeds": seeds, **rows})


if __name__ == "__main__":
    main()
