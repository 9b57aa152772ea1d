"""A class of the function's name makes arrays instead of its own objects, with NumPy's maximum.

aims: max.cpu.trivial
"""


class max_cpu:
    def __new__(cls, A, B):
        C = np.empty(A.shape, A.dtype)
        for i in range(A.shape[0]):
            for j in range(1):
                C[i, j:] = np.maximum(A[i], B[i])
        return C
