"""Work in loops that nothing depends on, found by reading: a list that nobody reads, a sum that is thrown away."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from grader.slices.arraynames import words

_WALKING = words("""
    all any deepcopy deque dict factorial frozenset join list map pow reduce set sorted sum tuple
""")
"""Calls that work through many numbers, and change nothing but what they return."""
_QUICK = words("abs bool enumerate float int len max min range repeat reversed round str zip")
_KNOWN = _WALKING | _QUICK
_SIMPLE = ast.Expr | ast.Assign | ast.AugAssign | ast.For | ast.While | ast.If | ast.Pass | ast.Break | ast.Continue
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def find_idle_line(statements: Iterable[ast.stmt]) -> int:
    """Return the line of a statement that takes time in a loop of a function and that nothing depends on; 0 if none.

    What a statement binds has to be read by no other one, and all that it calls has to be known to leave no trace.
    """
    for statement in statements:
        for function in ast.walk(statement):
            if isinstance(function, ast.FunctionDef) and (line := _find_in(function)):
                return line
    return 0


def _find_in(function: ast.FunctionDef) -> int:
    loops = [node for node in _walk(function) if isinstance(node, ast.For | ast.While)]
    for statement in (*loops, *(inner for loop in loops for inner in loop.body)):
        if _takes_time(statement) and _leaves_no_trace(statement) and not _is_read(statement, function):
            return statement.lineno
    return 0


def _walk(function: ast.FunctionDef) -> Iterator[ast.AST]:
    yield from (node for node in ast.walk(function) if node is not function)


def _takes_time(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.For | ast.While):
        return True
    return any(
        isinstance(node, _COMPREHENSIONS)
        or (isinstance(node, ast.Call) and _name(node.func) in _WALKING)
        or _fills(node)
        for node in ast.walk(statement)
    )


def _fills(node: ast.AST) -> bool:
    """Whether a list or a text is repeated."""
    match node:
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return any(isinstance(side, ast.List) or _is_text(side) for side in (left, right))
    return False


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def _leaves_no_trace(statement: ast.stmt) -> bool:
    """Whether nothing but names of its own is changed, and it cannot end what is around it."""
    is_loop = isinstance(statement, ast.For | ast.While)
    ends = not is_loop and any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(statement))
    return not ends and all(_is_harmless(node) for node in ast.walk(statement))


def _is_harmless(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=called, args=args):
            passed = [arg for arg in args[:1] if _name(called) in {"map", "reduce"}]
            return _name(called) in _KNOWN and all(
                isinstance(arg, ast.Lambda) or _name(arg) in _KNOWN for arg in passed
            )
        case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
            return False
        case ast.stmt():
            return isinstance(node, _SIMPLE)
    return not isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr)


def _is_read(statement: ast.stmt, function: ast.FunctionDef) -> bool:
    """Whether a name that the statement binds is read elsewhere in the function, or declared to be another's."""
    bound = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    inside = {id(node) for node in ast.walk(statement)}
    return any(
        (isinstance(node, ast.Name) and node.id in bound and not isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.Nonlocal | ast.Global) and bound & {*node.names})
        for node in _walk(function)
        if id(node) not in inside
    )


def _name(called: ast.expr) -> str:
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
