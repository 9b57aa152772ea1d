"""A kernel over flat arrays gets its shape from `forall`; the named one is launched as asked on the other's answer.

aims: max.gpu.launch
"""


@cuda.jit
def compare(A, B, C):
    k = cuda.grid(1)
    if k < C.size:
        C[k] = A[k] if A[k] > B[k] else B[k]


def max_gpu(A, B):
    a, b, C = cuda.to_device(A.ravel()), cuda.to_device(B.ravel()), cuda.device_array(A.size, A.dtype)
    compare.forall(A.size)(a, b, C)
    C = C.reshape(A.shape)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](C, C, C)
    return C.copy_to_host()
