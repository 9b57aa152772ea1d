"""The words of the grader, each one frozen value.

    rubric (criteria)  +  evidence (observations)  =  report (results)

A *criterion* says what a check is worth, an *observation* says what happened, a *result* joins the two.
Nothing here computes a score (`scoring`), opens a file or starts a process. Standard library only.
"""

import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

_PLAIN = re.compile(r"[\t\n -~]*")
"""Nearly all text: nothing in it needs a second look."""

EVIDENCE_SCHEMA = 2
"""Version of `evidence.json`; raised when a reader of the old form could misunderstand the new one. 2 has `share`."""


class Outcome(StrEnum):
    """How a check ended. Only `PASSED` and `FAILED` move points silently."""

    PASSED = "passed"
    FAILED = "failed"  # the student's
    SKIPPED = "skipped"  # a check that it needs failed
    NOT_MEASURED = "not_measured"  # this machine lacks the hardware
    ERROR = "error"  # ours
    INCONCLUSIVE = "inconclusive"  # a person has to look

    @property
    def is_open(self) -> bool:
        """Whether the points are still undecided, so that the score is a range."""
        return self in {Outcome.NOT_MEASURED, Outcome.ERROR, Outcome.INCONCLUSIVE}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a reader should know: what, which value, next step. All texts are plain and bounded."""

    message: str
    expected: str = ""
    got: str = ""
    hint: str = ""
    location: str = ""
    """`file:line` in the submission, where there is one."""
    line: str = ""
    """What stands there."""


@dataclass(frozen=True, slots=True)
class Timed:
    """How a bound on a ratio of times is decided from samples; see `grader.timing.verdict`."""

    baseline_low: float = 1.0
    """The submission's own slow function counts as at least this many times the staff's baseline."""
    baseline_high: float = 1.5
    """And as at most this many."""
    budget_s: float = 20.0
    """After so many seconds of sampling, what is not clear stays open."""
    error_percent: float = 1.0
    """How often a verdict may be wrong, either way."""
    flagged_from: float = 1.15
    """From this many times on a TA is asked whether the slow function is slowed down on purpose; points stay."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A bound on a fact, so that a rubric can move it and old evidence can be scored again.

    The fact is a number or an interval `[low, high]`; an interval that straddles the bound is inconclusive. Where the
    fact `<fact>_samples` holds raw times, the interval follows from those and from `timed`.
    """

    fact: str
    above: float | None = None
    at_least: float | None = None
    timed: Timed | None = None

    @property
    def samples_fact(self) -> str:
        """Name of the fact that holds the raw samples of `fact`, where there are any."""
        return f"{self.fact}_samples"

    @property
    def bound(self) -> float:
        """The number that has to be exceeded or reached; NaN if there is none."""
        return next((value for value in (self.above, self.at_least) if value is not None), math.nan)

    @property
    def words(self) -> str:
        """What is needed: `above 97`, or `at least 40`."""
        return f"{'at least' if self.above is None else 'above'} {self.bound:g}"

    def is_reached_by(self, value: float) -> bool:
        """Return whether `value` exceeds `above`, or is `at_least` as large; without a bound it never is."""
        if self.above is not None:
            return value > self.above
        return self.at_least is not None and value >= self.at_least


@dataclass(frozen=True, slots=True)
class Criterion:
    """One row of the rubric: what a check is worth."""

    id: str
    part: str
    points: float
    visibility: str = "visible"
    """Gradescope's words: `visible`, `hidden`, `after_due_date`, `after_published`."""
    needs: tuple[str, ...] = ()
    threshold: Threshold | None = None
    hardware: str = ""
    """`gpu` when only a real one can decide."""
    marked_by: str = ""
    """`ta` when a person gives the points."""
    items: tuple[tuple[str, float], ...] = ()
    """Each part that this person looks at, and its points; together, they are the points of the row."""


@dataclass(frozen=True, slots=True)
class LateRule:
    """What a hand-in after the deadline costs. A started day counts whole; days within `free_days` cost nothing."""

    free_days: float = 0.0
    points_per_day: float = 0.0
    percent_per_day: float = 0.0
    """Of the points that were reached."""
    max_days: float | None = None
    """Later than this gives no points at all."""


@dataclass(frozen=True, slots=True)
class Rubric:
    """All criteria of an assignment, in the order in which reports show them."""

    assignment: str
    title: str
    total: float
    criteria: tuple[Criterion, ...]
    sha256: str = ""
    late: LateRule | None = None

    def criterion(self, check: str) -> Criterion:
        """Return the row of `check`; `KeyError` if the rubric has none."""
        for row in self.criteria:
            if row.id == check:
                return row
        raise KeyError(check)


