"""`grader doctor`: lists what this machine has for grading, what it lacks, and the command that would help."""

import json
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from grader.assignment import assignment_folders, load_assignment
from grader.errors import StaffError, UsageError, install_command
from grader.intake.datasets import HOW_TO_GET_MNIST, load_dataset
from grader.machine import ask_gpu, describe_versions, has_gpu_driver, run_program
from grader.sandbox import advice, bubblewrap, gpudriver, landlock, levels, seccomp
from grader.timing.verdict import EASILY_REACHABLE, REACHABLE

_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
_BASELINE_LIMIT_S = 60
_PAGE = "docs/gpu.md"


class State(StrEnum):
    """The state of one item."""

    OK = "ok"
    ABSENT = "absent"  # not here; grading works without it and says so
    NEEDED = "MISSING"  # not here, but grading needs it


@dataclass(frozen=True, slots=True)
class Item:
    """One item of the examination."""

    name: str
    state: State
    description: str  # what was found, or what its absence means for grading
    help: str = ""  # the command or step that would help


def examine(data: Path | None) -> tuple[Item, ...]:
    """Examine everything that grading can use on this machine; `data` is the folder of MNIST, None for the digits."""
    device = _examine_device()
    return (
        _examine_python(),
        _examine_numba(),
        _examine_driver(),
        device,
        *(_examine_baselines() if device.state is State.OK else ()),
        *_examine_sandbox("gpu" if device.state is State.OK else "cpu"),
        _examine_data(data),
        _examine_browser(),
        _examine_slurm(),
    )


def examine_package(data: Path | None, *, learns: bool) -> tuple[Item, ...]:
    """Examine what grading one upload uses in a platform's container, where neither Slurm nor a browser is needed.

    `data` is the package's folder of MNIST, None if it has none; `learns` says whether a check reads a data set.
    """
    device = _examine_device()
    return (
        _examine_python(),
        _examine_numba(),
        replace(_examine_driver(), help=""),
        replace(device, help=""),
        *_examine_sandbox("gpu" if device.state is State.OK else "cpu"),
        *([_examine_packed(data)] if learns else []),
    )


def is_able(items: tuple[Item, ...]) -> bool:
    """Return whether everything that grading needs is here."""
    return not any(item.state is State.NEEDED for item in items)


def render(items: tuple[Item, ...]) -> str:
    """Return the items as lines of plain text, each with its help below."""
    width = max(len(item.name) for item in items)
    lines = []
    for item in items:
        lines.append(f"{item.state:8} {item.name:{width}}  {item.description}")
        if item.help:
            lines.append(f"{'':8} {'':{width}}  -> {item.help}")
    return "\n".join([*lines, ""])


def _examine_python() -> Item:
    return Item("Python", State.OK, platform.python_version())  # an older one cannot even import this file


def _examine_numba() -> Item:
    versions = describe_versions()
    if "numba" not in versions:
        return Item("numba", State.NEEDED, "not installed", "make setup")
    driver = f", numba-cuda {versions['numba-cuda']}" if "numba-cuda" in versions else ""
    return Item("numba", State.OK, versions["numba"] + driver)


def _examine_driver() -> Item:
    """Examine the driver and its packages, in another process, because a loaded driver cannot be unloaded."""
    program = "import json; from grader.sandbox import gpudriver; print(json.dumps(gpudriver.find_driver()))"
    version, capability = json.loads((_ask(sys.executable, "-I", "-c", program) or ["[0, null]"])[-1])
    driver = gpudriver.Driver(version, tuple(capability) if capability else None)
    extra, description = driver.extra, str(driver)
    if not version:
        return Item("CUDA driver", State.ABSENT, description, "inside Slurm, ask for a GPU with `srun --gres=gpu:1`")
    if not extra:
        return Item("CUDA driver", State.ABSENT, description, "ask the server's administrator")
    if "numba-cuda" not in describe_versions():
        lack = f"{description.partition(':')[0]}; numba-cuda is not installed"
        return Item("CUDA driver", State.ABSENT, lack, install_command(extra))
    return Item("CUDA driver", State.OK, description)


def _examine_device() -> Item:
    """Run a kernel; a missing GPU is only absent, because kernels can run on the CPU."""
    gpu, problem = ask_gpu() if has_gpu_driver() else ({}, "")
    if gpu:
        return Item("GPU", State.OK, f"{gpu['name']}, {gpu['uuid']}: a kernel ran")
    why = f"no kernel runs ({problem})" if problem else "none"
    help_ = "check `nvidia-smi`; inside Slurm, ask for a GPU with `srun --gres=gpu:1`"
    if "CCSupportError" in why:  # this release of CUDA does not compile for so old a GPU
        help_ = install_command(gpudriver.FOR_OLD_CARDS)
    return Item("GPU", State.ABSENT, f"{why}: kernels run on the CPU, speed is not measured", help_)


