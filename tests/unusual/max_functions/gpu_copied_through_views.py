"""Parts of device arrays are copied and set by slices, and the transposed matrices go in as they lie.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    j = cuda.blockIdx.x
    i = cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


def max_gpu(A, B):
    d_A = cuda.to_device(np.asfortranarray(A))
    d_B = cuda.device_array(B.shape, B.dtype)
    d_B.copy_to_device(B)
    d_C = cuda.device_array(A.shape, A.dtype)
    d_C[:] = 0
    max_kernel[1000, 1000](d_A, d_B, d_C)
    middle = A.shape[0] // 2
    C = np.empty(A.shape, A.dtype)
    C[:middle] = d_C[:middle].copy_to_host()
    C[middle:] = d_C[middle:].copy_to_host()
    return C