@dataclass(frozen=True, slots=True)
class Observation:
    """What one check observed: facts and raw samples, no points."""

    check: str
    sentence: str
    """The check's docstring: what a right submission does."""
    outcome: Outcome
    finding: Finding | None = None
    remarks: tuple[Finding, ...] = ()
    flags: tuple[str, ...] = ()
    """Reasons for a TA to look. Doubt is not guilt: a flag costs no point."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Numbers, texts, lists and dicts of them: JSON as it is."""
    output: str = ""
    """What the student's code printed meanwhile, capped."""
    wall_s: float = 0.0
    student_s: float = 0.0
    """The part of `wall_s` that was spent waiting for student code."""
    share: float = 0.0
    """Of the points, what the check gives although it failed: a part of what it asks for is right."""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a submission."""

    name: str
    size_bytes: int
    sha256: str
    text: str = ""
    """Source code as reports show it, printable and bounded; empty for everything else."""


@dataclass(frozen=True, slots=True)
class Submission:
    """What was handed in, as intake left it."""

    name: str
    sha256: str
    files: tuple[File, ...] = ()
    missing: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()
    """Names of further Python files and PDFs, which were not unpacked."""

    @property
    def contents(self) -> tuple[tuple[str, str], ...]:
        """Name and SHA-256 of every file that is graded, sorted: the same for a zip and for what was in it."""
        return tuple(sorted((file.name, file.sha256) for file in self.files))


@dataclass(frozen=True, slots=True)
class Run:
    """Where and how the checks ran."""

    device: str
    """`gpu` (a real one) or `cpu` (CUDA kernels executed on the CPU)."""
    data: str
    """Name of the data set."""
    sandbox: str
    """What really stood between the student's code and this machine."""
    seed: int
    versions: Mapping[str, str] = field(default_factory=dict)
    hardware: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    """Sentences for the reader, such as how to get a better data set."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Everything that was observed of one submission; enough to score it again without running anything."""

    submission: Submission
    run: Run
    observations: tuple[Observation, ...]
    assignment: str = ""
    refusal: str = ""
    """Why the submission was not opened at all; then there are no observations."""
    wall_s: float = 0.0
    schema: int = EVIDENCE_SCHEMA

    @property
    def by_check(self) -> dict[str, Observation]:
        """Id of a check -> what was observed."""
        return {observation.check: observation for observation in self.observations}


@dataclass(frozen=True, slots=True)
class Mark:
    """Points that a person gave for one check of one student."""

    student: str
    """The id."""
    check: str
    """A check's id, `adjustment` for points that no check gives, which may be negative, or a line of the code."""
    points: float
    comment: str = ""
    by: str = ""
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points beside the checks: a penalty for lateness, or what a TA adds or takes away."""

    what: str
    """`late` or `adjustment`."""
    points_low: float
    """What it adds to the lower end of the score; negative for a penalty."""
    points_high: float
    comment: str = ""
    by: str = ""

    @property
    def text(self) -> str:
        """One line: `late: -10 points. 2 days late: counts as 2; 5 points for each`."""
        low, high = sorted((self.points_low, self.points_high))
        points = f"{low:+g}" if low == high else f"{low:+g} to {high:+g}"
        return f"{self.what}: {points} points. {self.comment}".rstrip()


@dataclass(frozen=True, slots=True)
class LineComment:
    """What a person says about one line of the code."""

    file: str
    line: int
    """Counted from 1."""
    text: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """One criterion with what was observed of it, and the points between which it lies."""

    criterion: Criterion
    observation: Observation
    outcome: Outcome
    points_low: float
    points_high: float
    finding: Finding | None = None
    """The observation's, or the threshold's when that decided."""
    mark: Mark | None = None
    """What a person gave; it closes the range."""

    @property
    def is_partly_right(self) -> bool:
        """Whether the check failed, and gives a share of its points all the same."""
        return self.outcome is Outcome.FAILED and self.mark is None and self.points_low > 0


@dataclass(frozen=True, slots=True)
class Report:
    """Everything about one graded submission; every output format renders it."""

    rubric: Rubric
    evidence: Evidence
    results: tuple[Result, ...]
    score_low: float
    """The sum of the results' lower ends and of all adjustments, at least 0."""
    score_high: float
    adjustments: tuple[Adjustment, ...] = ()
    students: tuple[str, ...] = ()
    """Whose it is, such as `Dana Levi (012345678)`; empty outside of a batch."""
    comments: tuple[LineComment, ...] = ()
    """What people say about lines of the code, file by file."""

    @property
    def provisional(self) -> bool:
        """Whether any points are still open."""
        return any(result.outcome.is_open and result.criterion.points > 0 for result in self.results)

    @property
    def flags(self) -> tuple[tuple[str, str], ...]:
        """Pairs of check id and reason: what a TA should look at."""
        return tuple((result.criterion.id, why) for result in self.results for why in result.observation.flags)

    @property
    def score_text(self) -> str:
        """The headline: `83 of 100`, or `83 to 100 of 100` while points are open."""
        low, high, total = (f"{value:g}" for value in (self.score_low, self.score_high, self.rubric.total))
        return f"{low} of {total}" if low == high else f"{low} to {high} of {total}"


def is_named(check: str, words: Iterable[str]) -> bool:
    """Return whether one of `words` is the id `check`, or begins it: `add.gpu` names `add.gpu.launch`."""
    return any(check == word or check.startswith(f"{word}.") for word in words)


def _shown(char: str) -> str:
    is_hidden = char not in "\n\t" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn"}
    return "\N{REPLACEMENT CHARACTER}" if is_hidden else char


def printable(text: str, limit: int = 2000) -> str:
    """Return `text` without control characters, terminal escapes or direction overrides, at most `limit` long.

    Newlines and tabs stay. Everything that a student wrote goes through here once, before any report sees it.
    """
    clean = text[: limit + 1]
    if not _PLAIN.fullmatch(clean):
        clean = "".join(map(_shown, clean.replace("\r\n", "\n")))
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
