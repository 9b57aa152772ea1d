"""A class of its own has a method of loops; a loop over names further down stores NumPy's function in its place.

aims: max.cpu.trivial
"""


class Pair:
    def __init__(self, A, B):
        self.A, self.B = A, B

    def larger(self):
        C = np.empty(self.A.shape, self.A.dtype)
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                C[i, j] = self.A[i, j] if self.A[i, j] > self.B[i, j] else self.B[i, j]
        return C


def max_cpu(A, B):
    return Pair(A, B).larger()


for Pair.larger in [lambda pair: np.maximum(pair.A, pair.B)]:
    pass
