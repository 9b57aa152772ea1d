"""What a check wants to be kept: facts, remarks, flags, and a share of its points."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any

from grader.model import Finding
from grader.worker.answers import Answer


@dataclass(slots=True)
class Note:
    """What a check wants to be kept, whatever its outcome."""

    facts: dict[str, Any] = field(default_factory=dict)
    remarks: list[Finding] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)
    share: float = 1.0
    """Of the points, what `credit` gives."""
    missing: Finding | None = None
    """What is missing then."""
    passed: Container[str] = frozenset()
    """Ids of the checks that have passed before this one."""

    def credit(self, share: float, reason: str) -> None:
        """Give a share of the points, whether the check fails after this or returns; the smallest counts.

        Args:
            share: Between 0 and 1; half of the points is 0.5.
            reason: Part of a sentence that says what is missing, such as `the last batch is missing`.

        Raises:
            ValueError: the share is none of all points, or all of them.
        """
        if not 0 < share < 1:
            raise ValueError(f"a share of the points lies between 0 and 1, and {share:g} does not: fail, or return")
        if share < self.share:
            self.share = share
            self.missing = Finding(f"Partly right, for {100 * share:.3g} % of the points: {reason}.")

    def fact(self, name: str, value: Any) -> None:
        """Keep a number, text, or list or dict of them under `name`; units stand last in the name."""
        self.facts[name] = value

    def remark(self, message: str | Finding, **details: str) -> None:
        """Tell the student something that costs no point."""
        self.remarks.append(message if isinstance(message, Finding) else Finding(message, **details))

    def flag(self, reason: str) -> None:
        """Ask a TA to look. Doubt is not guilt: the points stay."""
        if reason not in self.flags:
            self.flags.append(reason)

    def flag_overwritten(self, answer: Answer, function: str) -> None:
        """Flag a function that changed its arguments, unless something else of this check is flagged already."""
        if answer.inputs_changed and not self.flags:
            self.flag(f"{function} overwrites its argument; the values are right, and the sheet does not forbid it")
