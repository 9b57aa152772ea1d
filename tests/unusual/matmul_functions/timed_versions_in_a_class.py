"""The versions are static methods of a class, which also times them; functions of the module hand on.

slow: its neighbours of the same kind are in the fast set
"""

import statistics
import time


class Product:
    history = {}

    class Clock:
        def __init__(self, name):
            self.name = name

        def __enter__(self):
            self.began = time.perf_counter_ns()

        def __exit__(self, *_):
            Product.history.setdefault(self.name, []).append(time.perf_counter_ns() - self.began)

    @staticmethod
    def trivial(X):
        C = np.zeros((X.shape[0], X.shape[0]))
        for i in range(X.shape[0]):
            for j in range(X.shape[0]):
                for k in range(X.shape[1]):
                    C[i, j] += X[i, k] * X[j, k]
        return C

    @classmethod
    def on_gpu(cls, X, kernel):
        with cls.Clock("gpu"):
            d_C = cuda.device_array((X.shape[0], X.shape[0]))
            kernel[1, 1024](cuda.to_device(X), d_C)
            return d_C.copy_to_host()

    @classmethod
    def summary(cls):
        return {name: statistics.median(times) for name, times in cls.history.items()}


def matmul_transpose_trivial(X):
    with Product.Clock("trivial"):
        return Product.trivial(X)


def matmul_transpose_gpu(X):
    return Product.on_gpu(X, matmul_kernel)
