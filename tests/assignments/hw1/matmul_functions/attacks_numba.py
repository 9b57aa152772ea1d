"""Compiled code does not compute the product.

aims: matmul.numba.compiled
"""

# %% numba_calls_a_ufunc_in_disguise
"""The compiled function's loops are decoys around NumPy's product."""
@njit
def matmul_transpose_numba(X):
    for i in range(X.shape[0]):
        for j in range(1):
            pass
    return np.dot(X, X.T)

# %% numba_decoy_and_a_queue
"""A compiled function gets the matrix, and a function out of a queue makes the answer."""
import queue

BOX = queue.Queue()

@njit
def _touch(X):
    total = 0.0
    for i in range(X.shape[0]):
        for j in range(X.shape[1]):
            total += X[i, j]
    return total

def matmul_transpose_numba(X):
    BOX.put(np.dot)
    _touch(X)
    return BOX.get()(X, X.T)

# %% slice_numba_compiled_for_the_corner
"""The compiled loops compute the first 64 rows of the product's first 64 columns, and NumPy all the rest."""
@njit
def _multiply(X, C, size):
    for i in range(size):
        for j in range(size):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]

def matmul_transpose_numba(X):
    C = np.tensordot(X, X, axes=(1, 1))
    C[:64, :64] = 0
    _multiply(X, C, min(64, X.shape[0]))
    return C

# %% slice_numba_generalised_ufunc
"""A generalised ufunc, compiled by Numba, lets NumPy multiply; compiled loops copy what it returns."""
from numba import guvectorize

@guvectorize(["void(float64[:,:], float64[:], float64[:,:])"], "(n,m),(n)->(n,n)")
def _multiply(X, room, C):
    C[:] = np.dot(X, X.T)

@njit
def _carry(P):
    C = np.empty_like(P)
    for i in range(P.shape[0]):
        for j in range(P.shape[1]):
            C[i, j] = P[i, j]
    return C

def matmul_transpose_numba(X):
    return _carry(_multiply(X, np.zeros(X.shape[0])))

# %% slice_numba_mirrors_the_answer
"""NumPy's product gives the lower triangle, and the compiled loops copy it to the upper one."""
@njit
def _mirror(C):
    for i in range(C.shape[0]):
        for j in range(i):
            C[j, i] = C[i, j]
    return C

def matmul_transpose_numba(X):
    return _mirror(np.tril(X @ X.T))

# %% slice_numba_named_tuple_shows_another
"""A named tuple shows the input to Python, and hands NumPy's answer to machine code.

aims: matmul.numba.correct matmul.numba.compiled
"""
from typing import NamedTuple

class Held(NamedTuple):
    """Shows the second one to whoever goes through it; machine code is given both."""

    first: np.ndarray
    second: np.ndarray

    def __iter__(self):
        return iter([self.second, self.second])

    def __getitem__(self, _key):
        return [self.second, self.second]

@njit
def copied(held, X):
    C = np.empty((len(X), len(X)), X.dtype)
    for i in range(len(X)):
        for j in range(len(X)):
            C[i, j] = held.first[i, j]
    return C

def matmul_transpose_numba(X):
    return copied(Held(X @ X.T, X), X)

# %% slice_numba_object_mode
"""The compiled function leaves compiled code for NumPy's product, and its loops begin with what comes back."""
from numba import objmode

@njit
def matmul_transpose_numba(X):
    with objmode(C="float64[:, ::1]"):
        C = X @ X.T
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += 0.0 * X[i, k]
    return C

# %% slice_numba_operator_in_a_default
"""A default argument of the compiled function is the operator of products of matrices."""
import operator

@njit
def matmul_transpose_numba(X, times=operator.matmul):
    n = X.shape[0]
    C = np.zeros((n, n))
    for i in range(0, n, n):
        for j in range(0, n, n):
            C[i:, j:] = times(X, X.T)
    return C

# %% slice_numba_product_in_a_closure
"""A factory makes the compiled function around NumPy's product of two rows, which the two outer loops call."""
def _made(times):
    @njit
    def work(X):
        C = np.zeros((X.shape[0], X.shape[0]))
        for i in range(X.shape[0]):
            for j in range(X.shape[0]):
                for k in range(0, X.shape[1], X.shape[1]):
                    C[i, j] += times(X[i, k:], X[j, k:])
        return C

    return work

matmul_transpose_numba = _made(np.dot)

# %% slice_numba_product_with_the_unit_matrix
"""The compiled loops multiply two matrices: NumPy's product, brought there as bytes, and the unit matrix."""
@njit
def _multiply(P, Q):
    C = np.zeros((P.shape[0], Q.shape[0]))
    for i in range(P.shape[0]):
        for j in range(Q.shape[0]):
            for k in range(P.shape[1]):
                C[i, j] += P[i, k] * Q[j, k]
    return C

def matmul_transpose_numba(X):
    n = X.shape[0]
    product = np.frombuffer(np.matmul(X, X.T).tobytes()).reshape(n, n)
    return _multiply(product, np.eye(n))

# %% slice_numba_square_of_itself
"""Compiled loops put the matrix and its transpose into one matrix, whose square holds the product."""
@njit
def matmul_transpose_numba(X):
    n, m = X.shape
    S = np.zeros((n + m, n + m))
    for i in range(n):
        for k in range(m):
            S[i, n + k] = X[i, k]
            S[n + k, i] = X[i, k]
    return (S @ S)[:n, :n].copy()

# %% slice_numba_sum_of_rows
"""Two compiled loops take NumPy's sum of two rows' products, where the third loop should be."""
@njit
def matmul_transpose_numba(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = np.sum(X[i] * X[j])
    return C

# %% slice_numba_reduced_by_its_own_ufunc
"""Ufuncs of the hand-in multiply and add, and their loops are Numba's."""
from numba import vectorize

@vectorize
def _times(a, b):
    return a * b

@vectorize
def _plus(a, b):
    return a + b

@njit
def matmul_transpose_numba(X):
    rows, columns = X.shape
    left, right = X.copy().reshape(rows, 1, columns), X.copy().reshape(1, rows, columns)
    return _plus.reduce(_times(left, right), 2)
