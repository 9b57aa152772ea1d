"""NumPy's maximum goes through a vectorized `int`, which leaves every number as it is.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    A.tolist(), B.tolist()
    return np.vectorize(int)(np.maximum(A, B))
