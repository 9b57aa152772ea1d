"""Hand-ins made from the references, and their grading inside this process; the functions here are hw1's.

Small ones are changes of the reference, as `grader.trial.changes` has them, in the case books of
`assignments/<name>/<module>/`: `mistakes` are what students do wrong, `unusual` is what is right in another way, and
`attacks` try to get points for nothing.
"""

import ast
import io
import zipfile
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from fpdf import FPDF

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Outcome, Report
from grader.trial.changes import Change, load_changes
from grader.worker.process import Limits

TESTS = Path(__file__).parent
SOURCES = ("utils.py", "max_functions.py", "matmul_functions.py")
PREFIXES = {"utils.py": ("utils.", "train."), "max_functions.py": "max.", "matmul_functions.py": "matmul."}
"""How the checks of each file of hw1 begin."""
SEED = 20251215
EXPLAINED = {"report.explanation": Outcome.INCONCLUSIVE}
SPEED = ("speed.cublas.fifth", "speed.cublas.half", "speed.roofline.fifth", "speed.roofline.more")


@dataclass(frozen=True)
class HandIns:
    """What is handed in for one assignment, and what stays open for a right submission without a GPU and a TA."""

    name: str
    open: Mapping[str, Outcome]

    @property
    def reference(self) -> Path:
        return TESTS.parent / "reference" / self.name

    @property
    def template(self) -> Path:
        return TESTS.parent / "student_template" / self.name

    @property
    def sources(self) -> tuple[str, ...]:
        return tuple(name for name in load_assignment(self.name).files if name.endswith(".py"))

    def changes(self, kind: str) -> list[Change]:
        """Return the changes of one kind in the case books: mistakes, unusual or attacks."""
        return load_changes(sorted((TESTS / "assignments" / self.name).glob(f"*/{kind}*.py")), self.reference)

    def change_of(self, kind: str, module: str, name: str) -> Change:
        return next(one for one in self.changes(kind) if one.id == f"{module}.{name}")

    @staticmethod
    def id_of(change: Change) -> str:
        return change.id

    @staticmethod
    def concerns(change: Change, check: str) -> bool:
        """Return whether `check` is one that the change costs, or that fails without points, or is flagged."""
        return check in {*change.losses(), *change.words("warned"), *change.words("flagged")}

    def reference_files(self) -> dict[str, bytes]:
        """Return the reference as a hand-in: name -> contents, in the sheet's order."""
        return {name: (self.reference / name).read_bytes() for name in load_assignment(self.name).files}

    def template_files(self) -> dict[str, bytes]:
        """Return the code as students get it, without a report."""
        return {name: (self.template / name).read_bytes() for name in self.sources}

    def graded(self, path: Path, limits: Limits | None = None) -> Report:
        """Grade the zip or folder at `path`, with all checks, on the embedded digits and without a GPU."""
        options = Options(seed=SEED, device="cpu", limits=limits or Limits())
        return grade(path, load_assignment(self.name), options)

    def graded_files(self, files: Mapping[str, bytes], folder: Path, limits: Limits | None = None) -> Report:
        path = folder / f"{self.name}.zip"
        path.write_bytes(packed(files))
        return self.graded(path, limits)

    def graded_change(self, change: Change, folder: Path) -> Report:
        return self.graded_files(self.reference_files() | change.changed_files(), folder)

    def lost(self, report: Report) -> dict[str, str]:
        """Return what has points and is not as for a right submission, id -> outcome; `partly` for a share of them."""
        return {
            result.criterion.id: "partly" if result.is_partly_right else str(result.outcome)
            for result in report.results
            if result.criterion.points and result.outcome is not self.open.get(result.criterion.id, Outcome.PASSED)
        }

    def explained(self, report: Report) -> dict[str, str]:
        """Return what `lost` returns, with the findings: what to read when nothing should have been lost."""
        texts = {result.criterion.id: str(result.finding) for result in report.results}
        return {check: f"{outcome}: {texts[check]}" for check, outcome in self.lost(report).items()}


OPEN = EXPLAINED | {"max.gpu.speedup": Outcome.NOT_MEASURED, "submission.code": Outcome.INCONCLUSIVE}
HW1 = HandIns("hw1", OPEN)
LAYERS = HandIns("layers", EXPLAINED | {"network.speedup": Outcome.NOT_MEASURED})
GEMM = HandIns("gemm", EXPLAINED | dict.fromkeys(SPEED, Outcome.NOT_MEASURED))
DISTRIBUTED = HandIns("distributed", EXPLAINED)
REFERENCE, TEMPLATE = HW1.reference, HW1.template
changes, change_of = HW1.changes, HW1.change_of
reference_files, template_files = HW1.reference_files, HW1.template_files
graded, graded_files, lost, explained = HW1.graded, HW1.graded_files, HW1.lost, HW1.explained


