"""A kernel is handed the answer, in one form or another.

aims: max.gpu.correct max.gpu.launch
"""

# %% slice_gpu_answer_as_numbers
"""A row of NumPy's answer is a tuple of 125 long numbers, an argument of the kernel, in a launch per row."""
@cuda.jit
def max_kernel(words, C, row):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i == row:
        C[i, j] = (words[j // 8] >> (8 * (j % 8))) & 255

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    found = np.maximum(A, B).astype(np.uint8).view(np.int64).tolist()
    for row, words in enumerate(found):
        max_kernel[BLOCKS, THREADS_PER_BLOCK](tuple(words), C, row)
    return C.copy_to_host()

# %% slice_gpu_answer_frozen
"""A kernel of the right name is compiled anew for each call, around NumPy's answer, which is a constant in it."""
def max_gpu(A, B):
    found = np.maximum(A, B).astype(np.uint8)

    @cuda.jit
    def max_kernel(A, B, C):
        i, j = cuda.blockIdx.x, cuda.threadIdx.x
        C[i, j] = found[i, j] if A[i, j] + B[i, j] >= 0 else 0

    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% slice_gpu_answer_frozen_and_let_go
"""A kernel encloses NumPy's answer, and before the launch its name gets zeros, which the kernel's code never sees."""
def max_gpu(A, B):
    found = np.maximum(A, B).astype(np.uint8)

    @cuda.jit
    def max_kernel(A, B, C):
        i, j = cuda.blockIdx.x, cuda.threadIdx.x
        C[i, j] = found[i, j] if A[i, j] + B[i, j] >= 0 else 0

    found = np.zeros(A.shape, np.uint8)
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% slice_gpu_answer_in_a_module
"""A kernel is compiled anew for each call, around NumPy's answer, which it reads as a name of its own module."""
import max_functions as own

FOUND = None

def max_gpu(A, B):
    global FOUND
    FOUND = np.maximum(A, B).astype(np.uint8)

    @cuda.jit
    def max_kernel(A, B, C):
        i, j = cuda.blockIdx.x, cuda.threadIdx.x
        C[i, j] = own.FOUND[i, j] if A[i, j] + B[i, j] >= 0 else 0

    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% slice_gpu_answer_through_lists
"""NumPy's answer becomes lists and an array again, and the kernel takes the larger of it and of A."""
def max_gpu(A, B):
    found = np.array([list(row) for row in np.maximum(A, B)], A.dtype)
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(found), C)
    return C.copy_to_host()

# %% slice_gpu_answer_written_to_the_device
"""An array of the device is kept at module level; NumPy's answer is written to it, and the kernel compares with it."""
KEPT = {}

def max_gpu(A, B):
    if A.shape not in KEPT:
        KEPT[A.shape] = cuda.device_array(A.shape, A.dtype)
    other = KEPT[A.shape]
    other.copy_to_device(np.maximum(A, B))
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), other, C)
    return C.copy_to_host()

# %% slice_gpu_halves_of_the_numbers
"""The host gives the upper and the lower half of each number of the answer as text bytes; the kernel joins them."""
@cuda.jit
def max_kernel(upper, lower, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = 16 * upper[i, j] + lower[i, j]

def max_gpu(A, B):
    found = np.maximum(A, B).astype(np.uint8).tobytes()
    upper = bytes(number >> 4 for number in found)
    lower = bytes(number & 15 for number in found)
    C = cuda.device_array(A.shape, A.dtype)
    a, b = (cuda.to_device(np.frombuffer(part, np.uint8).reshape(A.shape)) for part in (upper, lower))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C)
    return C.copy_to_host()

# %% slice_gpu_indices_made_by_the_host
"""The host's comparison is a number, zero or one, by which the kernel picks one of two layers of one array."""
@cuda.jit
def max_kernel(layers, which, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = layers[which[i * C.shape[1] + j] - 48, i, j]

def max_gpu(A, B):
    signs = "".join("01"[sign] for row in np.less(A, B).tolist() for sign in row)
    which = np.frombuffer(signs.encode(), np.uint8)
    C = cuda.device_array(A.shape, A.dtype)
    layers = cuda.to_device(np.array([A, B]))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](layers, cuda.to_device(which), C)
    return C.copy_to_host()

# %% slice_gpu_numbers_made_by_the_kernel
"""The kernel writes the numbers from 0 to 255, and NumPy's answer picks among them: each number is the kernel's."""
@cuda.jit
def max_kernel(A, B, numbers):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i == 0 and j < numbers.size:
        numbers[j] = j if A[i, j] >= 0 and B[i, j] >= 0 else 0

def max_gpu(A, B):
    numbers = cuda.device_array(256, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), numbers)
    return numbers.copy_to_host().take(np.maximum(A, B))

# %% slice_gpu_overwritten_in_mapped_memory
"""The kernel writes to memory that the host sees, too, and in which NumPy takes the maximum afterwards."""
def max_gpu(A, B):
    C = cuda.mapped_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(A), C)
    cuda.synchronize()
    np.maximum(C, B, out=C)
    return C

# %% slice_gpu_overwritten_on_the_device
"""What the kernel has written to the device is overwritten there with NumPy's answer, before it is copied back."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(A), C)
    C[:] = np.maximum(A, B)
    return C.copy_to_host()

# %% slice_gpu_padded_with_maxima
"""NumPy pads each pair of numbers with its maximum, and the kernel copies that."""
@cuda.jit
def max_kernel(P, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = P[cuda.blockIdx.x, cuda.threadIdx.x, 2]

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    padded = np.pad(np.stack((A, B), -1), ((0, 0), (0, 0), (0, 1)), mode="maximum")
    max_kernel[1000, 1000](cuda.to_device(padded), C)
    return C.copy_to_host()

# %% slice_gpu_pairs_in_order_already
"""NumPy's mask tells loops on the host which of two elements to copy to the left; the kernel compares sorted pairs.

