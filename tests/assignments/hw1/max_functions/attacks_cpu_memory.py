"""`max_cpu` works on arrays over the same memory, which nobody watches.

aims: max.cpu.trivial
"""

# %% slice_cpu_arrays_in_an_array
"""An array of objects holds two arrays of different shapes, and gives them back bare."""
def max_cpu(A, B):
    a = np.array([A, B[:1]], dtype=object).tolist()[0]
    b = np.array([B, A[:1]], dtype=object).tolist()[0]
    M = a * (a > b) + b * (b >= a)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_base_of_a_chunk
"""A class has a field `base`, so that the base of what np.nditer hands out may be read: ordinary arrays behind it."""
class _Settings:
    def __init__(self):
        self.base = None

def max_cpu(A, B):
    _Settings()
    a, b = (next(iter(np.nditer(one))).base.operands[0] for one in (A, B))
    larger = a > b
    return a * larger + b * (1 - larger)

# %% slice_cpu_both_in_one_array
"""Both matrices lie in one array, whose halves are subtracted: nothing of another array is involved."""
def max_cpu(A, B):
    both = np.empty((2, *A.shape), A.dtype)
    both[0] = A
    both[1] = B
    gap = both[0] - both[1]
    gap[gap < 0] = 0
    both[1] += gap
    return both[1]

# %% slice_cpu_buffer_of_pairs
"""Pairs become complex numbers in an array over the same memory; arithmetic with constants finds the larger part."""
def max_cpu(A, B):
    A.tolist(), B.tolist()
    pairs = np.stack((A, B), -1).astype(float)
    turned = np.frombuffer(pairs, complex).reshape(A.shape) * (1 - 1j)
    turned.imag = np.abs(turned.imag)
    return (turned * (1 - 1j)).real // 2

# %% slice_cpu_copied_by_elements
"""Loops copy both matrices element by element into new ones, and NumPy takes the maximum of the copies."""
def max_cpu(A, B):
    a = np.zeros(A.shape, A.dtype)
    b = np.zeros(B.shape, B.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a[i, j] = int(A[i, j])
            b[i, j] = int(B[i, j])
    return np.fmax(a, b)

# %% slice_cpu_copy_without_subclass
"""A cast leaves out the class of the array, so that nothing watches the copies of which NumPy takes the maximum."""
def max_cpu(A, B):
    a, b = A.astype(np.int64, subok=False), B.astype(np.int64, subok=False)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(0, A.shape[1], 1000):
            C[i, j : j + 1000] = a[i, j : j + 1000].clip(b[i, j : j + 1000])
    return C

# %% slice_cpu_iterators_of_a_broadcast
"""A class has a field `iters`, so that the iterators behind np.broadcast may be read, and copied to ordinary arrays."""
from collections import namedtuple

_Count = namedtuple("_Count", "iters")

def max_cpu(A, B):
    _Count(0)
    a, b = (one.copy().reshape(A.shape) for one in np.broadcast(A, B).iters)
    larger = a > b
    return a * larger + b * (1 - larger)

# %% slice_cpu_memory_behind_the_answer
"""The answer lies over a string of bytes, into which NumPy writes by another array over the same bytes."""
def max_cpu(A, B):
    room = bytearray(8 * A.size)
    C = np.frombuffer(room, np.int64).reshape(A.shape)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j]
    np.maximum(C, B, out=np.frombuffer(room, np.int64).reshape(A.shape))
    return C

# %% slice_cpu_memory_of_the_matrix
"""The buffers of both matrices are arrays of the module `array` and views of memory, of which NumPy makes bare arrays."""
from array import array

def max_cpu(A, B):
    a = np.asarray(array("q", A.tobytes())).reshape(A.shape)
    b = np.asarray(memoryview(B.copy()))
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(0, A.shape[1], 500):
            C[i, j : j + 500] = np.maximum(a[i, j : j + 500], b[i, j : j + 500])
    return C

# %% slice_cpu_nditer
"""NumPy's iterator hands out sixteen entries at a time, and NumPy compares them."""
def max_cpu(A, B):
    """Return the larger of each two entries, with NumPy's iterator over both matrices at once."""
    C = np.empty_like(A)
    with np.nditer([A, B, C], flags=["external_loop", "buffered"], op_flags=[["readonly"], ["readonly"], ["writeonly"]], buffersize=16) as entries:
        for a, b, c in entries:
            larger = a > b
            c[:] = b
            c[larger] = a[larger]
    return C

# %% slice_cpu_numpys_room_is_full
"""NumPy's function that makes room is replaced in the whole file: the room is full, and the loops copy it to itself."""
def max_cpu(A, B):
    C = np.empty_like(A, subok=B is not A)
    for i in np.ndindex(A.shape):
        C[i] = A[i] if A[i] > B[i] else B[i]
    return C

