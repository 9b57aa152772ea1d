"""What functions of a hand-in keep from one call to the next without using it: counters, and logs of times."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.slices.arraynames import words

_ADDING = words("add append appendleft extend update")
_WORD = re.compile(r"\w+")
_HARMLESS = words("__init__ __call__ __enter__ __exit__ __repr__ __str__ __len__ __iter__ __next__ __post_init__")
"""Methods that get no part of a log when something is added to it or looked up in it; operators may."""


@dataclass(frozen=True, slots=True)
class State:
    """Names whose values say nothing about what functions return."""

    counters: tuple[str, ...] = ()
    """Variables that functions bind outside of themselves, and attributes that they set: harmless while short."""
    logs: tuple[str, ...] = ()
    """Variables, lists and dictionaries, that functions write into, and read only to write into them again."""


def find_state(statements: Iterable[ast.stmt]) -> State:
    """Return the names of counters and logs in some statements."""
    nodes = [node for statement in statements for node in ast.walk(statement)]
    return State(tuple(sorted(_counters(nodes))), tuple(sorted(_logs(nodes))))


def _counters(nodes: Iterable[ast.AST]) -> set[str]:
    found: set[str] = set()
    for part in (part for node in nodes if isinstance(node, ast.FunctionDef) for part in ast.walk(node)):
        match part:
            case ast.Global(names=bound) | ast.Nonlocal(names=bound):
                found.update(bound)
            case ast.Attribute(attr=name, ctx=ast.Store()):
                found.add(name)
    return found


def _logs(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names of which every use is one that only writes."""
    nodes = list(nodes)
    methods = {part.name for node in nodes if isinstance(node, ast.ClassDef) for part in _functions(node)}
    if any(name.startswith("__") for name in methods - _HARMLESS):
        return set()
    writing = {id(owner): owner.id for node in nodes for owner in _written_by(node) if isinstance(owner, ast.Name)}
    read = {name for node in nodes if id(node) not in writing for name in _read_by(node)}
    return {*writing.values()} - read


def _read_by(node: ast.AST) -> Iterable[str]:
    """Return the names that are read in one place, be it as an attribute of the module or by a text."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()) | ast.Attribute(attr=name) | ast.alias(name=name):
            return [name]
        case ast.MatchClass(kwd_attrs=attributes):
            return attributes
        case ast.Constant(value=str(text)) if "{" in text:
            return _WORD.findall(text)
    return ()


def _functions(node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    yield from (part for part in ast.walk(node) if isinstance(part, ast.FunctionDef))


def _written_by(statement: ast.AST) -> Iterator[ast.expr]:
    """Yield what a statement adds to, and what it reads of that only to write it there again."""
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=owner, attr=name))) if name in _ADDING:
            yield _root(owner)
        case ast.AugAssign(target=ast.Subscript(value=owner)):
            yield owner
        case ast.Assign(targets=[ast.Subscript(value=owner)], value=value):
            yield owner
            yield from (read for read in _summands(value) if ast.dump(read) == ast.dump(owner))


def _root(owner: ast.expr) -> ast.expr:
    """Return what `owner`, a list, is an entry of, or itself."""
    match owner:
        case ast.Subscript(value=root) | ast.Call(func=ast.Attribute(value=root, attr="setdefault")):
            return root
    return owner


def _summands(value: ast.expr) -> Iterator[ast.expr]:
    """Yield what the numbers that are calculated with are entries of."""
    match value:
        case ast.BinOp(left=left, right=right):
            yield from (*_summands(left), *_summands(right))
        case ast.Subscript(value=owner) | ast.Call(func=ast.Attribute(value=owner, attr="get")):
            yield owner
