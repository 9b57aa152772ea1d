"""A grid of (50, 20) with blocks of (20, 50): 1000 blocks of 1000 threads as well."""


@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])


def max_gpu(A, B):
    C = cuda.device_array_like(A)
    threads = (20, 50)
    blocks = (50, 20)
    max_kernel[blocks, threads](cuda.to_device(A), cuda.to_device(B), C)
    cuda.synchronize()
    return C.copy_to_host()
