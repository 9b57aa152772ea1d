"""`max_cpu` by NumPy, with loops for show.

aims: max.cpu.trivial
"""

# %% slice_cpu_accumulated
"""The running maximum of a stack of both matrices ends with the answer."""
from itertools import accumulate

def max_cpu(A, B):
    *_, C = accumulate((A, B), np.fmax)
    return C

# %% slice_cpu_counts_up_to_it
"""The loops count each entry up until NumPy's maximum is reached: only a comparison ever sees it."""
STEPS = (128, 64, 32, 16, 8, 4, 2, 1)

def max_cpu(A, B):
    found = np.maximum(A, B).tolist()
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            value = 0
            for step in STEPS:
                if value + step <= found[i][j]:
                    value += step
            C[i, j] = value
    return C

# %% slice_cpu_decides_by_dictionary
"""NumPy's maximum is the key by which a dictionary of two hands out an element: the numbers copied are A's and B's own."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        top = dict(enumerate(np.maximum(A[i], B[i]).tolist()))
        for j in range(A.shape[1]):
            C[i, j] = {int(B[i, j]): B[i, j], int(A[i, j]): A[i, j]}[top[j]]
    return C

# %% slice_cpu_each_value_clipped
"""For each value of A, NumPy clips a copy of B at that constant, and a mask of A alone says where it counts."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for value in range(256):
        np.copyto(C, B.clip(value), "same_kind", A == value)  # its fourth argument is `where`
    return C

# %% slice_cpu_last_writer_wins
"""Each value is written where a mask finds it, in rising order, so that the larger one stays: no number of a matrix moves."""
def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for value in range(256):
        C[A == value] = value
        C[B == value] = value
    return C

# %% slice_cpu_loops_over_a_mask
"""NumPy compares the matrices, and loops over single elements copy what its mask says."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    larger = A > B
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if larger[i, j]:
                C[i, j] = A[i, j]
            else:
                C[i, j] = B[i, j]
    return C

# %% slice_cpu_loops_where_numpy_says
"""A copy of B gets single elements of A, at the places that NumPy's comparison lists."""
def max_cpu(A, B):
    C = B.copy()
    for i, j in np.argwhere(A > B).tolist():
        C[i, j] = A[i, j]
    return C

# %% slice_cpu_methods_of_arrays
"""Methods of arrays work where no function of NumPy is called: clip, choose, and in-place assignment."""
def max_cpu(A, B):
    C = A.copy()
    half = A.shape[0] // 2
    C[:half] = A[:half].clip(B[:half])
    C[half:] = (A[half:] < B[half:]).choose((A[half:], B[half:]))
    return C

# %% slice_cpu_padded_with_maxima
"""NumPy pads each pair of numbers with its maximum; a list of A is for show."""
def max_cpu(A, B):
    A.tolist(), B.tolist()
    return np.pad(np.stack((A, B), -1), ((0, 0), (0, 0), (0, 1)), mode="maximum")[:, :, 2]

# %% slice_cpu_rows_skipped_by_numpy
"""NumPy's sign of the difference decides, as a list of plain numbers that index a pair of elements."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    signs = np.less(A, B).astype(int).tolist()
    for i in range(A.shape[0]):
        row = signs[i]
        for j in range(A.shape[1]):
            C[i, j] = (A[i, j], B[i, j])[row[j]]
    return C

# %% slice_cpu_thresholds_counted
"""The number of thresholds that A reaches, or B, is the answer: masks of one matrix each are written to one array of bytes."""
def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for value in range(1, 256):
        reached = np.zeros(A.shape, bool)
        reached[A >= value] = True
        reached[B >= value] = True
        C += reached
    return C

# %% slice_cpu_ufunc_at_places
"""NumPy's maximum is applied at every place, once, to a copy of B."""
def max_cpu(A, B):
    C = B.copy()
    for i in range(A.shape[0]):
        np.maximum.at(C[i], np.arange(A.shape[1]), A[i])
    return C
