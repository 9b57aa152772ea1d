"""Each thread of step 3 takes neighbouring columns: lanes are 4 numbers apart, and meet in banks.

failed: gemm.conflicts
"""


@cuda.jit(device=True)
def add_products(left, right, factors, sums):
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for p in range(DEPTH):
        for a in range(EACH):
            factors[a] = left[p, y + TILE * a]
        for b in range(EACH):
            factor = right[p, EACH * x + b]
            for a in range(EACH):
                sums[a, b] += factors[a] * factor


@cuda.jit
def blocked_kernel(alpha, A, B, beta, C):
    left = cuda.shared.array((DEPTH, ROW), C.dtype)
    right = cuda.shared.array((DEPTH, ROW), C.dtype)
    factors = cuda.local.array(EACH, C.dtype)  # arrays of fixed size and place: the compiler keeps them in registers
    sums = cuda.local.array((EACH, EACH), C.dtype)
    top, side = cuda.blockIdx.y * WIDE, cuda.blockIdx.x * WIDE
    for a in range(EACH):
        for b in range(EACH):
            sums[a, b] = 0
    for start in range(0, A.shape[1], DEPTH):
        carry(A, B, top, side, start, left, right)
        cuda.syncthreads()
        add_products(left, right, factors, sums)
        cuda.syncthreads()
    for a in range(EACH):
        for b in range(EACH):
            i, j = top + cuda.threadIdx.y + TILE * a, side + EACH * cuda.threadIdx.x + b
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = combine(alpha, sums[a, b], beta, C, i, j)
