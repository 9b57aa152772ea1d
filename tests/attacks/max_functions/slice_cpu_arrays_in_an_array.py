"""An array of objects holds two arrays of different shapes, and gives them back bare.

aims: max.cpu.trivial
"""


def max_cpu(A, B):
    a = np.array([A, B[:1]], dtype=object).tolist()[0]
    b = np.array([B, A[:1]], dtype=object).tolist()[0]
    M = a * (a > b) + b * (b >= a)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C
