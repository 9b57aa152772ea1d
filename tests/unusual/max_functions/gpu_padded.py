"""Matrices are padded to whole warps on the host, and the padding is cut off the result.

slow: its neighbours of the same kind are in the fast set
"""

WARP = 32


def pad(M):
    extra = -M.shape[1] % WARP
    return np.pad(M, ((0, 0), (0, extra)), constant_values=0)


def max_gpu(A, B):
    a, b = pad(A), pad(B)
    d_C = cuda.device_array(a.shape, a.dtype)
    max_kernel[1000, 1000](cuda.to_device(a), cuda.to_device(b), d_C)
    return np.ascontiguousarray(d_C.copy_to_host()[:, : A.shape[1]])
