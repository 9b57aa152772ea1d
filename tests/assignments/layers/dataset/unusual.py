"""`dataset.py` written in unusual ways, and right."""

# %% another_generator
"""Points by the old generator of NumPy, one after the other."""
class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        if samples < 1 or batch_size < 1:
            raise ValueError(f"{samples} in batches of {batch_size}")
        generator = np.random.RandomState(seed)
        self.batches = []
        while samples:
            m = min(batch_size, samples)
            samples -= m
            points = 2 * generator.rand(2, m) - 1
            labels = np.array([[0.0 if x * y > 0 else 1.0 for x, y in points.T]])
            X, Y = Matrix(2, m), Matrix(1, m)
            X.set(points)
            Y.set(labels)
            self.batches.append((X, Y))

# %% train_uses_dataset_samples
"""What `network.py` of this name needs here.

belongs: network
"""
class Dataset:
    def __init__(self, samples, batch_size, seed=0):
        if samples < 1 or batch_size < 1:
            raise ValueError(f"there is no data set of {samples} samples in batches of {batch_size}")
        points = np.random.default_rng(seed).uniform(-1, 1, (2, samples))
        labels = (points[0] * points[1] < 0).astype(np.float64).reshape(1, samples)  # signs differ: quadrant 2 or 4
        self.samples, self.batch_size = samples, batch_size
        self.batches = []
        for first in range(0, samples, batch_size):
            part = slice(first, min(first + batch_size, samples))
            X = Matrix(2, part.stop - part.start)
            Y = Matrix(1, part.stop - part.start)
            X.set(points[:, part])
            Y.set(labels[:, part])
            self.batches.append((X, Y))
