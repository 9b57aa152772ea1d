"""What checks came to, as lines: one for each case, with what is not as for the reference.

    hw1 mistakes max_functions.gpu_minimum: failed max.gpu.correct max.gpu.launch; skipped max.gpu.speedup

A check that gives a part of its points stands after that share: `failed 0.80 of <check>`. After `flagged` stand the
checks with a flag for a TA, where the reference has none or another number of them: `<check> x2`.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grader.model import Outcome, Report, Result, is_named


@dataclass(frozen=True)
class Came:
    """What one check came to."""

    outcome: str
    share: float
    """Of its points, what is certain; 0 for a check without points."""
    flags: int

    @property
    def words(self) -> str:
        """Its outcome, with the share of its points that a failed check gives."""
        is_partly = self.outcome == Outcome.FAILED and self.share
        return f"{self.outcome} {self.share:.2f} of" if is_partly else self.outcome


def came_of(report: Report, only: Sequence[str] = ()) -> dict[str, Came]:
    """Return check -> what it came to, for those that `only` names, or all; `absent` for one that did not run."""
    ran = {seen.check for seen in report.evidence.observations}
    rows = [row for row in report.results if not only or is_named(row.criterion.id, only)]
    return {
        row.criterion.id: _came(row) if row.criterion.id in ran or report.evidence.refusal else Came("absent", 0.0, 0)
        for row in rows
    }


def _came(row: Result) -> Came:
    share = row.points_low / row.criterion.points if row.criterion.points else 0.0
    return Came(str(row.outcome), round(share, 4), len(row.observation.flags))


def line_of(case: str, came: Mapping[str, Came], reference: Mapping[str, Came]) -> str:
    """Return the line of a case; that of the reference itself is held against nothing."""
    groups: dict[str, list[str]] = {}
    for check, one in sorted(came.items()):
        usual = reference.get(check, Came("", 0, 0))
        if (one.outcome, one.share) != (usual.outcome, usual.share) and not _is_the_machines(check, one, usual):
            groups.setdefault(one.words, []).append(check)
        if one.flags != usual.flags:
            groups.setdefault("flagged", []).append(check if one.flags == 1 else f"{check} x{one.flags}")
    words = "; ".join(f"{words} {' '.join(checks)}" for words, checks in sorted(groups.items()))
    return f"{case}: {words or 'as the reference'}"


def _is_the_machines(check: str, one: Came, usual: Came) -> bool:
    """Return whether outcomes differ only by how many cores were free when the speed of ranks was to be measured."""
    return check == "data.speedup" and {one.outcome, usual.outcome} == {Outcome.PASSED, Outcome.NOT_MEASURED}


def lines_of(came: Mapping[str, Mapping[str, Came]]) -> list[str]:
    """Return the lines of all cases, sorted; `came` holds the reference of each assignment among them."""
    return [
        line_of(case, checks, {} if case == _reference_of(case) else came[_reference_of(case)])
        for case, checks in sorted(came.items())
    ]


def _reference_of(case: str) -> str:
    assignment, _, _ = case.partition(" ")
    return f"{assignment} controls reference"


def read_lines(lines: Iterable[str]) -> dict[str, str]:
    """Return case -> the words of its line; lines that begin with `#` are for readers."""
    pairs = (line.strip().partition(": ") for line in lines if line.strip() and not line.startswith("#"))
    return {case: words for case, _, words in pairs}


def differences(old: Mapping[str, str], new: Mapping[str, str], asked: Sequence[str], everything: bool) -> list[str]:
    """Return two lines for each case of `asked` that is not as it was; of `old` as well if these are all that exist."""
    found = []
    for case in sorted({*asked, *(old if everything else ())}):
        before, after = old.get(case, "no such case"), new.get(case, "no such case")
        if before != after:
            found += [f"old {case}: {before}", f"new {case}: {after}"]
    return found
