from numba import cuda


def add_cpu(A, B):
    raise NotImplementedError("return A + B, computed by two loops")


@cuda.jit
def add_kernel(A, B, C):
    raise NotImplementedError("add one entry of A and B; the thread's numbers say which")


def add_gpu(A, B):
    raise NotImplementedError("launch add_kernel: a block for each row, a thread for each column")
