"""The template's text stays where it was, and below it the names are bound again, with annotations.

slow: its neighbours of the same kind are in the fast set
"""

from typing import Any, Callable


def max_cpu(A, B):
    """To be implemented."""
    raise NotImplementedError("To be implemented")


def max_gpu(A, B):
    """To be implemented."""
    raise NotImplementedError("To be implemented")


def _max_cpu(A: Any, B: Any) -> Any:
    C = np.zeros(A.shape, dtype=A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
            C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
    return C


def _max_gpu(A: Any, B: Any) -> Any:
    d_C = cuda.device_array_like(A)
    max_kernel[1000, 1000](cuda.to_device(A), cuda.to_device(B), d_C)
    return d_C.copy_to_host()


max_cpu: Callable[[Any, Any], Any] = _max_cpu
max_gpu: Callable[[Any, Any], Any] = _max_gpu
