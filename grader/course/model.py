"""What a batch grades, and how, as frozen values.

    roster (hand-ins of students)  +  reports of hand-ins  +  marks of TAs  =  grade sheet (one row per student)

Hand-ins and students are `grader.course.people`'s, a mark is `grader.model.Mark`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from grader.assignment import DEFAULT
from grader.course.people import Handin
from grader.intake.datasets import DIGITS


@dataclass(frozen=True, slots=True)
class GradingOptions:
    """How all hand-ins of a batch are graded: the options of `grader grade`, as plain values."""

    assignment: str = DEFAULT
    data: str = "data"
    """A folder, or `digits`."""
    device: str = "auto"
    sandbox: str = "auto"
    only: tuple[str, ...] = ()
    """Check ids, or their first words; empty for all."""
    explain: bool = False
    limit_s: float = 0.0
    """Wall time per call and import of student code; 0 for the usual one."""

    @property
    def folder(self) -> Path | None:
        """Where MNIST may lie; None if the digits are asked for."""
        return None if self.data == DIGITS else Path(self.data)


@dataclass(frozen=True, slots=True)
class Job:
    """One hand-in with everything that its grading depends on; two equal fingerprints mean the same grading."""

    handin: Handin
    fingerprint: dict[str, str] = field(default_factory=dict)
    """What it depends on, each part by name: `submission`, `checks`, `grader`, `options`, ... The rubric is not among
    them: old evidence is scored again."""
    how: GradingOptions = field(default_factory=GradingOptions)
    seed: int = 0
    regrade_id: str = ""
    """Id of the request to grade again that this job belongs to, so that a killed batch knows what is done of it."""
    joins: bool = False
    """Whether the observations of the checks in `how.only` join the old evidence, instead of replacing it."""
