"""`max_kernel` is no kernel but an object that looks like one and works on the host.

aims: max.gpu.correct max.gpu.launch
"""


class Fake:
    __name__ = "max_kernel"

    def __getitem__(self, configuration):
        return lambda A, B, C: C.__setitem__(slice(None), np.maximum(A, B))


max_kernel = Fake()


def max_gpu(A, B):
    C = np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    return C
