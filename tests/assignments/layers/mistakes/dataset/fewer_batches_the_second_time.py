"""The second data set of the same seed goes on where the first one ended, and is shorter.

failed: dataset.points
"""

MADE = {}


class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        rng = np.random.default_rng(seed)
        skipped = MADE.setdefault(seed, 0)
        MADE[seed] += batch_size
        points = rng.uniform(-1, 1, (2, samples))[:, skipped:]
        labels = (points[:1] * points[1:] < 0).astype(float)
        self.batches = []
        for start in range(0, samples - skipped, batch_size):
            X, Y = (part[:, start : start + batch_size] for part in (points, labels))
            batch = Matrix(*X.shape), Matrix(*Y.shape)
            batch[0].set(X)
            batch[1].set(Y)
            self.batches.append(batch)
