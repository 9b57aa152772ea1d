"""The label says whether y is positive.

failed: dataset.points
"""


class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        points = np.random.default_rng(seed).uniform(-1, 1, (2, samples))
        labels = (points[1] > 0).astype(np.float64).reshape(1, samples)
        self.batches = []
        for first in range(0, samples, batch_size):
            part = slice(first, min(first + batch_size, samples))
            X = Matrix(2, part.stop - part.start)
            Y = Matrix(1, part.stop - part.start)
            X.set(points[:, part])
            Y.set(labels[:, part])
            self.batches.append((X, Y))
