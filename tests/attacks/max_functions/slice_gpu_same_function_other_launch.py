"""The function of the named kernel is compiled once more, and that one does the work, in a launch of its own shape.

aims: max.gpu.launch
"""


@cuda.jit
def max_kernel(A, B, C):
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


quick = cuda.jit(max_kernel.py_func)


def max_gpu(A, B):
    a, b = cuda.to_device(A), cuda.to_device(B)
    C, scrap = cuda.device_array(A.shape, A.dtype), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, scrap)
    quick[250, 256](a, b, C)
    return C.copy_to_host()
