"""Hand-ins of hw1 made from the reference, and their grading inside this process.

A *change* is one small Python file in `tests/mistakes/<file>/` or `tests/unusual/<file>/`, named after what is
special about it. What it binds at top level (functions, constants) takes the place of what the reference's `<file>.py`
binds under the same name. All else follows what stands before it; the first things follow the reference's imports.
The docstring says what the change is, and below that what follows from it, one `key: values` per line:

    failed:   point-bearing checks that fail          (default: none)
    skipped:  those that are skipped in consequence   (default: none)
    warned:   checks without points that fail         (default: not looked at)
    flagged:  checks with a flag for a TA             (default: not looked at)
    opens:    checks of other files that a person has to decide   (default: none)
    opened:   checks that a person has to decide, because the slice cannot be followed   (default: none)
    says:     what the finding of every failed check contains   (default: the name of a function or file)
    removes:  names of the reference that are gone
    limit_s:  wall time per call and import, for changes that hang
    slow:     why the case takes long; it runs in `make test-all` only

A change that is no Python at all (a syntax error on purpose) is appended as it stands.
"""

import ast
import io
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

import pytest
from fpdf import FPDF

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Outcome, Report
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
_KEY = re.compile(r"^(failed|skipped|warned|flagged|opens|opened|says|removes|limit_s|slow):(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Change:
    """One change to one file of the reference, and what follows from it."""

    name: str
    target: str
    text: str

    @property
    def expected(self) -> Mapping[str, str]:
        """The keys of the docstring."""
        return {key: value.strip() for key, value in _KEY.findall(self.text.split('"""')[1])}

    def words(self, key: str) -> set[str]:
        return set(self.expected.get(key, "").split())

    @property
    def suspects(self) -> set[str]:
        """The names of the changed file and of all functions in it."""
        source = (REFERENCE / self.target).read_text("utf-8")
        return {self.target, *(node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef))}

    @property
    def id(self) -> str:
        return f"{self.target.removesuffix('_functions.py').removesuffix('.py')}.{self.name}"

    @property
    def limit_s(self) -> float:
        """Wall time per call and import; the usual one unless the change hangs."""
        return float(self.expected.get("limit_s", Limits().call_s))

    @property
    def is_slow(self) -> bool:
        """Whether the change is left to `make test-all`."""
        return "slow" in self.expected

    def concerns(self, check: str) -> bool:
        """Whether `check` judges the changed file."""
        return check.startswith(PREFIXES[self.target])

    def applied(self) -> bytes:
        """Return the changed file."""
        source = (REFERENCE / self.target).read_text("utf-8")
        return replaced(source, self.text, self.words("removes")).encode()


def changes(folder: str) -> list[Change]:
    """Return the changes below `tests/<folder>/`, sorted."""
    return [
        Change(file.stem, f"{file.parent.name}.py", file.read_text("utf-8"))
        for file in sorted((TESTS / folder).glob("*/*.py"))
    ]


def one_per_file(some: Sequence[Change]) -> list[list[Change]]:
    """Return groups of at most one change per file; those that hang come together, because they wait."""
    columns = [
        sorted((change for change in some if change.target == name), key=lambda change: change.limit_s)
        for name in SOURCES
    ]
    return [[change for change in row if change] for row in zip_longest(*columns)]


def joined(group: Sequence[Change]) -> str:
    """Return the name of a case that grades several changes at once."""
    return "+".join(change.id for change in group)


def in_turn(place: int, group: Sequence[Change]) -> list[pytest.MarkDecorator]:
    """Return the marks that let every twelfth case run in `make test`, a third in CI, and the rest in `test-all`.

    What hangs is left to CI: it waits for limits.
    """
    if place % 12 == 0 and all(change.limit_s == Limits().call_s for change in group):
        return []
    if place == 0:
        return [pytest.mark.wide]
    return [pytest.mark.wide] if place % 12 == 6 or place % 6 == 1 else [pytest.mark.slow]


def graded_changes(some: Sequence[Change], folder: Path) -> Report:
    """Grade the reference with `some` changes, each of another file."""
    files = reference_files() | {change.target: change.applied() for change in some}
    limit_s = min(change.limit_s for change in some)
    return graded_files(files, folder, Limits(load_s=limit_s, call_s=limit_s))


def replaced(source: str, change: str, removed: set[str]) -> str:
    """Return `source` with `change` applied as this module's docstring says."""
    try:
        parts = [(_names(node), _text(change, node)) for node in ast.parse(change).body[1:]]
    except SyntaxError:
        return f"{source}\n\n{change}"
    body = ast.parse(source).body
    old = {name: _span(node) for node in body for name in _names(node)}
    imports_end = max(node.end_lineno for node in body if isinstance(node, ast.Import | ast.ImportFrom))
    lines, at = source.splitlines(), imports_end - 1
    for names, text in parts:
        places = [old[name] for name in names if name in old]
        if places:
            at = _clear(lines, *places[0])
        lines[at] += f"\n\n{text}"
    for name in removed:
        _clear(lines, *old[name])
    return "\n".join(lines) + "\n"


def _clear(lines: list[str], first: int, last: int) -> int:
    """Empty the lines of a definition and return where it began."""
    lines[first:last] = [""] * (last - first)
    return first


def _text(source: str, node: ast.stmt) -> str:
    first, last = _span(node)
    return "\n".join(source.splitlines()[first:last])


def _span(node: ast.stmt) -> tuple[int, int]:
    decorators = getattr(node, "decorator_list", [])
    return min(part.lineno for part in (node, *decorators)) - 1, node.end_lineno


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


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
    """Return the point-bearing checks whose outcome is not that of a right submission, id -> outcome."""
    return {
        result.criterion.id: str(result.outcome)
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
