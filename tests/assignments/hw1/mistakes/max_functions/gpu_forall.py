"""forall chooses the counts by itself; the sheet asks for 1000 blocks of 1000 threads.

failed: max.gpu.launch
"""


@cuda.jit
def max_kernel(a, b, c):
    at = cuda.grid(1)
    if at < c.size:
        c[at] = max(a[at], b[at])


def max_gpu(A, B):
    C = cuda.device_array(A.size, A.dtype)
    max_kernel.forall(A.size)(cuda.to_device(A.ravel()), cuda.to_device(B.ravel()), C)
    return C.copy_to_host().reshape(A.shape)
