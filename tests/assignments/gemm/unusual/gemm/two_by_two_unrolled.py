"""Step 3 has 16 × 16 threads with 2 × 2 sums in variables of their own, of double precision, and two buffers.
"""


@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((2, 32, 33), C.dtype)
    right = cuda.shared.array((2, 32, 33), C.dtype)
    zero = 0.0
    s00 = s01 = s10 = s11 = zero
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    i0, j0 = 32 * cuda.blockIdx.y + y, 32 * cuda.blockIdx.x + x
    i1, j1 = i0 + 16, j0 + 16
    at = 0
    for start in range(0, A.shape[1], 32):
        for half in range(0, 32, 16):
            p = start + x + half
            left[at, y, x + half] = A[i0, p] if i0 < A.shape[0] and p < A.shape[1] else zero
            left[at, y + 16, x + half] = A[i1, p] if i1 < A.shape[0] and p < A.shape[1] else zero
            q = start + y + half
            right[at, y + half, x] = B[q, j0] if q < B.shape[0] and j0 < B.shape[1] else zero
            right[at, y + half, x + 16] = B[q, j1] if q < B.shape[0] and j1 < B.shape[1] else zero
        cuda.syncthreads()
        for p in range(32):
            a0, a1 = left[at, y, p], left[at, y + 16, p]
            b0, b1 = right[at, p, x], right[at, p, x + 16]
            s00 += a0 * b0
            s01 += a0 * b1
            s10 += a1 * b0
            s11 += a1 * b1
        at = 1 - at
    if i0 < C.shape[0] and j0 < C.shape[1]:
        C[i0, j0] = combine(alpha, s00, beta, C, i0, j0)
    if i0 < C.shape[0] and j1 < C.shape[1]:
        C[i0, j1] = combine(alpha, s01, beta, C, i0, j1)
    if i1 < C.shape[0] and j0 < C.shape[1]:
        C[i1, j0] = combine(alpha, s10, beta, C, i1, j0)
    if i1 < C.shape[0] and j1 < C.shape[1]:
        C[i1, j1] = combine(alpha, s11, beta, C, i1, j1)


def gemm_blocked(alpha, A, B, beta, C):
    launch(blocked_kernel, 32, alpha, A, B, beta, C)
