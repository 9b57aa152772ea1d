"""Changes of a reference solution: mistakes, unusual solutions and cheats of students, with their expected results.

A *change* is a case of a case book, see `grader.trial.casebook`; the book's folder is named after the file that is
changed. A function, class or constant at the top level of the case replaces that of the same name in the reference's
`<module>.py`. All other code is inserted after the part before it; the first part follows the reference's imports. A
class without a docstring replaces only the methods that it defines, and adds new ones. The docstring describes the
change; its last lines have the expected results, one `key: values` per line:

    failed:   checks with points that fail without points     (default: none)
    partly:   checks that fail with a share of their points   (default: none)
    skipped:  checks that are skipped in consequence          (default: none)
    opened:   checks that a person must decide                (default: none)
    warned:   checks without points that fail                 (default: not compared)
    flagged:  checks with a flag for a TA                     (default: not compared)
    says:     text in the finding of every failed check       (default: the name of a function or file)
    removes:  names of the reference that are removed
    belongs:  another module: this is a part of that module's case with the same name, not a case of its own
    limit_s:  wall time per call and import, for changes that hang
    slow:     why the case takes long
    not_yet:  the issue that will make this true; until then its test must fail

Attacks of the grader's own tests may use these keys instead:

    aims:     checks that must end without points, undecided, or with a flag (ids, or `part.` for all of a part)
    level:    the weakest sandbox level that stops it (default: limits; others are `landlock` and `full`)
    runs:     the checks to run (default: those of the first parts of `aims`, or of the file)
    pdf:      the report to hand in

Several checks or names are separated by spaces or commas.

A change that is not valid Python (a syntax error on purpose) is appended unchanged.

There are also general cheats, made from the reference of any GPU assignment: other code does the work that a function
must do itself.

    gpu         another function of the file gives the answer, without a launch or after a launch of empty kernels; or
                the kernels are empty, and nothing gives the answer
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
"""Key -> the result of the checks that it names."""


@dataclass(frozen=True)
class Change:
    """One change to one file of the reference, and its expected results."""

    name: str
    target: str  # the file's name
    text: str
    source: str  # the text of that file in the reference
    keys: Mapping[str, str] = field(default_factory=dict)  # the keys of its docstring and of its book
    others: tuple[Change, ...] = ()  # the changes of other files that belong to it

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
        """The description of the change: the first line of its docstring."""
        return self.text.split('"""')[1].strip().splitlines()[0]

    def words(self, key: str) -> set[str]:
        """Return the words of a key's value."""
        return set(re.split(r"[,\s]+", self.keys.get(key, ""))) - {""}

    def names_of_checks(self) -> set[str]:
        """Return all checks that the keys name."""
        return set().union(*(self.words(key) for key in (*LOSSES, "warned", "flagged")))

    def losses(self) -> dict[str, str]:
        """Return check -> its result, for the checks that lose points by this change."""
        return {check: loss for key, loss in LOSSES.items() for check in self.words(key)}

    @property
    def limit_s(self) -> float:
        """Wall time per call and import; the usual time unless the key `limit_s` is there."""
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
    """Return the changes of `books`, sorted by module and name; the folder `reference` has the files that they change.

    Raises:
        StaffError: a book or a case is wrong; two have the same name; the reference lacks a file or a removed name.
    """
    cases: dict[tuple[str, str], Case] = {}
    for book in books:
        for case in read_book(book):
            module = book.parent.name
            if (first := cases.setdefault((module, case.name), case)) is not case:
                raise StaffError(f"{case.place}: {first.place} has a case of this name too: give one another name")
    sources: dict[str, str] = {}
    for (module, _name), case in cases.items():
        path = reference / f"{module}.py"
        if not path.is_file():
            raise StaffError(f"{case.place}: there is no {path} to change: name the folder after a reference's file")
        sources[module] = path.read_text("utf-8")
    changes = {
        (module, name): Change(name, f"{module}.py", case.text, sources[module], case.keys)
        for (module, name), case in sorted(cases.items())
    }
    for key, change in changes.items():
        removed = change.words("removes")
        known = {name for node in ast.parse(change.source).body for name in _names(node)} if removed else ()
        if unknown := [name for name in removed if name not in known]:
            raise StaffError(f"{cases[key].place}: removes {', '.join(unknown)}: name what {change.target} defines")
    return list(_joined(changes))


def _joined(changes: Mapping[tuple[str, str], Change]) -> Iterator[Change]:
    """Yield the changes, each with those that belong to it; a change that belongs to another is not yielded itself."""
    parts: dict[tuple[str, str], list[Change]] = {}
    for change in changes.values():
        if module := change.keys.get("belongs"):
            parts.setdefault((module, change.name), []).append(change)
    for (module, name), some in parts.items():
        if (module, name) not in changes:
            raise StaffError(f"{some[0].id} belongs to {module}.{name}, and there is none: write one for {module}")
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
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    imports_end = max((node.end_lineno or 1 for node in imports), default=1)
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
    """Return `change`; its classes without a docstring get the methods of `source` that they do not replace."""
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
    """Empty the lines of a definition and return the index of its first line."""
    lines[first:last] = [""] * (last - first)
    return first


def _text(source: str, node: ast.stmt) -> str:
    first, last = _span(node)
    return "\n".join(source.splitlines()[first:last])


def _span(node: ast.stmt) -> tuple[int, int]:
    return min(part.lineno for part in (node, *getattr(node, "decorator_list", []))) - 1, node.end_lineno or node.lineno


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else []
    return [target.id for target in targets if isinstance(target, ast.Name)]


_HONEST = "honest_way"
_FAST_FIRST = ("compiled", "python", "values")


def make_cheats(graded: Mapping[tuple[str, str], str], sources: Mapping[str, str]) -> Iterator[Change]:
    """Yield the cheats that can be made from an assignment's reference.

    `graded` maps module and name of each graded function -> its way, one of `grader.assignment.WAYS`; `sources` maps
    each Python file of the reference -> its text.
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
    """Yield for each cheat with one function its description in a few words, and its code."""
    node = functions[function]
    if way == "compiled" and any(map(_is_compiler, node.decorator_list)):
        kept = [decorator for decorator in node.decorator_list if not _is_compiler(decorator)]
        yield "without Numba", _with(node, decorators=kept)
    if way == "python":
        njit = ast.parse("numba.njit", mode="eval").body
        yield "compiled by Numba", f"import numba\n{_with(node, decorators=[njit])}"
    if way == "gpu":
        kernels = [functions[name] for name, kind in ways.items() if kind == "kernels" and name in functions]
        empty = "\n".join(_with(kernel, body=[ast.Pass()]) for kernel in kernels)
        yield "kernels do nothing", empty
        if twin := _twin(node, ways, functions):
            names = ", ".join(arg.arg for arg in node.args.args)
            head = f"def {function}({ast.unparse(node.args)}):\n"
            yield f"answered by {twin}", f"{head}    return {twin}({names})\n"
            after = f"{head}    {_HONEST}({names})\n    return {twin}({names})\n"
            yield f"answered by {twin} after empty kernels", f"{empty}\n{_with(node, name=_HONEST)}\n{after}"


def _twin(node: ast.FunctionDef, ways: Mapping[str, str], functions: Mapping[str, ast.FunctionDef]) -> str:
    """Return another graded function with the same number of arguments, a fast one if possible; empty if none."""
    alike = [name for name in ways if name in functions and len(functions[name].args.args) == len(node.args.args)]
    return next((name for way in _FAST_FIRST for name in alike if ways[name] == way), "")


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
