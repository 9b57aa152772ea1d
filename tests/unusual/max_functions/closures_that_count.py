"""Functions inside functions keep count of comparisons in a variable of the outer one.

slow: its neighbours of the same kind are in the fast set
"""


def make_comparer(verbose=False):
    comparisons = 0
    wins = {"A": 0, "B": 0}

    def compare(a, b):
        nonlocal comparisons
        comparisons += 1
        if a > b:
            wins["A"] += 1
            return a
        wins["B"] += 1
        return b

    def report():
        if verbose:
            print(f"{comparisons} comparisons, won by {wins}")
        return comparisons

    compare.report = report
    return compare


def max_cpu(A, B):
    compare = make_comparer(verbose=True)

    def row(i):
        return [compare(A[i, j], B[i, j]) for j in range(A.shape[1])]

    C = np.array([row(i) for i in range(A.shape[0])])
    assert compare.report() == A.size
    return C


def make_max_numba():
    @njit
    def larger(a, b):
        return a if a > b else b

    @njit
    def loops(A, B):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = larger(A[i, j], B[i, j])
        return C

    return loops


max_numba = make_max_numba()
