"""Decorators are a class, whose object takes the function's place, and a context manager that is stacked on it.

slow: its neighbours of the same kind are in the fast set
"""

import time
from contextlib import ContextDecorator
from functools import update_wrapper


class Counted:
    def __init__(self, function):
        update_wrapper(self, function)
        self.function = function
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.function(*args, **kwargs)


class Timed(ContextDecorator):
    def __init__(self, label):
        self.label = label

    def __enter__(self):
        self.began = time.monotonic()
        return self

    def __exit__(self, *error):
        print(f"{self.label}: {time.monotonic() - self.began:.3f} s")
        return None


@Timed("CPU")
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


@Counted
@Timed("CUDA")
def max_gpu(A, B):
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    print("call", max_gpu.calls)
    return d_C.copy_to_host()
