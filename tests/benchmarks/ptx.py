"""What NVIDIA's assembler says about kernels: registers, shared memory, spills, and how many threads fit at once.

Needs numba-cuda with its CUDA wheels (the extra ``ptx``), no GPU and no driver. Numba's CUDA target compiles a kernel
to PTX, nvJitLink assembles it for a GPU, and its log is read: in a process of its own, which runs this file, as in
others ``numba.cuda`` may be the executor. It reads a JSON request from stdin and prints the JSON answer.

The limits of occupancy are from "Technical specifications per compute capability" in NVIDIA's CUDA C++ Programming
Guide, the rounding rules from its occupancy calculator: units of 256 registers for a warp, of 128 bytes for a block.
"""

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from numba.core import sigutils

WARP = 32
REGISTER_UNIT, SHARED_UNIT, REGISTERS = 256, 128, 65536


@dataclass(frozen=True)
class GpuModel:
    """A kind of GPU: its name, compute capability and the limits of one multiprocessor."""

    name: str
    compute_capability: tuple[int, int]
    threads: int
    blocks: int
    shared_bytes: int

    @property
    def reserved_shared_bytes(self) -> int:
        """Shared memory that the system keeps per block."""
        return 1024 if self.compute_capability >= (8, 0) else 0


MODELS = (
    GpuModel("T4, RTX 20", (7, 5), threads=1024, blocks=16, shared_bytes=64 * 1024),
    GpuModel("A100", (8, 0), threads=2048, blocks=32, shared_bytes=164 * 1024),
    GpuModel("RTX 30, A40", (8, 6), threads=1536, blocks=16, shared_bytes=100 * 1024),
    GpuModel("H100, H200", (9, 0), threads=2048, blocks=32, shared_bytes=228 * 1024),
    GpuModel("B200", (10, 0), threads=2048, blocks=32, shared_bytes=228 * 1024),
    GpuModel("RTX 50", (12, 0), threads=1536, blocks=24, shared_bytes=100 * 1024),
)


@dataclass(frozen=True)
class KernelRequest:
    """A kernel to assemble, and the launch whose occupancy is asked for."""

    name: str
    signature: str
    threads: int


@dataclass(frozen=True)
class KernelResources:
    """What a kernel needs on one GPU model; `occupancy` is the part of a multiprocessor's threads in use (0 to 1)."""

    kernel: str
    gpu: str
    registers: int
    shared_bytes: int
    spill_bytes: int
    occupancy: float


def is_installed() -> bool:
    """Return whether the optional packages are there."""
    try:
        return all(importlib.util.find_spec(name) for name in ("numba_cuda", "cuda.bindings", "nvidia"))
    except ModuleNotFoundError:
        return False


def measure_kernels(path: Path, kernels: list[KernelRequest], names: set[str]) -> list[KernelResources]:
    """Return what each kernel at the top level of a file needs on each GPU model of these names."""
    request = {"path": str(path), "kernels": [*map(asdict, kernels)], "names": sorted(names)}
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_ENABLE_CUDASIM"}
    command, text = [sys.executable, "-W", "ignore", __file__], json.dumps(request)
    done = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, env=environment, check=True)
    return [KernelResources(**entry) for entry in json.loads(done.stdout)]


