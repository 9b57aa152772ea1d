"""Step 3 counts well and computes nothing: it takes the first numbers for all.

failed: gemm.blocked.correct
flagged: gemm.blocked.counts
"""


@cuda.jit(device=True)
def add_products(left, right, factors, sums):
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for p in range(DEPTH):
        for a in range(EACH):
            factors[a] = left[p, y + TILE * a]
        for b in range(EACH):
            factor = right[0, x + TILE * b]
            for a in range(EACH):
                sums[a, b] += factors[a] * factor
