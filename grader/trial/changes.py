"""Changes of a reference solution: what students do wrong or unusually, or to gain points, and what follows from it.

A *change* is a case of a case book, see `grader.trial.casebook`; the book's folder is named after the file that is
changed. What the case binds at top level (functions, constants) takes the place of what the reference's
`<module>.py` binds under the same name. All else follows what stands before it; the first things follow the reference's
imports. A class without a docstring takes the place of the methods that it defines, and adds further ones. The
docstring says what the change is, and below that what follows from it, one `key: values` per line:

    failed:   checks with points that fail, and give none     (default: none)
    partly:   checks that fail, and give a share of points    (default: none)
    skipped:  those that are skipped in consequence           (default: none)
    opened:   checks that a person has to decide              (default: none)
    warned:   checks without points that fail                 (default: not looked at)
    flagged:  checks with a flag for a TA                     (default: not looked at)
    says:     what the finding of every failed check contains (default: the name of a function or file)
    removes:  names of the reference that are gone
    belongs:  it is no case of its own, but comes with the case of the same name of this other module
    limit_s:  wall time per call and import, for changes that hang
    slow:     why the case takes long
    not_yet:  the issue that will make this true; until then its test has to fail

Attacks of the grader's own tests may say instead:

    aims:     checks that must end without points, or open, or with a flag (ids, or `part.` for all that begin so)
    level:    the weakest sandbox level that stops it (default: limits; others are `landlock` and `full`)
    runs:     the checks to run (default: those of the first parts of `aims`, or of the file)
    pdf:      the report to hand in

Commas may stand between several checks or names.

A change that is no Python at all (a syntax error on purpose) is appended as it stands.

There are also cheats that every assignment of GPU homework meets, made of its own reference: somebody else does the
work.

    gpu         another function of the file answers, without a launch or after one of kernels that do nothing; or the
                kernels do nothing, and nobody answers
    compiled    the same loops without Numba
    python      the same loops with Numba
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.errors import StaffError
from grader.trial.casebook import Case, read_book
from grader.worker.launcher import Limits

LOSSES = {"failed": "failed", "partly": "partly", "skipped": "skipped", "opened": "inconclusive"}
"""Key -> what becomes of the checks that it names."""


@dataclass(frozen=True)
class Change:
    """One change to one file of the reference, and what follows from it."""

    name: str
    target: str
    """The file's name."""
    text: str
    source: str
    """The file as it stands in the reference."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """What its docstring and its book say follows from it."""
    others: tuple[Change, ...] = ()
    """The changes of other files that belong to it."""

    @property
    def module(self) -> str:
        """The file's name without its ending."""
        return self.target.removesuffix(".py")

    @property
    def id(self) -> str:
        """Module and name."""
        return f"{self.module}.{self.name}"

    @property
    def sentence(self) -> str:
        """What it is: the first line of its docstring."""
        return self.text.split('"""')[1].strip().splitlines()[0]

    def words(self, key: str) -> set[str]:
        """Return the words that stand behind a key."""
        return set(re.split(r"[,\s]+", self.keys.get(key, ""))) - {""}

    def names_of_checks(self) -> set[str]:
        """Return every check that the docstring names."""
        return set().union(*(self.words(key) for key in (*LOSSES, "warned", "flagged")))

    def losses(self) -> dict[str, str]:
        """Return check -> what becomes of it, for those with points that the change costs any."""
        return {check: loss for key, loss in LOSSES.items() for check in self.words(key)}

    @property
    def limit_s(self) -> float:
        """Wall time per call and import; the usual one unless the change hangs."""
        return float(self.keys.get("limit_s", Limits().call_s))

    @property
    def limits(self) -> Limits:
        """The usual limits with that wall time."""
        return Limits(load_s=self.limit_s, call_s=self.limit_s)

    def applied(self) -> bytes:
        """Return the changed file."""
        return replaced(self.source, self.text, self.words("removes")).encode()

    def changed_files(self) -> dict[str, bytes]:
        """Return name -> contents of all files that it changes."""
        return {self.target: self.applied()} | {other.target: other.applied() for other in self.others}


def load_changes(books: Iterable[Path], reference: Path) -> list[Change]:
    """Return the changes of `books`, sorted by module and name; `reference` holds the files that they change.

    Raises:
        StaffError: a book or a case is not as it has to be; two have one name; the reference has no such file or name.
    """
    cases: dict[tuple[str, str], Case] = {}
    for book in books:
        for case in read_book(book):
            module = book.parent.name
            if (first := cases.setdefault((module, case.name), case)) is not case:
                raise StaffError(
                    f"{case.place}: {first.place} has a case of this name too: give one of them another name"
                )
    sources: dict[str, str] = {}
    for (module, _name), case in cases.items():
        path = reference / f"{module}.py"
        if not path.is_file():
            raise StaffError(
                f"{case.place}: there is no {path} to change: name the folder after a file of the reference"
            )
        sources[module] = path.read_text("utf-8")
    changes = {
        (module, name): Change(name, f"{module}.py", case.text, sources[module], case.keys)
        for (module, name), case in sorted(cases.items())
    }
    for key, change in changes.items():
        _expect_names(change, cases[key])
    return list(_joined(changes))


