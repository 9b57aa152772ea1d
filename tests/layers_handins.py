"""Hand-ins of layers made from the reference, and their grading inside this process.

A *change* is a Python file in `tests/assignments/layers/<kind>/<file>/`, as those of hw1 are (see `handins`), with one
more rule: a class in it changes the methods that it defines, and adds those that the reference's class lacks; all
other methods stay. A class with a docstring takes the whole place of the reference's.
"""

import ast
from dataclasses import dataclass
from pathlib import Path

import handins

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.model import Outcome, Report

ROOT = Path(__file__).parents[1]
REFERENCE, TEMPLATE = ROOT / "reference" / "layers", ROOT / "student_template" / "layers"
CHANGES = Path(__file__).parent / "assignments" / "layers"
SOURCES = ("matrix.py", "layers.py", "losses.py", "network.py", "dataset.py")
OPEN = {"network.speedup": Outcome.NOT_MEASURED, "report.explanation": Outcome.INCONCLUSIVE}
"""What stays open for a right submission where there is no GPU and no TA."""


@dataclass(frozen=True)
class Change(handins.Change):
    """One change to one file of the reference."""

    @property
    def id(self) -> str:
        return f"{self.target.removesuffix('.py')}.{self.name}"

    def applied(self) -> bytes:
        """Return the changed file."""
        source = (REFERENCE / self.target).read_text("utf-8")
        return changed(source, self.text, self.words("removes")).encode()


def changes(kind: str) -> list[Change]:
    """Return the changes of a kind: mistakes, unusual, attacks."""
    return [
        Change(file.stem, f"{file.parent.name}.py", file.read_text("utf-8"))
        for file in sorted((CHANGES / kind).glob("*/*.py"))
    ]


def changed(source: str, change: str, removed: set[str]) -> str:
    """Return `source` with `change` applied as this module's docstring says."""
    old = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    lines = change.splitlines()
    for node in reversed(ast.parse(change).body):
        if isinstance(node, ast.ClassDef) and node.name in old and not ast.get_docstring(node):
            lines[node.lineno - 1 : node.end_lineno] = _merged(source, old[node.name], change, node)
    return handins.replaced(source, "\n".join(lines), removed)


def _merged(source: str, old: ast.ClassDef, change: str, new: ast.ClassDef) -> list[str]:
    """Return the lines of a class with some of its methods from another one."""
    own, others = source.splitlines(), change.splitlines()
    names = {node.name for node in new.body if isinstance(node, ast.FunctionDef)}
    kept = [node for node in old.body if not (isinstance(node, ast.FunctionDef) and node.name in names)]
    parts = [handins._span(node) for node in kept]
    body = [line for first, last in parts for line in (*own[first:last], "")]
    for node in new.body:
        first, last = handins._span(node)
        body += [*others[first:last], ""]
    return [others[new.lineno - 1], *body]


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
