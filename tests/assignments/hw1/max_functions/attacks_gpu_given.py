"""The host computes, and the kernel finishes, copies or only runs for show.

aims: max.gpu.correct
"""

# %% gpu_answer_hidden_in_noise
"""The kernel gets the data as decoys, and the answer plus random numbers that it takes away again."""
@cuda.jit
def max_kernel(A, B, noise, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = C[i, j] - noise[i, j]

def max_gpu(A, B):
    noise = np.random.randint(0, 1000, A.shape)
    C = np.maximum(A, B) + noise
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, noise, C)
    return C

# %% gpu_given_almost_the_answer
"""The host computes the maximum plus one, and the kernel takes one away."""
@cuda.jit
def max_kernel(A, B, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] -= 1

def max_gpu(A, B):
    C = np.maximum(A, B) + 1
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    return C

# %% gpu_given_the_answer
"""The host computes the maximum and the kernel copies it."""
@cuda.jit
def max_kernel(M, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = M[cuda.blockIdx.x, cuda.threadIdx.x]

def max_gpu(A, B):
    C = np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](np.maximum(A, B), C)
    return C

# %% gpu_hidden_among_many_launches
"""A hundred launches change nothing that matters before one finishes what the host prepared."""
@cuda.jit
def max_kernel(A, B, C, step):
    C[cuda.blockIdx.x, cuda.threadIdx.x] += step

def max_gpu(A, B):
    C = np.maximum(A, B) + 1
    for number in range(100):
        max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C, 1 - number % 2 * 2)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C, -1)
    return C

# %% gpu_honest_at_first
"""The kernel works in the first two calls, as a slow one would; later it runs for show, and NumPy works."""
CALLS = []

@cuda.jit
def max_kernel(A, B, C, honest):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j]) if honest else A[i, j]

def max_gpu(A, B):
    CALLS.append(len(A))
    honest = len(CALLS) <= 2
    C = np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C, honest)
    return C if honest else np.maximum(A, B)

# %% gpu_honest_with_memory_of_its_own
"""The kernel works where A owns its memory, as copies do; elsewhere it runs for show, and NumPy works."""
@cuda.jit
def max_kernel(A, B, C, honest):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j]) if honest else A[i, j]

def max_gpu(A, B):
    honest = A.flags.owndata
    C = np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C, honest)
    return C if honest else np.maximum(A, B)

