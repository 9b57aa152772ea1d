"""What the GPU at hand can do, measured by the staff's own worker: arithmetic, memory, and cuBLAS. Frozen.

Each function returns one block of samples, in seconds, for a product of `size` × `size` float32. As a program, this
tells `grader doctor` whether cuBLAS runs.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

_SUMS = 8
_PASSES = 8  # how many passes of the loop over the sums are written out
_THREADS = 256
_BYTES = 4  # bytes of a float32


def time_cublas(size: int, calls: int) -> list[float]:
    """Return the seconds of some products by cuBLAS, through CuPy, or else through nvmath-python.

    Either package may be installed without cuBLAS itself; then its first product fails.

    Raises:
        Exception: neither has cuBLAS; the error comes from nvmath-python.
    """
    cuda = importlib.import_module("numba.cuda")
    rng = np.random.default_rng(1)
    arrays = [cuda.to_device(rng.standard_normal((size, size), np.float32)) for _ in range(3)]
    try:
        cupy = importlib.import_module("cupy")
        A, B, C = map(cupy.asarray, arrays)
        return _time(lambda: cupy.matmul(A, B, out=C), cuda.synchronize, calls)
    except Exception:  # noqa: BLE001 - a missing library raises one of many errors
        return _time(_multiply_by_nvmath(*arrays), cuda.synchronize, calls)


def _multiply_by_nvmath(*arrays: Any) -> Callable[[], object]:
    """Return a call that computes C = A B, row by row: for cuBLAS, which goes column by column, Cᵀ = Bᵀ Aᵀ."""
    cublas = importlib.import_module("nvmath.bindings.cublas")
    handle, plain, size = cublas.create(), cublas.Operation.N, arrays[0].shape[0]
    A, B, C = (array.__cuda_array_interface__["data"][0] for array in arrays)
    alpha, beta = np.ones(1, np.float32), np.zeros(1, np.float32)
    sizes, factors = (size, size, size), (alpha.ctypes.data, beta.ctypes.data)
    return lambda: (
        cublas.sgemm(handle, plain, plain, *sizes, factors[0], B, size, A, size, factors[1], C, size),
        alpha,  # alpha and beta have to live as long as their addresses
        beta,
    )


def time_roofline(size: int, calls: int, blocks: int, rounds: int, copied: int) -> list[float]:
    """Return the seconds that a product would take at the measured peak, or at the measured bandwidth if that binds.

    The intensity is that of a product that loads A and B once and stores C once: 2 n³ operations for 12 n² bytes.

    Args:
        size: n.
        calls: How many samples.
        blocks: Of 256 threads, which do the arithmetic and the copying.
        rounds: How often each thread multiplies and adds to each of 8 sums; a multiple of 8.
        copied: Numbers that are copied: more than any cache holds.
    """
    cuda, (add, copy) = importlib.import_module("numba.cuda"), make_kernels()
    out = cuda.device_array(blocks * _THREADS, np.float32)
    source, target = (cuda.device_array(copied, np.float32) for _ in range(2))
    adding_s = _time(lambda: add[blocks, _THREADS](np.float32(0.5), rounds, out), cuda.synchronize, calls)
    copying_s = _time(lambda: copy[blocks, _THREADS](source, target), cuda.synchronize, calls)
    flops, moved = 2.0 * _SUMS * rounds * out.size, 2.0 * _BYTES * copied
    return [
        max(2.0 * size**3 * add_s / flops, 3.0 * _BYTES * size**2 * copy_s / moved)
        for add_s, copy_s in zip(adding_s, copying_s, strict=True)
    ]


@cache
def make_kernels() -> tuple[Any, Any]:
    """Return a kernel that only multiplies and adds, in registers, and one that only copies.

    A plain loop over 8 sums has 32 multiply-adds in 53 machine instructions, because Numba's `range` stays in the code.
    It reaches 60 % of the peak on multiprocessors with 128 lanes, and all of it with 64. With eight passes written out,
    it reaches nearly all on both; `make sass` counts the instructions.
    """
    cuda = importlib.import_module("numba.cuda")

    @cuda.jit  # type: ignore[untyped-decorator] # Numba is half typed
    def add(factor: Any, rounds: Any, out: Any) -> None:
        sums = cuda.local.array(_SUMS, np.float32)
        for number in range(_SUMS):
            sums[number] = factor * np.float32(number)
        done = 0
        while done < rounds:
            for number in range(_SUMS):
                value = sums[number] * factor + factor
                value = value * factor + factor
                value = value * factor + factor
                value = value * factor + factor
                value = value * factor + factor
                value = value * factor + factor
                value = value * factor + factor
                sums[number] = value * factor + factor
            done += _PASSES
        total = factor
        for number in range(_SUMS):
            total += sums[number]
        out[cuda.grid(1)] = total

    @cuda.jit  # type: ignore[untyped-decorator]
    def copy(source: Any, target: Any) -> None:
        for place in range(cuda.grid(1), source.size, cuda.gridsize(1)):
            target[place] = source[place]

    return add, copy


def _time(call: Callable[[], object], wait: Callable[[], object], calls: int) -> list[float]:
    samples_s = []
    for _ in range(1 + calls):  # the first one compiles
        wait()
        began_s = time.perf_counter()
        call()
        wait()
        samples_s.append(time.perf_counter() - began_s)
    return samples_s[1:]


def main() -> None:
    """Print whether cuBLAS runs."""
    try:
        time_cublas(64, 1)
    except Exception as error:  # noqa: BLE001 - it is printed
        both = "; ".join(" ".join(str(cause).split())[:80] for cause in (error.__context__, error) if cause)
        sys.stdout.write(f"cuBLAS: missing ({both})")
    else:
        sys.stdout.write("cuBLAS: ran")


if __name__ == "__main__":
    main()
