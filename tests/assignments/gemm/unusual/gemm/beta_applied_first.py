"""A kernel of its own multiplies C by beta; the product is added to it.
"""


@cuda.jit
def scale(beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        if beta == 0:
            C[i, j] = 0
        else:
            C[i, j] *= beta


@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] += alpha * total[0]


def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        grid = math.ceil(n / TILE), math.ceil(m / TILE)
        scale[grid, (TILE, TILE)](beta, C)
        naive_kernel[grid, (TILE, TILE)](alpha, A, B, beta, C)
