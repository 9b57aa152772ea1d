"""Random points of the plane, told apart by their quadrants: no straight line does that, so it takes two layers."""

import numpy as np
from matrix import Matrix


class Dataset:
    """Points, uniform in [-1, 1] x [-1, 1], with the label 0 in quadrants 1 and 3 and the label 1 in quadrants 2 and 4.

    Attributes:
        batches: list of pairs (X, Y): points as columns, Matrix (2, m), and their labels, Matrix (1, m). All have m =
            batch_size, but for the last one, which takes the rest.
    """

    def __init__(self, samples, batch_size, seed=0):
        if samples < 1 or batch_size < 1:
            raise ValueError(f"there is no data set of {samples} samples in batches of {batch_size}")
        points = np.random.default_rng(seed).uniform(-1, 1, (2, samples))
        labels = (points[0] * points[1] < 0).astype(np.float64).reshape(1, samples)  # signs differ: quadrant 2 or 4
        self.batches = []
        for first in range(0, samples, batch_size):
            part = slice(first, min(first + batch_size, samples))
            X = Matrix(2, part.stop - part.start)
            Y = Matrix(1, part.stop - part.start)
            X.set(points[:, part])
            Y.set(labels[:, part])
            self.batches.append((X, Y))
