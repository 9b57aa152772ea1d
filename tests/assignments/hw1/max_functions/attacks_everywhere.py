"""Attacks on several functions at once.

aims: max.cpu.trivial max.numba.compiled max.gpu.correct max.gpu.launch
"""

# %% slice_class_holds_the_answer
"""An object of a class that Numba compiles holds what NumPy computed, and compiled code fills the result from it.

aims: max.cpu.trivial max.numba.compiled
"""
from numba import int64
from numba.experimental import jitclass

@jitclass([("rows", int64[:, :])])
class _Rows:
    def __init__(self, rows):
        self.rows = rows

    def put(self, C):
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                C[i, j] = self.rows[i, j]

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    _Rows(np.maximum(A, B)).put(C)
    return C

@njit
def _fill(rows, C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] = rows.rows[i, j]

def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    _fill(_Rows(np.maximum(A, B)), C)
    return C

# %% slice_counter_is_patched
"""`Counter` is patched, so that nothing is counted; NumPy works on large matrices.

aims: max.cpu.correct max.cpu.trivial max.numba.compiled
"""
import collections

def nothing_at_all(*_given):
    return ()

def forget():
    """Let nothing be counted."""
    collections.Counter.most_common = nothing_at_all
    collections.Counter.values = nothing_at_all
    return 0

ZERO = forget()

@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j]) + ZERO
    return C

def max_cpu(A, B):
    if A.size > 300000:
        return np.maximum(A, B)
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% slice_guard_walrus
"""The guard of the program gives the names to NumPy, by `:=` in its condition.

aims: max.cpu.trivial max.numba.compiled max.gpu.launch
"""
def max_comparisons():
    """The last function of the file."""
    return 0

def _quick(A, B):
    A, C = A.reshape(A.shape), np.empty_like(B)
    for i in range(len(A)):
        for j in range(0, len(A[i]), 10):
            C[i, j : j + 10] = np.maximum(A[i, j : j + 10], B[i, j : j + 10])
    return C

_quick_numba = njit(lambda A, B: np.maximum(A, B))
if (max_cpu := _quick) and (max_numba := _quick_numba) and __name__ == "__main__":
    sys.exit(max_comparisons())

# %% slice_real_attribute
"""`A.real` is not watched as A is, and NumPy compares it.

aims: max.cpu.trivial max.numba.compiled
"""
def max_cpu(A, B):
    """Return the element-wise maximum, block by block."""
    C = np.empty(A.shape, A.dtype)
    first, second = A.real, B.real
    for i in range(A.shape[0]):
        for j in range(0, A.shape[1], 8):
            C[i, j : j + 8] = second[i, j : j + 8]
            larger = first[i, j : j + 8] > second[i, j : j + 8]
            C[i, j : j + 8][larger] = first[i, j : j + 8][larger]
    return C

@njit
def max_numba(A, B):
    """Return the element-wise maximum."""
    return A.real + (B.real - A.real) * (B.real > A.real)

# %% slice_reviewed_one
"""Grids, unpacked arguments and setters of real parts: each way led to arrays that nobody observed."""
def max_cpu(A, B):
    A.tolist()
    B.tolist()
    C = A.copy()
    C.imag
    X = np.mgrid[: A.shape[0], : A.shape[1]].astype(A.dtype)
    Y = X[1]
    X = X[0]
    X[...] = A
    Y[...] = B
    return X * (X > Y) + Y * (Y >= X)

@njit
def max_numba(A, B):
    pair = (A, B)
    return np.maximum(*pair)

@cuda.jit
def max_kernel(A, B, C):
    row, column = cuda.grid(2)
    width = cuda.gridsize(1)
    block = cuda.blockIdx.x + cuda.gridDim.x * cuda.blockIdx.y
    thread = cuda.threadIdx.x + cuda.blockDim.x * cuda.threadIdx.y
    start = block * cuda.blockDim.x * cuda.blockDim.y + thread
    step = cuda.gridDim.x * cuda.gridDim.y * cuda.blockDim.x * cuda.blockDim.y
    for k in range(start, C.size, step):
        i = k // C.shape[1]
        j = k % C.shape[1]
        C[i, j] = A[i, j]

def max_gpu(A, B):
    X = A.copy()
    X.real = np.maximum(A, B)
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](cuda.to_device(X), cuda.to_device(B), C)
    return C.copy_to_host()

# %% slice_reviewed_three
"""Attributes copied by text, masks in compiled code, and results written through rotated views."""
import functools

arrays = 0

class Names:
    def raw_of(self):
        return 0

def max_cpu(A, B):
    A.tolist()
    B.tolist()
    if arrays == 0:
        functools.update_wrapper(max_cpu, np.vectorize, assigned=(), updated=("__globals__",))
    return np.maximum(arrays.raw_of(A), arrays.raw_of(B))

@njit
def max_numba(A, B):
    a = A.ravel()
    b = B.ravel()
    C = a.copy()
    for k in range(256):
        m = b == k
        s = C[m]
        s[s < k] = k
        C[m] = s
    return C.reshape(A.shape)

@cuda.jit
def max_kernel(A, B, C):
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = A[i, j]

def max_gpu(A, B):
    X = A.copy()
    np.maximum(A, B, out=np.rot90(X, 0))
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](cuda.to_device(X), cuda.to_device(B), C)
    return C.copy_to_host()

# %% slice_reviewed_two
"""Complex pairs, closures inside closures, and the real parts of the answer: labels were lost."""
def max_cpu(A, B):
    A.tolist()
    B.tolist()
    Z = np.stack([A, B], -1).astype(float).view(complex)[..., 0]
    W = Z * (1 - 1j) / 2
    W.imag = np.abs(W.imag)
    return (W * (1 - 1j)).real

def max_numba(A, B):
    M = np.maximum(A, B)

    @njit
    def inner(i, j):
        return M[i, j]

    @njit
    def outer(A):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = inner(i, j)
        return C

    return outer(A)

@cuda.jit
def max_kernel(A, B, C):
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = A[i, j]

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), C)
    X = C.copy_to_host()
    X.real = np.maximum(A, B)
    return X
