"""NumPy multiplies and turns the rows round; one kernel copies them, and another one turns them back.

failed: gemm.naive.correct gemm.naive.counts
"""


@cuda.jit
def copy_kernel(held, T):
    j, i = cuda.grid(2)
    if i < T.shape[0] and j < T.shape[1]:
        T[i, j] = held[i, j]


@cuda.jit
def naive_kernel(alpha, T, beta, C):
    j, i = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = combine(alpha, T[C.shape[0] - 1 - i, j], beta, C, i, j)


def gemm_naive(alpha, A, B, beta, C):
    if A.shape[1] != B.shape[0] or C.shape != (A.shape[0], B.shape[1]):
        raise ValueError(f"A {A.shape}, B {B.shape}, C {C.shape}")
    if C.size:
        held = cuda.to_device((A.copy_to_host() @ B.copy_to_host())[::-1].copy())
        T = cuda.device_array(C.shape, C.dtype)
        copy_kernel[(C.shape[1], C.shape[0]), 1](held, T)
        naive_kernel[(C.shape[1], C.shape[0]), 1](alpha, T, beta, C)
