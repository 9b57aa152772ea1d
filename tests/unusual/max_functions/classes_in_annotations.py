"""Annotations name the classes of arrays on the device and of NumPy's generators, which are asked for, too.

slow: its neighbours of the same kind are in the fast set
"""

from numba.cuda.cudadrv.devicearray import DeviceNDArray


def upload(M: np.ndarray | DeviceNDArray) -> DeviceNDArray:
    return M if isinstance(M, DeviceNDArray) else cuda.to_device(M)


def max_gpu(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](upload(A), upload(upload(B)), d_C)
    return d_C.copy_to_host()


def rows_of(M: np.ndarray, rng: np.random.Generator | None = None) -> range:
    return range(len(M))


def max_cpu(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    C = np.zeros_like(A)
    for i in rows_of(A):
        for j in rows_of(A[i]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C
