"""Right in compiled loops, and shown to a TA.

flagged: max.numba.compiled
"""

# %% halves_and_objects
"""The rows are split in halves; a compiled call for each row; cuda.In and cuda.Out."""
sys.setrecursionlimit(10_000)

def _fill(A, B, C, first, last):
    """Fill rows first..last-1 of C."""
    if last - first == 1:
        for j in range(A.shape[1]):
            if A[first, j] < B[first, j]:
                C[first, j] = B[first, j]
            else:
                C[first, j] = A[first, j]
        return
    middle = (first + last) // 2
    _fill(A, B, C, first, middle)
    _fill(A, B, C, middle, last)

def max_cpu(A, B):
    """Split the rows in halves until one is left."""
    C = np.empty_like(A)
    _fill(A, B, C, 0, A.shape[0])
    return C

@njit(nogil=True, error_model="numpy")
def _row(a, b, c):
    for j in range(len(a)):
        c[j] = a[j] if a[j] > b[j] else b[j]

def max_numba(A, B):
    """One compiled call per row."""
    C = np.empty_like(A)
    for a, b, c in zip(A, B, C):
        _row(a, b, c)
    return C

@cuda.jit
def max_kernel(A, B, C):
    """Rows by block, columns by thread."""
    row, column = cuda.blockIdx.x, cuda.threadIdx.x
    a = A[row, column]
    b = B[row, column]
    C[row, column] = (a + b + abs(a - b)) // 2

def max_gpu(A, B):
    """cuda.In and cuda.Out say which way to copy."""
    C = np.empty_like(A)
    configured = max_kernel[1000, 1000]
    configured(cuda.In(A), cuda.In(B), cuda.Out(C))
    return C

# %% numba_numpy_picks_of_two_numbers
"""Compiled loops of its own, in which NumPy picks the larger of two numbers: as in plain Python, a flag."""
@njit
def larger(a, b):
    return np.maximum(a, b)

@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = larger(A[i, j], B[i, j])
    return C

# %% numba_numpy_where_of_two_numbers
"""Compiled loops of its own, in which `where` picks the larger of two numbers."""
@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = np.where(A[i, j] > B[i, j], A[i, j], B[i, j])
    return C
