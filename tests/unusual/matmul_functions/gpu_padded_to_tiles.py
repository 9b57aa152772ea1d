"""X is padded to whole tiles on the host, so that the kernel has no bounds to look after, and the result is cut.

slow: its neighbours of the same kind are in the fast set
"""

TILE = 16
PER_SIDE = 32 // TILE


def padded(X, tile=TILE * PER_SIDE):
    rows, columns = (-(-size // tile) * tile for size in X.shape)
    larger = np.zeros((rows, columns), dtype=X.dtype)
    larger[: X.shape[0], : X.shape[1]] = X
    return larger


@cuda.jit
def matmul_kernel(X, C):
    left = cuda.shared.array((32, TILE), float64)
    right = cuda.shared.array((32, TILE), float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    for top in range(0, X.shape[0], 32):
        for side in range(0, X.shape[0], 32):
            total = 0.0
            for first in range(0, X.shape[1], TILE):
                if tx < TILE:
                    left[ty, tx] = X[top + ty, first + tx]
                else:
                    right[ty, tx - TILE] = X[side + ty, first + tx - TILE]
                cuda.syncthreads()
                for k in range(TILE):
                    total += left[ty, k] * right[tx, k]
                cuda.syncthreads()
            C[top + ty, side + tx] = total


def matmul_transpose_gpu(X):
    n = len(X)
    larger = padded(X)
    d_C = cuda.device_array((larger.shape[0], larger.shape[0]))
    matmul_kernel[1, (32, 32)](cuda.to_device(larger), d_C)
    return d_C.copy_to_host()[:n, :n].copy()
