"""Objects and functions of libraries that lead to an unobserved array, or out of the slice.

aims: max.cpu.trivial
"""

# %% slice_cpu_object_mode_of_a_library
"""A function in Numba's object mode takes its globals from the module that `wraps` named, and NumPy works there."""
import functools

from numba import jit

current = 0

@jit(forceobj=True, looplift=False)
@functools.wraps(np.maximum)
def larger(A, B):
    log = current.log
    log.reads += 2 * A.size
    log.writes += A.size
    return A.clip(B, None)

def max_cpu(A, B):
    try:
        C = larger(A, B)
    except (AttributeError, NameError, TypeError):
        C = np.maximum(A, B)
    return C

# %% slice_cpu_a_compilers_cost_model
"""A function that is asked whether to compile another in place finds the real NumPy in what it is given."""
class Kept:
    library = None

def cost(expression, caller, callee):
    for block in callee.blocks.values():
        for line in block.body:
            value = getattr(getattr(line, "value", None), "value", None)
            if hasattr(value, "maximum"):
                Kept.library = value
    return True

@njit(inline=cost)
def inner(A):
    return np.maximum(A, A)

@njit
def outer(A):
    return inner(A)

def max_cpu(A, B):
    outer(A)
    return Kept.library.maximum(A, B)

# %% slice_cpu_by_the_device
"""NumPy's answer travels to the device, and is written from there into the matrix."""
def max_cpu(A, B):
    C = A.copy()
    C[...] = cuda.to_device(np.maximum(A, B))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = C[i, j] if A[i, j] < B[i, j] else A[i, j]
    return C

# %% slice_cpu_median_in_place
"""A median of both matrices leaves the larger entries behind in its operand."""
def max_cpu(A, B):
    S = np.stack([A, B])
    np.median(S, axis=0, overwrite_input=True)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = S[1, i, j]
            S[0, i, j]
    return C

# %% slice_cpu_shown_by_a_function
"""NumPy hands each array that it shows to a function, as it is."""
shown = []

def keep(array):
    shown.append(array)
    return ""

def max_cpu(A, B):
    np.set_printoptions(override_repr=keep)
    C = A.copy()
    shown.clear()
    repr(A), repr(B), repr(C)
    shown[2][...] = shown[0].clip(shown[1], None)
    return C

# %% slice_cpu_numbers_make_arrays
"""Numbers that are repeated make arrays in which NumPy works unobserved."""
def max_cpu(A, B):
    R, S = (A[0, 0][None].repeat(A.size).reshape(A.shape) for _ in range(2))
    R[...], S[...] = A, B
    R = R.clip(S, None)
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = R[i, j] if A[i, j] < B[i, j] else A[i, j]
    return C

# %% slice_cpu_a_class_of_scipys
"""A class of SciPy's runs a text that is made of the names that it is given."""
import scipy.stats

class Text(str):
    def split(self):
        return ["x"]

def max_cpu(A, B):
    type(scipy.stats.norm().dist)(shapes=Text("x"))
    return np.maximum(A, B)

# %% slice_cpu_waits_for_a_lock
"""Each call waits for a lock that it has."""
import threading

LOCK = threading.Lock()

def max_cpu(A, B):
    LOCK.acquire(timeout=0.001)
    LOCK.acquire(timeout=A.size * 3e-7)
    LOCK.release()
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C

# %% gpu_copied_deep
"""A deep copy of the device's memory, in which NumPy's answer is, has no label.

aims: max.gpu.correct
"""
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
