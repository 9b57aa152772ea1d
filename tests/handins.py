"""Hand-ins of hw1 made from the reference, and their grading inside this process.

Small ones are changes of the reference, as `grader.trial.changes` has them: `assignments/hw1/mistakes/<file>/` is what
students do wrong, `unusual/<file>/` what is right in another way.
"""

import ast
import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from fpdf import FPDF

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Outcome, Report
from grader.trial import changes as changed
from grader.worker.process import Limits

TESTS = Path(__file__).parent
REFERENCE = TESTS.parent / "reference" / "hw1"
TEMPLATE = TESTS.parent / "student_template" / "hw1"
SOURCES = ("utils.py", "max_functions.py", "matmul_functions.py")
PREFIXES = {"utils.py": ("utils.", "train."), "max_functions.py": "max.", "matmul_functions.py": "matmul."}
"""How the checks of each file begin."""
SEED = 20251215
OPEN = {"max.gpu.speedup": Outcome.NOT_MEASURED, "report.explanation": Outcome.INCONCLUSIVE}
"""What stays open for a right submission where there is no GPU and no TA."""
FOLDERS = {"mistakes": TESTS / "assignments/hw1/mistakes", "unusual": TESTS / "unusual"}


@dataclass(frozen=True)
class Change(changed.Change):
    """One change to one file of hw1's reference."""

    @property
    def suspects(self) -> set[str]:
        """The names of the changed file and of all functions in it."""
        return {self.target, *(node.name for node in ast.parse(self.source).body if isinstance(node, ast.FunctionDef))}

    @property
    def id(self) -> str:
        return f"{self.target.removesuffix('_functions.py').removesuffix('.py')}.{self.name}"

    @property
    def is_slow(self) -> bool:
        """Whether the change is left to `make test-all`."""
        return "slow" in self.expected

    def concerns(self, check: str) -> bool:
        """Whether `check` judges the changed file."""
        return check.startswith(PREFIXES[self.target])


def changes(folder: str) -> list[Change]:
    """Return the changes of one of `FOLDERS`, sorted."""
    return [Change(**vars(change)) for change in changed.load_changes(FOLDERS[folder], REFERENCE)]


def change_of(folder: str, module: str, name: str) -> Change:
    """Return one of them."""
    return next(one for one in changes(folder) if (one.target, one.name) == (f"{module}.py", name))


def joined(group: Sequence[Change]) -> str:
    """Return the name of a case that grades several changes at once."""
    return "+".join(change.id for change in group)


def in_turn(place: int, group: Sequence[Change] = ()) -> list[pytest.MarkDecorator]:
    """Return the marks that let one case in 24 run in `make test`, a sixth in CI, the rest in `test-all`.

    What hangs is left to the latter: it waits for limits.
    """
    if place % 6 or any(change.limit_s != Limits().call_s for change in group):
        return [pytest.mark.slow]
    return [pytest.mark.wide] if place % 24 else []


def one_by_one(some: Sequence[Change]) -> list[object]:
    """Return a case for each change: every 48th runs in CI, the others in `make test-all`."""
    return [
        pytest.param(
            change,
            id=f"{change.target}-{change.name}",
            marks=[pytest.mark.slow if place % 48 else pytest.mark.wide],
        )
        for place, change in enumerate(some)
    ]


def graded_changes(some: Sequence[Change], folder: Path) -> Report:
    """Grade the reference with `some` changes, each of another file."""
    files = reference_files() | {change.target: change.applied() for change in some}
    return graded_files(files, folder, min((change.limits for change in some), key=lambda limits: limits.call_s))


def empty_pdf() -> bytes:
    """Return a PDF of one page with nothing on it."""
    pdf = FPDF()
    pdf.add_page()
    return bytes(pdf.output())


def protected_pdf() -> bytes:
    """Return a PDF that asks for a password."""
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    pdf.cell(text="max_kernel and matmul_kernel")
    pdf.set_encryption(owner_password="owner", user_password="user")
    return bytes(pdf.output())


def reference_files() -> dict[str, bytes]:
    """Return the reference as a hand-in: name -> contents, in the sheet's order."""
    return {name: (REFERENCE / name).read_bytes() for name in (*SOURCES, "hw1.pdf")}


def packed(files: Mapping[str, bytes], folder: str = "") -> bytes:
    """Return a zip of `files`, the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(folder + name), data)
    return buffer.getvalue()


def graded(path: Path, limits: Limits | None = None) -> Report:
    """Grade the zip or folder at `path`, with all checks, on the embedded digits and without a GPU."""
    options = Options(seed=SEED, device="cpu", limits=limits or Limits())
    return grade(path, load_assignment("hw1"), options)


def graded_files(files: Mapping[str, bytes], folder: Path, limits: Limits | None = None) -> Report:
    """Grade `files` as a zip that lies in `folder`."""
    path = folder / "hw1.zip"
    path.write_bytes(packed(files))
    return graded(path, limits)


def lost(report: Report) -> dict[str, str]:
    """Return what has points and is not as for a right submission, id -> outcome; `partly` for a share of points."""
    return {
        result.criterion.id: "partly" if result.is_partly_right else str(result.outcome)
        for result in report.results
        if result.criterion.points and result.outcome is not OPEN.get(result.criterion.id, Outcome.PASSED)
    }


def explained(report: Report) -> dict[str, str]:
    """Return what `lost` returns, with the findings: what to read when nothing should have been lost."""
    texts = {result.criterion.id: str(result.finding) for result in report.results}
    return {check: f"{outcome}: {texts[check]}" for check, outcome in lost(report).items()}


def warned(report: Report) -> set[str]:
    """Return the checks without points that failed or could not run."""
    rows = (result for result in report.results if not result.criterion.points)
    return {result.criterion.id for result in rows if result.outcome is not Outcome.PASSED}


def errors(report: Report) -> list[str]:
    """Return what the grader itself got wrong: nothing, ever."""
    return [f"{result.criterion.id}: {result.finding}" for result in report.results if result.outcome is Outcome.ERROR]


def findings(report: Report) -> Iterator[tuple[str, str]]:
    """Yield id and sentence of every check that failed."""
    for result in report.results:
        if result.outcome is Outcome.FAILED and result.criterion.points:
            finding = result.finding
            yield result.criterion.id, f"{finding.message} {finding.got} {finding.hint}"
