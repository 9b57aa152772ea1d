"""Step 2 reads its left tile by columns, all of a half warp from one bank.

failed: gemm.conflicts
"""


@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((TILE, TILE), C.dtype)
    right = cuda.shared.array((TILE, TILE), C.dtype)
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    y, x = cuda.threadIdx.x, cuda.threadIdx.y
    i, j = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        left[y, x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y, x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y, p] * right[p, x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)


def gemm_tiled(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape} and C {C.shape} do not fit")
    if m and n:
        tiled_kernel[(math.ceil(m / TILE), math.ceil(n / TILE)), (TILE, TILE)](alpha, A, B, beta, C)
