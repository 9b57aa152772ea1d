"""Less to copy: 128 is taken off on the host, so that a pixel is one signed byte, and put on again afterwards.

slow: its neighbours of the same kind are in the fast set
"""

OFFSET = 1 << 7


def max_gpu(A, B):
    d_A = cuda.to_device((A - OFFSET).astype(np.int8))
    d_B = cuda.to_device((B - OFFSET).astype(np.int8))
    d_C = cuda.device_array(A.shape, np.int8)
    max_kernel[1000, 1000](d_A, d_B, d_C)
    C = d_C.copy_to_host().astype(A.dtype)
    C += OFFSET
    return C
