"""The tiles of step 2 lie in shared memory whose size the launch says.
"""


@cuda.jit
def tiled_kernel(alpha, A, B, beta, C):
    memory = cuda.shared.array(0, C.dtype)
    left, right = memory[: TILE * TILE], memory[TILE * TILE :]
    total = cuda.local.array(1, C.dtype)
    total[0] = 0
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    j, i = cuda.grid(2)
    for start in range(0, A.shape[1], TILE):
        left[y * TILE + x] = A[i, start + x] if i < A.shape[0] and start + x < A.shape[1] else 0
        right[y * TILE + x] = B[start + y, j] if start + y < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(TILE):
            total[0] += left[y * TILE + p] * right[p * TILE + x]
        cuda.syncthreads()
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, total[0], beta, C, i, j)


def gemm_tiled(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        memory = 2 * TILE * TILE * C.dtype.itemsize
        tiled_kernel[(math.ceil(n / TILE), math.ceil(m / TILE)), (TILE, TILE), cuda.default_stream(), memory](
            alpha, A, B, beta, C
        )
