"""Objects of the hand-in's own work where the executor calls them.

aims: max.gpu.correct
"""

# %% gpu_argument_of_a_forged_module
"""An argument that computes says that its class belongs to Numba."""
class Lazy:
    __module__ = "numba.cuda.args"

    def __init__(self, A, B):
        self.parts = A, B

    @property
    def __cuda_array_interface__(self):
        self.kept = cuda.to_device(np.maximum(*self.parts))
        return self.kept.__cuda_array_interface__

@cuda.jit
def max_kernel(A, B, M, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = M[i, j]

def max_gpu(A, B):
    a, b, C = A.copy(), B.copy(), np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, Lazy(a, b), C)
    return C

# %% gpu_argument_that_computes
"""An argument of the kernel computes the maximum of the others when the launch asks for its memory."""
class Lazy:
    def __init__(self, A, B):
        self.parts = A, B

    @property
    def __cuda_array_interface__(self):
        self.kept = cuda.to_device(np.maximum(*self.parts))
        return self.kept.__cuda_array_interface__

@cuda.jit
def max_kernel(A, B, M, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = M[i, j]

def max_gpu(A, B):
    a, b, C = A.copy(), B.copy(), np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, Lazy(a, b), C)
    return C

# %% gpu_array_of_its_own_kind
"""The answer is an array of wrong numbers whose class overrides every comparison."""
class Sly(np.ndarray):
    def __eq__(self, other):
        return np.ones(self.shape, bool)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        return np.ones(self.shape, bool)

    def __array_finalize__(self, parent):
        pass

    __ne__ = __lt__ = __gt__ = lambda self, other: np.zeros(self.shape, bool)

def max_gpu(A, B):
    C = cuda.device_array_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    return np.zeros(A.shape, A.dtype).view(Sly)

# %% gpu_class_of_kernels_extended
"""`max_kernel` is of a class made from that of kernels, which works on the host whenever it is launched."""
JOBS = []

class Extended(type(cuda.jit(lambda: None))):
    def __getattribute__(self, name):
        for a, b, c in JOBS if "specialized" in name else ():
            c[...] = np.maximum(a, b)
        return super().__getattribute__(name)

def _make():
    def max_kernel(A, B, C):
        i, j = cuda.blockIdx.x, cuda.threadIdx.x
        C[i, j] = C[i, j]

    return Extended(max_kernel, {})

max_kernel = _make()

def max_gpu(A, B):
    a, b, C = A.copy(), B.copy(), np.zeros_like(A)
    JOBS.append((a, b, C))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C)
    return C

# %% gpu_collector_that_computes
"""The collector of garbage calls back often; once the kernel has left its sign, the host puts the answer in its place.
"""
import gc

JOBS = []

def _work(phase, info):
    for a, b, c, sign in JOBS:
        if sign[0] == 12345:
            sign[0] = 0
            c[...] = np.maximum(a, b)

gc.callbacks.append(_work)
gc.set_threshold(1)

@cuda.jit
def max_kernel(A, B, C, sign):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] += 1
    sign[0] = 12345

def max_gpu(A, B):
    a, b, C, sign = A.copy(), B.copy(), np.zeros_like(A), np.zeros(1, np.int64)
    JOBS.append((a, b, C, sign))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C, sign)
    return C

# %% gpu_equal_to_everything
"""The answer is an object that is equal to everything."""
class Equal:
    shape, dtype, ndim, size = (1000, 1000), np.dtype(int), 2, 1_000_000

    def __eq__(self, other):
        return True

    def __array_ufunc__(self, *args, **options):
        return True

    def __array__(self, *args, **options):
        return np.zeros((1000, 1000), int)

    __hash__ = None

def max_gpu(A, B):
    C = cuda.device_array_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    return Equal()

