"""What the GPU at hand can do, measured by the staff's own worker: arithmetic, memory, and cuBLAS. Frozen.

Each function returns one block of samples, in seconds, for a product of `size` × `size` float32.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

CALLS = 5
_SUMS, _ROUNDS = 8, 2048
_BLOCKS, _THREADS = 4096, 256
_COPIED = 1 << 26
"""Numbers of 4 bytes: more than any cache holds."""


def time_cublas(size: int) -> list[float]:
    """Return the seconds of some products by cuBLAS.

    Raises:
        ImportError: CuPy is not installed.
    """
    cupy = importlib.import_module("cupy")
    A, B = (cupy.random.standard_normal((size, size), dtype=np.float32) for _ in range(2))
    C = cupy.empty((size, size), np.float32)
    return _time(lambda: cupy.matmul(A, B, out=C), cupy.cuda.Device().synchronize)


def time_roofline(size: int) -> list[float]:
    """Return the seconds that a product would take at the measured peak, or at the measured bandwidth if that binds.

    The intensity is that of a product that loads A and B once and stores C once: 2 n³ operations for 12 n² bytes.
    """
    cuda, (add, copy) = importlib.import_module("numba.cuda"), _kernels()
    out = cuda.device_array(_BLOCKS * _THREADS, np.float32)
    one, other = (cuda.device_array(_COPIED, np.float32) for _ in range(2))
    adding_s = _time(lambda: add[_BLOCKS, _THREADS](np.float32(0.5), out), cuda.synchronize)
    copying_s = _time(lambda: copy[_BLOCKS, _THREADS](one, other), cuda.synchronize)
    flops, moved = 2.0 * _SUMS * _ROUNDS * out.size, 8.0 * _COPIED
    return [
        max(2.0 * size**3 * add_s / flops, 12.0 * size**2 * copy_s / moved)
        for add_s, copy_s in zip(adding_s, copying_s, strict=True)
    ]


@cache
def _kernels() -> tuple[Any, Any]:
    """Return a kernel that only multiplies and adds, in registers, and one that only copies."""
    cuda = importlib.import_module("numba.cuda")

    @cuda.jit  # type: ignore[untyped-decorator] # Numba is half typed
    def add(factor: Any, out: Any) -> None:
        sums = cuda.local.array(_SUMS, np.float32)
        for number in range(_SUMS):
            sums[number] = factor * number
        for _ in range(_ROUNDS):
            for number in range(_SUMS):
                sums[number] = sums[number] * factor + factor
        total = factor
        for number in range(_SUMS):
            total += sums[number]
        out[cuda.grid(1)] = total

    @cuda.jit  # type: ignore[untyped-decorator]
    def copy(one: Any, other: Any) -> None:
        for place in range(cuda.grid(1), one.size, cuda.gridsize(1)):
            other[place] = one[place]

    return add, copy


def _time(call: Callable[[], object], wait: Callable[[], object]) -> list[float]:
    samples_s = []
    for _ in range(1 + CALLS):  # the first one compiles
        wait()
        began_s = time.perf_counter()
        call()
        wait()
        samples_s.append(time.perf_counter() - began_s)
    return samples_s[1:]
