"""The result is copied into a pinned array that lies ready, in a stream, between two events.

slow: its neighbours of the same kind are in the fast set
"""

from contextlib import contextmanager
from types import SimpleNamespace


@contextmanager
def timed(stream):
    times = SimpleNamespace(ms=None)
    begin, end = cuda.event(timing=True), cuda.event(timing=True)
    begin.record(stream)
    yield times
    end.record(stream)
    end.synchronize()
    times.ms = begin.elapsed_time(end)


def matmul_transpose_gpu(X):
    stream = cuda.stream()
    C = cuda.pinned_array((X.shape[0], X.shape[0]), dtype=np.float64)
    with timed(stream) as times:
        d_X = cuda.to_device(X, stream=stream)
        d_C = cuda.device_array(C.shape, C.dtype, stream=stream)
        matmul_kernel[1, 1024, stream](d_X, d_C)
        d_C.copy_to_host(C, stream=stream)
    stream.synchronize()
    print(f"{times.ms} ms")
    return np.asarray(C)
