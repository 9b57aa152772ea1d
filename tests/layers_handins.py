"""Hand-ins of layers made from the reference, and their grading inside this process.

Small ones are changes of the reference, as `grader.trial.changes` has them, in `assignments/layers/<kind>/<file>/`.
"""

from pathlib import Path

import handins
from assignment_handins import Change

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Outcome, Report
from grader.trial import changes as changed

ROOT = Path(__file__).parents[1]
REFERENCE, TEMPLATE = ROOT / "reference" / "layers", ROOT / "student_template" / "layers"
CHANGES = Path(__file__).parent / "assignments" / "layers"
SOURCES = ("matrix.py", "layers.py", "losses.py", "network.py", "dataset.py")
OPEN = {"network.speedup": Outcome.NOT_MEASURED, "report.explanation": Outcome.INCONCLUSIVE}
"""What stays open for a right submission where there is no GPU and no TA."""


def changes(kind: str) -> list[Change]:
    """Return the changes of a kind: mistakes, unusual, attacks."""
    return [Change(**vars(change)) for change in changed.load_changes(CHANGES / kind, REFERENCE)]


def change_of(kind: str, module: str, name: str) -> Change:
    """Return one of them."""
    return next(one for one in changes(kind) if (one.target, one.name) == (f"{module}.py", name))


def reference_files() -> dict[str, bytes]:
    """Return the reference as a hand-in."""
    return {name: (REFERENCE / name).read_bytes() for name in (*SOURCES, "layers.pdf")}


def graded_files(files: dict[str, bytes], folder: Path) -> Report:
    """Grade `files` as a zip that lies in `folder`."""
    path = folder / "layers.zip"
    path.write_bytes(handins.packed(files))
    return grade(path, load_assignment("layers"), Options(seed=handins.SEED, device="cpu"))


def graded_change(change: Change, folder: Path) -> Report:
    """Grade the reference with one change."""
    return graded_files(reference_files() | {change.target: change.applied()}, folder)


def lost(report: Report) -> dict[str, str]:
    """Return the point-bearing checks whose outcome is not that of a right submission, id -> outcome."""
    return {
        result.criterion.id: str(result.outcome)
        for result in report.results
        if result.criterion.points and result.outcome is not OPEN.get(result.criterion.id, Outcome.PASSED)
    }


def explained(report: Report) -> dict[str, str]:
    """Return what `lost` returns, with the findings."""
    texts = {result.criterion.id: str(result.finding) for result in report.results}
    return {check: f"{outcome}: {texts[check]}" for check, outcome in lost(report).items()}
