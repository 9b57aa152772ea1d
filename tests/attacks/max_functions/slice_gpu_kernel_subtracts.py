"""The kernel subtracts one matrix from the other; the host keeps what is positive, and adds.

aims: max.gpu.correct max.gpu.launch
"""


@cuda.jit
def max_kernel(A, B, gaps):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    gaps[i, j] = A[i, j] - B[i, j]


def max_gpu(A, B):
    gaps = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), gaps)
    C = gaps.copy_to_host()
    C *= C > 0
    C += B
    return C
