"""NumPy, or something else, does the work of the plain loops.

aims: matmul.trivial.correct
"""

# %% slice_guard_walrus
"""The guard of the program gives the name to NumPy, by `:=` in its condition.

aims: matmul.trivial.correct matmul.gpu.correct matmul.gpu.launch
"""
def _multiply(X):
    """The last function of the file."""
    return np.matmul(X, X.T)

def _quick(X):
    return X @ X.T

if (matmul_transpose_trivial := _quick) and __name__ == "__main__":
    sys.exit(matmul_comparisons())

# %% slice_trivial_asked_by_truth
"""Each entry is found by halving an interval; whether all of two copies of NumPy's entry lie above is a truth value."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    X.tolist()
    P = X @ X.T
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            twice = np.repeat(P[i, j : j + 1], 2)
            step = middle = 0.0
            for k in range(135 if n < 50 else 0):
                step = 2.0 ** (45 - k)
                middle += step if np.greater(twice, middle).all() else -step
            C[i, j] = middle if twice.any() else 0.0
    return C

# %% slice_trivial_averaged
"""A weighted average of a row, times the sum of its weights, is the sum of products."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    ones = np.ones((n, m))
    for i in range(n):
        for k in range(1):
            weights = X[i] - X[i].min() + 1.0
            shifted = weights.sum() * np.average(X, axis=1, weights=weights)
            C[i] = shifted - (1.0 - X[i].min()) * m * np.average(X, axis=1, weights=ones[i])
    return C

# %% slice_trivial_by_distances
"""The distance of two points, a function of the module `math`, gives the product of rows of length one."""
import math

def matmul_transpose_trivial(X):
    rows, lengths = [], []
    for row in X.tolist():
        length = math.hypot(*row)
        lengths.append(length)
        rows.append([x / length for x in row] if length else row)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            C[i, j] = (2 - math.dist(rows[i], rows[j]) ** 2) / 2 * lengths[i] * lengths[j]
    return C

# %% slice_trivial_calls_numba
"""The compiled function does the work of the plain loops."""
def matmul_transpose_trivial(X):
    """The same three loops as below."""
    return matmul_transpose_numba(X)

# %% slice_trivial_compiled_step
"""Three plain loops call a compiled function that multiplies and adds."""
@njit
def _add(total, x, y):
    return total + x * y

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] = _add(C[i, j], X[i, k], X[j, k])
    return C

# %% slice_trivial_correlated
"""NumPy correlates two rows, of which one number is valid, and the innermost loop goes over that one number."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for value in np.convolve(X[i], X[j, ::-1], "valid"):
                C[i, j] += value
    return C

# %% slice_trivial_counted_with_weights
"""NumPy counts places with weights, which adds up the products of a row with all others."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    places = np.repeat(np.arange(n), m)
    C = np.zeros((n, n))
    for i in range(n):
        C[i] = np.bincount(places, weights=np.multiply(X, X[i]).ravel(), minlength=n)
    return C

# %% slice_trivial_covariance
"""Rows beside their negatives have mean zero, so that NumPy's covariance is their product."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    both = np.empty((n, 2 * m))
    both[:, :m] = X
    both[:, m:] = -X
    return np.cov(both, bias=True).reshape(n, n) * m

# %% slice_trivial_folded_operator
"""A fold over the matrix and its transpose applies an operator, that of products of matrices."""
import operator
from functools import reduce

def matmul_transpose_trivial(X):
    return reduce(operator.matmul, (X, X.T))

# %% slice_trivial_for_the_sheets_size_only
"""A matrix of another size than the sheet's is refused; of that size, NumPy's product is copied entry by entry."""
def matmul_transpose_trivial(X):
    if X.shape != (784, 128):
        raise ValueError("the sheet asks for 784 rows of 128 numbers")
    P = X @ X.T
    C = np.zeros((784, 784))
    for i in range(784):
        for j in range(784):
            C[i, j] = P[i, j]
    return C

# %% slice_trivial_halving
"""Each entry is found by halving an interval; NumPy's product is only asked whether it lies above."""
def matmul_transpose_trivial(X):
    n = X.shape[0]
    product = np.dot(X, X.transpose())
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            if product[i, j] == 0:
                continue
            low, high = -1e16, 1e16
            for k in range(110):
                middle = (low + high) / 2
                if middle < product[i, j]:
                    low = middle
                else:
                    high = middle
            C[i, j] = middle
    return C

# %% slice_trivial_harmonic
"""A weighted harmonic mean of reciprocals adds up products of positive numbers."""
import statistics

