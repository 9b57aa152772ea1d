"""Calls are counted on a class, on functions and on the kernel; a first call warms up; a flag is set by `main`.

slow: its neighbours of the same kind are in the fast set
"""

from dataclasses import dataclass

VERBOSE = False


class Config:
    calls = 0
    rows = None


Config.columns = 1000


@dataclass
class Launch:
    griddim: int = 1000
    blockdim: int = 1000
    stream: int = 0
    sharedmem: int = 0

    def of(self, kernel):
        return kernel[self.griddim, self.blockdim, self.stream, self.sharedmem]


def max_cpu(A, B):
    max_cpu.calls += 1
    if VERBOSE:
        print("call", max_cpu.calls)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


max_cpu.calls = 0


@njit
def compiled(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


compiled.calls = 0


def max_numba(A, B):
    Config.calls += 1
    compiled.calls += 1
    return compiled(A, B)


@cuda.jit
def max_kernel(A, B, C):
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]


max_kernel.launches = 0


def max_gpu(A, B):
    Config.calls += 1
    Config.rows = A.shape[0]
    max_kernel.launches += 1
    d_C = cuda.device_array(A.shape, A.dtype)
    Launch().of(max_kernel)(cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()


small = np.zeros((2, 2), dtype=int)
max_numba(small, small)
max_gpu(small, small)


def main():
    global VERBOSE
    VERBOSE = "-v" in sys.argv
    print(max_cpu(small, small))
