"""Mistakes in `dataset.py`, and what each costs.

failed: dataset.points
"""

# %% batches_used_up
"""`batches` is a generator, which has nothing left for the second epoch."""
class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        points = np.random.default_rng(seed).uniform(-1, 1, (2, samples))
        cuts = range(batch_size, samples, batch_size)
        self.batches = (self.pair(part) for part in np.split(points, list(cuts), axis=1))

    def pair(self, points):
        X, Y = Matrix(2, points.shape[1]), Matrix(1, points.shape[1])
        X.set(points)
        Y.set((points[:1] * points[1:] < 0).astype(float))
        return X, Y

# %% fewer_batches_the_second_time
"""The second data set of the same seed goes on where the first one ended, and is shorter."""
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

# %% first_quadrant_only
"""Numbers from 0 to 1."""
class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        points = np.random.default_rng(seed).uniform(0, 1, (2, samples))
        labels = (points[0] * points[1] < 0).astype(np.float64).reshape(1, samples)
        self.batches = []
        for first in range(0, samples, batch_size):
            part = slice(first, min(first + batch_size, samples))
            X = Matrix(2, part.stop - part.start)
            Y = Matrix(1, part.stop - part.start)
            X.set(points[:, part])
            Y.set(labels[:, part])
            self.batches.append((X, Y))

# %% labels_exchanged
"""Quadrants 1 and 3 have the label 1."""
class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        points = np.random.default_rng(seed).uniform(-1, 1, (2, samples))
        labels = (points[0] * points[1] > 0).astype(np.float64).reshape(1, samples)
        self.batches = []
        for first in range(0, samples, batch_size):
            part = slice(first, min(first + batch_size, samples))
            X = Matrix(2, part.stop - part.start)
            Y = Matrix(1, part.stop - part.start)
            X.set(points[:, part])
            Y.set(labels[:, part])
            self.batches.append((X, Y))

# %% last_batch_dropped
"""What does not fill a batch is lost."""
class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        points = np.random.default_rng(seed).uniform(-1, 1, (2, samples))
        labels = (points[0] * points[1] < 0).astype(np.float64).reshape(1, samples)
        self.batches = []
        for first in range(0, samples - samples % batch_size, batch_size):
            part = slice(first, min(first + batch_size, samples))
            X = Matrix(2, part.stop - part.start)
            Y = Matrix(1, part.stop - part.start)
            X.set(points[:, part])
            Y.set(labels[:, part])
            self.batches.append((X, Y))

# %% points_repeated
"""The generator is made anew for each batch, so that all batches have the same points."""
class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        self.batches = []
        for first in range(0, samples, batch_size):
            m = min(batch_size, samples - first)
            points = np.random.default_rng(seed).uniform(-1, 1, (2, m))
            X, Y = Matrix(2, m), Matrix(1, m)
            X.set(points)
            Y.set((points[:1] * points[1:] < 0).astype(float))
            self.batches.append((X, Y))

# %% seed_is_ignored
"""Points are drawn without the seed."""
class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        points = np.random.default_rng().uniform(-1, 1, (2, samples))
        labels = (points[0] * points[1] < 0).astype(np.float64).reshape(1, samples)
        self.batches = []
        for first in range(0, samples, batch_size):
            part = slice(first, min(first + batch_size, samples))
            X = Matrix(2, part.stop - part.start)
            Y = Matrix(1, part.stop - part.start)
            X.set(points[:, part])
            Y.set(labels[:, part])
            self.batches.append((X, Y))
