"""`make bench-executor`: the executor beside numba's CUDA simulator and beside loops in `njit`, in one run.

Prints a table and writes ``out/bench/bench-executor.json``. The simulator starts one Python thread per CUDA thread, so
that it needs two to three minutes for the sheet's launch of a million threads. ``--quick`` lets it run the first
`QUICK_BLOCKS` of the 1000 blocks and scales their time; which of the two was done is part of the result.
"""

import os
import platform
import subprocess
import sys
import timeit
from pathlib import Path
from typing import Any, Final

import numpy as np
from tables import parse_options, write_figures

import grader.cuda_cpu

SIDE: Final = 1000
QUICK_BLOCKS: Final = 20
GRAM_SHAPE: Final = (784, 128)
BARRIERS: Final = 100_000
THREADS: Final = 1024
REPEATS: Final = 5
TARGETS: Final = {"maximum_vs_njit": 1.3, "reduction_vs_njit": 8, "tiles_vs_njit": 3, "softmax_vs_njit": 3}
"""At most so many times as long as the same loops in `njit`, on one core."""
_SIMULATOR_PROGRAM: Final = """
import sys, time
import numpy as np
sys.path.insert(0, sys.argv[3])
from executor_kernels import max_kernel as kernel
side, blocks = int(sys.argv[1]), int(sys.argv[2])
a, b = np.random.default_rng(1).integers(0, 256, (2, side, side))
c = np.zeros_like(a)
start = time.perf_counter()
kernel[blocks, side](a, b, c)
print(time.perf_counter() - start)
assert (c[:blocks] == np.maximum(a, b)[:blocks]).all()
"""


def time_simulator(blocks: int) -> float:
    """Return the seconds of a launch of ``blocks`` blocks in numba's simulator, which compiles nothing."""
    arguments = (str(SIDE), str(blocks), str(Path(__file__).parent))
    command = [sys.executable, "-W", "ignore", "-c", _SIMULATOR_PROGRAM, *arguments]
    environment = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}
    return float(subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout)


def _time_s(call: Any) -> float:
    return timeit.timeit(call, number=1)


def _times_s(launch: Any, right: np.ndarray) -> tuple[float, float]:
    """Return the seconds of the first launch, with compilation, and the median of later ones; each has to be right."""
    times = []
    for _ in range(1 + REPEATS):
        found = np.zeros_like(right)
        times.append(_time_s(lambda: launch(found)))  # noqa: B023  # called at once
        assert np.allclose(found, right)
    return times[0], float(np.median(times[1:]))


def measure_max() -> tuple[float, float]:
    """Return the seconds of the sheet's maximum launch, first and later."""
    from executor_kernels import max_kernel as kernel  # noqa: PLC0415  # after the executor took its place in Numba

    a, b = np.random.default_rng(1).integers(0, 256, (2, SIDE, SIDE))
    return _times_s(lambda c: kernel[SIDE, SIDE](a, b, c), np.maximum(a, b))


def measure_gram() -> float:
    """Return the median seconds of a tiled X @ X.T of 784 x 128 with one block of 1024 threads."""
    from executor_kernels import gram_kernel as kernel  # noqa: PLC0415  # after the executor took its place in Numba

    x = np.random.default_rng(2).random(GRAM_SHAPE)
    return _times_s(lambda c: kernel[1, (32, 32)](x, c), x @ x.T)[1]


def measure_switch() -> float:
    """Return the nanoseconds that a thread's stop at a barrier costs, over 100,000 barriers of 1024 threads."""
    from executor_kernels import cuda, wait_kernel  # noqa: PLC0415  # after the executor took its place in Numba

    kernel = cuda.jit(coroutines=True)(wait_kernel.py_func)  # cut at its barrier, it would not stop at all
    out = np.zeros(THREADS, np.int64)
    kernel[1, THREADS](1, out)
    seconds = _time_s(lambda: kernel[1, THREADS](BARRIERS, out))
    assert (out == BARRIERS).all()
    return seconds / BARRIERS / THREADS * 1e9


def measure(simulated_blocks: int) -> dict[str, Any]:
    cold_s, warm_s = measure_max()
    simulator_s = time_simulator(simulated_blocks) * SIDE / simulated_blocks
    return {
        "max_warm_ratio": simulator_s / warm_s,
        "max_cold_ratio": simulator_s / cold_s,
        "max_warm_s": warm_s,
        "max_cold_s": cold_s,
        "matmul_tiled_s": measure_gram(),
        "switch_ns": measure_switch(),
        "simulator_s": simulator_s,
        "simulator_extrapolated": simulated_blocks < SIDE,
        "simulated_blocks": simulated_blocks,
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
    } | measure_loops()


def measure_loops() -> dict[str, float]:
    """Return for some kernels how long they take beside the same loops in `njit`, and what all cores bring."""
    from executor_loops import measure as compare  # noqa: PLC0415  # after the executor took its place in Numba

    found = compare(len(os.sched_getaffinity(0)))
    return {f"{kernel}_{figure}": value for kernel, figures in found.items() for figure, value in figures.items()}


def _show(figures: dict[str, Any]) -> str:
    shown = {name: f"{value:.6g}" if isinstance(value, float) else str(value) for name, value in figures.items()}
    rows = [
        f"{name:<32} {value:<12}" + (f" at most {TARGETS[name]}" if name in TARGETS else "")
        for name, value in shown.items()
    ]
    return "\n".join(rows) + "\n"


def main() -> None:
    options = parse_options(__doc__, quick=(False, "the simulator runs a part"), loops=(False, "only beside njit"))
    grader.cuda_cpu.install()
    figures = measure_loops() if options.loops else measure(QUICK_BLOCKS if options.quick else SIDE)
    sys.stdout.write(_show(figures))
    write_figures("bench-executor", figures)


if __name__ == "__main__":
    main()
