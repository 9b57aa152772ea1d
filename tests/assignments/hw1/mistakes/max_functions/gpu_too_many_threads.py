"""1000000 threads in one block: no GPU has more than 1024.

failed: max.gpu.correct max.gpu.launch
skipped: max.gpu.speedup
"""


def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1, 1000000](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
