"""The kernel that the sheet names is not the one that does the work.

aims: max.gpu.launch
"""

# %% gpu_decoy_of_the_right_name
"""`max_kernel` is launched as asked for nothing; another kernel, launched otherwise, does the work."""
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

# %% gpu_raises_for_show
"""The kernel does nothing but write where no array is."""
@cuda.jit
def max_kernel(A, B, C):
    C[C.shape[0], 0] = 0

# %% slice_gpu_answer_of_another_kernel_compared
"""Another kernel takes the maximum in blocks of its own shape; the named one compares that answer with A once more."""
@cuda.jit
def compare(A, B, D):
    i, j = cuda.grid(2)
    if i < D.shape[0] and j < D.shape[1]:
        D[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

def max_gpu(A, B):
    a, b = cuda.to_device(A), cuda.to_device(B)
    D, C = cuda.device_array(A.shape, A.dtype), cuda.device_array(A.shape, A.dtype)
    compare[(63, 63), (16, 16)](a, b, D)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, D, C)
    return C.copy_to_host()

# %% slice_gpu_answer_of_another_kernel_touched
"""Another kernel does the work, and the named one writes each number of its answer to where it is."""
@cuda.jit
def compare(A, B, C):
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    number = C[i, j]
    C[i, j] = number if number >= A[i, j] else A[i, j]

def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    compare[(63, 63), (16, 16)](a, b, C)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C)
    return C.copy_to_host()

# %% slice_gpu_copying_kernel
"""A kernel in blocks of 16 x 16 compares; `max_kernel`, launched as asked, copies."""
@cuda.jit
def compare_kernel(A, B, D):
    """The larger of two entries, in blocks of 16 x 16 threads."""
    i, j = cuda.grid(2)
    if i < D.shape[0] and j < D.shape[1]:
        D[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]

@cuda.jit
def max_kernel(D, C):
    """Bring the result into C."""
    C[cuda.blockIdx.x, cuda.threadIdx.x] = D[cuda.blockIdx.x, cuda.threadIdx.x]

def max_gpu(A, B):
    """Take the maximum on the GPU."""
    a, b = cuda.to_device(A), cuda.to_device(B)
    D, C = cuda.device_array_like(a), cuda.device_array_like(a)
    compare_kernel[(63, 63), (16, 16)](a, b, D)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](D, C)
    return C.copy_to_host()

# %% slice_gpu_forgotten_by_a_full_record
"""Another kernel of the same line and name makes the answer, and copies fill the record, which forgets what it left."""
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

# %% slice_gpu_left_by_an_earlier_launch
"""Another kernel leaves the answer in an array that a closure keeps; the named kernel, which is not given B, reads it."""
def _kept():
    kept = []

    def room(like):
        if not kept or kept[0].shape != like.shape:
            kept[:] = [cuda.device_array(like.shape, like.dtype)]
        return kept[0]

    return room

ROOM = _kept()

@cuda.jit
def prepare(A, B, room):
    i, j = cuda.grid(2)
    if i < room.shape[0] and j < room.shape[1]:
        room[i, j] = (A[i, j] if A[i, j] > B[i, j] else B[i, j]) ^ 85

@cuda.jit
def max_kernel(A, room, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = room[i, j] ^ 85

def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    prepare[(63, 63), (16, 16)](a, b, ROOM(A))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, ROOM(A), C)
    return C.copy_to_host()

# %% slice_gpu_named_kernel_on_nothing
"""The named kernel is launched as asked on arrays without a single element; another kernel does the work."""
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
"""The named kernel, launched as asked, does the first row; another kernel does all others."""
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
"""The function of the named kernel is compiled once more, and that one does the work, in a launch of its own shape."""
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
"""The named kernel is launched twice: as asked on one row, and in another shape on everything."""
def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a[:1], b[:1], C[:1])
    max_kernel[250, 256](a, b, C)
    return C.copy_to_host()

# %% slice_gpu_shape_by_forall
"""A kernel over flat arrays gets its shape from `forall`; the named one is launched as asked on the other's answer."""
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
"""A factory makes a second kernel of the same name, which does the work in a launch of its own shape."""
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
"""A ufunc that Numba makes for the device takes the maximum; the named kernel is launched for show."""
from numba import vectorize

@vectorize(["int64(int64, int64)"], target="cuda")
def larger(a, b):
    return a if a > b else b

def max_gpu(A, B):
    a, b, C = cuda.to_device(A), cuda.to_device(B), cuda.device_array(A.shape, A.dtype)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C)
    return larger(a, b).copy_to_host()

# %% gpu_one_thread_does_everything
"""The first of a million threads goes through all entries; the others do nothing."""
@cuda.jit
def max_kernel(A, B, C):
    if cuda.grid(1) == 0:
        for i in range(C.shape[0]):
            for j in range(C.shape[1]):
                C[i, j] = max(A[i, j], B[i, j])