# %% gpu_extension_does_the_work
"""An extension of the kernel, which Numba calls around each launch, computes on the host."""
class Host:
    def __init__(self):
        self.seen = []

    def prepare_args(self, kind, value, stream, retr):
        if isinstance(value, np.ndarray):
            self.seen.insert(0, value)
            if len(self.seen) == 3:
                arrays = list(self.seen)
                self.seen.clear()
                retr.append(lambda: np.copyto(arrays[0], np.maximum(arrays[1], arrays[2])))
        return kind, value

@cuda.jit(extensions=[Host()])
def max_kernel(A, B, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = A[cuda.blockIdx.x, cuda.threadIdx.x]

def max_gpu(A, B):
    C = np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    return C

# %% gpu_hint_that_computes
"""`cuda.In` holds an object that computes when the launch asks for its numbers."""
class Lazy(np.ndarray):
    parts = ()

    def __array_finalize__(self, source):
        if len(JOBS) > 0 and source is not None:
            a, b, c = JOBS[-1]
            np.copyto(c, np.maximum(a, b))

JOBS = []

@cuda.jit
def max_kernel(A, B, M, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] += 0

def max_gpu(A, B):
    a, b, C = A.copy(), B.copy(), np.zeros_like(A)
    JOBS.append((a, b, C))
    M = np.zeros(4).view(Lazy)
    C[...] = 0
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, cuda.In(M), C)
    return C

# %% gpu_launching_method_replaced
"""The method that launches kernels is replaced by one that works on the host."""
@cuda.jit
def max_kernel(A, B, C):
    C[cuda.blockIdx.x, cuda.threadIdx.x] = 0

_launch = type(max_kernel).call

def _host(self, args, *configuration):
    _launch(self, args, *configuration)
    args[2][...] = np.maximum(args[0], args[1])

type(max_kernel).call = _host

def max_gpu(A, B):
    C = np.ones_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK](A, B, C)
    return C

# %% gpu_shared_memory_that_computes
"""The size of the shared memory is an object that computes on the host when the launch asks for a number."""
class Size(int):
    def __new__(cls, *arrays):
        made = super().__new__(cls, 8)
        made.arrays = arrays
        return made

    def __int__(self):
        a, b, c = self.arrays
        c[...] = np.maximum(a, b)
        return 8

    __index__ = __int__

@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] += 0

def max_gpu(A, B):
    a, b, C = A.copy(), B.copy(), np.zeros_like(A)
    max_kernel[BLOCKS, THREADS_PER_BLOCK, 0, Size(a, b, C)](a, b, C)
    return C

# %% gpu_thread_serves_the_kernel
"""The kernel raises a flag and waits; a thread sees it, lets NumPy compute into the kernel's memory, and answers."""
import threading

JOBS = []

def _serve():
    while True:
        for a, b, c, flag in JOBS:
            if flag[0] == 1:
                c[...] = np.maximum(a, b)
                flag[0] = 2

threading.Thread(target=_serve, daemon=True).start()

@cuda.jit
def max_kernel(A, B, C, flag):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if i == 0 and j == 0:
        cuda.atomic.exch(flag, 0, 1)
        while cuda.atomic.add(flag, 0, 0) != 2:
            pass
    C[i, j] = C[i, j]

def max_gpu(A, B):
    a, b, C, flag = A.copy(), B.copy(), np.zeros_like(A), np.zeros(1, np.int64)
    JOBS.append((a, b, C, flag))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C, flag)
    return C

# %% gpu_warning_that_computes
"""The kernel raises, of which the launch warns; the warning goes to an object that computes on the host."""
import warnings

JOBS = []

class Listener:
    def write(self, text):
        for a, b, c in JOBS if "kernel" in text else ():
            c[...] = np.maximum(a, b)

    def flush(self):
        pass

warnings.simplefilter("always")
sys.stderr = Listener()

@cuda.jit
def max_kernel(A, B, C):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] += 1
    if i == 0 and j == 0:
        raise ValueError

def max_gpu(A, B):
    a, b, C = A.copy(), B.copy(), np.zeros_like(A)
    JOBS.append((a, b, C))
    max_kernel[BLOCKS, THREADS_PER_BLOCK](a, b, C)
    return C
