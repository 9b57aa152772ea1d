"""An assignment is a folder: rubric (data), checks (pytest tests), and what staff supply to the worker.

grader/assignments/<name>/
    assignment.toml   the files to hand in
    rubric.toml       title, points, thresholds, visibility, needs
    checks/           one test function per check
    staff/            modules that the worker may import beside the submission's
    baselines/        modules that times are compared with, for the staff's own worker; only where times give points
    kit.toml, kit/    what the students' kit leaves out, and what stands there instead; only where something is hidden
    comparisons.toml  what `grader bench` compares; only where the sheet asks for comparisons

Beside it, `reference/<name>/` holds the staff's solution and `student_template/<name>/` what students begin with.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.errors import StaffError, UsageError
from grader.model import Rubric
from grader.scoring.rubric import load_rubric

ASSIGNMENTS = Path(__file__).parent / "assignments"


@dataclass(frozen=True, slots=True)
class Assignment:
    """Where everything of one assignment is."""

    name: str
    folder: Path
    files: tuple[str, ...]
    rubric: Rubric
    graded: tuple[tuple[str, str], ...] = ()
    """Module and name of each graded function and kernel: slices are cut from them."""

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


class _Sheet(msgspec.Struct, forbid_unknown_fields=True):
    files: tuple[str, ...]
    graded: dict[str, tuple[str, ...]] = {}


def assignment_names(root: Path = ASSIGNMENTS) -> tuple[str, ...]:
    """Return the names of all assignments, sorted."""
    return tuple(sorted(file.parent.name for file in root.glob("*/assignment.toml")))


def load_assignment(name: str, rubric: Path | None = None, root: Path = ASSIGNMENTS) -> Assignment:
    """Return the assignment `name`, with the rubric file `rubric` instead of its own if given.

    Raises:
        UsageError: there is no assignment of that name, no file `rubric`, or it is another assignment's.
        StaffError: its sheet or rubric is wrong.
    """
    if name not in assignment_names(root):
        msg = f"there is no assignment {name!r}: choose one of {', '.join(assignment_names(root))}"
        raise UsageError(msg)
    if rubric is not None and not rubric.is_file():
        msg = f"there is no rubric at {rubric}: name a TOML file, or leave it out for the assignment's own"
        raise UsageError(msg)
    folder = root / name
    try:
        sheet = msgspec.toml.decode((folder / "assignment.toml").read_bytes(), type=_Sheet)
    except msgspec.MsgspecError as error:
        msg = f"{name}/assignment.toml: {error}"
        raise StaffError(msg) from error
    path = rubric or folder / "rubric.toml"
    rules = load_rubric(path)
    if rules.assignment != name:
        msg = f"{path} is the rubric of {rules.assignment}, not of {name}: name another, or correct its `assignment`"
        raise (StaffError if rubric is None else UsageError)(msg)
    graded = tuple((module, function) for module, functions in sheet.graded.items() for function in functions)
    return Assignment(name, folder, sheet.files, rules, graded)
