"""Changes of a reference solution: what students do wrong or unusually, one small file for each, and what it costs.

A *change* is a Python file in `mistakes/<module>/` of an assignment, named after what is special about it. What it
binds at top level (functions, constants) takes the place of what the reference's `<module>.py` binds under the same
name. All else follows what stands before it; the first things follow the reference's imports. A class without a
docstring takes the place of the methods that it defines, and adds further ones. The file's docstring says what the
change is, and below that what follows from it, one `key: values` per line:

    failed:   checks with points that fail, and give none     (default: none)
    partly:   checks that fail, and give a share of points    (default: none)
    skipped:  those that are skipped in consequence           (default: none)
    opened:   checks that a person has to decide              (default: none)
    warned:   checks without points that fail                 (default: not looked at)
    flagged:  checks with a flag for a TA                     (default: not looked at)
    says:     what the finding of every failed check contains (default: the name of a function or file)
    removes:  names of the reference that are gone
    limit_s:  wall time per call and import, for changes that hang
    slow:     why the case takes long

Commas may stand between several checks or names.

A change that is no Python at all (a syntax error on purpose) is appended as it stands.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from grader.worker.launcher import Limits

LOSSES = {"failed": "failed", "partly": "partly", "skipped": "skipped", "opened": "inconclusive"}
"""Key -> what becomes of the checks that it names."""
_KEY = re.compile(rf"^({'|'.join(LOSSES)}|warned|flagged|says|removes|limit_s|slow):(.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Change:
    """One change to one file of the reference, and what follows from it."""

    name: str
    target: str
    """The file's name."""
    text: str
    source: str
    """The file as it stands in the reference."""

    @property
    def sentence(self) -> str:
        """What it is: the first line of its docstring."""
        return self.text.split('"""')[1].strip().splitlines()[0]

    @property
    def expected(self) -> Mapping[str, str]:
        """The keys of the docstring."""
        return {key: value.strip() for key, value in _KEY.findall(self.text.split('"""')[1])}

    def words(self, key: str) -> set[str]:
        """Return the words that stand behind a key."""
        return set(re.split(r"[,\s]+", self.expected.get(key, ""))) - {""}

    def names_of_checks(self) -> set[str]:
        """Return every check that the docstring names."""
        return set().union(*(self.words(key) for key in (*LOSSES, "warned", "flagged")))

    def losses(self) -> dict[str, str]:
        """Return check -> what becomes of it, for those with points that the change costs any."""
        return {check: loss for key, loss in LOSSES.items() for check in self.words(key)}

    @property
    def limit_s(self) -> float:
        """Wall time per call and import; the usual one unless the change hangs."""
        return float(self.expected.get("limit_s", Limits().call_s))

    @property
    def limits(self) -> Limits:
        """The usual limits with that wall time."""
        return Limits(load_s=self.limit_s, call_s=self.limit_s)

    def applied(self) -> bytes:
        """Return the changed file."""
        return replaced(self.source, self.text, self.words("removes")).encode()


def load_changes(folder: Path, reference: Path) -> list[Change]:
    """Return the changes in the folders below `folder`, sorted; `reference` holds the files that they change."""
    files = sorted(folder.glob("*/*.py"))
    sources = {name: (reference / f"{name}.py").read_text("utf-8") for name in {file.parent.name for file in files}}
    return [
        Change(file.stem, f"{file.parent.name}.py", file.read_text("utf-8"), sources[file.parent.name])
        for file in files
    ]


def one_per_file(some: Sequence[Change]) -> list[list[Change]]:
    """Return groups of at most one change per file; those that hang come together, because they wait."""
    targets = dict.fromkeys(change.target for change in some)
    columns = [
        sorted((change for change in some if change.target == name), key=lambda change: change.limit_s)
        for name in targets
    ]
    return [[change for change in row if change] for row in zip_longest(*columns)]


def replaced(source: str, change: str, removed: Iterable[str] = ()) -> str:
    """Return `source` with `change` applied as this module's docstring says, and without the names `removed`."""
    try:
        change = _with_other_methods(change, source)
        parts = [(_names(node), _text(change, node)) for node in ast.parse(change).body[1:]]
    except SyntaxError:
        return f"{source}\n\n{change}"
    body = ast.parse(source).body
    old = {name: _span(node) for node in body for name in _names(node)}
    imports_end = max(
        (node.end_lineno or 1 for node in body if isinstance(node, ast.Import | ast.ImportFrom)), default=1
    )
    lines, at = source.splitlines(), imports_end - 1
    for names, text in parts:
        places = [old[name] for name in names if name in old]
        if places:
            at = _clear(lines, *places[0])
        lines[at] += f"\n\n{text}"
    for name in removed:
        _clear(lines, *old[name])
    return "\n".join(lines) + "\n"


def _with_other_methods(change: str, source: str) -> str:
    """Return `change`, its classes with the methods that they leave as they are in `source`."""
    old = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)}
    lines = change.splitlines()
    for node in reversed(ast.parse(change).body):
        if isinstance(node, ast.ClassDef) and node.name in old and not ast.get_docstring(node):
            names = {name for part in node.body for name in _names(part)}
            kept = [part for part in old[node.name].body if not names.intersection(_names(part))]
            texts = [*(_text(source, part) for part in kept), *(_text(change, part) for part in node.body)]
            lines[node.lineno - 1 : node.end_lineno] = [lines[node.lineno - 1], "\n\n".join(texts)]
    return "\n".join(lines)


def _clear(lines: list[str], first: int, last: int) -> int:
    """Empty the lines of a definition and return where it began."""
    lines[first:last] = [""] * (last - first)
    return first


def _text(source: str, node: ast.stmt) -> str:
    first, last = _span(node)
    return "\n".join(source.splitlines()[first:last])


def _span(node: ast.stmt) -> tuple[int, int]:
    decorators = getattr(node, "decorator_list", [])
    return min(part.lineno for part in (node, *decorators)) - 1, node.end_lineno or node.lineno


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]
