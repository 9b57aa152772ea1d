"""NumPy's mask tells loops on the host which of two elements to copy to the left; the kernel compares sorted pairs.

aims: max.gpu.correct max.gpu.launch
slow: loops over all entries in each of eight calls
"""


def max_gpu(A, B):
    upper, lower = np.empty(A.shape, A.dtype), np.empty(B.shape, B.dtype)
    wins = np.greater(A, B).tolist()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if wins[i][j]:
                upper[i, j], lower[i, j] = A[i, j], B[i, j]
            else:
                upper[i, j], lower[i, j] = B[i, j], A[i, j]
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(upper), cuda.to_device(lower), C)
    return C.copy_to_host()
