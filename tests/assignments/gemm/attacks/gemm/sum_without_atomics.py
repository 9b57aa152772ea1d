"""Two threads add to each entry, without an atomic.

flagged: gemm.naive.correct
"""


@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    half = cuda.threadIdx.z
    if i < C.shape[0] and j < C.shape[1]:
        if half == 0:
            C[i, j] = 0 if beta == 0 else beta * C[i, j]
        for p in range(half, A.shape[1], 2):
            C[i, j] += alpha * A[i, p] * B[p, j]


def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        naive_kernel[(math.ceil(n / TILE), math.ceil(m / TILE)), (TILE, TILE, 2)](alpha, A, B, beta, C)
