"""The well-known tiles of 32 × 32 in shared memory, with bounds that come from the data."""

TPB = 32


@cuda.jit
def matmul_kernel(X, C):
    sA = cuda.shared.array(shape=(TPB, TPB), dtype=float64)
    sB = cuda.shared.array(shape=(TPB, TPB), dtype=float64)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    n, m = X.shape
    tiles = (n + TPB - 1) // TPB
    for by in range(tiles):
        for bx in range(tiles):
            x, y = bx * TPB + tx, by * TPB + ty
            acc = 0.0
            for t in range((m + TPB - 1) // TPB):
                sA[ty, tx] = X[y, t * TPB + tx] if y < n and t * TPB + tx < m else 0.0
                sB[ty, tx] = X[bx * TPB + ty, t * TPB + tx] if bx * TPB + ty < n and t * TPB + tx < m else 0.0
                cuda.syncthreads()
                for k in range(TPB):
                    acc += sA[ty, k] * sB[tx, k]
                cuda.syncthreads()
            if x < n and y < n:
                C[y, x] = acc


def matmul_transpose_gpu(X):
    d_C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[(1, 1), (TPB, TPB)](cuda.to_device(X), d_C)
    return d_C.copy_to_host()
