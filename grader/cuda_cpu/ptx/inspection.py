"""Asks the assembler about kernels, in a process of its own, and says what the numbers mean."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from grader.cuda_cpu.ptx.argumenttypes import describe_type
from grader.cuda_cpu.ptx.occupancy import MODELS, GpuModel, compute_occupancy

TIME_LIMIT_S: Final = 120.0
_NEEDED: Final = ("numba_cuda", "cuda.bindings", "nvidia")
_HINT: Final = "in the grader's folder, python -m pip install --editable '.[ptx]'"


@dataclass(frozen=True)
class KernelRequest:
    """A kernel to assemble: its name, its Numba argument types, and the launch whose occupancy is asked for."""

    name: str
    argument_types: tuple[Any, ...]
    threads: int
    dynamic_shared_bytes: int = 0


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

    def __str__(self) -> str:
        if self.error:
            return f"{self.kernel} on {self.gpu}: {self.error}"
        spills = f", {self.spill_bytes} bytes spilled to slow memory" if self.spill_bytes else ""
        return (
            f"{self.kernel} on {self.gpu}: {self.registers} registers per thread, {self.shared_bytes} bytes of static "
            f"shared memory{spills}; occupancy {self.occupancy:.0%}, limited by {self.limited_by}"
        )


def is_installed() -> bool:
    """Return whether the optional packages are there."""
    try:
        return all(importlib.util.find_spec(name) is not None for name in _NEEDED)
    except ModuleNotFoundError:
        return False


def measure_kernels(
    path: Path, kernels: list[KernelRequest], models: tuple[GpuModel, ...] = MODELS
) -> list[KernelResources]:
    """Return what each kernel of a file needs on each GPU model.

    Args:
        path: the Python file; it is imported in a process of its own, so call this where student code may run.
        kernels: kernels at the top level of the file.
        models: the GPU models.

    Raises:
        RuntimeError: when the optional packages are missing, or the process dies or does not end.
    """
    if not is_installed():
        raise RuntimeError(f"numba-cuda and its CUDA wheels are not installed: {_HINT}")
    entries = _ask_assembler(path, kernels, models)
    requests = {kernel.name: kernel for kernel in kernels}
    by_capability = {str(list(model.compute_capability)): model for model in models}
    return [_explain(requests[e["kernel"]], by_capability[str(e["compute_capability"])], e) for e in entries]


def _ask_assembler(path: Path, kernels: list[KernelRequest], models: tuple[GpuModel, ...]) -> list[dict[str, Any]]:
    with tempfile.TemporaryDirectory() as folder:
        answer_path = Path(folder) / "answer.json"
        request = {
            "path": str(path.resolve()),
            "answer_path": str(answer_path),
            "compute_capabilities": [model.compute_capability for model in models],
            "kernels": [
                {"name": kernel.name, "argument_types": [describe_type(kind) for kind in kernel.argument_types]}
                for kernel in kernels
            ],
        }
        command = [sys.executable, "-m", "grader.cuda_cpu.ptx.assembler"]
        environment = {name: value for name, value in os.environ.items() if name != "NUMBA_ENABLE_CUDASIM"}
        try:
            done = subprocess.run(  # noqa: S603  # our own module
                command,
                input=json.dumps(request),
                capture_output=True,
                text=True,
                timeout=TIME_LIMIT_S,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise RuntimeError(f"assembling the kernels of {path.name} took more than {TIME_LIMIT_S:.0f} s") from error
        if not answer_path.is_file():
            raise RuntimeError(
                f"the assembler's process ended with code {done.returncode}: {done.stderr.strip()[-500:]}"
            )
        entries: list[dict[str, Any]] = json.loads(answer_path.read_text())
        return entries


def _explain(kernel: KernelRequest, model: GpuModel, entry: dict[str, Any]) -> KernelResources:
    gpu = f"{model.name} ({model.architecture})"
    if "error" in entry:
        return KernelResources(kernel.name, gpu, error=entry["error"])
    shared = entry["shared_bytes"] + kernel.dynamic_shared_bytes
    occupancy, limit = compute_occupancy(model, kernel.threads, entry["registers"], shared)
    return KernelResources(
        kernel.name,
        gpu,
        registers=entry["registers"],
        shared_bytes=entry["shared_bytes"],
        stack_bytes=entry["stack_bytes"],
        spill_bytes=entry["spill_store_bytes"] + entry["spill_load_bytes"],
        occupancy=occupancy,
        limited_by=limit,
    )
