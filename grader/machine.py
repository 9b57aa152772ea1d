"""What this machine is: its device for CUDA kernels, its hardware and versions, as reports name them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader import __version__
from grader.errors import UsageError

DEVICES = ("auto", "cpu", "gpu")
_PROBE = "from numba import cuda; print(cuda.get_current_device().name.decode())"
_PROBE_LIMIT_S = 60


def choose_device(wanted: str) -> tuple[str, str]:
    """Return the device (`gpu` or `cpu`) and its name; `auto` takes a GPU that really answers, else the CPU.

    Raises:
        UsageError: `gpu` was asked for, and none answers.
    """
    if wanted == "cpu":
        return "cpu", "CUDA kernels executed on the CPU"
    name = _ask_gpu() if wanted == "gpu" or Path("/dev/nvidiactl").exists() else ""
    if name:
        return "gpu", name
    if wanted == "gpu":
        msg = "no CUDA device answers: check `nvidia-smi`, or grade with --device cpu"
        raise UsageError(msg)
    return "cpu", "CUDA kernels executed on the CPU"


def describe_hardware(device_name: str) -> dict[str, str]:
    """Return what decides how fast things run here."""
    return {
        "cpu": _cpu_name(),
        "cores": str(count_cores()),
        "cuda": device_name,
    }


def count_cores() -> int:
    """Return how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def describe_versions() -> dict[str, str]:
    """Return the versions that a result may depend on."""
    found = {"grader": __version__, "python": platform.python_version()}
    for name in ("numba", "numba-cuda", "numpy"):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


@cache
def _ask_gpu() -> str:
    """Return the name of the GPU that Numba sees from a process of its own, or an empty text.

    Asked once: a batch would otherwise disturb, at each grading's start, the one that is being timed.
    """
    try:
        asked = subprocess.run(  # noqa: S603 - our own interpreter and a constant program
            [sys.executable, "-c", _PROBE], capture_output=True, text=True, timeout=_PROBE_LIMIT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return asked.stdout.strip() if asked.returncode == 0 else ""


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
