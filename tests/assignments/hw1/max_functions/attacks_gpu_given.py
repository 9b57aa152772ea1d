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
