"""Hand-ins of distributed made from the reference, and their grading inside this process.

Small ones are changes of the reference, as `grader.trial.changes` has them: `assignments/distributed/<kind>/<file>/`.
Only the checks that look at the changed file run.
"""

from pathlib import Path

import handins

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.kit.settings import load_settings
from grader.model import Outcome, Report
from grader.trial.changes import Change, load_changes

ROOT = Path(__file__).parents[1]
REFERENCE, TEMPLATE = ROOT / "reference" / "distributed", ROOT / "student_template" / "distributed"
CHANGES = Path(__file__).parent / "assignments" / "distributed"
SOURCES = ("network.py", "data_parallel.py", "model_parallel.py", "collectives.py")
OPEN = {"report.explanation": Outcome.INCONCLUSIVE}
"""What stays open for a right submission where there is no TA."""


def changes(kind: str) -> list[Change]:
    """Return the changes of a kind: mistakes, unusual, attacks."""
    return load_changes(CHANGES / kind, REFERENCE)


def reference_files() -> dict[str, bytes]:
    """Return the reference as a hand-in."""
    return {name: (REFERENCE / name).read_bytes() for name in (*SOURCES, "distributed.pdf")}


def graded_files(files: dict[str, bytes], folder: Path, only: tuple[str, ...] = ()) -> Report:
    """Grade `files` as a zip that lies in `folder`."""
    path = folder / "distributed.zip"
    path.write_bytes(handins.packed(files))
    return grade(path, load_assignment("distributed"), Options(seed=handins.SEED, device="cpu", only=only))


def graded_change(change: Change, folder: Path) -> Report:
    """Grade the reference with one change, by the checks that look at the file."""
    assignment = load_assignment("distributed")
    settings = load_settings(assignment)
    rows = (row.id for row in assignment.rubric.criteria if row.points)
    only = tuple(check for check in rows if change.target in settings.files_of(check))
    return graded_files(reference_files() | {change.target: change.applied()}, folder, only)


def ran(report: Report) -> dict[str, Outcome]:
    """Return the point-bearing checks that were asked for, id -> outcome."""
    return {
        result.criterion.id: result.outcome
        for result in report.results
        if result.criterion.points and result.observation.sentence
    }


def lost(report: Report) -> dict[str, str]:
    """Return the point-bearing checks whose outcome is not that of a right submission, id -> outcome."""
    return {
        check: str(outcome) for check, outcome in ran(report).items() if outcome is not OPEN.get(check, Outcome.PASSED)
    }


def explained(report: Report) -> dict[str, str]:
    """Return what `lost` returns, with the findings."""
    texts = {result.criterion.id: str(result.finding) for result in report.results}
    return {check: f"{outcome}: {texts[check]}" for check, outcome in lost(report).items()}
