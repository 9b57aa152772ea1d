"""Step 1 numbers its threads in one dimension.
"""


@cuda.jit
def naive_kernel(alpha, A, B, beta, C):
    entry = cuda.grid(1)
    if entry < C.shape[0] * C.shape[1]:
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = cuda.local.array(1, C.dtype)
        total[0] = 0
        for p in range(A.shape[1]):
            total[0] += A[i, p] * B[p, j]
        C[i, j] = combine(alpha, total[0], beta, C, i, j)


def gemm_naive(alpha, A, B, beta, C):
    (m, k), (rows, n) = A.shape, B.shape
    if rows != k or C.shape != (m, n):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if m and n:
        naive_kernel[math.ceil(m * n / 256), 256](alpha, A, B, beta, C)
