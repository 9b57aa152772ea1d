"""Step 1 scales C first, and adds each product to it.
"""


@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    m, n = C.shape
    if i >= m or j >= n:
        return
    C[i, j] = 0 if beta == 0 else beta * C[i, j]
    p = 0
    while p < A.shape[1]:
        C[i, j] += alpha * A[i, p] * B[p, j]
        p += 1
