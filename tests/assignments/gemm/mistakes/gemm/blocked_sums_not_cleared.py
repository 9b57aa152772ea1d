"""Step 3 begins with whatever was in memory.

flagged: gemm.blocked.correct
"""


@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((DEPTH, ROW), C.dtype)
    right = cuda.shared.array((DEPTH, ROW), C.dtype)
    factors = cuda.local.array(EACH, C.dtype)  # arrays of fixed size and place: the compiler keeps them in registers
    sums = cuda.local.array((EACH, EACH), C.dtype)
    top, side = cuda.blockIdx.y * WIDE, cuda.blockIdx.x * WIDE
    for start in range(0, A.shape[1], DEPTH):
        carry(A, B, top, side, start, left, right)
        cuda.syncthreads()
        add_products(left, right, factors, sums)
        cuda.syncthreads()
    for a in range(EACH):
        for b in range(EACH):
            i, j = top + cuda.threadIdx.y + TILE * a, side + cuda.threadIdx.x + TILE * b
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)
