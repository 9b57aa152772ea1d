"""What Numba does not compile, or what is not one's own loop.

failed: max.numba.compiled
"""

# %% numba_compiles_numpy
"""np.maximum inside njit: compiled, but not one's own work."""
@njit
def max_numba(A, B):
    return np.maximum(A, B)

# %% numba_in_object_mode
"""forceobj=True: Numba calls the Python interpreter for every step."""
from numba import jit

@jit(forceobj=True)
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% numba_without_njit
"""The decorator is missing: this is max_cpu once more."""
def max_numba(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C

# %% numba_numpy_row_by_row
"""NumPy picks the larger of two rows, inside njit: whole rows are no single numbers."""
@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        C[i] = np.maximum(A[i], B[i])
    return C

# %% numba_where_of_whole_arrays
"""`where` of whole matrices, inside njit."""
@njit
def max_numba(A, B):
    return np.where(A > B, A, B)
