"""The buffers of both matrices are arrays of the module `array` and views of memory, of which NumPy makes bare arrays.

aims: max.cpu.trivial
"""

from array import array


def max_cpu(A, B):
    a = np.asarray(array("q", A.tobytes())).reshape(A.shape)
    b = np.asarray(memoryview(B.copy()))
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(0, A.shape[1], 500):
            C[i, j : j + 500] = np.maximum(a[i, j : j + 500], b[i, j : j + 500])
    return C
