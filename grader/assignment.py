"""An assignment is a folder: rubric (data), checks (pytest tests), and modules of the staff for the worker.

<folder>/<name>/
    assignment.toml   the files to hand in, the graded functions and how each must work, and the checks that read the
                      data set
    rubric.toml       title, points, thresholds, visibility, needs
    checks/           one test function per check
    staff/            optional: modules that the worker can import in addition to the submission's
    right.py          correct versions of parts that other parts use; only if parts use each other
    baselines/        modules whose times are compared with the submission's; only the staff's own worker runs them
    kit.toml, kit/    optional: files that the students' kit leaves out, and their student editions
    comparisons.toml  optional: the comparisons of `grader bench`, if the sheet asks for some
    comparisons.py    the inputs and the right results of those comparisons
    reference/        the staff's solution; neither the worker nor a student sees it
    template/         the files with which students begin
    mistakes/         students' mistakes as changes of the reference, and what each costs; see `grader.trial.changes`

`<folder>` is `grader/assignments`, or the folder in the environment variable `ASSIGNMENTS`. For the former, the last
three are elsewhere in the project: in `reference/<name>/`, `student_template/<name>/` and
`tests/assignments/<name>/<module>/mistakes*.py`. `grader new` writes a small one, and docs/assignment.md explains it.
"""

import ast
import functools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from grader.errors import StaffError, UsageError
from grader.model import Observation, Rubric, is_named
from grader.scoring.rubric import expect_named, load_rubric

ASSIGNMENTS = Path(__file__).parent / "assignments"
OUTSIDE = "ASSIGNMENTS"  # the environment variable that names a folder with further assignments
DEFAULT = "hw1"  # the assignment that commands use if none is named
REFERENCE, TEMPLATE, MISTAKES = "reference", "template", "mistakes"
_SHEET = "assignment.toml"
WAYS = ("values", "python", "compiled", "gpu", "kernels")
"""How a graded function must work: in any way, by Python loops, as machine code, by its kernels; or it is a kernel."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """One assignment: its folder, files, rubric and graded functions."""

    name: str
    folder: Path
    files: tuple[str, ...]
    rubric: Rubric
    graded: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Module and name of each graded function and kernel -> one of `WAYS`; slices are cut from these functions."""
    learns: tuple[str, ...] = ()
    """Ids, or first words of ids, of the checks that read the data set; it is not loaded for other checks."""

    def reads_data(self, only: Sequence[str]) -> bool:
        """Return whether a check that `only` names reads the data set; if `only` is empty, whether any check does."""
        if not only:
            return bool(self.learns)
        return any(is_named(row.id, only) and is_named(row.id, self.learns) for row in self.rubric.criteria)

    @property
    def checks(self) -> Path:
        """The folder of pytest tests."""
        return self.folder / "checks"

    @property
    def staff(self) -> Path:
        """The folder of the staff's modules for the worker."""
        return self.folder / "staff"

    @property
    def baselines(self) -> Path:
        """The folder of modules whose times are compared with the submission's; submissions cannot see it."""
        return self.folder / "baselines"

    @property
    def template(self) -> Path:
        """The folder of the files with which students begin; it may not exist."""
        return Path("student_template", self.name) if self._is_built_in else self.folder / TEMPLATE

    @property
    def reference(self) -> Path:
        """The folder of the staff's solution; it may not exist."""
        return Path("reference", self.name) if self._is_built_in else self.folder / REFERENCE

    def mistakes(self) -> list[Path]:
        """Return the case books of declared mistakes, each in a folder named after the file that is changed."""
        if self._is_built_in:
            return sorted(Path("tests/assignments", self.name).glob(f"*/{MISTAKES}*.py"))
        return sorted((self.folder / MISTAKES).glob("*/*.py"))

    @property
    def _is_built_in(self) -> bool:
        return self.folder.parent == ASSIGNMENTS

    def own_files(self) -> Iterator[Path]:
        """Yield all files that belong to the grading: not the solution, template and mistakes in the same folder."""
        beside = [self.folder / name for name in (REFERENCE, TEMPLATE, MISTAKES)]
        for path in self.folder.rglob("*"):
            if path.is_file() and not any(path.is_relative_to(folder) for folder in beside):
                yield path


class _Sheet(msgspec.Struct, forbid_unknown_fields=True):
    files: tuple[str, ...]
    graded: dict[str, dict[Literal[WAYS], tuple[str, ...]]] = {}  # type: ignore[valid-type] # one list of words is enough
    learns: tuple[str, ...] = ()


