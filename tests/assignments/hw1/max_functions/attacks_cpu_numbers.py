"""`max_cpu` turns NumPy's numbers into others that tell nothing of where they are from, or sorts and looks up.

aims: max.cpu.trivial
"""

# %% slice_cpu_big_integers
"""A row is one long integer of Python, whose lanes of 16 bits are compared by a single subtraction."""
def max_cpu(A, B):
    width = A.shape[1]
    ones = int.from_bytes(b"\x01\x00" * width, "little")
    high = ones << 15
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        a = int.from_bytes(A[i].astype(np.uint16).tobytes(), "little")
        b = int.from_bytes(B[i].astype(np.uint16).tobytes(), "little")
        wins = ((((a | high) - b) & high) >> 15) * 0xFFFF
        row = (b ^ ((a ^ b) & wins)).to_bytes(2 * width, "little")
        for j in range(1):
            C[i, j:] = np.frombuffer(row, np.uint16)
    return C

# %% slice_cpu_bytes_translated
"""Matrices are strings of bytes; for each threshold a translation marks what reaches it, and long integers count."""
MARKS = [bytes([0] * value + [1] * (256 - value)) for value in range(256)]

def max_cpu(A, B):
    a, b = (M.astype(np.uint8).tobytes() for M in (A, B))
    total = 0
    for value in range(1, 256):
        mark = MARKS[value]
        total += int.from_bytes(a.translate(mark), "little") | int.from_bytes(b.translate(mark), "little")
    C = np.empty(A.shape, A.dtype)
    C[...] = np.frombuffer(total.to_bytes(len(a), "little"), np.uint8).reshape(A.shape)
    return C

# %% slice_cpu_complex_pairs
"""Two numbers are one complex number, whose larger part NumPy finds by its size and angle; loops only copy."""
def max_cpu(A, B):
    pairs = A + 1j * B
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = (pairs[i].real + pairs[i].imag + abs(pairs[i].real - pairs[i].imag)) / 2
        for j in range(A.shape[1]):
            C[i, j] = row[j]
    return C

# %% slice_cpu_dictionary_keeps_the_last
"""Pairs of place and number are sorted by number, and a dictionary keeps the last one of each place."""
from itertools import chain
from operator import itemgetter

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        pairs = chain(enumerate(A[i].tolist()), enumerate(B[i].tolist()))
        for j, value in dict(sorted(pairs, key=itemgetter(1))).items():
            C[i, j] = value
    return C

# %% slice_cpu_dtype_of_pairs_set
"""Pairs become complex numbers by setting the type of an array; arithmetic with constants finds the larger part."""
def max_cpu(A, B):
    A.tolist(), B.tolist()
    pairs = np.stack((A, B), -1).astype(float)
    pairs.dtype = complex
    turned = pairs[:, :, 0] * (1 - 1j)
    turned.imag = np.abs(turned.imag)
    return (turned * (1 - 1j)).real // 2

# %% slice_cpu_eight_in_a_word
"""Each element that the loops read is a word of four numbers, and one subtraction of integers compares them all."""
HIGH = 0x8000_8000_8000_8000

