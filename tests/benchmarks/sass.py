"""What kernels are for a GPU's scheduler: `make sass` counts the machine instructions of their loops, without a GPU.

A multiprocessor issues 4 instructions of a warp per clock, and does 2 or 4 multiply-adds (FFMA) in it. So a loop
reaches at most 4 FFMA / instructions / (2 or 4) of the peak, however little it waits. Memory's passes bind as well: see
docs/kernels.md. Conversions to and from float64 (F2F) are done 2 to 16 a clock, which binds where there are many.

Numba makes PTX, NVIDIA's nvJitLink the machine code, its nvdisasm the text: from wheels, see `make gpu-environments`.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path

from numba import types

sys.path.append(str(Path(__file__).parent))
from ladder_page import ROOT, publish
from ptx import assembled, compile_kernel

from grader.assignments.gemm.baselines import rates
from grader.timing.physics import LANES

sys.path.insert(0, str(ROOT / "reference/gemm"))
DISASSEMBLERS = [*Path(sys.prefix, "lib").glob("python*/site-packages/nvidia/*/bin/nvdisasm")]
MODELS = {"T4, RTX 20": (7, 5), "A100": (8, 0), "RTX 30, A40": (8, 6), "H100, H200": (9, 0)}
ISSUED, WARP = 4, 32
FLOATS, PAIRS = (types.Array(kind, 2, "C") for kind in (types.float32, types.float64))
_LINE = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9]+)[^;]*;|^(\.L_x_\w+):")
_LABEL = re.compile(r"\.L_x_\w+")
_DOUBLE = re.compile(r"\s(?:D(?:ADD|FMA|MUL|SETP)\b|\w+[\w.]*\.F64\b)")


def disassemble(kernel, argument_types, capability):
    """Return the machine code of a kernel as nvdisasm's lines."""
    with (
        assembled(kernel, compile_kernel(kernel, argument_types, capability), capability) as (nvjitlink, handle),
        tempfile.NamedTemporaryFile(suffix=".cubin") as file,
    ):
        code = bytearray(nvjitlink.get_linked_cubin_size(handle))
        nvjitlink.get_linked_cubin(handle, code)
        Path(file.name).write_bytes(code)
        done = subprocess.run([DISASSEMBLERS[0], "-c", file.name], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def find_loops(lines):
    """Return the instructions' names, F64 for those that work with float64, and begin and end of each loop among them.

    A loop is what a branch backwards repeats.
    """
    names, labels, loops = [], {}, []
    for line in lines:
        if not (found := _LINE.match(line)):
            continue
        if found[2]:
            labels[found[2]] = len(names)
            continue
        names.append("F64" if _DOUBLE.search(line) else found[1])
        target = _LABEL.search(line)
        if found[1] == "BRA" and target and target[0] in labels:
            loops.append((labels[target[0]], len(names)))
    return names, loops


def count(kernel, argument_types, capability, adds):
    """Return the instructions of a pass over a tile, and how many of them work with float64.

    `adds` are the multiply-adds of a thread in such a pass: an inner loop that has fewer is repeated.
    """
    names, loops = find_loops(disassemble(kernel, argument_types, capability))
    inner = max(loops, key=lambda loop: (names[slice(*loop)].count("FFMA"), loop[0]))
    outer = min((loop for loop in loops if loop[0] <= inner[0] and inner[1] <= loop[1]), key=lambda loop: loop[0])
    body, whole = names[slice(*inner)], names[slice(*outer)]
    return len(whole) + (adds // body.count("FFMA") - 1) * len(body), whole.count("F64")


def share(adds, instructions, capability):
    """Return the largest share of the peak that the scheduler lets a loop reach."""
    return min(1.0, ISSUED * WARP * adds / instructions / LANES[capability][1])


def kernels():
    """Yield a name, kernel, the types of its arguments, and the multiply-adds of a thread and pass."""
    import gemm  # noqa: PLC0415 - of reference/gemm, whose folder is on the path by now
    import ladder  # noqa: PLC0415 - the same

    numbers = types.Array(types.float32, 1, "C")
    yield "the peak that is measured", rates.make_kernels()[0], (types.float32, types.int64, numbers), 64
    rungs = {gemm.tiled_kernel: 16, gemm.blocked_kernel: 256}
    rungs |= dict.fromkeys((ladder.wide_kernel, ladder.buffered_kernel, ladder.paired_kernel), 512)
    for kernel, adds in rungs.items():
        loaded = PAIRS if kernel is ladder.paired_kernel else FLOATS
        yield f"`{kernel.__name__}`", kernel, (types.float64, loaded, loaded, types.float64, FLOATS), adds


def rows():
    """Yield the lines of a table: for each kernel and model, instructions, those with float64, and the share."""
    yield f"| kernel | multiply-adds | {' | '.join(MODELS)} |"
    yield f"|{'---|' * (2 + len(MODELS))}"
    for name, kernel, argument_types, adds in kernels():
        cells = []
        for capability in MODELS.values():
            instructions, double = count(kernel, argument_types, capability, adds)
            cells.append(f"{instructions}, {double}, {share(adds, instructions, capability):.0%}")
        yield f"| {name} | {adds} | {' | '.join(cells)} |"


def main():
    if not DISASSEMBLERS:
        sys.exit("no nvdisasm here: make gpu-environments")
    publish({"gemm instructions": list(rows())}, {}, "sass")


if __name__ == "__main__":
    main()
