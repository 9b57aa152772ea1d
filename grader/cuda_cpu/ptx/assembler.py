"""``python -m grader.cuda_cpu.ptx.assembler``: compile kernels of a file for GPUs, with numba-cuda, without a GPU.

Reads a JSON request from stdin and writes the JSON answer to the file that the request names, since the student's file,
which is imported here, may print. ``numba.cuda`` is numba-cuda's own in this process.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import re
import sys
from pathlib import Path
from typing import Any, Final

from grader.cuda_cpu.ptx.argumenttypes import restore_type

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


def _pretend_device(compute_capability: tuple[int, int]) -> None:
    from grader.cuda_cpu.numba_internals.numba_cuda import ASKING_FOR_THE_DEVICE

    _Device.compute_capability = compute_capability
    for module in ASKING_FOR_THE_DEVICE:
        module.get_current_device = lambda: _Device


def _import_lazily_compiled(path: Path) -> Any:
    """Import a file; kernels with signatures are not compiled at once, which would need a driver."""
    from numba import cuda

    from grader.cuda_cpu.numba_internals import sigutils

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
    """Return the assembler's log; `max_registers` is the option of that name of `cuda.jit`.

    Raises:
        RuntimeError: with the assembler's own text, when it refuses the kernel.
    """
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


def _measure(module: Any, kernel: dict[str, Any], compute_capability: tuple[int, int]) -> dict[str, Any]:
    from numba import cuda

    dispatcher = getattr(module, kernel["name"], None)
    function = getattr(dispatcher, "py_func", None)
    if function is None:
        return {"error": f"there is no kernel {kernel['name']} at the top level of the file"}
    argtypes = tuple(restore_type(part) for part in kernel["argument_types"])
    try:
        ptx, _ = cuda.compile_ptx(function, argtypes, cc=compute_capability)
        most = getattr(dispatcher, "targetoptions", {}).get("max_registers")
        return read_log(ptx, _assemble(ptx, "sm_{}{}".format(*compute_capability), most))
    except Exception as error:  # noqa: BLE001  # whatever the two compilers raise is the answer for this kernel
        return {"error": str(error) or type(error).__name__}


def answer(request: dict[str, Any]) -> list[dict[str, Any]]:
    """Return one entry per kernel and compute capability, with the assembler's numbers or an ``error``."""
    _pretend_device((9, 0))
    try:
        module = _import_lazily_compiled(Path(request["path"]))
    except Exception as error:  # noqa: BLE001  # the student's file may raise anything
        problem = {"error": f"the file cannot be imported without a GPU: {type(error).__name__}: {error}"}
        module = None
    entries = []
    for compute_capability in map(tuple, request["compute_capabilities"]):
        _pretend_device(compute_capability)
        for kernel in request["kernels"]:
            measured = problem if module is None else _measure(module, kernel, compute_capability)
            entries.append({"kernel": kernel["name"], "compute_capability": compute_capability, **measured})
    return entries


if __name__ == "__main__":
    _request = json.load(sys.stdin)
    Path(_request["answer_path"]).write_text(json.dumps(answer(_request)))
