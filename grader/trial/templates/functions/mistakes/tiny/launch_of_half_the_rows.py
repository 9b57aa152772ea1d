"""Half as many blocks as rows are launched, and each adds two rows: right, but not as the sheet asks.

failed: add.launch
"""


@cuda.jit
def add_kernel(A, B, C):
    j = cuda.threadIdx.x
    for i in range(2 * cuda.blockIdx.x, 2 * cuda.blockIdx.x + 2):
        C[i, j] = A[i, j] + B[i, j]


def add_gpu(A, B):
    rows, columns = A.shape
    C = cuda.device_array(A.shape, A.dtype)
    add_kernel[rows // 2, columns](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()