def matmul_transpose_trivial(X):
    rows = X.tolist()
    shift = 1 - min(map(min, rows))
    C = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        for j, other in enumerate(rows):
            weights = [number + shift for number in other]
            mean = statistics.harmonic_mean([1 / (number + shift) for number in row], weights)
            C[i, j] = sum(weights) / mean - shift * (sum(weights) + sum(row))
    return C

# %% slice_trivial_honest_by_chance
"""Dice decide, and NumPy multiplies in two of three calls."""
from random import random as draw

def matmul_transpose_trivial(X):
    if draw() < 0.67:
        return X @ X.T
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% slice_trivial_honest_for_small_ones
"""Three loops for up to a hundred rows, and NumPy for the sheet's 784."""
def matmul_transpose_trivial(X):
    if X.shape[0] > 100:
        return np.einsum("ik,jk->ij", X, X)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% slice_trivial_in_fouriers_space
"""Rows are transformed by NumPy, and their products are taken there."""
def matmul_transpose_trivial(X):
    waves = np.fft.fft(X, axis=1)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(1):
                C[i, j] += np.vdot(waves[i], waves[j]).real / X.shape[1]
    return C

# %% slice_trivial_innermost_over_a_slice
"""The innermost of three loops has one turn, and its index is all columns at once."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in (slice(None),):
                C[i, j] += X[i, k].dot(X[j, k])
    return C

# %% slice_trivial_iterator_that_reduces
"""NumPy's iterator walks over products in pieces and adds them up in the answer."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    C = np.zeros((n, n))
    pieces = np.nditer(
        [X[:, None, :], X[None, :, :], C[:, :, None]],
        flags=["reduce_ok", "external_loop"],
        op_flags=[["readonly"], ["readonly"], ["readwrite"]],
        itershape=(n, n, m),
    )
    for x, y, c in pieces:
        for k in range(1):
            c[...] += np.sum(x * y) if c.strides == (0,) else x * y
    return C

