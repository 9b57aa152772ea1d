"""Loops over all entries, in unusual ways."""

# %% bits_choose
"""The choice is made by the sign bit of the difference, without a comparison."""
SIGN = 63

def pick(a, b):
    difference = a - b
    return a - (difference & (difference >> SIGN))

pick_numba = njit(pick)
pick_cuda = cuda.jit(device=True)(pick)

def max_cpu(A, B):
    C = np.zeros(A.shape, np.int64)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = pick(int(A[i, j]), int(B[i, j]))
    return C

@njit
def max_numba(A, B):
    C = np.zeros(A.shape, np.int64)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = pick_numba(A[i, j], B[i, j])
    return C

@cuda.jit
def max_kernel(A, B, C):
    i = cuda.blockIdx.x
    j = cuda.threadIdx.x
    if i < A.shape[0] and j < A.shape[1]:
        C[i, j] = pick_cuda(A[i, j], B[i, j])

# %% column_order_result
"""The result lies in memory column by column, and is not writable."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype, order="F")
    for j in range(A.shape[1]):
        for i in range(A.shape[0]):
            C[i, j] = max(A[i, j], B[i, j])
    C.flags.writeable = False
    return C

# %% comprehensions
"""Loops as comprehensions over pairs of rows."""
def max_cpu(A, B):
    return np.array([[a if a > b else b for a, b in zip(x, y)] for x, y in zip(A, B)])

# %% flat_loop_helper
"""A function of one's own takes the larger of two numbers, in all three versions."""
from numba import int64
def merge(a, b):
    if a > b:
        return a
    return b

merge_compiled = njit(merge)
merge_on_device = cuda.jit(device=True)(merge)

def max_cpu(A, B):
    C = np.zeros((A.shape[0], A.shape[1]), dtype=int)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i][j] = merge(A[i][j], B[i][j])
    return C

@njit
def max_numba(A, B):
    C = np.zeros_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i][j] = merge_compiled(A[i][j], B[i][j])
    return C

@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = merge_on_device(A[i, j], B[i, j])

# %% float64_results
"""Results as floats with the right values."""
def max_cpu(A, B):
    C = np.zeros(A.shape)
    for i in range(len(A)):
        for j in range(len(A[i])):
            C[i][j] = A[i][j] if A[i][j] >= B[i][j] else B[i][j]
    return C

@njit
def max_numba(A, B):
    C = np.zeros(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] >= B[i, j] else B[i, j]
    return C

def max_gpu(A, B):
    C = np.zeros(A.shape)
    max_kernel[1000, 1000](A, B, C)
    return C

# %% fromiter_over_flat
"""Numbers come one by one from A.flat and B.flat, and NumPy only puts what a generator yields into an array."""
def max_cpu(A, B):
    larger = (a if a > b else b for a, b in zip(A.flat, B.flat))
    return np.fromiter(larger, dtype=A.dtype, count=A.size).reshape(A.shape)

@njit
def max_numba(A, B):
    C = np.empty(A.size, A.dtype)
    k = 0
    for a, b in zip(A.flat, B.flat):
        C[k] = a if a > b else b
        k += 1
    return C.reshape(A.shape)

@cuda.jit
def max_kernel(a, b, c):
    k = cuda.grid(1)
    if k < c.size:
        c[k] = a[k] if a[k] > b[k] else b[k]

def max_gpu(A, B):
    c = np.empty(A.size, dtype=A.dtype)
    d_c = cuda.to_device(c)
    max_kernel[1000, 1000](cuda.to_device(A.flatten()), cuda.to_device(B.flatten()), d_c)
    d_c.copy_to_host(c)
    c.shape = A.shape
    return c

# %% map_of_the_builtin_max
"""Python's own max is mapped over pairs of rows, and min over negative numbers in the compiled version."""
def max_cpu(A, B):
    return np.array([list(map(max, row_a, row_b)) for row_a, row_b in zip(A.tolist(), B.tolist())], dtype=A.dtype)

@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for i in range(len(A)):
        for j in range(len(A[i])):
            C[i, j] = -min(-A[i, j], -B[i, j])
    return C

# %% multi_index_iterator
"""An iterator with flags tells the place of every number, which is read with item and written through flat."""
def max_cpu(A, B):
    C = A - A
    places = np.nditer(A, flags=["multi_index"])
    while not places.finished:
        i, j = places.multi_index
        a, b = A.item(i, j), B[places.multi_index].item()
        C.flat[i * A.shape[1] + j] = a if a > b else b
        places.iternext()
    return C

# %% nditer_and_ellipsis
"""np.nditer goes over both matrices and makes the third; the choice is Python's, number by number."""
def max_cpu(A, B):
    with np.nditer([A, B, None], op_flags=[["readonly"], ["readonly"], ["writeonly", "allocate"]]) as numbers:
        for a, b, c in numbers:
            if a > b:
                c[...] = a
            else:
                c[...] = b
        return numbers.operands[2]

@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for index in np.ndindex(A.shape):
        C[index] = A[index] if A[index] > B[index] else B[index]
    return C

# %% offsets_by_cumsum
"""NumPy counts where rows begin and which place is which; numbers are compared one by one."""
def max_cpu(A, B):
    rows, columns = A.shape
    a, b = A.ravel(), B.ravel()
    starts = np.concatenate(([0], np.cumsum(np.full(rows - 1, columns))))
    ends = starts + columns
    c = np.zeros(rows * columns, dtype=int)
    for start, end in zip(starts, ends):
        for k in np.arange(start, end):
            c[k] = a[k] if a[k] > b[k] else b[k]
    return c.reshape(rows, columns)

@njit
def max_numba(A, B):
    C = np.empty_like(A)
    for k in np.arange(A.size):
        i, j = divmod(k, A.shape[1])
        C[i, j] = max(A[i, j], B[i, j])
    return C

@cuda.jit
def max_kernel(a, b, c, starts):
    start = starts[cuda.blockIdx.x]
    k = start + cuda.threadIdx.x
    c[k] = a[k] if a[k] > b[k] else b[k]

def max_gpu(A, B):
    starts = cuda.to_device(np.arange(0, A.size, A.shape[1]))
    c = cuda.device_array(A.size, A.dtype)
    max_kernel[1000, 1000](cuda.to_device(A.reshape(-1)), cuda.to_device(B.reshape(-1)), c, starts)
    return c.copy_to_host().reshape(A.shape)

# %% overwrites_an_argument
"""A is the result: a TA looks, the points stay.

flagged: max.numba.correct
"""
@njit
def max_numba(A, B):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if B[i, j] > A[i, j]:
                A[i, j] = B[i, j]
    return A

# %% recursion_over_rows
"""A function calls itself for the next row, a thousand deep, as a setting of the file allows."""
sys.setrecursionlimit(5000)

def larger(a, b):
    return [x if x > y else y for x, y in zip(a, b)]

def rows_from(A, B, i):
    if i == len(A):
        return []
    rest = rows_from(A, B, i + 1)
    return [larger(A[i], B[i])] + rest

def max_cpu(A, B):
    return np.array(rows_from(A.tolist(), B.tolist(), 0))

# %% while_loops
"""While loops with counters, and a walrus."""
def max_cpu(A, B):
    C = np.copy(A)
    i = 0
    while i < A.shape[0]:
        j = 0
        while j < A.shape[1]:
            if (b := B[i, j]) > C[i, j]:
                C[i, j] = b
            j += 1
        i += 1
    return C
