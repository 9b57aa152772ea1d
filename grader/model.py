"""The concepts of the grader; each is a frozen value.

    rubric (criteria)  +  evidence (observations)  =  report (results)

A *criterion* has the points of a check, an *observation* has its outcome and facts, a *result* joins the two.
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

_PLAIN = re.compile(r"[\t\n -~]*")  # text of ASCII only, which is nearly all text; `printable` need not change it

EVIDENCE_SCHEMA = 2
"""Version of `evidence.json`; it rises if a reader of the old form could misunderstand the new form. 2 has `share`."""


class Outcome(StrEnum):
    """How a check ended. The first three decide its points; the others leave them undecided."""

    PASSED = "passed"
    FAILED = "failed"  # the student's fault
    SKIPPED = "skipped"  # a check that it needs failed or was skipped
    NOT_MEASURED = "not_measured"  # this machine lacks the hardware
    ERROR = "error"  # the grader's fault
    INCONCLUSIVE = "inconclusive"  # a person must decide

    @property
    def is_open(self) -> bool:
        """Whether the points are undecided, so that the score is a range."""
        return self in {Outcome.NOT_MEASURED, Outcome.ERROR, Outcome.INCONCLUSIVE}


@dataclass(frozen=True, slots=True)
class Finding:
    """A message for a reader: what is wrong, which value, the next step. All texts are printable and bounded."""

    message: str
    expected: str = ""
    got: str = ""
    hint: str = ""
    location: str = ""  # `file:line` in the submission; empty if there is none
    line: str = ""  # the code of that line


@dataclass(frozen=True, slots=True)
class Timed:
    """How samples of times decide a threshold for a ratio; see `grader.timing.verdict`."""

    baseline: tuple[float, float] = 1.0, 1.5
    """The time of the submission's own slow function counts as at least, and at most, so many times the staff's."""
    budget_s: float = 20.0  # if the samples give no decision after so many seconds, the points stay undecided
    error_percent: float = 1.0  # how often a verdict may be wrong, in each direction
    flagged_from: float = 1.15
    """From this ratio on, a flag asks a TA whether the slow function is slowed down on purpose; points stay."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A bound on a fact; it is in the rubric, so that a changed bound can be applied to old evidence.

    The fact is a number or an interval `[low, high]`; an interval that contains the bound is inconclusive. If the fact
    `<fact>_samples` has raw times, the interval is computed from these and from `timed`.
    """

    fact: str
    above: float | None = None
    at_least: float | None = None
    timed: Timed | None = None

    @property
    def samples_fact(self) -> str:
        """Name of the fact with the raw samples of `fact`; there may be none."""
        return f"{self.fact}_samples"

    @property
    def bound(self) -> float:
        """The number that must be exceeded or reached; NaN if there is none."""
        return next((value for value in (self.above, self.at_least) if value is not None), math.nan)

    @property
    def words(self) -> str:
        """The condition in words: `above 97`, or `at least 40`."""
        return f"{'at least' if self.above is None else 'above'} {self.bound:g}"

    def is_reached_by(self, value: float) -> bool:
        """Return whether `value` is larger than `above`, or at least `at_least`; False if there is no bound."""
        if self.above is not None:
            return value > self.above
        return self.at_least is not None and value >= self.at_least


@dataclass(frozen=True, slots=True)
class Criterion:
    """One row of the rubric: the points of a check, and its conditions."""

    id: str
    part: str
    points: float
    visibility: str = "visible"  # Gradescope's words: `visible`, `hidden`, `after_due_date`, `after_published`
    needs: tuple[str, ...] = ()
    threshold: Threshold | None = None
    hardware: str = ""  # `gpu` if only a real GPU can decide
    marked_by: str = ""  # `ta` if a person gives the points
    items: Mapping[str, float] = field(default_factory=dict, hash=False)
    """The parts that this person marks, with their points; the sum is the points of the row."""


@dataclass(frozen=True, slots=True)
class LateRule:
    """The penalty for late hand-ins. A started day counts as a whole day; days within `free_days` cost nothing."""

    free_days: float = 0.0
    points_per_day: float = 0.0
    percent_per_day: float = 0.0  # in percent of the points that were reached
    max_days: float | None = None  # a hand-in that is later than this gets no points


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
    """The result of running one check: facts and raw samples, no points."""

    check: str
    sentence: str  # the check's docstring: it says what a right submission does
    outcome: Outcome
    finding: Finding | None = None
    remarks: tuple[Finding, ...] = ()
    flags: tuple[str, ...] = ()  # reasons for a TA to look at the code. A flag costs no points
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Numbers, texts, and lists and dicts of them: values that JSON has."""
    output: str = ""  # the output of the student's code during the check, with a limit
    wall_s: float = 0.0
    student_s: float = 0.0  # the part of `wall_s` that was spent waiting for student code
    share: float = 0.0  # the share of its points that a failed check gives, because a part of the answer is right


@dataclass(frozen=True, slots=True)
class Verdict:
    """What an observation means under a rubric: an outcome, and the finding that explains it."""

    outcome: Outcome
    finding: Finding | None = None
    measured: tuple[float, float] | None = None  # the interval that raw samples give; None if they are none, or too few