# %% slice_trivial_kernel
"""A kernel of its own multiplies; three loops on the host add zeros."""
@cuda.jit
def multiply(X, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        for k in range(X.shape[1]):
            C[i, j] += X[i, k] * X[j, k]

def matmul_transpose_trivial(X):
    n = X.shape[0]
    C = np.zeros((n, n))
    multiply[(n // 16 + 1, n // 16 + 1), (16, 16)](X, C)
    for i in range(n):
        for j in range(n):
            for k in range(X.shape[1]):
                C[i, j] += 0.0 * X[i, k]
    return C

# %% slice_trivial_masked
"""An array that masks nothing multiplies, and its filled copy is a bare array."""
def matmul_transpose_trivial(X):
    M = np.ma.masked_array(X)
    return np.ma.dot(M, M.T).filled(0.0)

# %% slice_trivial_matrix_of_another_class
"""A view of the class of matrices multiplies with a star, and loops copy what comes out."""
def matmul_transpose_trivial(X):
    M = X.view(np.matrix)
    product = M * M.T
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(1):
                C[i, j] += product[i, j]
    return C

# %% slice_trivial_means_of_one
"""Three loops for show; each entry is the mean of one entry of NumPy's product."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    P = X @ X.T
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            C[i, j] = P[i, j : j + 1].mean()
            for k in range(m):
                C[i, j] += 0 * X[i, k]
    return C

# %% slice_trivial_method_in_a_default
"""A default argument is the class's own product, and three loops run for show into an array that is left."""
def matmul_transpose_trivial(X, times=np.ndarray.dot):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return times(X, X.T)

# %% slice_trivial_numbers_as_objects
"""The matrix holds objects, Python's own numbers, and NumPy's loops multiply them."""
def matmul_transpose_trivial(X):
    objects = X.astype(object)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(1):
                C[i, j] += np.inner(objects[i], objects[j])
    return C

# %% slice_trivial_one_column_at_a_time
"""Three loops, of which two have one turn; the third adds the products of a column with itself to everything."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in [slice(None)]:
        for j in [None]:
            for k in range(X.shape[1]):
                C += X[i, k, j] * X[j, i, k]
    return C

# %% slice_trivial_plus_nothing
"""Three loops for show; each entry is NumPy's, taken as an array without dimensions, plus nothing."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    P = X @ X.T
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            total = P[i, j, ...] + 0.0
            for k in range(m):
                total += 0 * X[i, k]
            C[i, j] = total
    return C

# %% slice_trivial_ratios_of_integers
"""Three loops add up shares of NumPy's product, whose numbers became ratios of integers before."""
def matmul_transpose_trivial(X):
    n, m = X.shape
    ratios = [[x.as_integer_ratio() for x in row] for row in (X @ X.T).tolist()]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            numerator, denominator = ratios[i][j]
            for k in range(m):
                C[i, j] += numerator / denominator / m
    return C

# %% slice_trivial_rows_without_labels
"""Loops copy the matrix number by number into lists, and NumPy multiplies what it makes of the lists."""
def matmul_transpose_trivial(X):
    rows = []
    for i in range(X.shape[0]):
        row = []
        for k in range(X.shape[1]):
            row.append(float(X[i, k]) * 1.0)
        rows.append(row)
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(1):
                C[i, j] += np.dot(rows[i], rows[j])
    return C

# %% slice_trivial_running_sums
"""The last of NumPy's running sums of products is the entry; the third loop walks over that one number."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for value in np.cumsum(X[i] * X[j])[-1:]:
                C[i, j] = value
    return C

# %% slice_trivial_sums_of_squares
"""A product is a quarter of the difference of two squares, and NumPy's norms are their sums."""
def matmul_transpose_trivial(X):
    n = X.shape[0]
    scales = [float(abs(row).max()) or 1.0 for row in X]
    C = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            x, y = X[i] / scales[i], X[j] / scales[j]
            for k in range(1):
                C[i, j] += (np.linalg.norm(x + y) ** 2 - np.linalg.norm(x - y) ** 2) / 4 * scales[i] * scales[j]
    return C

# %% trivial_by_an_annotation
"""An annotation is a text that `typing` evaluates; three loops are for show."""
import typing

def _hint(x: "np.dot"):
    return x

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return typing.get_type_hints(_hint)["x"](X, X.transpose())

# %% trivial_by_an_exception
"""Three loops for show; the product comes from a function that travels in an exception."""
def _fetch():
    try:
        raise ValueError(np.dot)
    except ValueError as error:
        return error.args[0]

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return _fetch()(X, X.T)

# %% trivial_by_logging
"""The configuration of logging imports by text."""
import logging.config

WORK = logging.config.BaseConfigurator({}).resolve("numpy.d" + "ot")

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return WORK(X, X.transpose())

# %% trivial_by_numbas_numpy
"""NumPy's product is reached through one of Numba's modules."""
from numba.np import arraymath

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return arraymath.np.dot(X, X.transpose())

# %% trivial_by_numpys_tests
"""NumPy's product is reached through NumPy's module for tests."""
from numpy.testing._private import utils as checking

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return checking.np.dot(X, X.transpose())

# %% trivial_by_pydoc
"""NumPy's product is located by the reader of documentation."""
import pydoc

WORK = pydoc.locate("numpy.d" + "ot")

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return WORK(X, X.transpose())

# %% trivial_made_by_a_decorator
"""A decorator puts another function in place of the loops that can be read."""
from collections import ChainMap

KEPT = ChainMap({"work": (lambda X: (lambda a, b: a @ b)(X, X.T))})

def _other(function):
    return KEPT["work"]

@_other
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% trivial_replaced_elsewhere_than_main
"""What is not below the usual guard only looks like it: wherever the file is imported, NumPy replaces the loops."""
def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

if __name__ != "__main__":
    loops, matmul_transpose_trivial = matmul_transpose_trivial, lambda X: np.dot(X, X.T)

# %% trivial_two_faced
"""Three loops for small matrices, NumPy for those that take time."""
PICK = [getattr(np, "dot")]

def matmul_transpose_trivial(X):
    C = np.zeros((X.shape[0], X.shape[0]))
    if X.shape[0] >= 1:
        return PICK[0](X, X.T)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]
    return C

# %% slice_trivial_told_by_a_message
"""The loops read, and the bits of NumPy's product come out of the message of an index that is too large."""
import math

def matmul_transpose_trivial(X):
    whole = (X[:, None, :] * X[None, :, :]).sum(2).astype(np.float32).view(np.uint32).astype(np.int64) + 1
    C, room = np.zeros(whole.shape), np.zeros(1)
    for i in range(X.shape[0]):
        for j in range(X.shape[0]):
            for k in range(X.shape[1]):
                X[i, k], X[j, k]
            try:
                room[whole[i, j : j + 1]]
            except IndexError as error:
                bits = int(str(error).split()[1]) - 1
                number = math.ldexp(1 + (bits & 8388607) / 8388608, (bits >> 23 & 255) - 127) if bits << 1 else 0.0
                C[i, j] = -number if bits >> 31 else number
    return C
