"""The ladder of products in reference/gemm, counted and, where there is a GPU, timed: `make ladder ASSIGNMENT=gemm`.

Counted on the CPU executor beside what the rungs predict; asked of NVIDIA's assembler, if the extra `ptx` is installed:
registers. Writes docs/generated/kernels.md and out/bench/gemm-ladder.json. `--time` is what the program starts on a
machine with a GPU, in a process without the executor.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent))
from ladder_page import NEEDS_GPU, ROOT, ask_gpu, ask_registers, publish, run, time_on_stream

REFERENCE = ROOT / "reference/gemm"
KEPT = ROOT / "tests/evidence/nvidia-h200/gemm-kernels.json"
"""The times that stand in the page where no GPU is at hand."""
SIZES = (256, 256, 256)
EDGES = (130, 38, 142)
"""Multiples of no tile; even, because the top rung loads pairs."""
TIMED = 4096
ROUNDS = 10
WARP = 32
PAIR = 2
FP32_LANES = {"T4, RTX 20": 64, "A100": 64, "H100, H200": 128}
"""Model -> single-precision multiply-adds per clock and multiprocessor. Source: NVIDIA, CUDA C++ Programming Guide,
table "Throughput of Native Arithmetic Instructions", row "32-bit floating-point add, multiply, multiply-add"."""
NAMES = ("naive_kernel", "tiled_kernel", "blocked_kernel", "wide_kernel", "buffered_kernel", "paired_kernel")
NEEDS_PTX = "needs the extra `ptx`"

sys.path.insert(0, str(REFERENCE))


def launch(rung, arrays, sizes, alpha=1.0, beta=0.0):
    """Launch a rung, with A and B taken for pairs of numbers where it loads such."""
    kernel, side, _, width = rung
    m, _, n = sizes
    factors = [one.view(np.float64) if width == PAIR else one for one in arrays[:2]]
    kernel[(math.ceil(n / side), math.ceil(m / side)), (16, 16)](alpha, *factors, beta, arrays[2])


def draw(sizes, seed=1):
    rng = np.random.default_rng(seed)
    m, k, n = sizes
    return [rng.standard_normal(shape, np.float32) for shape in ((m, k), (k, n))] + [np.full((m, n), np.nan, "f4")]


def predict(side, sums, width):
    """Return loads of a multiply-add from global and from shared memory, by calculation."""
    return 2 / side / width, 2 / sums / width


def count_rungs(sizes=SIZES):
    """Return name -> loads per multiply-add, passes of a warp's 32, conflicts, and the largest error at edges."""
    import grader.cuda_cpu  # noqa: PLC0415 - only this process is to have the executor

    grader.cuda_cpu.install()
    import ladder  # noqa: PLC0415 - the same

    adds, found = math.prod(sizes), {}
    for place, rung in enumerate(ladder.RUNGS):
        kernel = rung[0]
        print(f"counting {kernel.__name__} …", file=sys.stderr)
        edges = draw(EDGES)
        launch(rung, edges, EDGES)
        with grader.cuda_cpu.counting() as record:
            launch(rung, draw(sizes), sizes)
        costs = record.launches[0]
        passes, least = (costs.total(name, space="shared") for name in ("passes", "least_passes"))
        predicted = (2.0, 0.0) if place == 0 else predict(*rung[1:])
        found[kernel.__name__] = {
            "global_loads": costs.total("accesses", "load", "global") / adds,
            "shared_loads": costs.total("accesses", "load", "shared") / adds,
            "predicted": predicted,
            "passes": passes * WARP / adds,
            "conflicts": (passes - least) * WARP / adds,
            "error": float(np.abs(edges[2] - edges[0].astype(float) @ edges[1]).max()),
        }
    return found


def find_registers():
    """Return name -> model -> registers, spilled bytes and occupancy, empty without the extra `ptx`."""
    loaded = dict.fromkeys(NAMES, "float32[:, ::1]") | {"paired_kernel": "float64[:, ::1]"}
    signatures = {name: f"(float64, {kind}, {kind}, float64, float32[:, ::1])" for name, kind in loaded.items()}
    found = {name: {} for name in NAMES}
    for each in ask_registers(REFERENCE / "ladder.py", signatures, 256, FP32_LANES):
        found[each.kernel][each.gpu] = each.registers, each.spill_bytes, each.occupancy
    return found


def time_on_gpu():
    """Return name -> median seconds of a product of 4096 x 4096, and those of cuBLAS if CuPy is installed."""
    import ladder  # noqa: PLC0415 - loads a driver
    from numba import cuda  # noqa: PLC0415 - the same

    sizes = (TIMED,) * 3
    arrays = [cuda.to_device(one) for one in draw(sizes)]
    found = {
        rung[0].__name__: time_on_stream(cuda, lambda rung=rung: launch(rung, arrays, sizes), ROUNDS)
        for rung in ladder.RUNGS
    }
    try:
        import cupy  # noqa: PLC0415 - optional
    except ImportError:
        return found
    left, right, out = map(cupy.asarray, arrays)
    return found | {"cuBLAS": time_on_stream(cuda, lambda: cupy.matmul(left, right, out=out), ROUNDS)}


def load_rows(counted, timed):
    yield (
        "| rung | global loads: predicted, counted | shared loads: predicted, counted | passes of a step | "
        "of them conflicts | most of an H200's peak | time at 4096 | share of cuBLAS |"
    )
    yield "|---|---|---|---|---|---|---|---|"
    for name, costs in counted.items():
        from_global, from_shared = costs["predicted"]
        most = min(1.0, WARP / FP32_LANES["H100, H200"] / costs["passes"]) if costs["passes"] else None
        cells = [
            f"`{name}`",
            f"{from_global:.4g}, {costs['global_loads']:.4g}",
            f"{from_shared:.4g}, {costs['shared_loads']:.4g}",
            f"{costs['passes']:.3g}",
            f"{costs['conflicts']:.2g}",
            "-" if most is None else f"{most:.0%}",
            f"{timed[name] * 1e3:.3g} ms" if name in timed else NEEDS_GPU,
            f"{timed['cuBLAS'] / timed[name]:.0%}" if {name, "cuBLAS"} <= {*timed} else NEEDS_GPU,
        ]
        yield f"| {' | '.join(cells)} |"


def register_rows(names, registers):
    yield f"| rung | {' | '.join(FP32_LANES)} |"
    yield f"|{'---|' * (1 + len(FP32_LANES))}"
    for name in names:
        asked = [registers.get(name, {}).get(model) for model in FP32_LANES]
        cells = [f"{one[0]}, {one[1]}, {one[2]:.0%}" if one else NEEDS_PTX for one in asked]
        yield f"| `{name}` | {' | '.join(cells)} |"


def make_page():
    timed, counted = ask_gpu(__file__) or json.loads(KEPT.read_text()), count_rungs()
    registers = find_registers()
    tables = {"gemm": list(load_rows(counted, timed)), "gemm registers": list(register_rows(counted, registers))}
    publish(tables, {"counted": counted, "registers": registers, "timed": timed}, "gemm-ladder")


if __name__ == "__main__":
    run(__doc__, time_on_gpu, make_page)
