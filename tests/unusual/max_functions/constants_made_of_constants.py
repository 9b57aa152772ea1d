"""Constants are unpacked, chained, conditional, added to afterwards, and asserted when the file is loaded."""

import os

ROWS, COLUMNS = SHAPE = (1000, 1000)
(TOP, *_), LAST = SHAPE, SHAPE[-1]
BLOCKS = THREADS = 10
BLOCKS *= 100
THREADS **= 3
VERBOSE = True if os.environ.get("VERBOSE", "") else False
LIMIT = (lowest := 0) + 255
show = print if VERBOSE else (lambda *words: None)

assert BLOCKS * THREADS == ROWS * COLUMNS, "one thread for each element"


def max_cpu(A, B):
    C = np.full(SHAPE, lowest, dtype=A.dtype)
    show("rows", TOP, "limit", LIMIT)
    for i in range(ROWS):
        for j in range(COLUMNS):
            if A[i, j] > C[i, j]:
                C[i, j] = A[i, j]
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < ROWS and j < LAST:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


def max_gpu(A, B):
    show("blocks", BLOCKS, "threads", THREADS)
    d_C = cuda.device_array(SHAPE, A.dtype)
    max_kernel[BLOCKS, THREADS](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()
