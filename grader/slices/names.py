"""Which statement of a file binds which name, and which names of its module a statement uses."""

import ast
import importlib.util
import re
import symtable
import warnings
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from grader.slices.idle import first_name, last_name
from grader.slices.policy import is_module_allowed, module_names

MAX_SOURCE_BYTES = 256 << 10
_LINE = re.compile(r"[^\n]*\n|[^\n]+")  # lines as Python counts them: `splitlines` knows further ends
_GUARDS = ("__name__ == '__main__'", "'__main__' == __name__")
_NO_FIELDS = {"ClassVar", "InitVar", "KW_ONLY"}
_COMPOUND = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.Match)
_DEEPEST, _MOST_CHANGED, _MOST_IN_ALL = 3, 100, 100_000
"""How many calls deep it is followed what changes; how many names a function may change, and all functions together."""


class Unreadable(Exception):  # noqa: N818 - a property of a text
    """A text cannot be read as Python: the message says why, without a final stop, and `line` says where."""

    def __init__(self, words: str, line: int = 0, text: str = "") -> None:
        super().__init__(words)
        self.line, self.text = line, text


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file that could be parsed: its top-level statements, and what each binds."""

    name: str
    lines: tuple[str, ...]
    statements: tuple[ast.stmt, ...]
    bindings: dict[str, tuple[int, ...]]  # name -> positions of the statements that bind it at module level, in order
    changes: dict[str, tuple[int, ...]]
    """Name -> positions of the statements that change what it is bound to, as `SIZES.append(3)` does."""
    libraries: dict[str, str]  # name -> full name of what it is imported from libraries as, such as `numpy.linalg`
    futures: tuple[int, ...]  # positions of `from __future__ import`, which govern the whole file
    defers_annotations: bool

    def span(self, position: int) -> tuple[int, int, int, int]:
        """Return first line and column, last line and column of a statement, decorators included; columns in bytes."""
        statement = self.statements[position]
        line, column = statement.lineno, statement.col_offset
        if decorators := getattr(statement, "decorator_list", ()):
            line, column = decorators[0].lineno, 0  # the @ stands before what a decorator's own place says
        return line, column, statement.end_lineno or line, statement.end_col_offset or 0

    def text_of(self, position: int) -> str:
        """Return a statement as it stands in the file."""
        line, column, last, end = self.span(position)
        rows = [row.encode() for row in self.lines[line - 1 : last]]
        rows[-1] = rows[-1][:end]
        rows[0] = rows[0][column:]
        return b"".join(rows).decode("utf-8", "replace")

    @property
    def module(self) -> str:
        """The name by which it is imported."""
        return self.name.removesuffix(".py")


@lru_cache  # the checks of comments read what the slices were cut from
def read_file(name: str, data: bytes) -> SourceFile:
    """Return the file as statements and names.

    Raises:
        Unreadable: it is no Python, too long, or nested too deeply.
    """
    if len(data) > MAX_SOURCE_BYTES:
        raise Unreadable(f"is {len(data)} bytes long; up to {MAX_SOURCE_BYTES >> 10} KiB are read")
    try:
        text = importlib.util.decode_source(data).lstrip("\ufeff").replace("\f", " ")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's hints about the student's style are none of the grader's output
            tree = ast.parse(text)
        return _describe(name, text, tree)
    except SyntaxError as error:
        raise Unreadable(f"is not valid Python: {error.msg}", error.lineno or 0, (error.text or "").strip()) from error
    except (UnicodeError, LookupError, ValueError) as error:
        raise Unreadable(f"is no readable text: {error}") from error
    except (RecursionError, MemoryError) as error:
        raise Unreadable("is nested too deeply to be read") from error


def _describe(name: str, text: str, tree: ast.Module) -> SourceFile:
    bindings: dict[str, list[int]] = {}
    changes: dict[str, list[int]] = {}
    reached = _names_changed_by(tree)
    libraries = dict(_names_of_libraries(tree))
    functions = [part for part in tree.body if isinstance(part, ast.FunctionDef)]
    called = {node.name: {part.id for part in ast.walk(node) if isinstance(part, ast.Name)} for node in functions}
    recursive = {name for name, names in called.items() if name in names}
    classes = (part for part in tree.body if isinstance(part, ast.ClassDef))
    registering = {part.name for part in classes if "__init_subclass__" in ast.dump(part)}
    futures = []
    for position, statement in enumerate(tree.body):
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            futures.append(position)
        elif not is_main_guard(statement):
            for bound in bound_names(statement):
                bindings.setdefault(bound, []).append(position)
            changed = {*_changed_names(statement), *_changed_by_calls(statement, reached)}
            call = statement.value if isinstance(statement, ast.Expr) else None
            sets_recursion = isinstance(call, ast.Call) and last_name(call.func) == "setrecursionlimit"
            changed |= recursive if sets_recursion else set()  # these functions need the limit, and do not name it
            if isinstance(statement, ast.ClassDef) and statement.bases:  # perhaps below one that lists its subclasses
                changed |= registering - {statement.name}
            if isinstance(statement, ast.FunctionDef):  # `@cuda.jit` makes a kernel, and changes nothing of `cuda`
                changed -= libraries.keys()
            for name_changed in changed:
                changes.setdefault(name_changed, []).append(position)
    defers = any(alias.name == "annotations" for at in futures for alias in getattr(tree.body[at], "names", ()))
    bound_at = {bound: tuple(dict.fromkeys(positions)) for bound, positions in bindings.items()}
    changing = {name: tuple(dict.fromkeys(positions)) for name, positions in changes.items()}
    lines, statements = tuple(_LINE.findall(text)), tuple(tree.body)
    return SourceFile(name, lines, statements, bound_at, changing, libraries, tuple(futures), defers)


def _names_of_libraries(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield each name under which a file imports a library, or a part of one, and the full name of the import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and is_module_allowed(node.module or ""):
            yield from ((alias.asname or alias.name, f"{node.module}.{alias.name}") for alias in node.names)
        elif isinstance(node, ast.Import):
            for alias in filter(lambda alias: is_module_allowed(alias.name), node.names):
                package = alias.name.partition(".")[0]
                yield alias.asname or package, alias.name if alias.asname else package


def is_main_guard(statement: ast.stmt) -> bool:
    """Return whether a statement is the usual guard, exactly, without `else`: nothing in it runs on import."""
    return isinstance(statement, ast.If) and not statement.orelse and ast.unparse(statement.test) in _GUARDS


def _changed_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names whose objects a top-level statement changes: by an item, an attribute, or a method's call."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=root))):
            yield first_name(root)
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign() | ast.Delete():
            parts = (part for part in ast.walk(statement) if isinstance(part, ast.Subscript | ast.Attribute))
            yield from (first_name(part) for part in parts if not isinstance(part.ctx, ast.Load))
        case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
            functions = [part.func if isinstance(part, ast.Call) else part for part in decorators]
            yield from (first_name(part) for part in functions if isinstance(part, ast.Attribute))
        case _ if isinstance(statement, _COMPOUND):
            yield from _changed_within([statement])


def _changed_within(statements: Iterable[ast.stmt]) -> set[str]:
    """Return the names whose objects statements, or those inside them, change; by a loop, all names that it is over."""
    inner = [part for each in statements for part in ast.walk(each) if isinstance(part, ast.stmt)]
    changed = {name for part in inner if not isinstance(part, _COMPOUND) for name in _changed_names(part)}
    loops = (part for part in inner if isinstance(part, ast.For))
    return changed.union(*(_names_in(loop.iter) for loop in loops if changed & _names_in(loop.target)))


def _names_in(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _names_changed_by(tree: ast.Module) -> dict[str, set[str]]:
    """Return, for each function and class of a file, the names of the module that it binds or changes when called."""
    variables = {
        name
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.Import | ast.ImportFrom)
        for name in bound_names(statement)
    }
    changes: dict[str, set[str]] = {}
    called: dict[str, set[str]] = {}
    for definition in tree.body:
        match definition:
            case ast.FunctionDef(name=name, body=body) | ast.ClassDef(name=name, body=body):
                inside = (part for each in body for part in ast.walk(each) if isinstance(part, ast.Global))
                changes[name] = (_changed_within(body) & variables).union(*(part.names for part in inside))
                called[name] = {*_called(body), *map(first_name, getattr(definition, "bases", ()))}
    total = 0
    for name in [*called] * _DEEPEST:
        changes[name] = changes[name].union(*(changes.get(other, ()) for other in called[name]))
        total += len(changes[name])
        if len(changes[name]) > _MOST_CHANGED or total > _MOST_IN_ALL:
            raise Unreadable(f"has functions, such as {name}, that change too many names to be read")
    return changes


def _called(parts: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names that are called in parts of a file, also as decorators of functions and classes inside."""
    for part in (inner for each in parts for inner in ast.walk(each)):
        match part:
            case ast.Call(func=ast.Name(id=name)):
                yield name
            case ast.FunctionDef(decorator_list=decorators) | ast.ClassDef(decorator_list=decorators):
                yield from (decorator.id for decorator in decorators if isinstance(decorator, ast.Name))


