"""What the kit knows of an assignment beyond its rubric: the file `kit.toml` beside it."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from grader.assignment import Assignment
from grader.errors import StaffError
from grader.model import is_named

_RIGHT = "right.py"


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    judges: dict[str, tuple[str, ...]]
    hidden: dict[str, str] = {}
    adds: tuple[str, ...] = ()
    needs: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class KitSettings:
    """Which files each check judges, and which files of the assignment stay with the staff."""

    assignment: Assignment
    judges: Mapping[str, tuple[str, ...]] = field(repr=False)
    hidden: Mapping[str, str] = field(repr=False)
    adds: tuple[str, ...] = ()
    """Further files of the grader that students get, as patterns."""
    needs: Mapping[str, str] = field(default_factory=dict)
    """Further projects that the kit needs -> the names by which they are imported, empty for none."""

    def files_of(self, check: str) -> tuple[str, ...]:
        """Return the files that `check` judges; all of them where `kit.toml` names none."""
        return self.judges.get(check.split(".", 1)[0], self.assignment.files)

    def learns_from_data(self, check: str) -> bool:
        """Return whether `check` reads the data set, which takes a while to load."""
        return is_named(check, self.assignment.learns)


def load_settings(assignment: Assignment) -> KitSettings:
    """Return the kit's settings for `assignment`; without a file, every check judges every file.

    What stands in for wrong parts, `right.py`, is hidden whatever the file says.

    Raises:
        StaffError: the file has an unknown key or a wrong type, or names a file or check that there is not.
    """
    path = assignment.folder / "kit.toml"
    hidden = {_RIGHT: "it is the homework, solved"} if (assignment.folder / _RIGHT).is_file() else {}
    if not path.is_file():
        return KitSettings(assignment, {}, hidden)
    try:
        document = msgspec.toml.decode(path.read_bytes(), type=_Document)
    except msgspec.MsgspecError as error:
        raise StaffError(f"{assignment.name}/kit.toml: {error}") from error
    named = {name for files in document.judges.values() for name in files}
    if strange := sorted(named - set(assignment.files)):
        raise StaffError(f"{assignment.name}/kit.toml names {strange[0]}, which is not handed in: see assignment.toml")
    return KitSettings(assignment, document.judges, document.hidden | hidden, document.adds, document.needs)


def with_imported(names: Sequence[str], contents: Mapping[str, bytes]) -> tuple[str, ...]:
    """Return `names` and every other file of `contents` that they import, directly or not, in order of discovery."""
    found = list(dict.fromkeys(names))
    for name in found:  # grows while it is walked
        found += [other for other in _imported(contents.get(name, b"")) if other in contents and other not in found]
    return tuple(found)


def _imported(source: bytes) -> list[str]:
    """Return the file names of the modules that a Python file imports."""
    return sorted({f"{name.partition('.')[0]}.py" for name in find_imports(source)})


def find_imports(source: bytes) -> set[str]:
    """Return what a Python file may import: of `from a import b`, both `a` and `a.b`; nothing if it is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names