@dataclass(frozen=True, slots=True)
class File:
    """One file of a submission."""

    name: str
    size_bytes: int
    sha256: str
    text: str = ""  # source code as reports show it, printable and bounded; empty for everything else


@dataclass(frozen=True, slots=True)
class Submission:
    """The hand-in as intake has read it."""

    name: str
    sha256: str
    files: tuple[File, ...] = ()
    missing: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    spare: tuple[str, ...] = ()  # names of further Python files and PDFs, which were not unpacked

    @property
    def contents(self) -> tuple[tuple[str, str], ...]:
        """Name and SHA-256 of each graded file, sorted: the same for a zip and for its unpacked files."""
        return tuple(sorted((file.name, file.sha256) for file in self.files))


@dataclass(frozen=True, slots=True)
class Run:
    """The place and the conditions of a run of the checks."""

    device: str  # `gpu` (a real one) or `cpu` (CUDA kernels executed on the CPU)
    data: str  # name of the data set
    sandbox: str  # the sandbox level that was really used
    seed: int
    versions: Mapping[str, str] = field(default_factory=dict)
    hardware: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # sentences for the reader, such as how to get a better data set


@dataclass(frozen=True, slots=True)
class Evidence:
    """All observations of one submission; enough to score it again without running anything."""

    submission: Submission
    run: Run
    observations: tuple[Observation, ...]
    assignment: str = ""
    refusal: str = ""  # why the submission was not opened; then there are no observations
    wall_s: float = 0.0
    schema: int = EVIDENCE_SCHEMA

    @property
    def by_check(self) -> dict[str, Observation]:
        """Id of a check -> its observation."""
        return {observation.check: observation for observation in self.observations}


@dataclass(frozen=True, slots=True)
class Mark:
    """Points that a person gave for one check of one student."""

    student: str  # the student's id
    check: str  # a check's id; `adjustment` for points outside checks, which may be negative; or a line of the code
    points: float
    comment: str = ""
    by: str = ""
    at: datetime | None = None
    sha256: str = ""
    """Of the file that was graded when the mark was given; empty in marks of earlier versions of the grader."""


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Points outside the checks: a penalty for lateness, or points that a TA adds or takes away."""

    what: str  # `late` or `adjustment`
    points_low: float  # the points that it adds to the lower end of the score; negative for a penalty
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
    """A person's comment on one line of the code."""

    file: str
    line: int  # counted from 1
    text: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class Result:
    """One criterion with its observation, and the range of its points."""

    criterion: Criterion
    observation: Observation
    outcome: Outcome
    points_low: float
    points_high: float
    finding: Finding | None = None  # the finding of the observation, or of the threshold if that decided
    mark: Mark | None = None  # the mark that a person gave; with it, the points are decided

    @property
    def is_partly_right(self) -> bool:
        """Whether the check failed but gives a share of its points."""
        return self.outcome is Outcome.FAILED and self.mark is None and self.points_low > 0


@dataclass(frozen=True, slots=True)
class Report:
    """All results of one graded submission; every output format renders it."""

    rubric: Rubric
    evidence: Evidence
    results: tuple[Result, ...]
    score_low: float  # the sum of the results' lower ends and of all adjustments, at least 0
    score_high: float
    adjustments: tuple[Adjustment, ...] = ()
    students: tuple[str, ...] = ()  # its students, such as `Dana Levi (012345678)`; empty outside of a batch
    comments: tuple[LineComment, ...] = ()  # people's comments on lines of the code, file by file

    @property
    def provisional(self) -> bool:
        """Whether any points are still undecided, and change the score."""
        changes = self.score_low != self.score_high
        return changes and any(result.outcome.is_open and result.criterion.points > 0 for result in self.results)

    @property
    def flags(self) -> tuple[tuple[str, str], ...]:
        """Pairs of check id and reason why a TA should look at it."""
        return tuple((result.criterion.id, why) for result in self.results for why in result.observation.flags)

    @property
    def score_text(self) -> str:
        """The headline: `83 of 100`, or `83 to 100 of 100` while points are undecided."""
        low, high, total = (f"{round(value, 2):g}" for value in (self.score_low, self.score_high, self.rubric.total))
        return f"{low} of {total}" if low == high else f"{low} to {high} of {total}"


def is_named(check: str, words: Iterable[str]) -> bool:
    """Return whether one of `words` is the id `check` or its first words: `add.gpu` names `add.gpu.launch`."""
    return any(check == word or check.startswith(f"{word}.") for word in words)


def _shown(char: str) -> str:
    is_hidden = char not in "\n\t" and unicodedata.category(char) in {"Cc", "Cf", "Cs", "Co", "Cn"}
    return "\N{REPLACEMENT CHARACTER}" if is_hidden else char


def printable(text: str, limit: int = 2000) -> str:
    """Return `text`, at most `limit` long, with control, escape and direction characters replaced by U+FFFD.

    Newlines and tabs stay. All text of students passes through this function before it is in a report.
    """
    clean = text[: 2 * limit + 2].replace("\r\n", "\n")[: limit + 1]
    if not _PLAIN.fullmatch(clean):
        clean = "".join(map(_shown, clean))
    return clean if len(clean) <= limit else clean[: limit - 1] + "…"
