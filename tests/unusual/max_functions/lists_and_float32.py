"""Lists come back, Numba works in float32 for a function of another name; comments in Hebrew.

slow: its neighbours of the same kind are in the fast set
"""

from numba import prange
@cuda.jit
def max_kernel(A, B, C):
    """docstring in the kernel"""
    row = cuda.blockIdx.x  # שורה
    col = cuda.threadIdx.x  # עמודה
    # בדיקת גבולות
    if row >= A.shape[0] or col >= A.shape[1]: return
    val_a = A[row, col]; val_b = B[row, col]
    C[row, col] = val_a if val_a > val_b else val_b


def max_gpu(A, B):
    rows, cols = A.shape
    A_global_mem = cuda.to_device(A.astype('int32'))
    B_global_mem = cuda.to_device(B.astype('int32'))
    C_global_mem = cuda.device_array((rows, cols), dtype='int32')
    max_kernel[(1000, 1), (1000, 1)](A_global_mem, B_global_mem, C_global_mem)
    cuda.synchronize()
    C = C_global_mem.copy_to_host()
    return C.tolist()


def max_cpu(A, B):
    C = []
    for i in range(0, len(A), 1):
        line = []
        for j in range(0, len(A[i]), 1):
            if not A[i][j] < B[i][j]: line.append(A[i][j])
            else: line.append(B[i][j])
        C.append(line)
    return np.array(C).reshape(A.shape)


def max_numba(A, B):
    A = np.ascontiguousarray(A, dtype=np.float32)
    B = np.ascontiguousarray(B, dtype=np.float32)
    return max_numba_impl(A, B).astype(np.int64)


@njit("float32[:,::1](float32[:,::1], float32[:,::1])", parallel=True, fastmath=True)
def max_numba_impl(A, B):
    C = np.empty(A.shape, dtype=np.float32)
    for i in prange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
