# %% last_row_forgotten
"""The loop over the rows ends one too early.

failed: add.cpu
"""


def add_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0] - 1):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] + B[i, j]
    return C


# %% kernel_without_a_column
"""The kernel leaves out the last column, so that nobody asks how it is launched.

failed: add.gpu
skipped: add.launch
"""


@cuda.jit
def add_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if j < C.shape[1] - 1:
        C[i, j] = A[i, j] + B[i, j]


# %% launch_of_half_the_rows
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
