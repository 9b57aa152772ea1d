"""The ladders of kernels in reference/hw1/ladder.py, counted and, where there is a GPU, timed: `make ladder`.

Counted on the CPU executor: sectors of global memory, passes and conflicts of shared memory, barriers; asked of
NVIDIA's assembler, if the extra `ptx` is installed: registers. Writes docs/generated/kernels.md and
out/bench/ladder.json. `--time` is what the program starts on a machine with a GPU, in a process without the executor.
"""

import json
import statistics
import sys
import time
from pathlib import Path

import numpy as np

from grader.timing import physics

sys.path.append(str(Path(__file__).parent))
from ladder_page import NEEDS_GPU, ROOT, ask_gpu, ask_registers, publish, run, time_on_stream

REFERENCE = ROOT / "reference/hw1"
ENTRIES = (1000, 1000)
FACTORS = (784, 128)
MAX_TYPES = "(int64[:, ::1], int64[:, ::1], int64[:, ::1])"
MATMUL_TYPES = "(float64[:, ::1], float64[:, ::1])"
WARP = 32
ROUNDS = 20
CROSSING = {"max_of_host_arrays": 6, "max_gpu": 3}
"""How many of the arrays' copies cross the bus: numba copies every host array there and back."""
KEPT = ROOT / "tests/evidence/nvidia-h200/kernels.json"
"""The times that stand in the page where no GPU is at hand."""
H200_LANES = physics.LANES[9, 0][0]

sys.path.insert(0, str(REFERENCE))


def count(kernels, block, arguments):
    from grader.cuda_cpu import counting  # noqa: PLC0415 - after the executor was put in numba.cuda's place

    with counting() as record:
        for kernel in kernels:
            print(f"counting {kernel.__name__} …", file=sys.stderr)
            kernel[block](*arguments)
    return dict(zip([kernel.__name__ for kernel in kernels], record.launches, strict=True))


def count_ladders(factors=FACTORS, entries=ENTRIES):
    """Return the figures of both ladders: name -> sectors, passes, conflicts and barriers."""
    import grader.cuda_cpu  # noqa: PLC0415 - only this process is to have the executor

    grader.cuda_cpu.install()
    import ladder  # noqa: PLC0415 - the same

    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 256, (2, *entries))
    matmul = count(ladder.MATMUL_KERNELS, (1, 1024), (rng.normal(size=factors), np.zeros((factors[0],) * 2)))
    maximum = count(ladder.MAX_KERNELS, (1000, 1000), (first, second, np.zeros_like(first)))
    return {name: figures(costs) for name, costs in {**matmul, **maximum}.items()}


def figures(costs):
    passes, least = costs.total("passes", space="shared"), costs.total("least_passes", space="shared")
    return {
        "sectors": costs.total("sectors"),
        "least_sectors": costs.total("least_sectors"),
        "shared_passes": passes,
        "conflict_passes": passes - least,
        "barriers": costs.barriers,
    }


def time_on_gpu():
    """Return name -> median seconds on the GPU at hand: kernels by CUDA events, whole calls by the host's clock."""
    import ladder  # noqa: PLC0415 - loads a driver
    from numba import cuda  # noqa: PLC0415 - the same

    rng = np.random.default_rng(1)
    first, second = rng.integers(0, 256, (2, *ENTRIES))
    matrix = rng.normal(size=FACTORS)
    square = cuda.device_array((FACTORS[0],) * 2)
    on_gpu = [cuda.to_device(array) for array in (first, second, np.zeros_like(first))]
    found = {kernel.__name__: time_kernel(cuda, kernel[1, 1024], cuda.to_device(matrix), square)
             for kernel in ladder.MATMUL_KERNELS}  # fmt: skip
    found |= {kernel.__name__: time_kernel(cuda, kernel[1000, 1000], *on_gpu) for kernel in ladder.MAX_KERNELS}
    found |= {call.__name__: time_call(call, first, second) for call in ladder.COPIES[1:]}
    (to_device, from_device), device = physics.measure_bandwidth(cuda), cuda.get_current_device()
    found["pinned_floor"] = first.nbytes * (2 / to_device + 1 / from_device)
    found["pageable_floor"] = time_call(lambda a, b: copy_plainly(on_gpu, a, b), first, second)
    lanes, _ = physics.LANES.get(tuple(map(int, device.compute_capability)), (0, 0))
    peak = 2e3 * lanes * float(getattr(device, "CLOCK_RATE", 0))  # of one multiprocessor; the clock is in kHz, if known
    return {"seconds": found, "peak_flops_per_s": peak or None, "gpu": str(device.uuid)}


