"""The kit's settings for an assignment, from its `kit.toml`; the way in which a student calls the kit; the folder.

The environment variable CHECKED_BY is `make`, `colab`, or empty for a command line. Advice names the fitting command.
"""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from grader.assignment import Assignment, find_imports
from grader.errors import StaffError, UsageError
from grader.intake.datasets import HOW_TO_GET_MNIST
from grader.model import is_named

_RIGHT = "right.py"


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    judges: dict[str, tuple[str, ...]] = {}
    hidden: dict[str, str] = {}
    adds: tuple[str, ...] = ()
    needs: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class KitSettings:
    """The files that each check judges, and the files of the assignment that students do not get."""

    assignment: Assignment
    judges: Mapping[str, tuple[str, ...]] = field(repr=False)
    hidden: Mapping[str, str] = field(repr=False)
    adds: tuple[str, ...] = ()  # further files of the grader that students get, as patterns
    needs: Mapping[str, str] = field(default_factory=dict)
    """Further projects that the kit needs -> their import name; the name may be empty."""

    def files_of(self, check: str) -> tuple[str, ...]:
        """Return the files that `check` judges; all files if `kit.toml` names none for it."""
        return self.judges.get(check.split(".", 1)[0], self.assignment.files)

    def learns_from_data(self, check: str) -> bool:
        """Return whether `check` reads the data set, which takes a while to load."""
        return is_named(check, self.assignment.learns)


def load_settings(assignment: Assignment) -> KitSettings:
    """Return the kit's settings for `assignment`; without `kit.toml`, every check judges every file.

    `right.py`, with correct versions that replace wrong parts, is always hidden.

    Raises:
        StaffError: `kit.toml` has an unknown key or a wrong type, or says that a check judges a file not handed in.
    """
    path = assignment.folder / "kit.toml"
    hidden = {_RIGHT: "it is the homework, solved"} if (assignment.folder / _RIGHT).is_file() else {}
    try:
        document = msgspec.toml.decode(path.read_bytes() if path.is_file() else b"", type=_Document)
    except msgspec.MsgspecError as error:
        raise StaffError(f"{assignment.name}/kit.toml: {error}") from error
    if strange := sorted({name for files in document.judges.values() for name in files} - set(assignment.files)):
        raise StaffError(f"{assignment.name}/kit.toml names {strange[0]}, which is not handed in: see assignment.toml")
    return KitSettings(assignment, document.judges, document.hidden | hidden, document.adds, document.needs)


def with_imported(names: Sequence[str], contents: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return `names` and every other file of `contents` that they import, directly or not, in order of discovery."""
    files = list(dict.fromkeys(names))
    for name in files:  # the list grows during the loop
        imported = sorted({f"{module.partition('.')[0]}.py" for module in find_imports(contents.get(name, b""))})
        files += [other for other in imported if other in contents and other not in files]
    return tuple(files)


@dataclass(frozen=True, slots=True)
class Caller:
    """The texts for one way to call the kit."""

    alone: str  # the command that runs one check alone, without the check's id at its end
    get_mnist: str = HOW_TO_GET_MNIST  # a sentence about how to get MNIST; empty if that is impossible
    page: str = "The same with your code beside it: open {page} in a browser."
    """A sentence that says where the report is; `{page}` stands for its path."""


BY_STAFF = Caller("grader check --only ")


def find_caller(command: str) -> Caller:
    """Return the texts for this call; `command` is the kit's command on a command line."""
    by = os.environ.get("CHECKED_BY")
    if by == "make":
        return Caller("make check ONLY=")
    if by == "colab":
        return Caller("run Check with only = ", "", "Check shows the same with your code beside it.")
    return Caller(f"{command} --only ", f"For MNIST, run `{command} data` once, or add --data its-folder.")


UNIX_ONLY = (
    "checks need Linux or macOS, because your code runs in a process of its own that Windows cannot start this way: "
    "install WSL (`wsl --install`), open its terminal and type the same commands there; "
    "`zip` and `data` work here as well"
)


def can_check() -> bool:
    """Return whether checks can run on this system."""
    return sys.platform != "win32"


def expect_folder(folder: Path, assignment: Assignment) -> None:
    """Raise `UsageError` unless `folder` has a Python file of the assignment; name a subfolder that has one."""
    sources = [name for name in assignment.files if name.endswith(".py")]
    if not folder.exists():
        raise UsageError(f"there is no folder {folder}, nor a command (--help): name the one with {', '.join(sources)}")
    if folder.is_file():
        raise UsageError(f"{folder} is a file: name the folder that it is in")
    if any((folder / name).is_file() for name in sources):
        return
    inside = sorted(path.parent for path in folder.glob(f"*/{sources[0]}"))
    way = "move them here, out of {}" if (folder / f"{assignment.name}check.py").is_file() else "go there with `cd {}`"
    where = way.format(inside[0]) if inside else "go to the folder that you unzipped, or name it"
    raise UsageError(f"there is none of {', '.join(sources)} in {folder.resolve()}: {where}")


def print_lines(lines: Iterable[str]) -> None:
    """Print each line at once, also into a pipe or over ssh."""
    try:
        for line in lines:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
    except BrokenPipeError:  # the reader, such as `head`, has ended
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