def _examine_baselines() -> Iterator[Item]:
    """Run the baselines of timed checks as programs, and yield an item for the last line of each."""
    for name, folder in assignment_folders().items():
        timed = [row for row in load_assignment(name).rubric.criteria if row.threshold and row.threshold.timed]
        for program in sorted(folder.glob("baselines/*.py")) if timed else ():
            lines = _ask(sys.executable, "-I", "-W", "ignore", str(program), limit_s=_BASELINE_LIMIT_S)
            key, _, answer = (lines or [""])[-1].partition(": ")
            if key == "reach" and timed[0].threshold is not None:
                yield compare_reach(timed[0].id, float(answer), timed[0].threshold.bound)
            elif key:
                works = answer.startswith("ran")
                yield Item(key, State.OK if works else State.ABSENT, answer, "" if works else f"see {_PAGE}: {key}")


def compare_reach(check: str, reach: float, bound: float) -> Item:
    """Return an item that says whether this GPU copies fast enough for `check`, which asks for the speed-up `bound`."""
    description = f"plain copies alone allow {reach:.3g}, needed {bound:g}"
    if reach >= EASILY_REACHABLE * bound:
        return Item(check, State.OK, description)
    follows = "points of who misses it stay undecided" if reach < REACHABLE * bound else "right code may miss it"
    help_ = f"grade on a server that allows {EASILY_REACHABLE * bound:g}"
    return Item(check, State.ABSENT, f"{description}: {follows}", help_)


def _examine_sandbox(device: str) -> Iterator[Item]:
    """Yield the parts of the sandbox, then its levels; each level is tried, with a kernel if there is a GPU."""
    bwrap = bubblewrap.find_bubblewrap()
    if bwrap is None:
        yield Item("bubblewrap", State.ABSENT, "not installed", "apt install bubblewrap")
    else:
        yield Item("bubblewrap", State.OK, f"{bwrap.path}, {_ask_version(bwrap.path)}")
    abi = landlock.find_abi()
    yield Item("Landlock", State.OK if abi else State.ABSENT, f"ABI {abi}" if abi else advice.NO_LANDLOCK)
    yield Item("seccomp", State.OK if seccomp.is_supported() else State.ABSENT, platform.machine())
    trials = {level: levels.try_level(level, device) for level in (levels.FULL, levels.LANDLOCK)}
    refusal = advice.find_switch() if trials[levels.FULL].problem else ""
    yield Item("user namespaces", State.ABSENT if refusal else State.OK, refusal or "no setting forbids them")
    none_works = all(trial.problem for trial in trials.values())
    works = "tried with a kernel on the GPU, works" if device == "gpu" else "tried, works"
    for level, trial in trials.items():
        state = State.OK if not trial.problem else State.NEEDED if none_works else State.ABSENT
        yield Item(f"sandbox level {level}", state, trial.problem or works)


def _examine_data(folder: Path | None) -> Item:
    try:
        data = load_dataset(folder)
    except (StaffError, UsageError) as error:
        return Item("data", State.NEEDED, str(error), "make data")
    if data.note:
        where = f" in {folder}" if folder else ""
        return Item("data", State.ABSENT, f"no MNIST{where}: the embedded {data.name} are used", HOW_TO_GET_MNIST)
    return Item("data", State.OK, f"{data.name} in {folder}")


def _examine_packed(folder: Path | None) -> Item:
    if folder is None:
        description = "no MNIST in the package: scikit-learn's digits are used"
        return Item("data", State.ABSENT, description, "make the package again with DATA=folder")
    return _examine_data(folder)


def _examine_browser() -> Item:
    path = next(filter(None, map(shutil.which, _BROWSERS)), None)
    if path:
        return Item("chromium", State.OK, path)
    return Item("chromium", State.ABSENT, "only `make screenshots` needs it", "apt install chromium")


def _examine_slurm() -> Item:
    path = shutil.which("sbatch")
    if path is None:
        return Item("Slurm", State.ABSENT, "batches run on this machine only")
    partitions = _ask("sinfo", "--noheader", "--format=%P %G")
    if partitions is None:
        return Item("Slurm", State.ABSENT, f"{path}, but its controller does not answer", "look at `scontrol ping`")
    description = f"{path}, {_ask_version(path)}; partitions and GPUs: {', '.join(partitions[:5])}"
    if any("gpu" in line for line in partitions):
        return Item("Slurm", State.OK, description)
    return Item(
        "Slurm", State.OK, description, "no partition offers a GPU: use `--slurm gres=`, speed is not measured then"
    )


def _ask_version(program: str) -> str:
    lines = _ask(program, "--version")
    return "which does not answer" if lines is None else lines[0] if lines else ""


def _ask(*command: str, limit_s: float = 10) -> list[str] | None:
    """Return what a program writes, line by line; None if it fails or hangs."""
    said, problem = run_program(command, limit_s)
    return None if problem else [line[:200] for line in said.splitlines()]
