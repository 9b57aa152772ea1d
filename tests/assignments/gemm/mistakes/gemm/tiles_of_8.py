"""Step 2 has tiles of 8 × 8 numbers.

failed: gemm.tiled.counts
"""


SMALL = 8


@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((SMALL, SMALL), C.dtype)
    right = cuda.shared.array((SMALL, SMALL), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], SMALL):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(SMALL):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)


def gemm_tiled(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        tiled_kernel[(math.ceil(n / SMALL), math.ceil(m / SMALL)), (SMALL, SMALL)](alpha, A, B, beta, C)
