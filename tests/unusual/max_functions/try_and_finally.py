"""Errors are turned into messages, times are taken in a finally, and warnings are caught.

slow: its neighbours of the same kind are in the fast set
"""

import contextlib
import time
import warnings


@contextlib.contextmanager
def stopwatch(name):
    began = time.perf_counter()
    try:
        yield
    finally:
        print(f"{name}: {time.perf_counter() - began:.6f} s")


def max_cpu(A, B):
    with stopwatch("CPU"), np.errstate(all="raise"), contextlib.suppress(KeyError):
        C = np.empty(A.shape, A.dtype)
        for i in range(A.shape[0]):
            try:
                for j in range(A.shape[1]):
                    C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
            except IndexError as error:
                raise ValueError(f"row {i}: B is smaller than A") from error
        return C


def max_gpu(A, B):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with stopwatch("CUDA"):
            d_C = cuda.device_array_like(A)
            try:
                max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
            except Exception:
                print("launch failed")
                raise
            else:
                return d_C.copy_to_host()
            finally:
                del d_C
