"""A function of one's own sets the module's globals, and is called once when the file is loaded.

slow: its neighbours of the same kind are in the fast set
"""

blocks = None
threads = None
result_type = None


def initialise(rows=1000, columns=1000):
    global blocks, threads, result_type
    blocks = rows
    threads = columns
    result_type = np.dtype("int64")


initialise()


def max_cpu(A, B):
    C = np.empty((len(A), len(A[0])), dtype=result_type)
    for i in range(len(A)):
        for j in range(len(A[0])):
            if A[i, j] < B[i, j]:
                C[i, j] = B[i, j]
            else:
                C[i, j] = A[i, j]
    return C


def max_gpu(A, B):
    C = np.empty(A.shape, dtype=result_type)
    d_A, d_B = cuda.to_device(A), cuda.to_device(B)
    d_C = cuda.device_array(A.shape, dtype=result_type)
    max_kernel[blocks, threads](d_A, d_B, d_C)
    d_C.copy_to_host(C)
    return C