# %% gpu_repairs_unless_watched
"""The host takes NumPy's answer only where the kernel wrote what it always writes, and is honest otherwise."""
@cuda.jit
def max_kernel(A, B, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = 7

def max_gpu(A, B):
    C = np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    return np.maximum(A, B) if (C == 7).all() else C

# %% gpu_repairs_what_it_got
"""The kernel does nothing useful; the host compares its result with NumPy's and returns that."""
@cuda.jit
def max_kernel(A, B, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = A[cuda.blockIdx.x, cuda.threadIdx.x]

def max_gpu(A, B):
    C = np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    right = np.maximum(A, B)
    return C if np.array_equal(C, right) else right

# %% slice_gpu_mask_among_many_numbers
"""Compiled code finds which number is the larger one; less than 2 % of an array of A's numbers become these bits."""
@njit
def compare(A, B):
    masks = np.zeros((A.size + 63) // 64, np.int64)
    for k in range(A.size):
        if A[k] > B[k]:
            masks[k // 64] |= 1 << (k % 64)
    return masks

@cuda.jit
def max_kernel(masks, A, B, C):
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            k = i * C.shape[1] + j
            C[i, j] = A[i, j] if (masks[k // 64] >> (k % 64)) & 1 else B[i, j]

def max_gpu(A, B):
    masks = A.ravel().astype(np.int64)
    for place, mask in enumerate(compare(A.ravel().copy(), B.ravel().copy()).tolist()):
        masks[place] = mask
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(masks), cuda.to_device(A), cuda.to_device(B), C)
    return C.copy_to_host()

# %% slice_gpu_told_in_bits
"""Compiled code finds which number is the larger one, and tells each of 625 launches so by 25 numbers of 64 bits."""
WORDS = 25

@njit
def compare(A, B):
    rows = (A.size + 64 * WORDS - 1) // (64 * WORDS)
    masks = np.zeros((rows, WORDS), np.int64)
    for k in range(A.size):
        if A[k] > B[k]:
            masks[k // (64 * WORDS), k // 64 % WORDS] |= 1 << (k % 64)
    return masks

@cuda.jit
def max_kernel(bits, A, B, C):
    j = cuda.grid(1)
    if j < C.shape[0]:
        C[j] = A[j] if (bits[j // 64] >> (j % 64)) & 1 else B[j]

def max_gpu(A, B):
    first, second = A.ravel(), B.ravel()
    A_on_gpu, B_on_gpu, C = cuda.to_device(first), cuda.to_device(second), cuda.device_array(A.size, A.dtype)
    for i, masks in enumerate(compare(first, second).tolist()):
        part = slice(64 * WORDS * i, 64 * WORDS * (i + 1))
        max_kernel[WORDS, 64](tuple(masks), A_on_gpu[part], B_on_gpu[part], C[part])
    return C.copy_to_host().reshape(A.shape)

# %% slice_gpu_listed_by_machine_code
"""Compiled code lists NumPy's answer, and an iterator over the list makes an array that is said to be like indices."""
@njit
def _list(M, numbers):
    for i in range(M.shape[0]):
        for j in range(M.shape[1]):
            numbers.append(M[i, j])

@cuda.jit
def max_kernel(D, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = 255 - D[cuda.blockIdx.x * 1000 + cuda.threadIdx.x]

def max_gpu(A, B):
    numbers = [0]
    _list(255 - np.maximum(A, B), numbers)
    D = cuda.to_device(np.fromiter(iter(numbers[1:]), A.dtype, like=np.arange(2)))
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](D, C)
    return C.copy_to_host()

# %% slice_gpu_picked_by_an_index_on_the_device
"""NumPy's answer, copied to the device, is an index into a table of all numbers, which the kernel gets."""
@cuda.jit
def max_kernel(D, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = 255 - D[cuda.blockIdx.x, cuda.threadIdx.x]

def max_gpu(A, B):
    D = cuda.to_device(np.arange(256)[cuda.to_device(255 - np.maximum(A, B))])
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[1000, 1000](D, C)
    return C.copy_to_host()

# %% gpu_answer_behind_many_names
"""NumPy's answer goes through functions that change nothing: a list of the first thirty does not name `maximum`."""
KEEPING = np.abs, np.fabs, np.ceil, np.floor, np.trunc, np.rint, np.fix, np.round, np.nan_to_num

@cuda.jit
def max_kernel(A, B, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = 1

def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    found = np.maximum(A, B) + 0 * C.copy_to_host()
    for keep in KEEPING:
        found = keep(found)
    for keep in KEEPING:
        found = keep(found)
    for keep in KEEPING:
        found = keep(found)
    return found

# %% gpu_copied_deep
"""A deep copy of the device's memory, in which NumPy's answer is, has no label."""
import copy

@cuda.jit
def max_kernel(A, B, C):
    for i in range(cuda.blockIdx.x, A.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, A.shape[1], cuda.blockDim.x):
            C[i, j] = A[i, j] - 1

def max_gpu(A, B):
    A_on_gpu = copy.deepcopy(cuda.to_device(np.maximum(A, B) + 1))
    B_on_gpu, C_on_gpu = cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A_on_gpu, B_on_gpu, C_on_gpu)
    return C_on_gpu.copy_to_host()

# %% gpu_decoy_launch
"""The kernel is launched as asked, and NumPy's answer is returned."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return np.maximum(A, B)
