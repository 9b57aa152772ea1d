"""Step 3 has 8 × 32 threads with 4 × 2 sums each.
"""


@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((32, 33), C.dtype)
    right = cuda.shared.array((32, 64), C.dtype)
    sums = cuda.local.array((4, 2), C.dtype)
    factors = cuda.local.array(4, C.dtype)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    top, side = cuda.blockIdx.y * 32, cuda.blockIdx.x * 64
    for a in range(4):
        for b in range(2):
            sums[a, b] = 0
    for start in range(0, A.shape[1], 32):
        for a in range(4):
            i, p = top + y + 8 * a, start + x
            left[y + 8 * a, x] = A[i, p] if i < A.shape[0] and p < A.shape[1] else 0
            for b in range(2):
                p, j = start + y + 8 * a, side + x + 32 * b
                right[y + 8 * a, x + 32 * b] = B[p, j] if p < B.shape[0] and j < B.shape[1] else 0
        cuda.syncthreads()
        for p in range(32):
            for a in range(4):
                factors[a] = left[y + 8 * a, p]
            for b in range(2):
                factor = right[p, x + 32 * b]
                for a in range(4):
                    sums[a, b] += factors[a] * factor
        cuda.syncthreads()
    for a in range(4):
        for b in range(2):
            i, j = top + y + 8 * a, side + x + 32 * b
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)


def gemm_blocked(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        blocked_kernel[(math.ceil(n / 64), math.ceil(m / 32)), (32, 8)](alpha, A, B, beta, C)
