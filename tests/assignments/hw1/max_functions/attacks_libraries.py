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

# %% slice_cpu_by_the_device
"""NumPy's answer travels to the device, and is written from there into the matrix."""
def max_cpu(A, B):
    C = A.copy()
    C[...] = cuda.to_device(np.maximum(A, B))
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = C[i, j] if A[i, j] < B[i, j] else A[i, j]
    return C

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
