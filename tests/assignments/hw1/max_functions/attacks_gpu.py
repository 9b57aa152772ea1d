"""`max_kernel` is launched otherwise than asked, or for show.

aims: max.gpu.correct max.gpu.launch
"""

# %% slice_gpu_checks_itself
"""The kernel's answer is compared with NumPy's, and since they are equal, NumPy's is returned."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A[:2]), cuda.to_device(B[:2]), C[:2])
    found = np.maximum(A, B)
    out = C.copy_to_host()
    return found if (out[:2] == found[:2]).all() else out

# %% slice_gpu_compiled_on_the_host
"""The kernel is launched as asked on A and A, and a function compiled for the processor goes over what it wrote."""
@njit
def _finish(B, C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            if C[i, j] < B[i, j]:
                C[i, j] = B[i, j]

def max_gpu(A, B):
    a, C = cuda.to_device(A), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, a, C)
    out = C.copy_to_host()
    _finish(B, out)
    return out

# %% slice_gpu_honest_for_some_contents
"""The corners of the matrices decide whether the kernel works or NumPy, behind a launch that is as asked."""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    a = cuda.to_device(A)
    if (A[0, 0] + B[0, 0]) % 8 == 5:
        max_kernel[BLOCKS, THREADS_PER_BLOCK](a, cuda.to_device(B), C)
        return C.copy_to_host()
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, a, C)
    return np.maximum(A, B)

# %% slice_gpu_kernel_copies_host_compares
"""The kernel takes the larger of A and A; NumPy brings in B in the host's array that it was copied to."""
def max_gpu(A, B):
    a, C, out = cuda.to_device(A), cuda.device_array(A.shape, A.dtype), np.empty(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, a, C)
    C.copy_to_host(out)
    out[out < B] = B[out < B]
    return out

# %% slice_gpu_kernel_decides_host_selects
"""The kernel writes which matrix has the larger number, and NumPy selects."""
@cuda.jit
def max_kernel(A, B, wins):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    wins[i, j] = A[i, j] > B[i, j]

def max_gpu(A, B):
    wins = cuda.device_array(A.shape, np.bool_)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), wins)
    return np.where(wins.copy_to_host(), A, B)

# %% slice_gpu_kernel_subtracts
"""The kernel subtracts one matrix from the other; the host keeps what is positive, and adds."""
@cuda.jit
def max_kernel(A, B, gaps):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    gaps[i, j] = A[i, j] - B[i, j]

def max_gpu(A, B):
    gaps = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), gaps)
    C = gaps.copy_to_host()
    C *= C > 0
    C += B
    return C

# %% slice_gpu_loops_on_the_host
"""The kernel's array is copied back, and loops of Python put the larger elements into it."""
def max_gpu(A, B):
    a, C = cuda.to_device(A), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, a, C)
    out = C.copy_to_host()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if B[i, j] > out[i, j]:
                out[i, j] = B[i, j]
    return out

# %% slice_gpu_loops_on_the_host_for_most_columns
"""The kernel does every fourth column, and loops of Python on the host do the others."""
@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if j % 4 == 0:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    C = cuda.to_device(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    out = C.copy_to_host()
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            if j % 4 and B[i, j] > A[i, j]:
                out[i, j] = B[i, j]
    return out

# %% slice_gpu_memory_taken_for_zero
"""Shared memory is taken for zero, and set to zero after use."""
@cuda.jit
def max_kernel(A, B, C):
    """A row in shared memory takes the larger numbers."""
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    row = cuda.shared.array(1024, "int64")
    if row[j] < A[i, j]:
        row[j] = A[i, j]
    if row[j] < B[i, j]:
        row[j] = B[i, j]
    C[i, j] = row[j]
    row[j] = 0

# %% slice_gpu_view_copied_by_ravel
"""A view with gaps of NumPy's answer is made flat on the device, which copied it where nobody said what it is."""
KEPT = []

@cuda.jit
def max_kernel(D, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = D[i * C.shape[1] + j] - 1

def max_gpu(A, B):
    D = cuda.to_device(np.repeat((np.maximum(A, B) + 1).ravel(), 2))
    E = D[::2].ravel()
    KEPT.append((D, E))
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](E, C)
    return C.copy_to_host()

# %% slice_gpu_answer_behind_the_point
"""Python's lists hold A's numbers, and the answer behind their points, too small to be told from round-off."""
@cuda.jit
def max_kernel(H, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = int((H[i, j] - int(H[i, j])) * 262144 + 0.5)

def max_gpu(A, B):
    held = [[a + max(a, b) / 262144 for a, b in zip(p, q)] for p, q in zip(A.tolist(), B.tolist())]
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(np.array(held)), C)
    return C.copy_to_host()

# %% gpu_kernel_is_a_fake
"""`max_kernel` is no kernel but an object that looks like one and works on the host."""
class Fake:
    __name__ = "max_kernel"

    def __getitem__(self, configuration):
        return lambda A, B, C: C.__setitem__(slice(None), np.maximum(A, B))

max_kernel = Fake()

def max_gpu(A, B):
    C = np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    return C
