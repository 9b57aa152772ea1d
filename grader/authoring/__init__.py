"""The names that a check imports: to mark a test as a check, and to report what it found.

    from grader.authoring import Note, Student, check, expect, fail

    @check("add.cpu")
    def test_add_cpu(student: Student, rng, note: Note):
        \"\"\"`add_cpu` returns the sum of two matrices.\"\"\"

The docstring is the sentence that reports print. Fixtures, from `grader.authoring.fixtures`:

    student      the submission; `student.sums.add_cpu(A, B)` runs in the worker and returns data
    rng          a NumPy generator, seeded from the grading's seed and the check's id
    note         keeps facts, remarks for students, and flags for TAs
    sources      the submission's files as bytes, for checks that read files instead of calling functions
    setup        device, data set and seed of this grading
    staff        `baselines/` in a worker without student code: `staff.baseline.add_loop(A, B)`
    threshold    the limit that the rubric sets for this check's fact, or None
    background   starts a call in a worker of its own; a later check waits for the result

Most judges of *how* an answer was computed need a run whose value was compared with the right one:

    run = student.run("sums", "add_gpu", (A, B), record_launches=True)
    added = run.compared(lambda value: expect("`add_gpu`", value, A + B), note)          a function
    kernels.expect_launches(added, "add_kernel", 10, 32, note)

    run = scenarios.run(student, ("driving", "add_up"), (A, B), uses, "`Total.add`")    classes, in a staff function
    ranks.run(student, 4, ("driving", "ring"), args, uses, "`add_up`")                  a function on several ranks
    costs.run(student, ("driving", "multiply"), args, uses, "`add_gpu`")                on the executor, counted
    background("training", "train", images, uses=uses)                                  beside the other checks

`uses` are the graded parts that a scenario calls. If another check judges the value, pass its id, as in
`run.compared(compare, note, "add.cpu")`: if that check failed, a wrong value costs nothing here. See
`grader.worker.runs`.

A check that returns has passed, if the judge `declared` agrees. `fail`, `assert` and `StudentFault` fail the student.
`note.credit(0.5, "the last row is missing")` gives a share, even if the check returns. After `Inconclusive`,
`NotMeasured` and any other exception (a fault of the grader), the points stay undecided.
Ready-made judges: `grader.authoring.judges`; its `networks` has derivatives to compare with.
"""

import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NoReturn, TypeVar

import numpy as np
import numpy.typing as npt
import pytest

from grader.assignment import Assignment
from grader.authoring.comparison import Mistakes, Tolerance, difference
from grader.errors import (
    Inconclusive,
    NotMeasured,
    StudentFault,
    StudentRaised,
    StudentStopped,
    StudentTooSlow,
    WorkerError,
)
from grader.intake.datasets import Dataset, load_dataset
from grader.intake.selection import find_near
from grader.model import Finding, Observation, Submission, printable
from grader.worker.background import Background
from grader.worker.client import Staff
from grader.worker.faults import missing_file
from grader.worker.launcher import Launcher, Limits, Settings
from grader.worker.runs import Answer, CheckedCall, Compared, Observed, Run
from grader.worker.student import Parts, Student
from grader.worker.wire import Foreign, Seen

STAGES = ("first", "awaits", "timed")

__all__ = ["Inconclusive", "NotMeasured", "StudentFault", "StudentRaised", "StudentStopped", "StudentTooSlow"]
__all__ += ["Background", "Note", "Options", "Parts", "Setup", "Sources", "Staff", "Student", "Work", "WorkerError"]
__all__ += ["Answer", "CheckedCall", "Compared", "Finding", "Foreign", "Observed", "Run", "Seen"]
__all__ += ["Args", "Array", "Shape", "Solve", "attempt", "check", "check_by_ta", "check_files"]
__all__ += ["expect", "fail", "first_that_runs", "hinted"]

Array = npt.NDArray[Any]
Args = tuple[Array, ...]
Shape = tuple[int, int]
Solve = Callable[..., tuple[Array, Array | float]]
"""Takes the arguments of a function; returns the right answer, and how far each entry may be off."""

Test = TypeVar("Test", bound=Callable[..., None])
Value = TypeVar("Value")
Sizes = TypeVar("Sizes")


def check(check_id: str, *, stage: str = "first", values_only: bool = False) -> Callable[[Test], Test]:
    """Mark a test function as the check `check_id`.

    Args:
        check_id: The dotted id by which the rubric, grade sheets and LMS imports know the check.
        stage: `first` checks run first. Then `awaits`: checks that wait for a background call. Last, when nothing else
            of this grading runs any more, `timed`: checks that measure time. Without a GPU these do not wait: no points
            depend on what they measure.
        values_only: Whether the test alone decides. Otherwise, after it has passed, each graded function that it called
            and did not judge must also work as assignment.toml says; see `grader.authoring.judges.declared`.
    """
    if stage not in STAGES:
        raise ValueError(f"there is no stage {stage!r}: choose one of {', '.join(STAGES)}")
    return pytest.mark.check(id=check_id, stage=stage, values_only=values_only)