def _changed_by_calls(statement: ast.stmt, reached: Mapping[str, set[str]]) -> Iterator[str]:
    """Yield the names that are changed by the functions and classes of the file that a statement calls."""
    parts: list[ast.AST] = [statement]
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        parts = [ast.Call(decorator, [], []) for decorator in statement.decorator_list]
    for name in _called(parts):
        yield from reached.get(name, ())


def find_odd_guard(source: SourceFile) -> ast.stmt | None:
    """Return a condition that looks like the usual guard, and binds names during an import; None if none does."""
    for statement in source.statements:
        if not isinstance(statement, ast.If) or is_main_guard(statement):
            continue
        if "__name__" in ast.unparse(statement.test) and any(bound_names(statement)):
            return statement
    return None


def bound_names(statement: ast.stmt) -> Iterator[str]:
    """Yield the names that a top-level statement binds, or unbinds, in its module."""
    todo: list[ast.AST] = [statement]
    while todo:
        node = todo.pop()
        yield from _bound_by(node)
        todo += _parts_in_scope(node)


def _bound_by(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.alias():
            yield (node.asname or node.name.partition(".")[0]) if node.name != "*" else ""
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name


def _parts_in_scope(node: ast.AST) -> Iterable[ast.AST]:
    """Return the parts of a node that may bind names of the scope that it stands in."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [*node.decorator_list, *getattr(node, "bases", ())]  # which may hold a walrus
        case ast.Lambda():
            return []
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return [part for part in ast.walk(node) if isinstance(part, ast.NamedExpr)]
        case _:
            return ast.iter_child_nodes(node)


def used_names(source: SourceFile, position: int) -> set[str]:
    """Return the names that a statement, with everything inside it, looks up in its module or among the built-ins."""
    text = source.text_of(position)
    future = "from __future__ import annotations\n" if source.defers_annotations else ""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = symtable.symtable(future + text, source.name, "exec")
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        raise Unreadable("cannot be taken apart", source.statements[position].lineno) from error
    names: set[str] = set()
    todo = [table]
    while todo:
        scope = todo.pop()
        names |= {
            symbol.get_name()
            for symbol in scope.get_symbols()
            if symbol.is_declared_global() or (symbol.is_referenced() and (scope is table or symbol.is_global()))
        }
        todo += scope.get_children()
    if future:
        names = (names - {"annotations"}) | set(_names_for_dataclasses(source.statements[position]))
    return names


def _names_for_dataclasses(statement: ast.stmt) -> Iterator[str]:
    """Yield names such as `ClassVar`, by which `dataclass` sees in unevaluated annotations that these are no fields."""
    fields = [part.annotation for part in ast.walk(statement) if isinstance(part, ast.AnnAssign)]
    for kind in [field.value if isinstance(field, ast.Subscript) else field for field in fields]:
        match kind:
            case ast.Name(id=name) if name in _NO_FIELDS:
                yield name
            case ast.Attribute(value=ast.Name(id=module), attr=name) if name in _NO_FIELDS:
                yield module


def star_names(source: SourceFile, files: Mapping[str, SourceFile]) -> dict[str, tuple[int, str]]:
    """Return name -> position and module of the `import *` that binds it, the last one if several do.

    `files` are those of the hand-in.
    """
    bound: dict[str, tuple[int, str]] = {}
    for position, module in _stars(source):
        bound |= dict.fromkeys(_public_names(module, files), (position, module))
    return bound


def _stars(source: SourceFile) -> Iterator[tuple[int, str]]:
    for position, statement in enumerate(source.statements):
        if isinstance(statement, ast.ImportFrom) and statement.names[0].name == "*":
            yield position, statement.module or ""


def _public_names(module: str, files: Mapping[str, SourceFile]) -> set[str]:
    """Return what `import *` takes from a module of a library or of the hand-in, which may have its own `import *`."""
    todo, seen = [module], set()
    found: set[str] = set()
    while todo:
        name = todo.pop()
        file = files.get(f"{name}.py")
        if file is not None and name not in seen:
            found.update(name for name in file.bindings if not name.startswith("_"))
            todo += [name for _, name in _stars(file)]
        elif file is None:
            found |= module_names(name) or frozenset()
        seen.add(name)
    return found
