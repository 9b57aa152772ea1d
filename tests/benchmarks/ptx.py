"""What NVIDIA's assembler says about kernels: registers, shared memory, spills, and how many threads fit at once.

Needs numba-cuda with its CUDA wheels (the extra ``ptx``), no GPU and no driver. Numba's CUDA target compiles a kernel
to PTX, nvJitLink assembles it for a GPU, and its log is read: in a process of its own, which runs this file, as in
others ``numba.cuda`` may be the executor. It reads a JSON request from stdin and writes the JSON answer to the file
that its argument names, since the file with the kernels, which it imports, may print.

Source of the limits of occupancy: "Technical specifications per compute capability" in NVIDIA's CUDA C++ Programming
Guide; of the rounding rules: NVIDIA's occupancy calculator (registers are given to warps in units of 256, shared memory
in units of 128 bytes; from compute capability 8.0 on the system keeps 1 KiB of shared memory per block).
"""

import importlib
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from numba.core import sigutils

WARP: Final = 32
REGISTER_UNIT: Final = 256
SHARED_UNIT: Final = 128
REGISTERS: Final = 65536


@dataclass(frozen=True)
class GpuModel:
    """A kind of GPU: its name, compute capability and the limits of one multiprocessor."""

    name: str
    compute_capability: tuple[int, int]
    threads: int
    blocks: int
    shared_bytes: int

    @property
    def architecture(self) -> str:
        """The assembler's name for it, such as ``sm_90``."""
        return f"sm_{self.compute_capability[0]}{self.compute_capability[1]}"

    @property
    def words(self) -> str:
        return f"{self.name} ({self.architecture})"

    @property
    def reserved_shared_bytes(self) -> int:
        """Shared memory that the system keeps per block."""
        return 1024 if self.compute_capability >= (8, 0) else 0


MODELS: Final = (
    GpuModel("T4, RTX 20", (7, 5), threads=1024, blocks=16, shared_bytes=64 * 1024),
    GpuModel("A100", (8, 0), threads=2048, blocks=32, shared_bytes=164 * 1024),
    GpuModel("RTX 30, A40", (8, 6), threads=1536, blocks=16, shared_bytes=100 * 1024),
    GpuModel("L4, RTX 40", (8, 9), threads=1536, blocks=24, shared_bytes=100 * 1024),
    GpuModel("H100, H200", (9, 0), threads=2048, blocks=32, shared_bytes=228 * 1024),
    GpuModel("B200", (10, 0), threads=2048, blocks=32, shared_bytes=228 * 1024),
    GpuModel("RTX 50", (12, 0), threads=1536, blocks=24, shared_bytes=100 * 1024),
)


