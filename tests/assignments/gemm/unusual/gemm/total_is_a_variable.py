"""The sum is a plain variable, which begins as 0.0.
"""


@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total, beta, C, i, j)
