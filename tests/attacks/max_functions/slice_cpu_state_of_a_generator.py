"""Rows of NumPy's maximum become the state of a generator of random numbers, and are read as such.

aims: max.cpu.trivial
"""

GENERATOR = np.random.RandomState(1)


def _carry(row):
    GENERATOR.set_state(("MT19937", row.astype(np.uint32), 0))
    return GENERATOR.get_state()[1]


def max_cpu(A, B):
    A.tolist(), B.tolist()
    flat = np.zeros(-(-A.size // 624) * 624, np.int64)
    flat[: A.size] = np.maximum(A, B).ravel()
    C = np.concatenate([_carry(part) for part in flat.reshape(-1, 624)])
    return C[: A.size].reshape(A.shape).astype(A.dtype)
