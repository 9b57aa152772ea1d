"""Pinned memory, a stream, and cuda.atomic.add into zeros; a flat loop with types written down.

slow: its neighbours of the same kind are in the fast set
"""


@cuda.jit
def max_kernel(A, B, C):
    tx = cuda.threadIdx.x
    bx = cuda.blockIdx.x
    if tx < 1000 and bx < 1000:
        if A[bx][tx] > B[bx][tx]:
            cuda.atomic.add(C, (bx, tx), A[bx][tx])
        else:
            cuda.atomic.add(C, (bx, tx), B[bx][tx])


def max_gpu(A, B):
    stream = cuda.stream()
    with cuda.pinned(A, B):
        dA = cuda.to_device(A, stream=stream)
        dB = cuda.to_device(B, stream=stream)
        dC = cuda.to_device(np.zeros(A.shape, dtype=A.dtype), stream=stream)
        max_kernel[1000, 1000, stream](dA, dB, dC)
        C = dC.copy_to_host(stream=stream)
    stream.synchronize()
    return C


@njit("int64[:,:](int64[:,:], int64[:,:])", cache=True, fastmath=True, nogil=True)
def max_numba(A, B):
    h = A.shape[0]
    w = A.shape[1]
    out = np.zeros((h, w), dtype=np.int64)
    for idx in range(h * w):
        i = idx // w
        j = idx % w
        out[i, j] = max(A[i, j], B[i, j])
    return out


def max_cpu(A, B):
    C = np.zeros((A.shape[0], A.shape[1]))
    for i, j in np.ndindex(A.shape):
        C[i, j] = max(A[i, j], B[i, j])
    return C
