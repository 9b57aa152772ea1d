"""A text of the pickle module is a partial of NumPy's maximum, and gets the function's name.

aims: max.cpu.trivial
"""

import pickle


def _loops(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


WAYS = {"loops": _loops, "other": pickle.loads(b"cnumpy\nmaximum\n.")}


def max_cpu(A, B):
    return WAYS["other"](A, B)
