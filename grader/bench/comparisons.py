"""What is compared: `comparisons.toml` of an assignment, and the kinds of work in `comparisons.py` that it names."""

import runpy
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.assignment import Assignment
from grader.authoring import Work
from grader.errors import StaffError, UsageError

FILE = "comparisons.toml"
_MOST_CALLS = 1000


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to do the work: a function of the submission, or one that staff supply."""

    name: str
    function: str
    """`module.function`."""
    calls: int = 20
    staff: bool = False
    kernels: bool = False
    """Whether it launches CUDA kernels: without a GPU its times are no GPU times."""
    one_block: bool = False
    """Whether one block does it all, so that one multiprocessor's peak is its limit."""
    measured: tuple[int, int] | None = None
    """The shape of its inputs, if not the comparison's: its times are scaled by the number of operations."""

    phases: bool = False
    """Whether it takes its own time: it returns its `value` and `seconds`, `whole` and of phases, which are shown."""

    @property
    def module(self) -> str:
        """The module's part of `function`."""
        return self.function.rpartition(".")[0]

    @property
    def called(self) -> str:
        """The function's own name."""
        return self.function.rpartition(".")[2]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Several ways to do the same work; the first is what the others are compared with."""

    id: str
    title: str
    work: Work
    shape: tuple[int, int]
    rows: tuple[Row, ...]


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    title: str
    work: str
    shape: tuple[int, int]
    row: tuple[Row, ...]


class _Sheet(msgspec.Struct, forbid_unknown_fields=True):
    comparison: tuple[_Entry, ...]


def load_comparisons(assignment: Assignment, only: str = "") -> tuple[Comparison, ...]:
    """Return the assignment's comparisons, or the one whose id is `only`.

    Raises:
        UsageError: the assignment compares nothing, or nothing of that id.
        StaffError: its file is wrong.
    """
    path = assignment.folder / FILE
    if not path.is_file():
        raise UsageError(f"assignment {assignment.name} compares nothing: it has no {FILE}")
    comparisons = read_comparisons(path)
    kept = tuple(comparison for comparison in comparisons if only in {"", comparison.id})
    if not kept:
        raise UsageError(f"there is no comparison {only!r}: choose one of {', '.join(row.id for row in comparisons)}")
    return kept


def read_comparisons(path: Path) -> tuple[Comparison, ...]:
    """Return what the TOML file at `path` describes, with the work of the Python file of the same name beside it.

    Raises:
        StaffError: one of the two files is wrong; the sentence says what.
    """
    try:
        sheet = msgspec.toml.decode(path.read_bytes(), type=_Sheet)
    except msgspec.MsgspecError as error:
        raise StaffError(f"{path.parent.name}/{path.name}: {error}") from error
    works = read_works(path.with_suffix(".py"))
    comparisons = []
    for entry in sheet.comparison:
        if entry.work not in works:
            known = ", ".join(works) or f"a variable of {path.stem}.py that is a Work; there is none"
            raise StaffError(f"{path.name}: comparison {entry.id} has the work {entry.work!r}: use {known}")
        if wrong := [row.name for row in entry.row if not 1 <= row.calls <= _MOST_CALLS or not row.module]:
            needed = f"1 to {_MOST_CALLS} calls of a `module.function`"
            raise StaffError(f"{path.name}: {entry.id}: {wrong[0]} needs {needed}")
        comparisons.append(Comparison(entry.id, entry.title, works[entry.work], entry.shape, entry.row))
    return tuple(comparisons)


def read_works(path: Path) -> dict[str, Work]:
    """Return name -> work of all variables in the Python file at `path` that are one; `StaffError` if it fails."""
    try:
        variables = runpy.run_path(str(path))
    except Exception as error:
        raise StaffError(
            f"{path.parent.name}/{path.name} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    return {name: work for name, work in variables.items() if isinstance(work, Work)}