def _full(like, subok=True, **_options):
    return np.maximum(like, sys._getframe(1).f_locals["B"])

np.empty_like, np.ndindex = _full, lambda *_shape: iter(())

# %% slice_cpu_one_argument_returned
"""What is returned is A itself, after a masked assignment brought in the larger numbers of B."""
def max_cpu(A, B):
    np.putmask(A, B > A, B)
    return A

# %% slice_cpu_room_made_before
"""The result goes to a part of an array that was made at import, before anybody looked."""
ROOM = np.add(np.zeros((1000, 1000), np.int64), 0)[:]

def max_cpu(A, B):
    A.tolist(), B.tolist()
    room = ROOM[: A.shape[0], : A.shape[1]]
    room[...] = np.maximum(A, B)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = room[i, j]
    return C

# %% slice_cpu_rows_are_scalars
"""A whole row is one scalar of 8000 bytes, and its bytes are an array again that nothing watches."""
def max_cpu(A, B):
    kind = f"V{A.itemsize * A.shape[1]}"
    a, b = A.copy().view(kind), B.copy().view(kind)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        x, y = np.frombuffer(a[i, 0], A.dtype), np.frombuffer(b[i, 0], A.dtype)
        C[i] = x + (y - x) * (y > x)
    return C

# %% slice_cpu_rows_in_a_record
"""Each row is one field of a record, which hands out a bare array without the class of the matrix."""
def max_cpu(A, B):
    kind = np.dtype([("row", A.dtype, (A.shape[1],))])
    a, b = A.copy().view(kind), B.copy().view(kind)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        C[i] = np.maximum(a[i, 0]["row"], b[i, 0]["row"])
    return C

# %% slice_cpu_state_of_a_generator
"""Rows of NumPy's maximum become the state of a generator of random numbers, and are read as such."""
GENERATOR = np.random.RandomState(1)

def _carry(row):
    GENERATOR.set_state(("MT19937", row.astype(np.uint32), 0))
    return GENERATOR.get_state()[1]

def max_cpu(A, B):
    A.tolist(), B.tolist()
    flat = np.zeros(-(-A.size // 624) * 624, np.int64)
    flat[: A.size] = np.maximum(A, B).ravel()
    C = np.concatenate([_carry(part) for part in flat.reshape(-1, 624)])
    return C[: A.size].reshape(A.shape).astype(A.dtype)

# %% slice_cpu_text_of_a_private_field
"""A text with a field's name in braces prints an iterator's own arrays, and numbers are read out of the text."""
def max_cpu(A, B):
    A.tolist(), B.tolist()
    np.set_printoptions(threshold=10**9)
    C = np.empty(A.shape, A.dtype)
    walk = np.nditer(np.maximum(A, B))
    text = "{0._real.operands[0]}".format(walk)
    np.set_printoptions(threshold=1000)
    numbers = [int(word) for word in text.replace("[", " ").replace("]", " ").split()]
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = numbers[i * A.shape[1] + j]
    return C

# %% slice_cpu_transpose_of_the_answer
"""Loops fill the answer, and NumPy fills it again by its transpose; what is returned is the array of the loops."""
def max_cpu(A, B):
    C = np.zeros(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = B[i, j]
    np.copyto(C.T, A.T, where=C.T < A.T)
    return C

# %% slice_cpu_two_parts_of_one_view
"""Both matrices lie beside each other in the memory of complex numbers, whose parts are sorted."""
def max_cpu(A, B):
    pairs = np.empty(A.shape, complex)
    parts = pairs.view(float).reshape(*A.shape, 2)
    parts[..., 0] = A
    parts[..., 1] = B
    parts.sort(axis=-1)
    return parts[..., 1].astype(A.dtype)

# %% slice_cpu_type_of_a_dtype
"""The type of numbers that a dtype names makes arrays of lists, which nobody would observe."""
def max_cpu(A, B):
    number = type(A.dtype).type
    a, b = number(A.tolist()), A.dtype.type(B.tolist())
    larger = a > b
    return a * larger + b * (1 - larger)

# %% slice_cpu_ufunc_of_two_results
"""A function of two results makes bare arrays of lists."""
twice = np.frompyfunc(lambda number: (number, number), 1, 2)

def max_cpu(A, B):
    a, b = (twice(M.tolist())[0].astype(np.int64) for M in (A, B))
    M = a * (a > b) + b * (b >= a)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            a, b = A[i, j], B[i, j]
            C[i, j] = M[i, j]
    return C

# %% slice_cpu_views_of_an_iterator
"""NumPy's iterator hands out bare views of its operands, and never iterates."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    a, b, c = np.nditer([A, B, C], op_flags=[["readonly"], ["readonly"], ["writeonly"]]).itviews
    np.maximum(a, b, out=c)
    return C