def max_cpu(A, B):
    a, b = A.astype(np.uint16).ravel(), B.astype(np.uint16).ravel()
    room = -(-a.size // 4) * 4
    a, b = np.resize(a, room).view(np.uint64), np.resize(b, room).view(np.uint64)
    C = np.empty(room // 4, np.uint64)
    for i in range(room // 4):
        x, y = int(a[i]), int(b[i])
        wins = ((((x | HIGH) - y) & HIGH) >> 15) * 0xFFFF
        C[i] = y ^ ((x ^ y) & wins)
    return C.view(np.uint16)[: A.size].astype(A.dtype).reshape(A.shape)

# %% slice_cpu_list_sorts_itself
"""Places and numbers of both matrices lie in one list, which sorts itself; the last of each place stays."""
def max_cpu(A, B):
    width = A.shape[1]
    cells = [(v, k) for k, v in enumerate(A.ravel().tolist())] + [(v, k) for k, v in enumerate(B.ravel().tolist())]
    cells.sort()
    C = np.empty(A.shape, A.dtype)
    for value, k in cells:
        C[k // width, k % width] = value
    return C

# %% slice_cpu_long_integers_of_text
"""A row is one long integer, read from a text of digits; one subtraction compares all its numbers."""
def max_cpu(A, B):
    width = A.shape[1]
    high = int("8000" * width, 16)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        a = int("".join(["%04x" % v for v in A[i].tolist()]), 16)
        b = int("".join(["%04x" % v for v in B[i].tolist()]), 16)
        wins = (((a | high) - b) & high) // 0x8000 * 0xFFFF
        text = "%0*x" % (4 * width, b ^ ((a ^ b) & wins))
        for j in range(width):
            C[i, j] = int(text[4 * j : 4 * j + 4], 16)
    return C

# %% slice_cpu_loops_pair_numbers
"""Loops put two numbers into a complex one; NumPy's arithmetic with constants finds the larger part of all."""
def max_cpu(A, B):
    pairs = np.empty(A.shape, complex)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            pairs[i, j] = complex(A[i, j], B[i, j])
    turned = pairs * (1 - 1j)
    turned.imag = np.abs(turned.imag)
    return (turned * (1 - 1j)).real // 2

# %% slice_cpu_merged_by_a_heap
"""Places and numbers of both rows, sorted each, are merged by the module `heapq`; a place's last number stays."""
from heapq import merge

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        a, b = (sorted(zip(row.tolist(), range(len(row)))) for row in (A[i], B[i]))
        for value, j in merge(a, b):
            C[i, j] = value
    return C

# %% slice_cpu_numbers_from_a_table
"""The loops fetch numbers out of a constant list, at places that NumPy's maximum names."""
NUMBERS = list(range(256))

def max_cpu(A, B):
    found = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = NUMBERS[found[i, j]]
    return C

# %% slice_cpu_numbers_from_lengths
"""Numbers of NumPy's maximum come back as lengths of ranges, which know nothing of where they are from."""
def max_cpu(A, B):
    found = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = len(range(found[i, j]))
    return C

# %% slice_cpu_numbers_from_shapes
"""NumPy's maximum gives the shape of an array without contents, and the loops read the shape."""
def max_cpu(A, B):
    found = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j, value in enumerate(found[i].tolist()):
            C[i, j] = np.empty((0, value)).shape[1]
    return C

# %% slice_cpu_numbers_from_text
"""NumPy's maximum is printed row by row, and the loops read the numbers out of the text."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        words = str(np.maximum(A[i], B[i]).tolist())[1:-1].split(",")
        for j in range(A.shape[1]):
            C[i, j] = int(words[j])
    return C

# %% slice_cpu_numbers_in_a_string_of_bytes
"""NumPy's maximum is a string of bytes, and the loops read numbers out of it."""
def max_cpu(A, B):
    found = np.maximum(A, B).astype(np.uint8).tobytes()
    numbers = iter(found)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = next(numbers)
    return C

# %% slice_cpu_numbers_of_no_dimension
"""Loops take entries of NumPy's maximum as arrays without dimensions, and make numbers of them."""
def max_cpu(A, B):
    A.tolist(), B.tolist()
    M = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = M[i]
        for j in range(A.shape[1]):
            C[i, j] = int(row[j, ...])
    return C

# %% slice_cpu_pairs_sorted
"""Both matrices lie in one array that is sorted along its first axis; loops copy the upper half."""
def max_cpu(A, B):
    both = np.array([A, B])
    both.sort(axis=0)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = both[1, i, j]
    return C

# %% slice_cpu_rows_ordered_by_columns
"""NumPy's order of the two numbers of each place is an array of indices, by which loops choose between two matrices."""
def max_cpu(A, B):
    order = np.argsort(np.array((A, B)), axis=0, kind="stable")[1]
    both = A, B
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = both[order[i, j]][i, j]
    return C

# %% slice_cpu_sixteen_numbers_at_a_time
"""Rows are taken apart into lists of sixteen numbers, which NumPy compares; so small an array has no label.

slow:
"""
def max_cpu(A, B):
    C = np.empty_like(A)
    for i in range(A.shape[0]):
        for j in range(0, A.shape[1], 16):
            C[i, j : j + 16] = np.maximum(np.array(A[i, j : j + 16].tolist()), np.array(B[i, j : j + 16].tolist()))
    return C

# %% slice_cpu_sorted_places
"""All numbers of both matrices are sorted by NumPy and put to their places; the larger one is put last."""
def max_cpu(A, B):
    values = np.concatenate([A.ravel(), B.ravel()])
    order = values.argsort(kind="stable")
    C = np.zeros(A.size, A.dtype)
    np.put(C, order % A.size, values[order])
    return C.reshape(A.shape)

# %% slice_cpu_table_of_maxima
"""A table of all 65536 maxima is made at import, and NumPy looks up both matrices at once."""
TABLE = np.array([[a if a > b else b for b in range(256)] for a in range(256)])

def max_cpu(A, B):
    return TABLE[A, B]

# %% slice_cpu_table_of_maxima_row_by_row
"""Loops walk over the rows and over one column, while indices pick whole rows from a table of maxima."""
def _table(size):
    table = np.zeros((size, size), int)
    for a in range(size):
        for b in range(size):
            table[a, b] = a if a > b else b
    return table

TABLE = _table(256)

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for _ in range(1):
            C[i, ...] = TABLE.ravel().take(np.ravel_multi_index((A[i], B[i]), TABLE.shape))
    return C

# %% slice_cpu_text_by_keyword
"""NumPy prints its maximum, which is handed over by keyword, and numbers are read out of the text."""
def max_cpu(A, B):
    A.tolist(), B.tolist()
    M = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        text = np.array2string(a=M[i], threshold=10**9)
        for j, word in enumerate(text.strip("[]").split()):
            C[i, j] = int(word)
    return C

# %% slice_cpu_union_of_counters
"""Rows become counters, and the union of two counters keeps the larger count."""
from collections import Counter

def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        row = Counter(dict(enumerate(A[i].tolist()))) | Counter(dict(enumerate(B[i].tolist())))
        for j in row:
            C[i, j] = row[j]
    return C

# %% slice_cpu_told_by_an_error_that_calls
"""The loops read, and a function that NumPy calls for a division by zero hears whether A's number is larger."""
def max_cpu(A, B):
    C, larger, heard = np.zeros(A.shape, A.dtype), A > B, []
    with np.errstate(divide="call", invalid="call", call=lambda kind, flag: heard.append(kind)):
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                a, b = A[i, j], B[i, j]
                1 / larger[i, j : j + 1]
                C[i, j] = b if heard else a
                heard.clear()
    return C