def best_rung(timed):
    """Return the fastest rung of X·Xᵀ in what `time_on_gpu` found, and its share of the peak; None if unknown."""
    found = timed.get("seconds", {}).items()
    seconds = {name: took_s for name, took_s in found if name.startswith(("multiply_", "matmul_"))}
    if not seconds or not timed.get("peak_flops_per_s"):
        return None
    best = min(seconds, key=seconds.__getitem__)
    return best, 2.0 * FACTORS[0] ** 2 * FACTORS[1] / seconds[best] / timed["peak_flops_per_s"]


def copy_plainly(on_gpu, first, second):
    on_gpu[0].copy_to_device(first)
    on_gpu[1].copy_to_device(second)
    return on_gpu[2].copy_to_host()


def time_kernel(cuda, launch, *arguments):
    return time_on_stream(cuda, lambda: launch(*arguments), ROUNDS)


def time_call(call, *arguments):
    samples_s = []
    for _ in range(1 + ROUNDS):
        began_s = time.perf_counter()
        call(*arguments)
        samples_s.append(time.perf_counter() - began_s)
    return statistics.median(samples_s[1:])


def matmul_rows(names, counted, registers, timed, factors=FACTORS):
    """Return the table of X·Xᵀ; costs per 32 multiply-adds by the book, n²·m of them, as a warp does them at once."""
    steps = factors[0] ** 2 * factors[1] / WARP
    head = "| rung | sectors of global memory | passes of shared memory | of them conflicts | most of an H200's peak | "
    yield head + "registers, spilled bytes (H200) | time on a GPU | share of the peak |"
    yield "|---|---|---|---|---|---|---|---|"
    for name in names:
        costs = counted[name]
        passes = costs["shared_passes"] / steps
        cells = [
            f"`{name}`",
            f"{costs['sectors'] / steps:.3g}",
            f"{passes:.3g}" if passes else "none",
            f"{costs['conflict_passes'] / steps:.3g}" if passes else "-",
            f"{WARP / H200_LANES / passes:.0%}" if passes else "-",
            "{}, {}".format(*registers[name]) if name in registers else "needs the extra `ptx`",
            *time_cells(name, timed, 2.0 * factors[0] ** 2 * factors[1]),
        ]
        yield f"| {' | '.join(cells)} |"


def max_rows(names, counted, registers, timed):
    yield "| kernel | sectors per warp's 32 entries | least possible | registers (H200) | time on a GPU |"
    yield "|---|---|---|---|---|"
    warps = ENTRIES[0] * ENTRIES[1] / WARP
    for name in names:
        costs = counted[name]
        asked = str(registers[name][0]) if name in registers else "needs the extra `ptx`"
        cells = [costs["sectors"] / warps, costs["least_sectors"] / warps]
        shown = " | ".join(f"{cell:.3g}" for cell in cells)
        yield f"| `{name}` | {shown} | {asked} | {time_cells(name, timed, 0.0)[0]} |"


def copy_rows(timed):
    yield "| function | arrays of 8 MB that cross | time on a GPU | over 3 pinned copies | over 3 plain copies |"
    yield "|---|---|---|---|---|"
    seconds = timed.get("seconds", {})
    for name, arrays in CROSSING.items():
        floors = [seconds.get(floor) for floor in ("pinned_floor", "pageable_floor")]
        ratios = [f"{seconds[name] / floor:.2f}" if floor else NEEDS_GPU for floor in floors]
        yield f"| `{name}` | {arrays} | {time_cells(name, timed, 0.0)[0]} | {' | '.join(ratios)} |"


def time_cells(name, timed, flops):
    seconds = timed.get("seconds", {}).get(name)
    if seconds is None:
        return NEEDS_GPU, NEEDS_GPU
    peak = timed["peak_flops_per_s"]
    return f"{seconds * 1e3:.3g} ms", f"{flops / seconds / peak:.0%}" if peak else "peak unknown"


def make_page():
    timed, counted = ask_gpu(__file__) or json.loads(KEPT.read_text()), count_ladders()
    maximum = [name for name in counted if name.startswith("max_")]
    matmul = [name for name in counted if name not in maximum]
    signatures = dict.fromkeys(matmul, MATMUL_TYPES) | dict.fromkeys(maximum, MAX_TYPES)
    assembled = ask_registers(REFERENCE / "ladder.py", signatures, 1024, {"H100, H200"})
    registers = {each.kernel: (each.registers, each.spill_bytes) for each in assembled}
    tables = {
        "matmul": list(matmul_rows(matmul, counted, registers, timed)),
        "max": list(max_rows(maximum, counted, registers, timed)),
        "copies": list(copy_rows(timed)),
    }
    publish(tables, {"counted": counted, "registers": registers, "timed": timed}, "ladder")


if __name__ == "__main__":
    run(__doc__, time_on_gpu, make_page)
