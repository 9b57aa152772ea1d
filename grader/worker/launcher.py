"""Where a worker runs, its limits, and how it ended: the interface between a worker and its sandbox."""

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import msgspec

_PASSED_ON = """
    PATH LD_LIBRARY_PATH CUDA_HOME CUDA_PATH CUDA_DEVICE_ORDER CUDA_VISIBLE_DEVICES NUMBA_CUDA_USE_NVIDIA_BINDING
"""
_SHELL_SIGNALS = 128  # a sandbox waiting for the worker reports an end by signal n as exit code 128 + n, as shells do
_GIB, _MIB = 1 << 30, 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of student code. Every wait has a limit."""

    start_s: float = 60.0  # for our own imports on a cold, loaded machine; no student code runs yet
    load_s: float = 30.0
    call_s: float = 20.0  # compilation by Numba included, on a loaded laptop
    grading_s: float = 150.0  # for all calls of one grading; what is not decided by then is left to a TA
    cpu_s: int = 1800  # of one worker, which serves many calls; the wall-clock limit of each call is much shorter
    address_space_bytes: int = 6 << 30
    memory_bytes: int = 4 << 30  # what the whole process tree may hold at a time; pages that it shares count once
    threads: int = 0  # for linear algebra and Numba's parallel loops; 0 means 1 for linear algebra, and Numba's default
    tasks: int = 256  # processes and threads at a time, besides those for each core
    file_bytes: int = 256 << 20
    scratch_bytes: int = 256 << 20
    output_bytes: int = 16 << 20  # what may be printed past a request's cap, as by writing to the descriptor directly

    @property
    def most_tasks(self) -> int:
        """Processes and threads at a time on this machine: parallel compiled code starts one per core, twice over."""
        return self.tasks + 2 * (os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Settings:
    """All that a worker, or an MPI rank, gets when it is started, as JSON on its command line."""

    submission: Path  # the folder of the files that it runs
    staff: Path  # the folder of the staff's modules, which it may import, too
    device: str = "cpu"  # `cpu` if the executor runs kernels, `gpu` if a GPU does; empty if a program's imports decide
    limits: Limits = field(default_factory=Limits)
    temporary: Path | None = None  # a folder to be removed if the grader is killed before it can do so
    slices: str = ""  # `observed` or `plain` if the submission's folder holds slices; see `grader.worker.sliced`
    imports_numba: bool = False  # whether Numba and what executes kernels are imported at once, not when a file asks
    imports_mpi: bool = False  # whether a file imports mpi4py, which would start MPI in a worker that is no rank
    channel_fd: int = -1  # this and the other descriptors are known when the process starts
    arena_in_fd: int = -1
    arena_out_fd: int = -1
    output_fd: int = -1

    @property
    def address_space_bytes(self) -> int:
        """The limit that is set; 0 for none: only Linux enforces it reliably, and a CUDA driver reserves far more."""
        return self.limits.address_space_bytes if self.device == "cpu" and sys.platform == "linux" else 0

    def to_text(self) -> str:
        """Return what `read_settings` reads."""
        return msgspec.json.encode(self, enc_hook=str).decode()


def read_settings(text: str) -> Settings:
    """Return the settings that the process above wrote on the command line."""
    return msgspec.json.decode(text, type=Settings, dec_hook=lambda kind, value: kind(value))


class Launcher(Protocol):
    """Turns the command of a worker into one that runs it confined, as in a sandbox."""

    @property
    def level(self) -> str:
        """Its name in every report."""
        ...

    def wrap(self, command: Sequence[str], settings: Settings, scratch: Path) -> list[str]:
        """Return the command that runs `command`, a `python -I -m module ...`, confined; descriptors pass through."""
        ...


_START = """\
import importlib.util, runpy, sys
spec = importlib.util.spec_from_file_location("grader", {package!r} + "/__init__.py")
sys.modules["grader"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["grader"])
runpy.run_module({module!r}, run_name="__main__", alter_sys=True)
"""


def start_text(module: str) -> str:
    """Return a program for `python -I -c` that runs a module of this very package, wherever the package lies.

    The package is found by its file: the folder above it cannot be listed in every sandbox.
    """
    return _START.format(package=str(Path(__file__).parents[1]), module=module)


class PlainLauncher:
    """Limits and the supervisor only: no sandbox, the submission could read this user's files."""

    level = "limits"

    def wrap(self, command: Sequence[str], settings: Settings, scratch: Path) -> list[str]:
        """Return the command, which finds this very package wherever it lies, as in a kit's own folder."""
        del settings, scratch
        python, isolated, _is_module, module, *rest = command
        return [python, isolated, "-c", start_text(module), *rest]


def worker_environment(scratch: Path, wanted_threads: int) -> dict[str, str]:
    """Return the environment of a worker: of the grader's own, only the variables that help to find libraries."""
    passed = {name: os.environ[name] for name in _PASSED_ON.split() if name in os.environ}
    here = {name: str(scratch) for name in ("HOME", "TMPDIR", "NUMBA_CACHE_DIR")}
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), str(wanted_threads or 1))
    threads |= {"NUMBA_NUM_THREADS": str(wanted_threads)} if wanted_threads else {}
    here |= dict.fromkeys(("USER", "LOGNAME"), "student")  # the user id of the worker has no name on this machine
    here |= {"NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS": "0"}  # one file may turn these warnings into errors, for all files
    fixed = {"LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"}
    return passed | here | threads | fixed


class WorkerDied(Exception):  # noqa: N818 - an event; the client decides whose fault it is
    """The worker has ended; the text says how, and `limit` which limit it exceeded, such as `4 GiB of memory`."""

    def __init__(self, how: str, limit: str = "") -> None:
        super().__init__(how)
        self.limit = limit


def describe_ending(line: bytes, limits: Limits) -> WorkerDied:
    """Return the ending that `line` describes: a wait status, and perhaps the name of a limit."""
    words = line.decode("ascii", "replace").split()
    if not words or not words[0].isdigit():
        return WorkerDied("it closed its connection")
    if len(words) > 1 and (limit := _name_limit(words[1], limits)):
        return WorkerDied(f"it had more than {limit}", limit)
    status = int(words[0])
    number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status) - _SHELL_SIGNALS
    if number not in {known.value for known in signal.Signals}:
        return WorkerDied(f"it ended itself with exit code {os.WEXITSTATUS(status)}")
    if number == signal.SIGXCPU:
        limit = f"{limits.cpu_s} s of processor time"
        return WorkerDied(f"it had more than {limit}", limit)
    return WorkerDied(f"it was ended by {signal.Signals(number).name}")


def _name_limit(name: str, limits: Limits) -> str:
    """Return the limit that the supervisor calls `name` with its size, empty if there is none of that name."""
    return {
        "memory": f"{describe_size(limits.memory_bytes)} of memory",
        "scratch": f"{describe_size(limits.scratch_bytes)} of files",
        "output": f"{describe_size(limits.output_bytes)} of output",
        "tasks": f"{limits.most_tasks} processes",
    }.get(name, "")


def describe_size(size_bytes: int) -> str:
    """Return a size as people write it: `4 GiB`, `256 MiB`."""
    return f"{size_bytes / _GIB:g} GiB" if size_bytes >= _GIB else f"{size_bytes / _MIB:g} MiB"
