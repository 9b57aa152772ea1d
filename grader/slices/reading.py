"""Find what the policy of slices does not allow in a statement, with its line."""

import ast
import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence

from grader.slices import policy
from grader.slices.idle import find_idle_line, first_name, last_name
from grader.slices.names import SourceFile

Found = Iterator[tuple[int, str]]
INT_OF_DIGITS = "int of digits"
IDLE_IN_LINE = "idle in line "  # start of a word that says in which line a loop does work that nothing depends on
_OF_FILES = frozenset({"__all__", "__author__"})  # names between double underscores that files bind for their readers
_NAMING = (ast.FunctionDef, ast.ClassDef, ast.alias, ast.MatchAs, ast.MatchStar, ast.MatchMapping, ast.NamedExpr)
_OF_OWN = frozenset({"getattr", "setattr"})
"""Functions that may be called for objects in local names: the worker checks each call (`freezing.of_own`)."""
_COMPILERS = frozenset({"njit", "jit", "vectorize", "guvectorize"})


def find_strange(statement: ast.stmt, source: SourceFile, files: Sequence[str]) -> Found:
    """Yield line and words for everything in a statement that slices may not hold.

    Args:
        statement: Of the top level of a file.
        source: The file; its annotations count if they are evaluated, and not if they are only kept as texts.
        files: Modules of the hand-in itself, which may be imported.
    """
    nodes = list(_walk(statement, annotated=not source.defers_annotations))
    local = _local_names(nodes)
    libraries = {name: full for name, full in source.libraries.items() if name not in local}
    for node in nodes:
        line = getattr(node, "lineno", statement.lineno)
        for words in () if policy.is_guarded(node) else (*_reasons(node, libraries, files), *_odd_names(node)):
            yield line, words


def strange_imports(statement: ast.stmt, files: Sequence[str]) -> Iterator[tuple[ast.alias, str, str]]:
    """Yield each part of an import that the policy does not allow, the name that it binds, and words that say why."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        for alias in statement.names:
            alone: ast.stmt = ast.Import([alias])
            if isinstance(statement, ast.ImportFrom):
                alone = ast.ImportFrom(statement.module, [alias], statement.level)
            for words in (*_reasons(alone, {}, files), *_odd_names(alias)):
                yield alias, alias.asname or alias.name.partition(".")[0], words


def _walk(root: ast.AST, *, annotated: bool) -> Iterator[ast.AST]:
    """Yield a node and all below, without annotations if nobody evaluates them."""
    local = _local_names(ast.walk(root))
    todo = [root]
    while todo:
        node = todo.pop()
        if not (isinstance(node, ast.Name) and node.id in _OF_OWN & local):
            yield node
        match node:
            case ast.Call(func=ast.Name(id=name), args=[owner, *others], keywords=[]) if (
                name in _OF_OWN and first_name(owner) in local
            ):
                todo += [owner, *others]  # of an object of the slice's own, or refused when it is called
                continue
            case ast.Assign(targets=targets) if policy.is_guarded(node):
                todo += [*(vars(target)["value"] for target in targets), node.value]  # of its own, or refused likewise
                continue
        skipped = () if annotated else [getattr(node, name, None) for name in ("annotation", "returns")]
        todo += [part for part in ast.iter_child_nodes(node) if part not in skipped]


def _local_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that nodes bind as arguments and by assignments."""
    bound = set()
    for node in nodes:
        match node:
            case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()):
                bound.add(name)
    return bound


