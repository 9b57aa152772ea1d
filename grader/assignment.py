"""An assignment is a folder: rubric (data), checks (pytest tests), and what staff supply to the worker.

<folder>/<name>/
    assignment.toml   the files to hand in, the functions that are graded and how each has to work, and which checks
                      read the data set
    rubric.toml       title, points, thresholds, visibility, needs
    checks/           one test function per check
    staff/            modules that the worker may import beside the submission's; only where it needs some
    right.py          right versions of parts that others use; only where parts use each other
    baselines/        modules that times are compared with, for the staff's own worker; only where times are compared
    kit.toml, kit/    what the students' kit leaves out, and what stands there instead; only where something is hidden
    comparisons.toml  what `grader bench` compares; only where the sheet asks for comparisons
    comparisons.py    the inputs of those comparisons, and what is right
    reference/        the staff's solution; neither the worker nor a student sees it
    template/         what students begin with
    mistakes/         changes of the reference that students make, and what each costs; see `grader.trial.changes`

`<folder>` is `grader/assignments`, or the one that the environment variable `ASSIGNMENTS` names. In the former, the
last three lie elsewhere in the project: in `reference/<name>/`, `student_template/<name>/` and
`tests/assignments/<name>/<module>/mistakes*.py`. `grader new` writes a small one, docs/assignment.md leads through it.
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
from grader.scoring.rubric import load_rubric

ASSIGNMENTS = Path(__file__).parent / "assignments"
OUTSIDE = "ASSIGNMENTS"
"""The environment variable that names a folder with further assignments."""
DEFAULT = "hw1"
"""The assignment that commands mean when nobody names one."""
REFERENCE, TEMPLATE, MISTAKES = "reference", "template", "mistakes"
_SHEET = "assignment.toml"
WAYS = ("values", "python", "compiled", "gpu", "kernels")
"""How a graded function has to work: in any way, by loops in Python, as machine code, by its kernels; or it is one."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """Where everything of one assignment is."""

    name: str
    folder: Path
    files: tuple[str, ...]
    rubric: Rubric
    graded: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Module and name of each graded function and kernel, of which slices are cut -> one of `WAYS`."""
    learns: tuple[str, ...] = ()
    """Ids, or first words of ids, of the checks that read the data set; nobody loads one for the others."""

    def reads_data(self, only: Sequence[str]) -> bool:
        """Return whether a check reads the data set: one of those that `only` names, or any if it is empty."""
        if not only:
            return bool(self.learns)
        return any(is_named(row.id, only) and is_named(row.id, self.learns) for row in self.rubric.criteria)

    @property
    def checks(self) -> Path:
        """The folder of pytest tests."""
        return self.folder / "checks"

    @property
    def staff(self) -> Path:
        """The folder of modules that staff supply to the worker."""
        return self.folder / "staff"

    @property
    def baselines(self) -> Path:
        """The folder of modules that times are compared with; no submission sees it."""
        return self.folder / "baselines"

    @property
    def template(self) -> Path:
        """The folder of the files that students begin with; perhaps there is none."""
        return Path("student_template", self.name) if self._is_built_in else self.folder / TEMPLATE

    @property
    def reference(self) -> Path:
        """The folder of the staff's solution; perhaps there is none."""
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
        """Yield all files that belong to the grading: not solution, template and mistakes, which may lie beside."""
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
        root: Only the assignments of this folder.

    Raises:
        UsageError: `ASSIGNMENTS` names no folder, or an assignment with the name of one of this package.
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
    """Return the assignment `name`, with the rubric file `rubric` instead of its own if given.

    Args:
        name: One of `assignment_folders`.
        rubric: A TOML file.
        root: Look in this folder only.

    Raises:
        UsageError: there is no assignment of that name, no file `rubric`, or it is wrong or another assignment's.
        StaffError: its sheet or its own rubric is wrong.
    """
    folders = assignment_folders(root)
    if name not in folders:
        known = ", ".join(sorted(folders))
        msg = f"there is no assignment {name!r}: choose one of {known}, or name its folder's folder with {OUTSIDE}=DIR"
        raise UsageError(msg)
    if rubric is not None and not rubric.is_file():
        msg = f"there is no rubric at {rubric}: name a TOML file, or leave it out for the assignment's own"
        raise UsageError(msg)
    folder = folders[name]
    sheet = _read_sheet(folder / _SHEET)
    path = rubric or folder / "rubric.toml"
    rules = _read_rubric(path, is_users=rubric is not None)
    if rules.assignment != name:
        msg = f"{path} is the rubric of {rules.assignment}, not of {name}: name another, or correct its `assignment`"
        raise (StaffError if rubric is None else UsageError)(msg)
    graded = {
        (module, function): way
        for module, ways in sheet.graded.items()
        for way, functions in ways.items()
        for function in functions
    }
    if rubric is None:
        _expect_checks(sheet.learns, rules)
    return Assignment(name, folder, sheet.files, rules, graded, sheet.learns)


def has_learned(learns: tuple[str, ...], observations: Iterable[Observation]) -> bool:
    """Return whether a check that reads the data set came so far as to observe anything with it."""
    return any(is_named(seen.check, learns) and seen.facts for seen in observations)


def _read_rubric(path: Path, *, is_users: bool) -> Rubric:
    """Return the rubric in a file; what is wrong with one that a user names is wrong usage, and no fault of ours."""
    try:
        return load_rubric(path)
    except StaffError as error:
        if is_users:
            raise UsageError(str(error)) from error
        raise


def _expect_checks(words: tuple[str, ...], rules: Rubric) -> None:
    for word in words:
        if not any(is_named(row.id, (word,)) for row in rules.criteria):
            raise StaffError(f"{rules.assignment}/{_SHEET} says that {word} learns, which is no check: see rubric.toml")


def _read_sheet(path: Path) -> _Sheet:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=_Sheet)
    except msgspec.MsgspecError as error:
        how = f"; [graded.<module>] has lists called {', '.join(WAYS)}" if "graded" in str(error) else ""
        raise StaffError(f"{path.parent.name}/{path.name}: {error}{how}") from error


@functools.lru_cache(maxsize=1000)  # each handout asks of all our modules, and to read them takes half a second
def find_imports(source: bytes) -> frozenset[str]:
    """Return what a Python file may import: of `from a import b`, both `a` and `a.b`; nothing if it is no Python."""
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
