"""Tiles of 16 x 16 in shared memory, with barriers.
"""


from numba import float64


@cuda.jit
def multiply_and_add(W, A, b, Z):
    left = cuda.shared.array((16, 16), float64)
    right = cuda.shared.array((16, 16), float64)
    j, i = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = 0.0
    for first in range(0, W.shape[1], 16):
        left[y, x] = W[i, first + x] if i < W.shape[0] and first + x < W.shape[1] else 0.0
        right[y, x] = A[first + y, j] if first + y < A.shape[0] and j < A.shape[1] else 0.0
        cuda.syncthreads()
        for k in range(16):
            total += left[y, k] * right[k, x]
        cuda.syncthreads()
    if i < Z.shape[0] and j < Z.shape[1]:
        Z[i, j] = total + b[i, 0]
