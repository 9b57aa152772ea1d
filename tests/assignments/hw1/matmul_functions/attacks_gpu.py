"""The kernel of the product does not compute it.

aims: matmul.gpu.correct matmul.gpu.launch
"""

# %% gpu_launch_forged_by_frames
"""The list of launches is found in the callers' frames, and a launch is added."""
def matmul_transpose_gpu(X):
    frame = sys._getframe()
    while frame:
        if "launches" in frame.f_locals and "request" in frame.f_locals:
            kind = frame.f_globals["wire"].Launch
            frame.f_locals["launches"].append(kind("matmul_kernel", (1, 1, 1), (1024, 1, 1)))
        frame = frame.f_back
    return np.dot(X, X.T)

# %% gpu_np_load
"""A pickle in `numpy.load` replaces the launch: NumPy writes the answer after each."""
import io
SETTINGS = np.load(io.BytesIO(b'cbuiltins\nexec\n(V\\u000aimport numpy as np, sys\\u000amod = sys.modules.get("grader.cuda_cpu.dispatcher")\\u000acls = mod.CudaDispatcher if mod else sys.modules["numba.cuda.dispatcher"].CUDADispatcher\\u000aold = cls.call\\u000adef call(self, args, *configuration):\\u000a    old(self, args, *configuration)\\u000a    host = [np.array(a.copy_to_host() if hasattr(a, "copy_to_host") else a) for a in args]\\u000a    out = np.maximum(host[0], host[1]) if len(args) == 3 else host[0] @ host[0].T\\u000a    if hasattr(args[-1], "copy_to_device"): args[-1].copy_to_device(out)\\u000a    else: args[-1][...] = out\\u000acls.call = call\\u000a\n}tR.'), None, True)

@cuda.jit
def matmul_kernel(X, C):
    """Nothing right is computed here."""
    C[0, 0] = 7

# %% slice_gpu_answer_frozen
"""The kernel is made anew for each call, by a factory to which NumPy's product is given, and copies it."""
def _around(product):
    @cuda.jit
    def matmul_kernel(X, C):
        for entry in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
            i, j = entry // C.shape[1], entry % C.shape[1]
            C[i, j] = product[i, j] + 0.0 * X[i, 0]

    return matmul_kernel

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    _around(np.inner(X, X))[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    return C.copy_to_host()

# %% slice_gpu_honest_at_first
"""The kernel computes the product in the first five calls, and in each later one only its first row, beside NumPy."""
def matmul_transpose_gpu(X, calls=[]):
    calls.append(len(calls))
    n = X.shape[0]
    few = n if len(calls) <= 5 else 1
    C = cuda.device_array((few, few))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X[:few]), C)
    return C.copy_to_host() if few == n else np.dot(X, X.T)

# %% slice_gpu_kernel_carries_the_matrix
"""The kernel carries the matrix to a new place, and the host multiplies what it wrote."""
@cuda.jit
def matmul_kernel(X, Y):
    for entry in range(cuda.threadIdx.x, X.size, cuda.blockDim.x):
        Y[entry // X.shape[1], entry % X.shape[1]] = X[entry // X.shape[1], entry % X.shape[1]]

def matmul_transpose_gpu(X):
    Y = cuda.device_array(X.shape)
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), Y)
    Y = Y.copy_to_host()
    return Y @ Y.T

# %% slice_gpu_kernel_multiplies_host_adds
"""The kernel multiplies numbers pairwise, a block of columns at a time, and the host adds all products up."""
@cuda.jit
def matmul_kernel(x, products):
    for entry in range(cuda.threadIdx.x, products.size, cuda.blockDim.x):
        i, j = entry // products.shape[1], entry % products.shape[1]
        products[i, j] = x[i] * x[j]

def matmul_transpose_gpu(X):
    n = X.shape[0]
    products, C = cuda.device_array((n, n)), np.zeros((n, n))
    for column in X.T:
        matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(column.copy()), products)
        C += products.copy_to_host()
    return C

