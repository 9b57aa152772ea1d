"""Products of a single column and of a single row have kernels of their own.
"""


@cuda.jit
def column_kernel(alpha, A, B, beta, C):
    i = cuda.grid(1)
    if i < C.shape[0]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[i, p] * B[p, 0]
        C[i, 0] = combine(alpha, total, beta, C, i, 0)


@cuda.jit
def row_kernel(alpha, A, B, beta, C):
    j = cuda.grid(1)
    if j < C.shape[1]:
        total = 0.0
        for p in range(A.shape[1]):
            total += A[0, p] * B[p, j]
        C[0, j] = combine(alpha, total, beta, C, 0, j)


def gemm(alpha, A, B, beta, C):
    fits = A.shape[1] == B.shape[0] and C.shape == (A.shape[0], B.shape[1])
    if fits and C.shape[1] == 1 and C.shape[0]:
        column_kernel[math.ceil(C.shape[0] / 128), 128](alpha, A, B, beta, C)
    elif fits and C.shape[0] == 1 and C.shape[1]:
        row_kernel[math.ceil(C.shape[1] / 128), 128](alpha, A, B, beta, C)
    else:
        (gemm_blocked if min(C.shape) >= WIDE else gemm_tiled)(alpha, A, B, beta, C)
