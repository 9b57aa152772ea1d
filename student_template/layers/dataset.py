"""Random points and their quadrants. Yours to fill in."""

import numpy as np  # noqa: F401 (for your points)
from matrix import Matrix  # noqa: F401 (the same)


class Dataset:
    """Points of [-1, 1] x [-1, 1]; `batches` is a list of pairs (X, Y) of Matrices, 2 x m and 1 x m."""

    def __init__(self, samples, batch_size, seed=0):
        raise NotImplementedError("dataset.py: fill in Dataset.__init__, which draws points by the seed")
