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