def assignment_folders(root: Path | None = None) -> dict[str, Path]:
    """Return name -> folder of all assignments: of this package, and of the folder that `ASSIGNMENTS` names.

    Args:
        root: If given, only the assignments of this folder are returned.

    Raises:
        UsageError: `ASSIGNMENTS` names no folder, or its folder has an assignment with a name from this package.
    """
    if root is not None:
        return _folders(root)
    own, outside = _folders(ASSIGNMENTS), _folders(folder) if (folder := outside_folder()) else {}
    if twice := sorted({*own} & {*outside}):
        raise UsageError(
            f"there are two assignments {twice[0]!r}, {own[twice[0]]} and {outside[twice[0]]}: rename the second"
        )
    return {**own, **outside}


def outside_folder() -> Path | None:
    """Return the folder that the environment variable `ASSIGNMENTS` names, absolute; None if it is unset or empty.

    Raises:
        UsageError: there is no such folder.
    """
    named = os.environ.get(OUTSIDE, "")
    if not named:
        return None
    if not Path(named).is_dir():
        raise UsageError(f"{OUTSIDE}={named} names no folder: name the folder that your assignments' folders are in")
    return Path(named).resolve()


def _folders(root: Path) -> dict[str, Path]:
    return {file.parent.name: file.parent for file in sorted(root.glob(f"*/{_SHEET}"))}


def load_assignment(name: str, rubric: Path | None = None, root: Path | None = None) -> Assignment:
    """Return the assignment `name`; if `rubric` is given, with this rubric file instead of its own.

    Args:
        name: One of `assignment_folders`.
        rubric: A TOML file.
        root: Look in this folder only.

    Raises:
        UsageError: there is no such assignment or no file `rubric`, or that file is wrong or of another assignment.
        StaffError: the assignment's `assignment.toml` or own rubric is wrong.
    """
    folders = assignment_folders(root)
    if name not in folders:
        known = ", ".join(sorted(folders))
        msg = f"there is no assignment {name!r}: choose one of {known}, or name its folder's folder with {OUTSIDE}=DIR"
        raise UsageError(msg)
    if rubric is not None and not rubric.is_file():
        raise UsageError(f"there is no rubric at {rubric}: name a TOML file, or leave it out for the assignment's own")
    folder = folders[name]
    sheet = _read_sheet(folder / _SHEET)
    path = rubric or folder / "rubric.toml"
    rules = _read_rubric(path, is_users=rubric is not None)
    if rules.assignment != name:
        msg = f"{path} is the rubric of {rules.assignment}, not of {name}: name another, or correct its `assignment`"
        raise (StaffError if rubric is None else UsageError)(msg)
    if rubric is not None:
        expect_named((row.id for row in rules.criteria if not row.marked_by), load_rubric(folder / "rubric.toml"))
    graded = {
        (module, function): way
        for module, ways in sheet.graded.items()
        for way, functions in ways.items()
        for function in functions
    }
    odd = [word for word in sheet.learns if not any(is_named(row.id, (word,)) for row in rules.criteria)]
    if odd and rubric is None:
        raise StaffError(f"{name}/{_SHEET} says that {odd[0]} learns, which is no check: see rubric.toml")
    return Assignment(name, folder, sheet.files, rules, graded, sheet.learns)


def has_learned(learns: tuple[str, ...], observations: Iterable[Observation]) -> bool:
    """Return whether a check that reads the data set has recorded any facts."""
    return any(is_named(seen.check, learns) and seen.facts for seen in observations)


def _read_rubric(path: Path, *, is_users: bool) -> Rubric:
    """Return the rubric in a file; if a user named the file, an error in it is a `UsageError`, not a `StaffError`."""
    try:
        return load_rubric(path)
    except StaffError as error:
        if is_users:
            raise UsageError(str(error)) from error
        raise


def _read_sheet(path: Path) -> _Sheet:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_Sheet)
    except msgspec.MsgspecError as error:
        how = f"; [graded.<module>] has lists called {', '.join(WAYS)}" if "graded" in str(error) else ""
        raise StaffError(f"{path.parent.name}/{path.name}: {error}{how}") from error


@functools.lru_cache(maxsize=1000)  # each handout asks for all our modules, and parsing them takes half a second
def find_imports(source: bytes) -> frozenset[str]:
    """Return the names that a Python file may import: for `from a import b` both `a` and `a.b`; empty if not Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return frozenset()
    names: set[str] = set()
    tests = [node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for_types = {below for test in tests for statement in test.body for below in ast.walk(statement)}
    for node in {*ast.walk(tree)} - for_types:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(names)
