"""The parts of the file system that a worker may see: interpreter, libraries, and files of this project that it runs.

The checks, the rubric, hidden inputs, the reference and the tests are not listed, so workers do not see them. If they
are below a listed folder, as in a plain installation, they are hidden again. So are assignments in other folders.
"""

import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.assignment import assignment_folders, outside_folder

PACKAGE = Path(__file__).parents[1]
_OURS = ("worker", "cuda_cpu", "mpi", "sandbox", "slices")
_OUR_FILES = (
    *("__init__.py", "model.py", "errors.py", "intake/__init__.py", "intake/disk.py", "timing/__init__.py"),
    "timing/physics.py",
)
_SYSTEM = ("/usr", "/lib", "/lib64", "/lib32", "/bin", "/sbin", "/nix/store")
_SYSTEM_FILES = ("/etc/ld.so.cache", "/etc/alternatives", "/sys/devices/system/cpu")
_LIBRARIES = ("numpy", "numba", "llvmlite", "mpi4py", "msgspec", "pypdf", "pypdfium2", "pypdfium2_raw")
_OF_PREFIX = ("bin", "lib", "lib64", "pyvenv.cfg")
_GPU_DEVICES = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-modeset", "nvidia-caps", "dxg")
_MAX_GPUS = 16
_GPU_FOLDERS = ("CUDA_HOME", "CUDA_PATH", "LD_LIBRARY_PATH")


@dataclass(frozen=True, slots=True)
class View:
    """Paths of one machine, all absolute."""

    read: tuple[Path, ...]  # readable files and folders, upper folders first; these paths contain no links
    links: tuple[tuple[Path, Path], ...]
    """Links to parts of `read`, and their targets; they stay links, so that nothing is there twice."""
    hidden: tuple[Path, ...]  # folders that must not be seen, although folders in `read` contain them


@cache
def installed_view(cuda: tuple[Path, ...] = ()) -> View:
    """Return the paths that all workers of this installation need; `cuda` are the folders of a GPU's libraries."""
    system = [Path(name) for name in (*_SYSTEM, *_SYSTEM_FILES)]
    named = {path for path in (*system, *_interpreter(), *_library_folders(), *_own_files(), *cuda) if path.exists()}
    read = {path.resolve() for path in named}
    hidden = _hidden(read)
    needed = [path for path in read if not _is_covered(path, read, hidden)]
    linked = [path for path in named - read if not _is_covered(path, read, hidden)]
    links = [(path, path.resolve()) for path in linked if not any(other in path.parents for other in linked)]
    return View(tuple(sorted(needed, key=_depth)), tuple(sorted(links, key=lambda link: _depth(link[0]))), hidden)


def library_files() -> tuple[Path, ...]:
    """Return one file of each library, so that a trial can read them."""
    specs = [spec for name in _LIBRARIES if (spec := importlib.util.find_spec(name))]
    return tuple(Path(spec.origin) for spec in specs if spec.origin)


def gpu_devices() -> tuple[Path, ...]:
    """Return the device files that a CUDA driver may open; not all of them exist on this machine."""
    return tuple(Path("/dev", name) for name in (*_GPU_DEVICES, *(f"nvidia{number}" for number in range(_MAX_GPUS))))


def gpu_folders() -> tuple[Path, ...]:
    """Return folders of CUDA outside the system's libraries, from environment variables.

    A folder that contains this project, or the user's home, is ignored.
    """
    named = (folder for name in _GPU_FOLDERS for folder in os.environ.get(name, "").split(os.pathsep))
    folders = [Path(folder) for folder in dict.fromkeys(named) if folder.startswith("/")]
    private = (PACKAGE, *_home())
    return tuple(
        path for path in folders if path.is_dir() and not any(own.is_relative_to(path.resolve()) for own in private)
    )


def _home() -> tuple[Path, ...]:
    """Return the user's home; empty for a user id without a name, as in some containers."""
    try:
        return (Path.home().resolve(),)
    except RuntimeError:
        return ()


def carve(path: Path, hidden: tuple[Path, ...]) -> Iterator[tuple[Path, bool]]:
    """Split `path` into parts that contain nothing hidden.

    Yields:
        A path, and True if everything below it is included, False if only its list of names is.
    """
    inside = [folder for folder in hidden if folder.is_relative_to(path)]
    if not inside:
        yield path, True
    elif path not in hidden:
        yield path, False
        for child in path.iterdir():
            if not child.is_symlink():  # the link's target has its own path
                yield from carve(child, tuple(inside))


def _interpreter() -> Iterator[Path]:
    """Yield the virtual environment's folders and those of the interpreter that it uses."""
    if sys.prefix != sys.base_prefix:
        yield from (Path(sys.prefix, name) for name in _OF_PREFIX)
    yield from (Path(sys.base_prefix), Path(sys.base_exec_prefix))
    yield Path(sys.executable).resolve().parents[1]


def _library_folders() -> Iterator[Path]:
    """Yield the folders with the libraries of student code; they may be outside the interpreter's folders."""
    for name in _LIBRARIES:
        spec = importlib.util.find_spec(name)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            yield Path(folder).parent


def _own_files() -> Iterator[Path]:
    yield from (PACKAGE / name for name in _OURS)
    for name in _OUR_FILES:
        yield PACKAGE / name
        yield Path(importlib.util.cache_from_source(str(PACKAGE / name)))


def _depth(path: Path) -> tuple[int, Path]:
    return len(path.parts), path


def _is_covered(path: Path, read: set[Path], hidden: tuple[Path, ...]) -> bool:
    """Return whether another readable folder includes `path` already, with no hidden folder in between."""
    above = [folder for folder in path.parents if folder in read]
    cuts = [folder for folder in hidden if path.is_relative_to(folder)]
    return any(not any(cut.is_relative_to(folder) for cut in cuts) for folder in above)


def _hidden(read: set[Path]) -> tuple[Path, ...]:
    """Return the folders of this project, and of assignments elsewhere, that are inside a readable folder."""
    package = PACKAGE.resolve()
    installed = package.parent.name in {"site-packages", "dist-packages"}
    outside = outside_folder()
    elsewhere = [folder.resolve() for folder in assignment_folders(outside).values()] if outside else []
    ours = (*([] if installed else [package.parent]), package, *elsewhere)
    return tuple(folder for folder in ours if any(folder.is_relative_to(path) for path in read))
