"""A CUDA driver for machines without a GPU: it poses as one, executes the PTX of any kernel, and fails when told to.

`source/` holds it, in C. What comes of building it is a folder with `libcuda.so.1`, which `LD_LIBRARY_PATH` names, and
a file that says what machine to pose as; see `source/machine.c`. Three installations of Numba use it: Numba's own CUDA
target, and numba-cuda for CUDA 12 and for CUDA 13, each in an environment of its own (`make gpu-environments`).
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from subprocesses import ended

ROOT = Path(__file__).parents[2]
SOURCE = Path(__file__).with_name("source")
LINKERS = {
    "libnvJitLink.so.12": "nvidia/nvjitlink/lib/libnvJitLink.so.12",
    "libnvJitLink.so.13": "nvidia/cu13/lib/libnvJitLink.so.13",
}
"""What takes the place of numba-cuda's linker -> the real one, below site-packages."""
_OPTIONS = ("-fPIC", "-shared", "-fvisibility=hidden", "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off")


@dataclass(frozen=True)
class Machine:
    """What to pose as: the driver's number and version, and the cards, as `machine.conf` has them."""

    driver: int
    version: str
    cards: tuple[str, ...]

    def text(self, failures: Iterable[str] = (), **settings: bool) -> str:
        lines = [f"driver {self.driver} {self.version}", *(f"card {card}" for card in self.cards)]
        lines += [f"{name} {int(value)}" for name, value in settings.items()]
        return "\n".join([*lines, *(f"fail {failure}" for failure in failures), ""])


_UUID = "uuid=GPU-{0}{0}{0}{0}{0}{0}{0}{0}-1111-2222-3333-444444444444"
_TURING = "name=NVIDIA_GeForce_RTX_2080_Ti cc=7.5 sms=68 memory_mb=11264"
_BUSY = f"{_TURING} {_UUID.format(3)} busy_mb=11000 utilisation=97"
_MIG = f"name=NVIDIA_H200_MIG_1g.18gb cc=9.0 sms=16 memory_mb=16384 mig=1 {_UUID.format(5).replace('GPU', 'MIG')}"
MACHINES = {
    "2080 Ti": Machine(12020, "535.183.01", (f"{_TURING} {_UUID.format(1)}",)),
    "H200": Machine(13000, "580.95.05", (f"name=NVIDIA_H200 cc=9.0 sms=132 memory_mb=143771 {_UUID.format(2)}",)),
    "two cards, one busy": Machine(12020, "535.183.01", (_BUSY, f"{_TURING} {_UUID.format(4)}")),
    "MIG": Machine(13000, "580.95.05", (_MIG,)),
}


class CannotBuildError(Exception):
    """There is no compiler, or it failed; the text says why."""


@cache
def built() -> Path:
    """Return the folder with the libraries, which are compiled when their source has changed.

    Raises:
        CannotBuildError: this machine cannot compile them.
    """
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        raise CannotBuildError("no C compiler: apt install gcc libc6-dev")
    sources = sorted(SOURCE.glob("*.[ch]"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in (*sources, Path(__file__)))).hexdigest()[:16]
    folder = Path(tempfile.gettempdir(), f"stand-in-driver-{os.getuid()}-{digest}")
    if not folder.exists():
        made = Path(tempfile.mkdtemp(prefix="stand-in-driver-"))
        made.chmod(0o755)
        _compile(compiler, made, [path for path in sources if path.suffix == ".c" and path.stem != "nvjitlink"])
        try:
            made.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(made)
    return folder


def _compile(compiler: str, folder: Path, sources: list[Path]) -> None:
    ends = ("-lm", "-lpthread", "-ldl")
    named = ("-Wl,-soname,libcuda.so.1", "-o", folder / "libcuda.so.1")
    _run(compiler, "-O3", "-march=native", *_OPTIONS, *named, *sources, *ends)
    for name, real in LINKERS.items():
        named = (f'-DWHERE="{real}"', f"-Wl,-soname,{name}", "-o", folder / name)
        _run(compiler, "-O1", "-fPIC", "-shared", *named, SOURCE / "nvjitlink.c", *ends)


def _run(*command: str | Path) -> None:
    done = ended(command)
    if done.returncode:
        raise CannotBuildError(done.stderr[-2000:])


def pose(folder: Path, machine: Machine, failures: Iterable[str] = (), **settings: bool) -> Path:
    """Put a driver that poses as `machine` into `folder`, and return it.

    Args:
        folder: Becomes the folder for `LD_LIBRARY_PATH`.
        machine: What to pose as.
        failures: Such as `cuMemAlloc 2 3`: the third call of a process fails with code 2.
        settings: `exact`: any access beyond an array is an error, not only one beyond its pages. `zeroed`: new memory
            holds zeros, not what was freed there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for library in built().iterdir():
        if not (folder / library.name).exists():
            shutil.copy(library, folder)
    (folder / "machine.conf").write_text(machine.text(failures, **settings))
    return folder


@dataclass(frozen=True)
class Installation:
    """A Python with one of the CUDA targets of Numba."""

    name: str
    python: Path
    toolkit: str = ""
    """The folder of a CUDA toolkit, which only Numba's own target needs."""
    oldest_driver: int = 0
    """The number of the oldest driver that runs what it makes."""

    @property
    def suited(self) -> str:
        """The name of a machine whose driver is new enough."""
        return "H200" if self.oldest_driver >= 13000 else "2080 Ti"

    def environment(self, driver: Path, **more: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR", "LANG") if name in os.environ}
        toolkit = {"CUDA_HOME": self.toolkit} if self.toolkit else {}
        return kept | toolkit | {"LD_LIBRARY_PATH": str(driver), "PYTHONPATH": str(ROOT)} | more

    def run(self, driver: Path, *arguments: str, limit_s: float = 300, **more: str) -> subprocess.CompletedProcess[str]:
        command = [self.python, "-W", "ignore", *arguments]
        return ended(command, env=self.environment(driver, **more), cwd=ROOT, timeout=limit_s)


def installations() -> dict[str, Installation]:
    found = {}
    toolkit = _find_toolkit()
    if toolkit and not any(Path(entry, "numba_cuda").exists() for entry in sys.path):
        found["numba"] = Installation("numba", Path(sys.executable), str(toolkit), 13000)
    for name, oldest in (("gpu12", 12000), ("gpu13", 13000)):
        python = ROOT / f".venv-{name}" / "bin" / "python"
        if python.exists():
            found[name] = Installation(name, python, "", oldest)
    return found


def _find_toolkit() -> Path | None:
    named = (os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda")
    folders = [Path(name) for name in named if name]
    return next((folder for folder in folders if any(folder.glob("nvvm/**/libdevice*.bc"))), None)
