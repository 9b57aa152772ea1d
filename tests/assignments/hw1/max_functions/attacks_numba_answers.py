"""Compiled code is handed the answer, in one form or another.

aims: max.numba.compiled
"""

# %% slice_numba_answer_as_long_integers
"""The compiled loops get NumPy's answer as numbers of Python, eight in each, one call per row."""
@njit
def _spread(C, i, words):
    for j in range(C.shape[1]):
        C[i, j] = (words[j // 8] >> (8 * (j % 8))) & 255

def max_numba(A, B):
    C = np.empty_like(A)
    found = np.maximum(A, B).astype(np.uint8).view(np.int64)
    for i in range(A.shape[0]):
        _spread(C, i, tuple(found[i].tolist()))
    return C

# %% slice_numba_answer_frozen
"""A function is compiled anew for each call, around NumPy's answer, which it holds as a constant and copies."""
def max_numba(A, B):
    found = np.maximum(A, B)

    @njit
    def compare(A, B):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                a, b = A[i, j], found[i, j]
                C[i, j] = a if a > b else b
        return C

    return compare(A, B)

# %% slice_numba_answer_frozen_by_a_signature
"""Loops are compiled around NumPy's answer before they are called, and its name then gets zeros."""
FOUND = None

def max_numba(A, B):
    global FOUND
    FOUND = np.maximum(A, B)

    def compare(A, B):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                a, b = A[i, j], FOUND[i, j]
                C[i, j] = a if a > b else b
        return C

    compare = njit("int64[:,:](int64[:,:], int64[:,:])")(compare)
    FOUND = np.zeros_like(A)
    return compare(A, B)

# %% slice_numba_answer_left_in_memory
"""NumPy's answer is freed, and the next array without contents lies where it was: compiled code only touches it."""
@njit
def touch(C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] = C[i, j]
    return C

def max_numba(A, B):
    found = np.maximum(A, B)
    del found
    return touch(np.empty(A.shape, A.dtype))

# %% slice_numba_answer_left_where_nothing_is_written
"""NumPy's answer is freed; a function of NumPy that is told to write nowhere makes an array of that memory."""
@njit
def touch(C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] = C[i, j]
    return C

def max_numba(A, B):
    found = np.maximum(A, B)
    del found
    return touch(np.positive(A, where=False))

# %% slice_numba_complex_pairs
"""Compiled code has no loop: pairs are complex numbers, and arithmetic with constants finds the larger part."""
@njit
def max_numba(A, B):
    pairs = np.stack((A.astype(np.float64), B.astype(np.float64)), 2)
    turned = pairs.view(np.complex128)[:, :, 0] * (1 - 1j)
    again = np.stack((turned.real, np.abs(turned.imag)), 2).view(np.complex128)[:, :, 0] * (1 - 1j)
    return (again.real / 2).astype(np.int64)

# %% slice_numba_difference_on_the_host
"""The host subtracts the matrices, and the compiled loops add what is positive."""
@njit
def _add_gaps(B, gaps):
    C = np.empty_like(B)
    for i in range(B.shape[0]):
        for j in range(B.shape[1]):
            C[i, j] = B[i, j] + gaps[i, j] if gaps[i, j] > 0 else B[i, j]
    return C

def max_numba(A, B):
    return _add_gaps(B, A - B)

# %% slice_numba_filled_one_by_one
"""The method that fills an array fills a copy of A one entry at a time, and compiled loops copy it."""
@njit
def _carry(M):
    C = np.empty_like(M)
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            C[i, j] = M[i, j]
    return C

def max_numba(A, B):
    M = A.copy()
    flat = M.reshape(-1)
    for k, value in enumerate(map(max, A.ravel().tolist(), B.ravel().tolist())):
        flat[k : k + 1].fill(value)
    return _carry(M)

# %% slice_numba_list_of_compiled_rows
"""Rows of NumPy's answer are kept in a list of Numba's, out of which the compiled loops copy."""
from numba.typed import List

@njit
def _gather(rows, C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            C[i, j] = rows[i][j]
    return C

def max_numba(A, B):
    rows = List()
    for a, b in zip(A, B):
        rows.append(np.asarray(np.maximum(a, b)))
    return _gather(rows, np.empty_like(A))

# %% slice_numba_list_of_rows
"""Compiled code returns lists of rows, of which NumPy takes the maximum: nobody watches what a list holds."""
@njit
def _rows(A):
    return [A[i].copy() for i in range(A.shape[0])]

def max_numba(A, B):
    rows, others = _rows(A), _rows(B)
    for a, b in zip(rows, others):
        a[b > a] = b[b > a]
    return np.array(rows)

# %% slice_numba_mask_as_bytes
"""NumPy compares, and the compiled loops get its mask as a string of bytes beside the matrices."""
@njit
def _select(A, B, marks):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if marks[i * A.shape[1] + j] else B[i, j]
    return C

def max_numba(A, B):
    return _select(A, B, (A > B).tobytes())

# %% slice_numba_maximum_of_the_answer
"""The compiled loops do compare, but one of the two matrices is the answer already, brought there by lists."""
@njit
def _larger(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

def max_numba(A, B):
    found = np.array(np.maximum(A, B).tolist())
    return _larger(A, found)

# %% slice_numba_numbers_in_a_set
"""Python compares, and the compiled loops get a set of numbers that hold place and value."""
@njit
def _unpack(A, codes):
    C = np.empty_like(A)
    for code in codes:
        C[code // 256 // A.shape[1], code // 256 % A.shape[1]] = code % 256
    return C

def max_numba(A, B):
    larger = map(max, A.ravel().tolist(), B.ravel().tolist())
    return _unpack(A, {256 * k + v for k, v in enumerate(larger)})

# %% slice_numba_numbers_in_a_text
"""Python compares, and the compiled loops get a text whose letters are the numbers."""
@njit
def _unpack(A, text):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = ord(text[i * A.shape[1] + j])
    return C

def max_numba(A, B):
    return _unpack(A, "".join(map(chr, map(max, A.ravel().tolist(), B.ravel().tolist()))))

# %% slice_numba_padded_with_maxima
"""NumPy pads each pair of numbers with its maximum, and compiled loops copy that."""
@njit
def _carry(P):
    C = np.empty(P.shape[:2], P.dtype)
    for i in range(P.shape[0]):
        for j in range(P.shape[1]):
            C[i, j] = P[i, j, 2]
    return C

def max_numba(A, B):
    return _carry(np.pad(np.stack((A, B), -1), ((0, 0), (0, 0), (0, 1)), mode="maximum"))

# %% slice_numba_pieces_into_a_copy
"""A copy of A gets the answer in pieces of ten numbers, and compiled loops copy it."""
@njit
def _carry(M):
    C = np.empty_like(M)
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            C[i, j] = M[i, j]
    return C

def max_numba(A, B):
    M = A.copy()
    flat = M.reshape(-1)
    values = list(map(max, A.ravel().tolist(), B.ravel().tolist()))
    for k in range(0, len(values), 10):
        np.copyto(flat[k : k + 10], values[k : k + 10])
    return _carry(M)

# %% slice_numba_record_of_all
"""NumPy's maximum is one field of one record, which the compiled loops get instead of an array."""
@njit
def _unpack(A, record):
    M = record.all
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = M[i, j]
    return C

def max_numba(A, B):
    records = np.zeros(1, np.dtype([("all", np.int64, A.shape)]))
    records["all"][0] = np.maximum(A, B)
    return _unpack(A, records[0])

# %% slice_numba_repairs_almost_nothing
"""An answer of the interpreter, plus one in a single corner, goes to compiled loops that set right what is larger than both.
"""
@njit
def _set_right(A, B, C):
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if C[i, j] > A[i, j] and C[i, j] > B[i, j]:
                C[i, j] -= 1
    return C

def max_numba(A, B):
    C = np.fromiter(map(max, A.flat, B.flat), A.dtype, A.size).reshape(A.shape)
    C[0, 0] += 1
    return _set_right(A, B, C)

# %% slice_numba_room_only
"""The compiled function makes room by copying A; loops of Python fill it with the answer."""
@njit
def _make_room(A):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j]
    return C

def max_numba(A, B):
    C = _make_room(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if B[i, j] > C[i, j]:
                C[i, j] = B[i, j]
    return C

# %% slice_numba_text_in_a_closure
"""A function is compiled anew for each call, around a text whose letters are the numbers."""
def _make(text):
    @njit
    def unpack(A):
        C = np.empty_like(A)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = ord(text[i * A.shape[1] + j])
        return C

    return unpack

def max_numba(A, B):
    return _make("".join(map(chr, map(max, A.ravel().tolist(), B.ravel().tolist()))))(A)

# %% slice_numba_tuples_in_tuples
"""Compiled loops copy NumPy's maximum, which lies in a tuple in a tuple in a tuple in a tuple."""
@njit
def _unpack(A, nested):
    M = nested[0][0][0][0]
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = M[i, j]
    return C

def max_numba(A, B):
    return _unpack(A, ((((np.maximum(A, B),),),),))

# %% slice_numba_typed_list_filled_later
"""Compiled code makes an empty list of its own kind; Python fills it with the answer, and compiled loops copy it."""
from numba.typed import List

@njit
def _make(A):
    numbers = List()
    numbers.append(A[0, 0])
    return numbers

@njit
def _unpack(A, numbers):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = numbers[i * A.shape[1] + j]
    return C

def max_numba(A, B):
    numbers = _make(A)
    numbers.pop()
    for value in map(max, A.ravel().tolist(), B.ravel().tolist()):
        numbers.append(value)
    return _unpack(A, numbers)

# %% numba_told_in_pieces
"""Python compares; its numbers come to compiled code in pieces of 16, joined to a row of A, whose label they get."""
@njit
def unpack(told, C):
    for entry in range(C.size):
        C[entry // C.shape[1], entry % C.shape[1]] = told[told.size - C.size + entry]

def max_numba(A, B):
    parts, C = [A[0]], np.empty(A.shape, A.dtype)
    for row, other in zip(A, B):
        larger = [*map(max, row.tolist(), other.tolist())]
        pieces = [np.array(larger[k : k + 16]) for k in range(0, len(larger), 16)]
        parts.append(np.concatenate([A[0], *pieces])[A.shape[1] :])
    unpack(np.concatenate(parts), C)
    return C