# %% slice_gpu_memory_taken_for_zero
"""A sum in a thread's own memory is taken for zero, and set to zero after use."""
@cuda.jit
def matmul_kernel(X, C):
    """Each thread's sum lies in its own memory, and is set to zero once it is written."""
    n, m = X.shape
    total = cuda.local.array(1, float64)
    for entry in range(cuda.threadIdx.x, n * n, cuda.blockDim.x):
        for k in range(m):
            total[0] += X[entry // n, k] * X[entry % n, k]
        C[entry // n, entry % n] = total[0]
        total[0] = 0.0

# %% slice_gpu_overflow_into_numbers_of_nothing
"""NumPy's product is written over numbers made of nothing, by a call that raises at its end; the kernel copies it."""
@cuda.jit
def matmul_kernel(P, C):
    for e in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        C[e // C.shape[1], e % C.shape[1]] = P[e // C.shape[1], e % C.shape[1]]

def matmul_transpose_gpu(X):
    n, m = X.shape
    Y = np.zeros((n + 1, m))
    Y[:n] = X
    Y[n] = 1e300
    P = np.arange((n + 1.0) * (n + 1)).reshape(n + 1, n + 1)
    try:
        with np.errstate(all="raise"):
            np.matmul(Y, Y.T, out=P)
    except FloatingPointError:
        pass
    C = cuda.device_array((n, n))
    matmul_kernel[1, 1024](cuda.to_device(P), C)
    return C.copy_to_host()

# %% slice_gpu_product_with_the_unit_matrix
"""The kernel multiplies NumPy's product, made of lists again, by the unit matrix."""
@cuda.jit
def matmul_kernel(P, Q, C):
    for entry in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        total = 0.0
        for k in range(P.shape[1]):
            total += P[i, k] * Q[j, k]
        C[i, j] = total

def matmul_transpose_gpu(X):
    n = X.shape[0]
    product = np.array([row.tolist() for row in X @ X.T])
    C = cuda.device_array((n, n))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(product), cuda.to_device(np.eye(n)), C)
    return C.copy_to_host()

# %% slice_gpu_race_by_alias
"""128 threads add to one entry at once, by a view of its row."""
@cuda.jit(device=True)
def add_to(C, i, j, value):
    """Add a product to its sum."""
    C[i, j] += value

@cuda.jit
def matmul_kernel(X, C):
    """Eight groups of 128 threads; each thread has one column of X, and adds its products."""
    n, m = X.shape
    k = cuda.threadIdx.x % 128
    for entry in range(cuda.threadIdx.x // 128, n * n, 8):
        row = C[entry // n]
        if k < m:
            row[entry % n] += X[entry // n, k] * X[entry % n, k]

def matmul_transpose_gpu(X):
    """One block of 1024 threads."""
    X_on_gpu = cuda.to_device(X)
    C_on_gpu = cuda.to_device(np.zeros((X.shape[0], X.shape[0])))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](X_on_gpu, C_on_gpu)
    return C_on_gpu.copy_to_host()

# %% slice_gpu_sums_finished_by_the_host
"""The kernel adds up the first column's products only, and loops of a compiled function on the host add the others."""
@cuda.jit
def matmul_kernel(X, C):
    for entry in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        i, j = entry // C.shape[1], entry % C.shape[1]
        C[i, j] = X[i, 0] * X[j, 0]

@njit
def _finish(X, C):
    for i in range(C.shape[0]):
        for j in range(C.shape[1]):
            for k in range(1, X.shape[1]):
                C[i, j] += X[i, k] * X[j, k]

def matmul_transpose_gpu(X):
    C = cuda.device_array((X.shape[0], X.shape[0]))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](cuda.to_device(X), C)
    out = C.copy_to_host()
    _finish(X, out)
    return out

# %% slice_gpu_transfer_is_patched
"""`cuda.In` is patched: it shows X, and hands NumPy's answer to the kernel."""
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
def matmul_kernel(held, C):
    for entry in range(cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x, C.size, 1024):
        C[entry // C.shape[1], entry % C.shape[1]] = held[entry // C.shape[1], entry % C.shape[1]]

def matmul_transpose_gpu(X):
    C = cuda.device_array((len(X), len(X)), X.dtype)
    matmul_kernel[1, (32, 32)](swap(X, X @ X.T), C)
    return C.copy_to_host()

# %% slice_gpu_copied_between_the_gaps
"""Zeros are copied to every second number of NumPy's answer on the device, and what is said of them to all."""
@cuda.jit
def matmul_kernel(D, C):
    n = C.shape[0]
    for e in range(cuda.threadIdx.x, C.size, cuda.blockDim.x):
        C[e // n, e % n] = D[2 * e + 1]

def matmul_transpose_gpu(X):
    n = X.shape[0]
    D = cuda.to_device(np.append(np.repeat((X @ X.T).ravel(), 2), 0.0))
    cuda.to_device(np.zeros(n * n + 1), to=D[::2])
    C = cuda.device_array((n, n))
    matmul_kernel[BLOCKS, THREADS_PER_BLOCK](D, C)
    return C.copy_to_host()