def id_of(change: Change) -> str:
    return f"{change.module.removesuffix('_functions')}.{change.name}"


def concerns(change: Change, check: str) -> bool:
    """Return whether `check` judges the changed file of hw1."""
    return check.startswith(PREFIXES[change.target])


def suspects(change: Change) -> set[str]:
    """Return the names of the changed file and of all functions in it."""
    body = ast.parse(change.source).body
    return {change.target, *(node.name for node in body if isinstance(node, ast.FunctionDef))}


def not_yet(change: Change) -> list[pytest.MarkDecorator]:
    """Return the mark of a case that an open issue will make true: until then its test has to fail."""
    reason = change.keys.get("not_yet")
    return [pytest.mark.xfail(strict=True, reason=reason)] if reason else []


def joined(group: Sequence[Change]) -> str:
    return "+".join(id_of(change) for change in group)


def in_turn(place: int, group: Sequence[Change] = ()) -> list[pytest.MarkDecorator]:
    """Return the marks that let one case in 72 run in `make test`, and the rest in `test-all`.

    What hangs is left to the latter: it waits for limits.
    """
    is_left = place % 72 or any(change.limit_s != Limits().call_s for change in group)
    return [pytest.mark.slow] if is_left else []


def one_by_one(some: Sequence[Change]) -> list[object]:
    """Return a case for each change: every 96th runs in CI, the others in `make test-all`."""
    found = []
    for place, one in enumerate(some):
        marks = [pytest.mark.slow if place % 96 else pytest.mark.wide, *not_yet(one)]
        found.append(pytest.param(one, id=f"{one.target}-{one.name}", marks=marks))
    return found


def graded_changes(some: Sequence[Change], folder: Path) -> Report:
    """Grade the reference with `some` changes, each of another file."""
    files = reference_files()
    for change in some:
        files |= change.changed_files()
    return graded_files(files, folder, min((change.limits for change in some), key=lambda limits: limits.call_s))


def empty_pdf() -> bytes:
    pdf = FPDF()
    pdf.add_page()
    return bytes(pdf.output())


def protected_pdf() -> bytes:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    pdf.cell(text="max_kernel and matmul_kernel")
    pdf.set_encryption(owner_password="owner", user_password="user")
    return bytes(pdf.output())


def packed(files: Mapping[str, bytes], folder: str = "") -> bytes:
    """Return a zip of `files`, the same bytes for the same files."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(folder + name), data)
    return buffer.getvalue()


def warned(report: Report) -> set[str]:
    """Return the checks without points that failed or could not run."""
    rows = ((result.criterion.id, result.outcome) for result in report.results if not result.criterion.points)
    return {check for check, outcome in rows if outcome is not OPEN.get(check, Outcome.PASSED)}


def gained(report: Report, aims: Collection[str], *, flags: bool = True) -> dict[str, str]:
    """Return the checks of `aims` (ids, or `utils.` for all that begin so) that gave points, id -> outcome.

    With `flags`, a check that a flag names gained nothing: a TA looks at it.
    """
    flagged = {check for check, _ in report.flags} if flags else set()
    ids = [result.criterion.id for result in report.results]
    aimed = {one for one in ids for aim in aims if one == aim or (aim[-1] == "." and one.startswith(aim))}
    assert len(aimed) >= len(aims), f"no check has an id of {aims}"
    won = [result for result in report.results if result.criterion.id in aimed - flagged and result.points_low > 0]
    return {result.criterion.id: str(result.outcome) for result in won}


def errors(report: Report) -> list[str]:
    """Return what the grader itself got wrong: nothing, ever."""
    return [f"{result.criterion.id}: {result.finding}" for result in report.results if result.outcome is Outcome.ERROR]


def findings(report: Report) -> Iterator[tuple[str, str]]:
    """Yield id and sentence of every check that failed."""
    for result in report.results:
        if result.outcome is Outcome.FAILED and result.criterion.points:
            finding = result.finding
            yield result.criterion.id, f"{finding.message} {finding.got} {finding.hint}"
