"""Indices and numbers are checked in the loop, by helpers that call helpers, and converted twice.

slow: its neighbours of the same kind are in the fast set
"""


def checked(value):
    if value < 0 or value > 255:
        raise ValueError(f"{value} is no brightness")
    return int(value)


def larger(a, b):
    if checked(a) > checked(b):
        return a
    return b


def max_cpu(A, B):
    assert A.shape == B.shape, "the shapes differ"
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(len(A)):
        assert len(A[i]) == len(B[i])
        for j in range(len(A[i])):
            assert 0 <= i < A.shape[0]
            assert 0 <= j < A.shape[1]
            C[i][j] = larger(int(A[i][j]), int(B[i][j]))
            assert C[i][j] >= A[i][j]
            assert C[i][j] >= B[i][j]
    return C
