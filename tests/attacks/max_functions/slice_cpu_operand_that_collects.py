"""An object is added to NumPy's maximum, and is handed each number; loops copy what it kept.

aims: max.cpu.trivial
"""


class Collector:
    def __init__(self):
        self.found = []

    def __radd__(self, number):
        self.found.append(number)
        return 0


def max_cpu(A, B):
    A.tolist(), B.tolist()
    collector = Collector()
    np.maximum(A, B).astype(object) + collector
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = collector.found[i * A.shape[1] + j]
    return C
