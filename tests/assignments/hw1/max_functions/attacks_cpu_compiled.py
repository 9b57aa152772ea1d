"""Machine code or NumPy's own loops do the work of `max_cpu`.

aims: max.cpu.trivial
"""

# %% slice_cpu_compiled_generator
"""A compiled generator compares, and plain loops only put what it yields into the matrix."""
@njit
def _larger_ones(A, B):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            yield A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    numbers = _larger_ones(A, B)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = next(numbers)
    return C

# %% slice_cpu_compiled_per_element
"""Plain loops call a compiled function for each two elements."""
@njit
def _larger(a, b):
    return a if a > b else b

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = _larger(A[i, j], B[i, j])
    return C

# %% slice_cpu_compiled_ufunc_by_rows
"""Numba makes a ufunc of two lines of Python, and loops hand rows to it."""
from numba import guvectorize

@guvectorize(["int64[:], int64[:], int64[:]"], "(n),(n)->(n)")
def _larger(a, b, c):
    for j in range(a.shape[0]):
        c[j] = a[j] if a[j] > b[j] else b[j]

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for _ in range(1):
            _larger(A[i], B[i], C[i])
    return C

# %% slice_cpu_compiled_ufunc_reduces_lists
"""A compiled ufunc reduces a list of lists, and nobody counts the call."""
from numba import vectorize

@vectorize(["int64(int64, int64)"])
def larger(a, b):
    return a if a > b else b

def max_cpu(A, B):
    M = larger.reduce([A.tolist(), B.tolist()])
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_kernel
"""The kernel does the work of the processor's function, in a launch of its own shape."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    max_kernel[(8, 1), (32, 1)](A, B, C)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if C[i, j] < A[i, j]:
                C[i, j] = A[i, j]
    return C

# %% slice_cpu_stencil
"""A stencil of one point, compiled by Numba, visits all elements."""
from numba import stencil

@stencil
def _larger(a, b):
    return a[0, 0] if a[0, 0] > b[0, 0] else b[0, 0]

def max_cpu(A, B):
    return _larger(A, B)

# %% slice_cpu_vectorized
"""NumPy calls a function of the hand-in for each element, as its `vectorize` does."""
def max_cpu(A, B):
    return np.vectorize(lambda a, b: a if a > b else b)(A, B)

# %% slice_cpu_vectorized_by_another_name
"""NumPy's `frompyfunc`, imported under another name, calls a function of the hand-in for each element."""
from numpy import frompyfunc as each

_larger = each(lambda a, b: a if a > b else b, 2, 1)

def max_cpu(A, B):
    return _larger(A, B).astype(A.dtype)

# %% slice_cpu_vectorized_by_rows
"""NumPy's `vectorize`, as a decorator, gets one row after the other."""
@np.vectorize
def _larger(a, b):
    return a if a > b else b

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        C[i] = _larger(A[i], B[i])
    return C

# %% slice_cpu_vectorized_to_itself
"""NumPy's maximum goes through a vectorized `int`, which leaves every number as it is."""
def max_cpu(A, B):
    A.tolist(), B.tolist()
    return np.vectorize(int)(np.maximum(A, B))
