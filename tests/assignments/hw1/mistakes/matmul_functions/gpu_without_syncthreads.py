"""Half of a tile is read before the other threads have filled it, because no barrier stands between.

The executor runs threads one after the other between barriers, so that the race shows in every run.

failed: matmul.gpu.correct
"""


TILE = 32
ROW = TILE + 1


@cuda.jit
def matmul_kernel(X, C):
    left = cuda.shared.array((TILE, ROW), float64)
    right = cuda.shared.array((TILE, ROW), float64)
    y, x = cuda.threadIdx.x // TILE, cuda.threadIdx.x % TILE
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, n, TILE):
            total = 0.0
            for start in range(0, m, TILE):
                carry_number(X, top + y, start + x, left, y, x)
                carry_number(X, side + y, start + x, right, y, x)
                for k in range(TILE):
                    total += left[y, k] * right[x, k]
            if top + y < n and side + x < n:
                C[top + y, side + x] = total