def check_files(check_id: str) -> Callable[..., None]:
    """Return a check whether the hand-in is complete; see `Sources.expect_complete`."""

    def expect_files(sources: "Sources", note: "Note") -> None:
        """The zip holds exactly the files that the sheet asks for."""
        sources.expect_complete(note)

    return check(check_id)(expect_files)


def check_by_ta(check_id: str, sentence: str) -> Callable[..., None]:
    """Return a check for which a TA gives the points; reports print `sentence`."""

    def leave_to_ta(note: "Note") -> None:
        note.fact("marked_by", "a TA")

    leave_to_ta.__doc__ = sentence
    return check(check_id)(leave_to_ta)


def fail(message: str, *, expected: object = "", got: object = "", hint: str = "") -> NoReturn:
    """End the check as failed, with a sentence and the details that explain it."""
    raise StudentFault(Finding(message, str(expected), str(got), hint))


def attempt(call: Callable[[], Value], otherwise: Value, *raised: type[Exception]) -> Value:
    """Return what `call` returns, or `otherwise` if it raises an exception that is not listed below.

    For fixtures that only need to know whether another check's function works.

    Raises:
        WorkerError: the grader failed.
        raised: `call` raised one of these.
    """
    try:
        return call()
    except Exception as error:  # its own check reports what is wrong with it
        if isinstance(error, (WorkerError, *raised)):
            raise
        return otherwise


def first_that_runs(call: Callable[[Sizes], Value], sizes: Sizes, harmless: Sizes) -> Value:
    """Return `call(sizes)`, or `call(harmless)` if a submission's code raises at the first sizes.

    For checks of how code computes: what raises has lost its own points already, and need not lose these.
    """
    try:
        return call(sizes)
    except StudentRaised:
        return call(harmless)


@contextmanager
def hinted(hint: str, *, always: bool = False) -> Iterator[None]:
    """Add a hint to a `StudentFault` without one; with `always`, replace its hint, too."""
    try:
        yield
    except StudentFault as fault:
        if fault.finding.hint and not always:
            raise
        raise StudentFault(replace(fault.finding, hint=hint)) from fault


def expect(
    subject: str,
    got: Any,
    expected: Any,
    *,
    rtol: Tolerance = 0.0,
    atol: Tolerance = 0.0,
    mistakes: Mistakes | None = None,
) -> None:
    """End the check as failed unless `got` equals `expected`, by `grader.authoring.comparison.difference`.

    A tuple may stand for a list: no points are lost for a matter of taste. `subject` begins the sentence, as in
    "`add_gpu(A, B)` returned None".
    """
    finding = difference(got, expected, rtol=rtol, atol=atol, mistakes=mistakes)
    if finding is not None:
        raise StudentFault(replace(finding, message=f"{subject} {finding.message}"))


_OVERWRITES = "overwrites its argument"