def _named(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the names in all nodes that do more than read a name: those that they may bind, and more."""
    for node in nodes:
        if not isinstance(getattr(node, "ctx", None), ast.Load):
            yield from (name.partition(".")[0] for name in _names_of(node))


def _names_of(node: ast.AST) -> Iterator[str]:
    """Yield the names that stand in a node itself, other than in texts."""
    for value in () if isinstance(node, ast.Constant) else vars(node).values():
        yield from (name for name in (value if isinstance(value, list) else [value]) if isinstance(name, str))


def _names_of_seeding(node: ast.AST) -> list[ast.AST]:
    """Return the parts of `numpy.random.seed` where that is called and its result is not used."""
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr="seed") as function)):
            parts = list(ast.walk(function))
            return parts if all(isinstance(part, ast.Attribute | ast.Name | ast.Load) for part in parts) else []
    return []


def find_words(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """Return the names and attributes in statements, and the original names of what they import and use.

    A call of `int` that reads digits, which makes integers of any length, is one more word: `INT_OF_DIGITS`. Attributes
    are words with a point in front, too; `@` and `__matmul__` are ".matmul".
    Functions of the hand-in are no words, unless something else has their name, too.
    The name `seed` is no word if a statement only seeds random numbers. Idle work is a word: `IDLE_IN_LINE` and a line.
    """
    statements = list(statements)
    walked = [node for statement in statements for node in _walk(statement, annotated=False)]
    seeding = {id(part) for node in walked for part in _names_of_seeding(node)}
    nodes = [node for node in walked if id(node) not in seeding]
    own = {statement.name for statement in statements if isinstance(statement, ast.FunctionDef)} - {*dir(builtins)}
    own -= {*_named(node for node in nodes if isinstance(node, ast.Name | ast.alias))}
    named = {node.id for node in nodes if isinstance(node, ast.Name)}
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    words = (named - own) | attributes | {f".{name.removeprefix('__').removesuffix('__')}" for name in attributes}
    if line := find_idle_line(statements):
        words.add(f"{IDLE_IN_LINE}{line}")
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            words.update(_words_of_import(node, named))
        elif isinstance(node, ast.Call) and last_name(node.func) == "int" and len(node.args + node.keywords) > 1:
            words.add(INT_OF_DIGITS)
        elif isinstance(node, ast.MatMult):
            words.add(".matmul")
    return frozenset(words - {""})


def _words_of_import(node: ast.Import | ast.ImportFrom, named: set[str]) -> Iterator[str]:
    """Yield the original names of what a statement imports and some code uses, and the names of their modules."""
    for alias in node.names:
        if alias.name == "*" or (alias.asname or alias.name.partition(".")[0]) in named:
            yield from alias.name.split(".")
            yield f".{alias.name}"  # `from operator import matmul` is as much as `operator.matmul`
            yield from (getattr(node, "module", None) or "").split(".")


def _reasons(node: ast.AST, libraries: Mapping[str, str], files: Sequence[str]) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (f"imports {alias.name}" for alias in names if not _is_known(alias.name, files))
        case ast.ImportFrom():
            yield from _from_reasons(node, files)
        case ast.Attribute(attr=name, value=owner, ctx=ast.Load()):
            yield from _attribute_reasons(name)
            yield from _library_reasons(_full_name(owner, libraries), name)
        case ast.Attribute(attr=name) if policy.is_strange(name):
            yield f"sets .{name} of an object"
        case ast.ClassDef():
            yield from _class_reasons(node)
        case ast.MatchClass():
            if node.patterns and last_name(node.cls) not in policy.PLAIN_TYPES:
                yield "takes an object apart by position"
            yield from (words for name in node.kwd_attrs for words in _attribute_reasons(name))
        case _:
            yield from _other_reasons(node)


def _odd_names(node: ast.AST) -> Iterator[str]:
    """Yield names between double underscores that are reserved for Python, wherever they stand but as attributes.

    Code that binds `__import__`, in a loop that never runs, would still read Python's own function of that name.
    """
    if not isinstance(node, ast.Attribute | ast.MatchClass | ast.ImportFrom):
        known = policy.BUILTINS | policy.DUNDER_DEFINITIONS | policy.DUNDER_ATTRIBUTES | _OF_FILES
        odd = (name for name in _names_of(node) if name.startswith("__") and name.endswith("__") and name.strip("_"))
        yield from (f"uses {name}" for name in odd if name not in known)


def _other_reasons(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Name(id=name) if name in _OF_OWN:
            yield f"uses {name}"
        case ast.Call(func=func, keywords=keywords) if last_name(func) in _COMPILERS:
            named = (keyword.arg for keyword in keywords)
            yield from (f"compiles with the option {name}" for name in named if name and name not in policy.ARGUMENTS)
        case ast.Constant(value=bytes()):
            yield "holds bytes"
        case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
            yield "is asynchronous"


def _is_known(module: str, files: Sequence[str]) -> bool:
    return policy.is_module_allowed(module) or module in files


def _from_reasons(node: ast.ImportFrom, files: Sequence[str]) -> Iterator[str]:
    module = node.module or ""
    if node.level == 1 and module in files:
        return  # outside of a package it raises ImportError, which the hand-in may catch
    if node.level or not _is_known(module, files):
        yield f"imports from {'.' * node.level}{module}"
    elif module not in files:
        unknown = {alias.name for alias in node.names} - {"*"} - policy.names_within(module)
        yield from (f"imports {name} from {module}" for name in sorted(unknown))


def _attribute_reasons(name: str) -> Iterator[str]:
    if name not in policy.DUNDER_ATTRIBUTES and policy.is_strange(name):
        yield f"uses the private name .{name}" if name.startswith("_") else f"uses .{name}"


def _full_name(node: ast.expr, libraries: Mapping[str, str]) -> str:
    """Return the full name of what an expression such as `np.linalg` reads from libraries; empty if it does not."""
    match node:
        case ast.Name(id=name):
            return libraries.get(name, "")
        case ast.Attribute(value=owner, attr=name):
            return f"{package}.{name}" if (package := _full_name(owner, libraries)) else ""
    return ""


def _library_reasons(module: str, name: str) -> Iterator[str]:
    if policy.is_module_allowed(module) and not name.startswith("__") and name not in policy.names_within(module):
        yield f"uses {module}.{name}"


def _class_reasons(node: ast.ClassDef) -> Iterator[str]:
    for keyword in node.keywords:
        is_abstract = keyword.arg == "metaclass" and last_name(keyword.value) == "ABCMeta"
        if keyword.arg in {None, "metaclass"} and not is_abstract:
            yield f"makes the class {node.name} in its own way, with {keyword.arg or '**'}="
    bound: list[ast.AST] = [getattr(part, "target", part) for part in ast.walk(node) if isinstance(part, _NAMING)]
    for part in node.body:
        bound += [] if isinstance(part, _NAMING) else [each for each in ast.walk(part) if isinstance(each, ast.Name)]
    for name in _named(bound):
        if name not in policy.DUNDER_DEFINITIONS and policy.is_strange(name):
            yield f"defines {name} in the class {node.name}"
