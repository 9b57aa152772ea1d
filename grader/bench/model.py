"""The comparisons and their results: one timing per comparison, row and number of cores.

An assignment's `comparisons.toml` lists the comparisons, and its `comparisons.py` has the kinds of work that they name.
"""

import runpy
import statistics
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from grader.assignment import Assignment
from grader.authoring import Work
from grader.errors import StaffError, UsageError
from grader.timing.models import fit_serial_fraction

FILE = "comparisons.toml"
_MOST_CALLS = 1000


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to do the work: a function of the submission, or of the staff's baselines."""

    name: str
    function: str  # `module.function`
    calls: int = 20
    staff: bool = False
    kernels: bool = False  # whether it launches CUDA kernels; without a GPU its times are no GPU times
    measured: tuple[int, int] | None = None
    """The shape of its inputs, if not the comparison's; then its times are scaled by the number of operations."""

    phases: bool = False
    """Whether it measures its own time: it returns `value` and `seconds`, the times of `whole` and of each phase."""


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Several ways to do the same work; the others are compared with the first."""

    id: str
    title: str
    work: Any  # a `Work`; in the file, its name
    shape: tuple[int, int]
    rows: tuple[Row, ...] = msgspec.field(name="row")


class _Sheet(msgspec.Struct, forbid_unknown_fields=True):
    comparison: tuple[Comparison, ...]


def load_comparisons(assignment: Assignment, only: str = "") -> tuple[Comparison, ...]:
    """Return the assignment's comparisons, or only the one with the id `only`.

    `UsageError` if it has no comparisons, or none with that id; also raises as `read_comparisons`.
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
    """Return the comparisons in the TOML file `path`, with the works from the `.py` file of the same name beside it.

    Raises:
        StaffError: one of the two files is wrong.
    """
    try:
        sheet = msgspec.toml.decode(path.read_bytes(), type=_Sheet)
    except msgspec.MsgspecError as error:
        raise StaffError(f"{path.parent.name}/{path.name}: {error}") from error
    works = read_works(path.with_suffix(".py"))
    comparisons = []
    for entry in sheet.comparison:
        if str(entry.work) not in works:
            known = ", ".join(works) or f"a variable of {path.stem}.py that is a Work; there is none"
            raise StaffError(f"{path.name}: comparison {entry.id} has the work {entry.work!r}: use {known}")
        if wrong := [row.name for row in entry.rows if not 1 <= row.calls <= _MOST_CALLS or row.function.find(".") < 1]:
            needed = f"1 to {_MOST_CALLS} calls of a `module.function`"
            raise StaffError(f"{path.name}: {entry.id}: {wrong[0]} needs {needed}")
        comparisons.append(msgspec.structs.replace(entry, work=works[entry.work]))
    return tuple(comparisons)


def read_works(path: Path) -> dict[str, Work]:
    """Return name -> value of all `Work` variables in the Python file `path`; `StaffError` if it cannot be run."""
    try:
        variables = runpy.run_path(str(path))
    except Exception as error:
        raise StaffError(
            f"{path.parent.name}/{path.name} cannot be imported: {type(error).__name__}: {error}"
        ) from error
    return {name: work for name, work in variables.items() if isinstance(work, Work)}


NO_GPU_TIME = "CUDA kernels were executed on the CPU: their times are no GPU times."


@dataclass(frozen=True, slots=True)
class Timing:
    """The times of one row on one number of cores, or the reason why there are none."""

    comparison: str
    row: str
    cores: int
    samples_s: tuple[float, ...] = ()
    first_s: float | None = None  # the time of the first call, with compilation; it is not a sample
    problem: str = ""  # why there are no samples, in a few words
    kernels: bool = False
    phases_s: Mapping[str, float] = field(default_factory=dict)  # the times of the phases in the best sample

    @property
    def best_s(self) -> float:
        """The shortest sample."""
        return min(self.samples_s)

    @property
    def median_s(self) -> float:
        """The median sample."""
        return statistics.median(self.samples_s)

    @property
    def middle_half_s(self) -> tuple[float, float]:
        """The first and the third quartile of the samples: the range of their middle half."""
        if len(self.samples_s) == 1:
            return self.best_s, self.best_s
        low, _median, high = statistics.quantiles(self.samples_s, n=4, method="inclusive")
        return low, high


_GAINS = 1.2
"""A row whose speed-up stays below this gains nothing from cores: smaller gains are noise of a shared machine."""


@dataclass(frozen=True, slots=True)
class Scaling:
    """The gain of one row from more cores."""

    speedups: dict[int, float]  # number of cores -> time on one core divided by time on these cores, by medians
    serial_fraction: float

    @property
    def is_on_one_core(self) -> bool:
        """Whether the row uses only one core on any number of cores; Amdahl's law is then not shown."""
        return max(self.speedups.values()) < _GAINS


@dataclass(frozen=True, slots=True)
class Chart:
    """One comparison's timings, for its table and its picture."""

    id: str
    title: str
    timings: tuple[Timing, ...]
    on_cpu: bool = True  # whether CUDA kernels were executed on the CPU, so that their times are no GPU times

    @property
    def rows(self) -> tuple[str, ...]:
        """The names of the rows, in the sheet's order."""
        return tuple(dict.fromkeys(timing.row for timing in self.timings))

    @property
    def cores(self) -> tuple[int, ...]:
        """The numbers of cores, in ascending order."""
        return tuple(sorted({timing.cores for timing in self.timings}))

    def find(self, row: str, cores: int) -> Timing:
        """Return one timing; `StopIteration` if there is none."""
        return next(timing for timing in self.timings if (timing.row, timing.cores) == (row, cores))

    def scaling(self, row: str) -> Scaling | None:
        """Return the gain of `row` from cores; None unless it was measured on one core and on more."""
        times_s = {each.cores: each.median_s for each in self.timings if each.row == row and each.samples_s}
        fraction = fit_serial_fraction(times_s)
        if fraction is None:
            return None
        return Scaling({cores: times_s[1] / seconds for cores, seconds in times_s.items()}, fraction)


@dataclass(frozen=True, slots=True)
class Bench:
    """All results of one run of `grader bench`."""

    machine: str
    device: str  # `gpu` or `cpu`
    device_name: str
    charts: tuple[Chart, ...]
    notes: tuple[str, ...] = ()

    @property
    def caption(self) -> str:
        """The machine in one line, and the device if CUDA kernels ran."""
        ran = f"; {self.device_name if self.device == 'gpu' else f'* {NO_GPU_TIME}'.rstrip('.')}"
        return self.machine + ran * any(timing.kernels for chart in self.charts for timing in chart.timings)