def count_resident_blocks(model: GpuModel, threads: int, registers: int, shared_bytes: int) -> tuple[int, str]:
    """Return how many blocks one multiprocessor holds at once, and what limits them; registers are a thread's."""
    warps = -(-threads // WARP)
    warp_registers = _round_up(max(registers, 1) * WARP, REGISTER_UNIT)
    block_shared = _round_up(shared_bytes + model.reserved_shared_bytes, SHARED_UNIT)
    limits = {
        "threads": model.threads // (warps * WARP),
        "registers": REGISTERS // warp_registers // warps,
        "blocks": model.blocks,
    }
    if block_shared:
        limits["shared memory"] = model.shared_bytes // block_shared
    limit = min(limits, key=lambda name: limits[name])
    return limits[limit], limit


def compute_occupancy(model: GpuModel, threads: int, registers: int, shared_bytes: int) -> float:
    """Return the part of a multiprocessor's threads that is in use (0 to 1)."""
    blocks, _ = count_resident_blocks(model, threads, registers, shared_bytes)
    return min(1.0, blocks * _round_up(threads, WARP) / model.threads)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


_NUMBERS = {
    "registers": re.compile(r"Used (\d+) registers"),
    "spill_stores": re.compile(r"(\d+) bytes spill stores"),
    "spill_loads": re.compile(r"(\d+) bytes spill loads"),
}
_SHARED = re.compile(r"^\s*(?:\.\w+\s+)*\.shared\s+(?:\.align\s+\d+\s+)?\.b8\s+\w+\[(\d+)\]", re.MULTILINE)


def read_log(ptx: str, log: str) -> dict[str, int]:
    """Return the numbers in the assembler's log; static shared memory is counted in the PTX, the log omits it."""
    found = {name: pattern.search(log) for name, pattern in _NUMBERS.items()}
    numbers = {name: int(match[1]) if match else 0 for name, match in found.items()}
    return {**numbers, "shared_bytes": sum(int(size) for size in _SHARED.findall(ptx))}


class _Device:
    """What the compiler asks the driver for, so that it need not be there."""

    compute_capability = (9, 0)


def compile_kernel(kernel, argument_types, capability: tuple[int, int]) -> str:
    """Return the PTX of a kernel."""
    from numba import cuda  # noqa: PLC0415 - where it is the executor, it must not be asked

    _Device.compute_capability = capability
    for name in ("api", "compiler", "dispatcher"):  # each asks by a `get_current_device` of its own
        importlib.import_module(f"numba.cuda.{name}").get_current_device = lambda: _Device
    return cuda.compile_ptx(kernel.py_func, argument_types, cc=capability)[0]


@contextmanager
def assembled(kernel, ptx: str, capability: tuple[int, int]):
    """Give nvJitLink and its handle, in which the PTX of a kernel is machine code."""
    from cuda.bindings import nvjitlink  # noqa: PLC0415 - optional

    most = kernel.targetoptions.get("max_registers")
    options = ["-arch=sm_{}{}".format(*capability), "-Xptxas=-v", *([f"-maxrregcount={most}"] if most else [])]
    handle = nvjitlink.create(len(options), options)
    nvjitlink.add_data(handle, nvjitlink.InputType.PTX, ptx.encode(), len(ptx.encode()), "kernel")
    nvjitlink.complete(handle)
    yield nvjitlink, handle
    nvjitlink.destroy(handle)


def _measure(kernel, asked: KernelRequest, model: GpuModel) -> KernelResources:
    argument_types, _ = sigutils.normalize_signature(asked.signature)
    ptx = compile_kernel(kernel, argument_types, model.compute_capability)
    with assembled(kernel, ptx, model.compute_capability) as (nvjitlink, handle):
        log = bytearray(nvjitlink.get_info_log_size(handle))
        nvjitlink.get_info_log(handle, log)
    found = read_log(ptx, log.decode())
    registers, shared_bytes = found["registers"], found["shared_bytes"]
    spills = found["spill_stores"] + found["spill_loads"]
    occupancy = compute_occupancy(model, asked.threads, registers, shared_bytes)
    return KernelResources(asked.name, model.name, registers, shared_bytes, spills, occupancy)


def main() -> None:
    asked = json.load(sys.stdin)
    path = Path(asked["path"])
    sys.path.insert(0, str(path.parent))
    module = importlib.import_module(path.stem)
    kernels = [KernelRequest(**one) for one in asked["kernels"]]
    models = [model for model in MODELS if model.name in asked["names"]]
    found = [_measure(getattr(module, one.name), one, model) for model in models for one in kernels]
    json.dump([*map(asdict, found)], sys.stdout)


if __name__ == "__main__":
    main()
