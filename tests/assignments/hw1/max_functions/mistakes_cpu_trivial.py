"""Right values that are not those of plain loops at their own speed.

failed: max.cpu.trivial
"""

# %% cpu_numpy_does_the_work
"""np.maximum does it; the values are right."""
def max_cpu(A, B):
    return np.maximum(A, B)

# %% cpu_numpy_row_by_row
"""One loop, and NumPy for each row."""
def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        C[i] = np.where(A[i] > B[i], A[i], B[i])
    return C

# %% cpu_sleeps
"""A delay that makes the GPU's speed-up larger."""
import time

def max_cpu(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    time.sleep(0.05)
    return C
