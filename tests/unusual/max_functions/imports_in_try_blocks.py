"""Imports and a decorator stand in try blocks, for machines that lack them: a profiler, a progress bar.

opened: max.cpu.trivial max.gpu.correct max.gpu.launch max.gpu.speedup
slow: its neighbours of the same kind are in the fast set
"""

try:
    from tqdm import trange
except ImportError:
    trange = range

try:
    profile
except NameError:

    def profile(function):
        return function


try:
    import cupy
except Exception:
    cupy = None
    HAS_CUPY = False
else:
    HAS_CUPY = True


@profile
def max_cpu(A, B):
    C = np.empty_like(A)
    for i in trange(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
    return C


@profile
def max_gpu(A, B):
    if HAS_CUPY:
        pass  # its arrays could go into the kernel without a copy
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()
