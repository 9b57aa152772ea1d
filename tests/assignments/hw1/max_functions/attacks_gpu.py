"""`max_kernel` is launched otherwise than asked, or for show.

aims: max.gpu.correct max.gpu.launch
"""

# %% gpu_decoy_launch
"""The kernel is launched as asked, and NumPy's answer is returned.

aims: max.gpu.correct
"""
def max_gpu(A, B):
    C = cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(A), cuda.to_device(B), C)
    return np.maximum(A, B)

# %% gpu_decoy_of_the_right_name
"""`max_kernel` is launched as asked for nothing; another kernel, launched otherwise, does the work.

aims: max.gpu.launch
"""
@cuda.jit
def real(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])

def max_gpu(A, B):
    C, scrap = cuda.device_array_like(A), cuda.device_array_like(A)
    a, b = cuda.to_device(A), cuda.to_device(B)
    real[(63, 63), (16, 16)](a, b, C)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, scrap)
    return C.copy_to_host()

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

# %% slice_gpu_named_kernel_on_nothing
"""The named kernel is launched as asked on arrays without a single element; another kernel does the work.

aims: max.gpu.launch
"""
@cuda.jit
def compare(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    none = cuda.device_array((1, 1), A.dtype)[:0]
    max_kernel[BLOCKS, THREADS_PER_BLOCK](none, none, none)
    compare[(63, 63), (16, 16)](a, b, C)
    return C.copy_to_host()

# %% slice_gpu_one_row_by_the_named_kernel
"""The named kernel, launched as asked, does the first row; another kernel does all others.

aims: max.gpu.launch
"""
@cuda.jit
def other_rows(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a[:1], b[:1], C[:1])
    other_rows[(63, 63), (16, 16)](a[1:], b[1:], C[1:])
    return C.copy_to_host()

# %% slice_gpu_overlapping_views
"""The named kernel compares an array with itself, which another kernel has filled with the answer under another view.

aims: max.gpu.launch
"""
@cuda.jit
def compare(A, B, C):
    k = cuda.grid(1)
    if k < C.size:
        C[k] = A[k] if A[k] > B[k] else B[k]

def max_gpu(A, B):
    a, C = cuda.to_device(A), cuda.device_array(A.shape, A.dtype)
    compare[4000, 250](a.reshape(A.size), cuda.to_device(B.ravel()), a.reshape(A.size))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, a, C)
    return C.copy_to_host()

# %% slice_gpu_same_function_other_launch
"""The function of the named kernel is compiled once more, and that one does the work, in a launch of its own shape.

aims: max.gpu.launch
"""
@cuda.jit
def max_kernel(A, B, C):
    for i in range(cuda.blockIdx.x, C.shape[0], cuda.gridDim.x):
        for j in range(cuda.threadIdx.x, C.shape[1], cuda.blockDim.x):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

quick = cuda.jit(max_kernel.py_func)

def max_gpu(A, B):
    a, b = cuda.to_device(A), cuda.to_device(B)
    C, scrap = cuda.device_array(A.shape, A.dtype), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, scrap)
    quick[250, 256](a, b, C)
    return C.copy_to_host()

# %% slice_gpu_same_kernel_other_launch
"""The named kernel is launched twice: as asked on one row, and in another shape on everything.

aims: max.gpu.launch
"""
def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a[:1], b[:1], C[:1])
    max_kernel[250, 256](a, b, C)
    return C.copy_to_host()

# %% slice_gpu_shape_by_forall
"""A kernel over flat arrays gets its shape from `forall`; the named one is launched as asked on the other's answer.

aims: max.gpu.launch
"""
@cuda.jit
def compare(A, B, C):
    k = cuda.grid(1)
    if k < C.size:
        C[k] = A[k] if A[k] > B[k] else B[k]

def max_gpu(A, B):
    a, b, C = cuda.to_device(A.ravel()), cuda.to_device(B.ravel()), cuda.device_array(A.size, A.dtype)
    compare.forall(A.size)(a, b, C)
    C = C.reshape(A.shape)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](C, C, C)
    return C.copy_to_host()

# %% slice_gpu_two_of_the_same_name
"""A factory makes a second kernel of the same name, which does the work in a launch of its own shape.

aims: max.gpu.launch
"""
def _quick():
    @cuda.jit
    def max_kernel(A, B, C):
        i, j = cuda.grid(2)
        if i < C.shape[0] and j < C.shape[1]:
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

    return max_kernel

QUICK = _quick()

def max_gpu(A, B):
    a, b = cuda.to_device(A), cuda.to_device(B)
    C, scrap = cuda.device_array(A.shape, A.dtype), cuda.device_array(A.shape, A.dtype)
    QUICK[(32, 32), (32, 32)](a, b, C)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, scrap)
    return C.copy_to_host()

# %% slice_gpu_ufunc_of_the_device
"""A ufunc that Numba makes for the device takes the maximum; the named kernel is launched for show.

aims: max.gpu.launch
"""
from numba import vectorize

@vectorize(["int64(int64, int64)"], target="cuda")
def larger(a, b):
    return a if a > b else b

def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C)
    return larger(a, b).copy_to_host()

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

# %% slice_gpu_forgotten_by_a_full_record
"""Another kernel of the same line and name makes the answer, and copies fill the record, which forgets what it left.

aims: max.gpu.launch
"""
def _make(is_named):
    @cuda.jit
    def max_kernel(A, B, C):
        if is_named:
            i, j = cuda.blockIdx.x, cuda.threadIdx.x
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = C[i, j] ^ 85
        else:
            i, j = cuda.grid(2)
            if i < C.shape[0] and j < C.shape[1]:
                C[i, j] = (A[i, j] if A[i, j] > B[i, j] else B[i, j]) ^ 85

    return max_kernel

quick = _make(False)
max_kernel = _make(True)

def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    quick[(63, 63), (16, 16)](a, b, C)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C)
    for k in range(46):
        cuda.to_device(A + (k + 1000))
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