def _expect_names(change: Change, case: Case) -> None:
    """Raise `StaffError` if the change removes what is not there."""
    known = {name for node in ast.parse(change.source).body for name in _names(node)} if "removes" in case.keys else ()
    if unknown := [name for name in change.words("removes") if name not in known]:
        raise StaffError(
            f"{case.place}: removes {', '.join(unknown)}: name functions, classes or constants of {change.target}"
        )


def _joined(changes: Mapping[tuple[str, str], Change]) -> Iterator[Change]:
    """Yield the changes with those that belong to them, and not these by themselves."""
    parts: dict[tuple[str, str], list[Change]] = {}
    for change in changes.values():
        if module := change.keys.get("belongs"):
            parts.setdefault((module, change.name), []).append(change)
    for (module, name), some in parts.items():
        if (module, name) not in changes:
            raise StaffError(
                f"{some[0].id} belongs to {module}.{name}, and there is none: write one in a book of {module}"
            )
    for key, change in changes.items():
        if "belongs" not in change.keys:
            yield replace(change, others=tuple(parts.get(key, ())))


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


_HONEST = "honest_way"
_FAST_FIRST = ("compiled", "python", "values")


def make_cheats(graded: Mapping[tuple[str, str], str], sources: Mapping[str, str]) -> Iterator[Change]:
    """Yield the cheats that can be made of an assignment's reference.

    `graded` has the way of each graded function, one of `grader.assignment.WAYS`, by module and name; `sources` the
    text of each Python file of the reference.
    """
    for name, source in sources.items():
        ways = {function: way for (module, function), way in graded.items() if f"{module}.py" == name}
        functions = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
        for function, way in ways.items():
            for what, text in _cheats(function, way, ways, functions) if function in functions else ():
                yield Change(f"{function}_{what.replace(' ', '_')}", name, f'"""{function}: {what}."""\n{text}', source)


def _cheats(
    function: str, way: str, ways: Mapping[str, str], functions: Mapping[str, ast.FunctionDef]
) -> Iterator[tuple[str, str]]:
    """Yield what a cheat with one function is, in a few words, and its text."""
    node = functions[function]
    if way == "compiled" and any(map(_is_compiler, node.decorator_list)):
        kept = [decorator for decorator in node.decorator_list if not _is_compiler(decorator)]
        yield "without Numba", _with(node, decorators=kept)
    if way == "python":
        yield (
            "compiled by Numba",
            f"import numba\n{_with(node, decorators=[ast.parse('numba.njit', mode='eval').body])}",
        )
    if way == "gpu":
        empty = "\n".join(
            _with(functions[name], body=[ast.Pass()])
            for name, kind in ways.items()
            if kind == "kernels" and name in functions
        )
        yield "kernels do nothing", empty
        if twin := _twin(node, ways, functions):
            names = ", ".join(arg.arg for arg in node.args.args)
            head = f"def {function}({ast.unparse(node.args)}):\n"
            yield f"answered by {twin}", f"{head}    return {twin}({names})\n"
            after = f"{head}    {_HONEST}({names})\n    return {twin}({names})\n"
            renamed = _with(node, name=_HONEST)
            yield f"answered by {twin} after empty kernels", f"{empty}\n{renamed}\n{after}"


def _twin(node: ast.FunctionDef, ways: Mapping[str, str], functions: Mapping[str, ast.FunctionDef]) -> str:
    """Return another graded function that takes as many arguments, best a fast one; empty if there is none."""
    for way in _FAST_FIRST:
        for name, its_way in ways.items():
            if its_way == way and name in functions and len(functions[name].args.args) == len(node.args.args):
                return name
    return ""


def _is_compiler(decorator: ast.expr) -> bool:
    return "jit" in ast.unparse(decorator)


def _with(
    node: ast.FunctionDef,
    *,
    name: str = "",
    body: list[ast.stmt] | None = None,
    decorators: list[ast.expr] | None = None,
) -> str:
    """Return the text of a function with another name, body or decorators."""
    made = copy.copy(node)
    made.name = name or node.name
    made.body = node.body if body is None else body
    made.decorator_list = node.decorator_list if decorators is None else decorators
    return ast.unparse(ast.fix_missing_locations(made))
