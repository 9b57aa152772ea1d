"""This machine's device for CUDA kernels, its hardware and its versions, in the words of reports."""

import contextlib
import ctypes
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader import __version__
from grader.errors import UsageError
from grader.model import printable
from grader.worker.launcher import worker_environment

DEVICES = ("auto", "cpu", "gpu")
TRIAL_LIMIT_S = 120
_THRESHOLDS, _KEPT_BYTES = (-3, -1), 1 << 28
"""M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of mallopt(3), and what both become."""
_ON_CPU = "CUDA kernels executed on the CPU"


def keep_freed_memory() -> None:
    """Let this process keep the memory of freed arrays for the next ones, and not fetch it anew, page by page."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # glibc alone gives it back, and has this switch
        for switch in _THRESHOLDS:
            ctypes.CDLL(None).mallopt(switch, _KEPT_BYTES)


def choose_device(wanted: str) -> tuple[str, str]:
    """Return the device (`gpu` or `cpu`) and its name; `auto` takes a GPU on which a kernel really runs, else the CPU.

    The GPU is chosen once, among those that Slurm or the user allow by CUDA_VISIBLE_DEVICES. Afterwards this process
    and its child processes can see only this GPU.

    Raises:
        UsageError: `gpu` was requested, but no GPU works; the text says why.
    """
    if wanted == "cpu":
        return "cpu", _ON_CPU
    gpu, problem = ask_gpu() if wanted == "gpu" or has_gpu_driver() else ({}, "")
    if gpu:
        os.environ["CUDA_DEVICE_ORDER"] = "PCI_BUS_ID"
        os.environ["CUDA_VISIBLE_DEVICES"] = gpu["uuid"]
        return "gpu", gpu["name"]
    if wanted == "gpu":
        raise UsageError(f"no CUDA kernel runs here ({problem}): see `make doctor`, or grade with --device cpu")
    return "cpu", _ON_CPU


def has_gpu_driver() -> bool:
    """Return whether this machine has NVIDIA's driver, or LD_LIBRARY_PATH names a folder with one."""
    folders = os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep)
    return Path("/dev/nvidiactl").exists() or any(Path(folder, "libcuda.so.1").exists() for folder in folders if folder)


def describe_hardware(device_name: str) -> dict[str, str]:
    """Return the hardware that decides the speed here, with the UUID of the GPU if one was chosen."""
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    is_chosen = visible.startswith(("GPU-", "MIG-")) and device_name != _ON_CPU
    hardware = {"cpu": _cpu_name(), "cores": str(count_cores()), "cuda": device_name}
    return {**hardware, "gpu": visible} if is_chosen else hardware


def available_cores() -> tuple[int, ...]:
    """Return the numbers of the cores that this process may use; on systems other than Linux, of all cores."""
    if hasattr(os, "sched_getaffinity"):
        return tuple(sorted(os.sched_getaffinity(0)))
    return tuple(range(os.cpu_count() or 1))


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    return len(available_cores())


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
def ask_gpu() -> tuple[dict[str, str], str]:
    """Run a kernel in a separate process, as a worker would; return its GPU's `name` and `uuid`, or {} and the reason.

    The result is cached: otherwise each grading of a batch would start a kernel and disturb the grading that is timed.
    """
    command = [sys.executable, "-I", "-W", "ignore", "-m", "grader.worker.gpuprobe"]
    with tempfile.TemporaryDirectory(prefix="grader-gpu-") as folder:
        said, problem = run_program(command, TRIAL_LIMIT_S, folder, worker_environment(Path(folder), 0))
    if said.startswith("{") and not problem:
        return json.loads(said), ""
    return {}, printable(problem or said, 400)


def run_program(
    command: Sequence[str],
    limit_s: float = 10.0,
    folder: str | Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> tuple[str, str]:
    """Run a program of ours or of the system, and return what it wrote, and its problem if it failed.

    The problem is the last line that it wrote, or how it ended. By default it runs here, with our environment.
    """
    try:
        done = subprocess.run(  # noqa: S603 - no shell, and arguments of ours
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit_s,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "", f"the trial took more than {limit_s:g} s"
    except OSError as error:
        return "", f"the trial could not be started ({error})"
    said = (done.stdout or done.stderr).strip()
    if done.returncode == 0:
        return said, ""
    return said, said.splitlines()[-1] if said else f"the trial ended with code {done.returncode}"


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