def _round_up(value: int, unit: int) -> int:
    return -(-value // unit) * unit


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


def compute_occupancy(model: GpuModel, threads: int, registers: int, shared_bytes: int) -> tuple[float, str]:
    """Return the part of a multiprocessor's threads that is in use (0 to 1), and what limits it."""
    blocks, limit = count_resident_blocks(model, threads, registers, shared_bytes)
    return min(1.0, blocks * _round_up(threads, WARP) / model.threads), limit


TIME_LIMIT_S: Final = 120.0
_NEEDED: Final = ("numba_cuda", "cuda.bindings", "nvidia")
_HINT: Final = "in the grader's folder, python -m pip install --editable '.[ptx]'"


@dataclass(frozen=True)
class KernelRequest:
    """A kernel to assemble, and the launch whose occupancy is asked for."""

    name: str
    signature: str
    """Such as `(float64[:, ::1], int64)`, as `cuda.jit` takes it."""
    threads: int


@dataclass(frozen=True)
class KernelResources:
    """What a kernel needs on one GPU model; `error` says why there are no numbers.

    `occupancy` is the part of a multiprocessor's threads that is in use at once (0 to 1), `limited_by` what limits it.
    """

    kernel: str
    gpu: str
    registers: int = 0
    shared_bytes: int = 0
    stack_bytes: int = 0
    spill_bytes: int = 0
    occupancy: float = 0.0
    limited_by: str = ""
    error: str = ""


def is_installed() -> bool:
    """Return whether the optional packages are there."""
    try:
        return all(importlib.util.find_spec(name) is not None for name in _NEEDED)
    except ModuleNotFoundError:
        return False


def measure_kernels(
    path: Path, kernels: list[KernelRequest], models: tuple[GpuModel, ...] = MODELS
) -> list[KernelResources]:
    """Return what each kernel at the top level of a file needs on each GPU model; the file is imported elsewhere.

    Raises:
        RuntimeError: when the optional packages are missing, or the process dies or does not end.
    """
    if not is_installed():
        raise RuntimeError(f"numba-cuda and its CUDA wheels are not installed: {_HINT}")
    request = {"path": str(path.resolve()), "kernels": [*map(asdict, kernels)], "models": [*map(asdict, models)]}
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_ENABLE_CUDASIM"}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "answer.json")
        try:
            done = subprocess.run(
                [sys.executable, str(Path(__file__).resolve()), str(file)],
                input=json.dumps(request),
                capture_output=True,
                text=True,
                timeout=TIME_LIMIT_S,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise RuntimeError(f"assembling the kernels of {path.name} took more than {TIME_LIMIT_S:.0f} s") from error
        if not file.is_file():
            raise RuntimeError(
                f"the assembler's process ended with code {done.returncode}: {done.stderr.strip()[-500:]}"
            )
        return [KernelResources(**entry) for entry in json.loads(file.read_text())]


_NUMBERS: Final = {
    "registers": re.compile(r"Used (\d+) registers"),
    "barriers": re.compile(r"used (\d+) barriers"),
    "stack_bytes": re.compile(r"(\d+) bytes stack frame"),
    "spill_store_bytes": re.compile(r"(\d+) bytes spill stores"),
    "spill_load_bytes": re.compile(r"(\d+) bytes spill loads"),
}
_MANGLED: Final = re.compile(r"(?:error\s*:\s*)?Entry function '[^']*'")
_SHARED: Final = re.compile(r"^\s*(?:\.\w+\s+)*\.shared\s+(?:\.align\s+\d+\s+)?\.b8\s+\w+\[(\d+)\]", re.MULTILINE)


class _Device:
    """What the compiler asks the driver for, so that it need not be there."""

    compute_capability = (9, 0)


def pretend_device(compute_capability: tuple[int, int]) -> None:
    _Device.compute_capability = compute_capability
    for name in ("api", "compiler", "dispatcher"):  # each asks by a `get_current_device` of its own
        importlib.import_module(f"numba.cuda.{name}").get_current_device = lambda: _Device


def _import_lazily_compiled(path: Path) -> Any:
    """Import a file; kernels with signatures are not compiled at once, which would need a driver."""
    from numba import cuda  # noqa: PLC0415 - where it is the executor, it must not be asked

    original = cuda.jit

    def jit(func_or_sig: Any = None, **options: Any) -> Any:
        is_eager = isinstance(func_or_sig, list) or sigutils.is_signature(func_or_sig)
        return original(None if is_eager else func_or_sig, **options)

    cuda.jit = jit
    try:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.path.insert(0, str(path.parent))
        spec.loader.exec_module(module)
    finally:
        cuda.jit = original
    return module


def _assemble(ptx: str, architecture: str, max_registers: int | None = None) -> str:
    """Return the assembler's log, or raise its own text; `max_registers` is the option of that name of `cuda.jit`."""
    nvjitlink = importlib.import_module("cuda.bindings.nvjitlink")
    options = [f"-arch={architecture}", "-Xptxas=-v", *([f"-maxrregcount={max_registers}"] if max_registers else [])]
    handle = nvjitlink.create(len(options), options)
    data = ptx.encode()
    try:
        nvjitlink.add_data(handle, nvjitlink.InputType.PTX, data, len(data), "kernel")
        nvjitlink.complete(handle)
    except nvjitlink.nvJitLinkError as error:
        log = bytearray(nvjitlink.get_error_log_size(handle))
        nvjitlink.get_error_log(handle, log)
        text = _MANGLED.sub("the kernel", log.decode().strip("\0\n "))
        raise RuntimeError(text.splitlines()[0] if text else str(error)) from error
    log = bytearray(nvjitlink.get_info_log_size(handle))
    nvjitlink.get_info_log(handle, log)
    return log.decode()


def read_log(ptx: str, log: str) -> dict[str, int]:
    """Return the numbers in the assembler's log; static shared memory is counted in the PTX, the log omits it."""
    found = {name: pattern.search(log) for name, pattern in _NUMBERS.items()}
    numbers = {name: int(match.group(1)) if match else 0 for name, match in found.items()}
    return {**numbers, "shared_bytes": sum(int(size) for size in _SHARED.findall(ptx))}


def _measure(module: Any, kernel: KernelRequest, model: GpuModel) -> KernelResources:
    from numba import cuda  # noqa: PLC0415 - as above

    dispatcher = getattr(module, kernel.name)
    argument_types, _ = sigutils.normalize_signature(kernel.signature)
    ptx, _ = cuda.compile_ptx(dispatcher.py_func, argument_types, cc=model.compute_capability)
    found = read_log(ptx, _assemble(ptx, model.architecture, dispatcher.targetoptions.get("max_registers")))
    occupancy, limit = compute_occupancy(model, kernel.threads, found["registers"], found["shared_bytes"])
    return KernelResources(
        kernel.name,
        model.words,
        registers=found["registers"],
        shared_bytes=found["shared_bytes"],
        stack_bytes=found["stack_bytes"],
        spill_bytes=found["spill_store_bytes"] + found["spill_load_bytes"],
        occupancy=occupancy,
        limited_by=limit,
    )


def _measure_or_say(module: Any, kernel: KernelRequest, model: GpuModel) -> KernelResources:
    pretend_device(model.compute_capability)
    try:
        return _measure(module, kernel, model)
    except Exception as error:  # noqa: BLE001  # whatever the two compilers raise is the answer for this kernel
        is_there = hasattr(getattr(module, kernel.name, None), "py_func")
        missing = f"there is no kernel {kernel.name} at the top level of the file"
        why = str(error) or type(error).__name__
        return KernelResources(kernel.name, model.words, error=why if is_there else missing)


def answer(path: Path, kernels: list[KernelRequest], models: list[GpuModel]) -> list[KernelResources]:
    """Return what each kernel needs on each model, with the assembler's numbers or an `error`."""
    pretend_device((9, 0))
    try:
        module = _import_lazily_compiled(path)
    except Exception as error:  # noqa: BLE001  # the student's file may raise anything
        why = f"the file cannot be imported without a GPU: {type(error).__name__}: {error}"
        return [KernelResources(kernel.name, model.words, error=why) for model in models for kernel in kernels]
    return [_measure_or_say(module, kernel, model) for model in models for kernel in kernels]


if __name__ == "__main__":
    _asked = json.load(sys.stdin)
    _models = [GpuModel(**one | {"compute_capability": tuple(one["compute_capability"])}) for one in _asked["models"]]
    _found = answer(Path(_asked["path"]), [KernelRequest(**one) for one in _asked["kernels"]], _models)
    Path(sys.argv[1]).write_text(json.dumps([*map(asdict, _found)]))
