"""The well-known shared-memory example counts its tiles by gridDim.x, which is 1 here: the rest of each sum is lost.

failed: matmul.gpu.correct
"""


TILE = 32


@cuda.jit
def matmul_kernel(X, C):
    left = cuda.shared.array((TILE, TILE), float64)
    right = cuda.shared.array((TILE, TILE), float64)
    y, x = cuda.threadIdx.x // TILE, cuda.threadIdx.x % TILE
    n, m = X.shape
    for top in range(0, n, TILE):
        for side in range(0, n, TILE):
            total = 0.0
            for step in range(cuda.gridDim.x):
                carry_number(X, top + y, step * TILE + x, left, y, x)
                carry_number(X, side + y, step * TILE + x, right, y, x)
                cuda.syncthreads()
                for k in range(TILE):
                    total += left[y, k] * right[x, k]
                cuda.syncthreads()
            if top + y < n and side + x < n:
                C[top + y, side + x] = total