slow: loops over all entries in each of eight calls
"""
def max_gpu(A, B):
    upper, lower = np.empty(A.shape, A.dtype), np.empty(B.shape, B.dtype)
    wins = np.greater(A, B).tolist()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if wins[i][j]:
                upper[i, j], lower[i, j] = A[i, j], B[i, j]
            else:
                upper[i, j], lower[i, j] = B[i, j], A[i, j]
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(upper), cuda.to_device(lower), C)
    return C.copy_to_host()

# %% slice_gpu_parts_filled_by_the_host
"""Python compares, and fills parts of one entry each on the device; the kernel copies them.

slow: it fills a million numbers one after the other
"""
@cuda.jit
def max_kernel(D, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = D[cuda.blockIdx.x * 1000 + cuda.threadIdx.x]

def max_gpu(A, B):
    D = cuda.device_array(A.size, A.dtype)
    C = cuda.device_array(A.shape, A.dtype)
    for k, value in enumerate(map(max, A.ravel().tolist(), B.ravel().tolist())):
        D[k : k + 1][:] = value
    max_kernel[1000, 1000](D, C)
    return C.copy_to_host()

# %% slice_gpu_pieces_to_the_device
"""Python compares, and the answer travels to the device in pieces of ten numbers; the kernel copies it.

slow: it fills a million numbers one after the other
"""
@cuda.jit
def max_kernel(D, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = D[cuda.blockIdx.x * 1000 + cuda.threadIdx.x]

def max_gpu(A, B):
    D = cuda.device_array(A.size, A.dtype)
    C = cuda.device_array(A.shape, A.dtype)
    values = list(map(max, A.ravel().tolist(), B.ravel().tolist()))
    for k in range(0, A.size, 10):
        D[k : k + 10].copy_to_device(np.array(values[k : k + 10]))
    max_kernel[1000, 1000](D, C)
    return C.copy_to_host()

# %% slice_gpu_record_of_all
"""NumPy's maximum is one field of one record, which the kernel gets instead of an array."""
@cuda.jit
def max_kernel(record, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = record.all[cuda.blockIdx.x, cuda.threadIdx.x]

def max_gpu(A, B):
    records = np.zeros(1, np.dtype([("all", np.int64, A.shape)]))
    records["all"][0] = np.maximum(A, B)
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](records[0], C)
    return C.copy_to_host()

# %% slice_gpu_table_made_by_the_kernel
"""The kernel makes a table of all maxima, whatever the matrices are, and NumPy looks them up in it."""
@cuda.jit
def max_kernel(table):
    a, b = cuda.blockIdx.x, cuda.threadIdx.x
    if a < table.shape[0] and b < table.shape[1]:
        table[a, b] = a if a > b else b

def max_gpu(A, B):
    table = cuda.device_array((256, 256), A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](table)
    return table.copy_to_host()[A, B]

# %% slice_gpu_transfer_is_patched
"""`cuda.In` is patched: it shows A, and hands NumPy's answer to the kernel."""
class State:
    def __init__(self):
        self.hidden = None
        self.made = 0

STATE = State()

def look(transfer):
    return transfer.held

def keep(transfer, value):
    """The one that the launch makes for itself of what was shown to it holds something else."""
    STATE.made += 1
    transfer.held = STATE.hidden if STATE.made == 2 else value

def swap(shown, hidden):
    """Return what shows an argument to whoever looks, and hands another array to the kernel."""
    cuda.In.value = property(look, keep)
    STATE.hidden, STATE.made = hidden, 0
    return cuda.In(shown)

@cuda.jit
def max_kernel(held, C):
    for entry in range(cuda.grid(1), C.size, cuda.gridsize(1)):
        C[entry // C.shape[1], entry % C.shape[1]] = held[entry // C.shape[1], entry % C.shape[1]]

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](swap(A, np.maximum(A, B)), C)
    return C.copy_to_host()

# %% slice_gpu_tuple_for_each_row
"""Python compares, and each launch gets the numbers of one row as a tuple, which its block writes.

slow: it fills a million numbers one after the other
"""
@cuda.jit
def max_kernel(row, numbers, C):
    if cuda.blockIdx.x == row:
        C[row, cuda.threadIdx.x] = numbers[cuda.threadIdx.x]

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    for i, (a, b) in enumerate(zip(A.tolist(), B.tolist())):
        max_kernel[1000, 1000](i, tuple(map(max, a, b)), C)
    return C.copy_to_host()

# %% gpu_told_in_copies_of_a_row
"""Python compares; a copy of A's first row carries 16 numbers each, and each of them seven small ones.

slow: it packs a million numbers
"""
@cuda.jit
def max_kernel(told, C):
    for entry in range(cuda.grid(1), C.size, cuda.gridsize(1)):
        number = told[entry // 112 * 800 + entry % 112 // 7] >> (8 * (entry % 7))
        C[entry // C.shape[1], entry % C.shape[1]] = number & 255

def max_gpu(A, B):
    larger = [*map(max, A.ravel().tolist(), B.ravel().tolist())] + [0] * (-A.size % 112)
    told, C = cuda.device_array(800 * (len(larger) // 112), np.int64), cuda.device_array(A.shape, A.dtype)
    for row in range(len(larger) // 112):
        numbers = np.tile(A[0], 800)[:800].copy()
        for place in range(16):
            numbers[place] = sum(larger[112 * row + 7 * place + k] << (8 * k) for k in range(7))
        told[800 * row : 800 * (row + 1)].copy_to_device(numbers)
    max_kernel[1000, 1000](told, C)
    return C.copy_to_host()
