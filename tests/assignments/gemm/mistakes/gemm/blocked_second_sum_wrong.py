"""Step 3 adds to the wrong sum.

failed: gemm.blocked.correct
"""


@cuda.jit(device=True)
def add_products(left, right, factors, sums):
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    for p in range(DEPTH):
        for a in range(EACH):
            factors[a] = left[p, y + TILE * a]
        for b in range(EACH):
            factor = right[p, x + TILE * b]
            for a in range(EACH):
                sums[b, a] += factors[a] * factor