@dataclass(slots=True)
class Note:
    """Facts, remarks, flags and credit of a check, which are kept whatever its outcome."""

    facts: dict[str, Any] = field(default_factory=dict)
    remarks: list[Finding] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    share: float = 1.0  # the share of the points that `credit` gives
    missing: Finding | None = None  # what is missing, if `credit` gives only a share
    passed: Mapping[str, bool] = field(default_factory=dict)
    """Id of each check before this one -> whether it has passed."""

    def credit(self, share: float, reason: str) -> None:
        """Give a share of the points, even if the check fails later; the smallest share counts.

        Args:
            share: Between 0 and 1; half of the points is 0.5.
            reason: Part of a sentence that says what is missing, such as `the last batch is missing`.

        Raises:
            ValueError: the share is not between 0 and 1.
        """
        if not 0 < share < 1:
            raise ValueError(f"a share of the points lies between 0 and 1, and {share:g} does not: fail, or return")
        if share < self.share:
            self.share = share
            self.missing = Finding(f"Partly right, for {100 * share:.3g} % of the points: {reason}.")

    def fact(self, name: str, value: Any) -> None:
        """Keep a number or text, or a list or dict of them, as `name`; a unit comes last in the name."""
        self.facts[name] = value

    def remark(self, message: str | Finding, **details: str) -> None:
        """Tell the student something that costs no point."""
        self.remarks.append(message if isinstance(message, Finding) else Finding(message, **details))

    def flag(self, reason: str) -> None:
        """Ask a TA to look. Doubt is not guilt: the points stay."""
        if reason not in self.flags:
            self.flags.append(reason)

    def flag_overwritten(self, answer: Answer, function: str) -> None:
        """Flag a function that changed its arguments, unless this check has a flag already."""
        if answer.inputs_changed and not self.flags:
            self.flag(f"{function} {_OVERWRITES}; the values are right, and the sheet does not forbid it")

    def expect_kept(self) -> None:
        """Fail if a function was flagged because it overwrites its argument, which others still need."""
        for flag in self.flags:
            if _OVERWRITES in flag:
                fail(f"{flag}.")


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a grading; `make grade` uses the defaults."""

    data: Path | None = None  # a folder that may contain MNIST; None for scikit-learn's digits
    seed: int | None = None  # None for a fresh seed, for which no submission can prepare
    device: str = "auto"
    sandbox: str = "auto"  # one of `grader.sandbox.levels.WANTED`; `auto` is the strongest level that works here
    only: tuple[str, ...] = ()  # ids of checks, or the first words of ids (`add.gpu`); empty for all checks
    explain: bool = False  # whether to examine kernels for races and costs, which takes some seconds for each kernel
    limits: Limits = field(default_factory=Limits)
    dataset: Dataset | None = None  # the data set of the folder `data`, if it is loaded already: a batch loads it once

    def draw_seed(self) -> int:
        """Return the seed of the options, or a fresh one."""
        return secrets.randbits(32) if self.seed is None else self.seed


@dataclass(frozen=True, kw_only=True)
class Setup:
    """One grading: its options and what follows from them. Checks read device, data and seed from it."""

    assignment: Assignment
    options: Options
    device: str  # `gpu` or `cpu`
    seed: int
    launcher: Launcher
    starts_ahead: bool = True
    """Whether workers start before a check needs them; a check that only reads files needs none."""
    has_baselines: bool = True  # whether the staff's own programs, with which times are compared, are here
    progress: Callable[[str], None] = lambda _check: None  # called with the id of each check when it starts
    take: Callable[[Observation], None] = lambda _observation: None
    """Called with each observation as soon as its check is over."""

    @property
    def learns(self) -> bool:
        """Whether a selected check reads the data set."""
        return self.assignment.reads_data(self.options.only)

    @cached_property
    def dataset(self) -> Dataset:
        """The data set, loaded at the first use; an empty one if no selected check reads it."""
        return self.options.dataset or load_dataset(self.options.data, wanted=self.learns)

    def settings(self, submission: Path, staff: Path, temporary: Path | None = None) -> Settings:
        """Return the settings of a worker that imports modules from these two folders."""
        return Settings(submission, staff, self.device, self.options.limits, temporary=temporary)


@dataclass(frozen=True, slots=True)
class Sources:
    """The submission's files, read as data."""

    folder: Path
    submission: Submission

    def expect(self, name: str) -> None:
        """Raise `StudentFault` if `name` was not handed in, or `Inconclusive` if it may be there under another name."""
        if name in self.submission.missing:
            raise missing_file(name, find_near(name, self.submission.spare))

    def expect_complete(self, note: Note) -> None:
        """Fail unless exactly the sheet's files were handed in; each warning becomes a remark."""
        missing, warnings = self.submission.missing, self.submission.warnings
        for warning in warnings:
            note.remark(warning)
        if missing:
            fail(f"Missing: {', '.join(missing)}.", hint=self._what_is_lost())
        if warnings:
            fail(
                "The zip is not quite as the sheet asks; everything was graded all the same.",
                got="; ".join(warnings[:3]),
            )

    def _what_is_lost(self) -> str:
        """Return, in words, what happens to the points of the missing files."""
        missing, spare = self.submission.missing, self.submission.spare
        alike = {name: near for name in missing if (near := find_near(name, spare))}
        lost = [name for name in missing if name not in alike]
        its = "its" if len(lost) == 1 else "their"
        sentences = [f"A TA decides whether {printable(near, 100)!r} is meant by {at}." for at, near in alike.items()]
        return " ".join([*([f"Without {' and '.join(lost)}, {its} points are lost."] if lost else []), *sentences])

    def data(self, name: str) -> bytes:
        """Return the bytes of the file `name`; raises as `expect` if it is missing."""
        self.expect(name)
        return (self.folder / name).read_bytes()


@dataclass(frozen=True, slots=True)
class Work:
    """A task that several functions solve: fresh arguments, the right answer, and the number of operations.

    `comparisons.toml` refers to it by its variable in `comparisons.py`.
    """

    draw: Callable[[np.random.Generator, Shape], Args]
    """Returns the arguments of one call, for the comparison's `shape`."""
    solve: Solve
    operations: Callable[[Shape], float]  # the nominal number of floating-point operations, or comparisons, for a shape

    def is_right(self, args: Args, got: Any) -> bool:
        """Return whether a result that a worker returned is right for these arguments."""
        right, tolerance = self.solve(*args)
        return difference(got, right, atol=tolerance) is None
