"""Loops that only pass the time."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Idle:
    """Why a loop seems to do nothing."""

    message: str
    certain: bool


def describe_idle_loop(loop: ast.For | ast.AsyncFor) -> Idle | None:
    """Return why a for loop over a range seems to do nothing useful, else None.

    Only loops over `range(...)` with more than one turn are judged: others may drain an iterator.
    """
    if not _is_long_range(loop.iter):
        return None
    body = [node for node in loop.body if not _does_nothing(node)]
    if not body:
        return Idle("a loop that does nothing", certain=True)
    if all(_assigns_constants(node) for node in body):
        return Idle("a loop that only assigns constants", certain=True)
    if _repeats_the_same(loop):
        return Idle("a loop that repeats the same work", certain=False)
    return None


def _is_long_range(iterable: ast.expr) -> bool:
    if not (isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name)):
        return False
    if iterable.func.id not in {"range", "prange"} or not iterable.args:
        return False
    only = iterable.args[0] if len(iterable.args) == 1 else None
    return not (isinstance(only, ast.Constant) and only.value in {0, 1})


def _does_nothing(node: ast.stmt) -> bool:
    """Whether a statement has no effect; a loop of such statements has none either."""
    if isinstance(node, ast.For):
        return _is_long_range(node.iter) and all(map(_does_nothing, node.body))
    no_value = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant | ast.Name)
    return no_value or isinstance(node, ast.Pass | ast.Continue)


def _assigns_constants(node: ast.stmt) -> bool:
    """Whether a statement gives a plain name a value that no other name has a part in."""
    if not isinstance(node, ast.Assign) or not all(isinstance(target, ast.Name) for target in node.targets):
        return False
    return not any(isinstance(part, ast.Name | ast.Call | ast.Attribute) for part in ast.walk(node.value))


def _repeats_the_same(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a fixed number of turns runs inner loops that neither use the counter nor collect anything."""
    if not all(isinstance(bound, ast.Constant) for bound in getattr(loop.iter, "args", ())):
        return False
    inside = list(_nodes(loop.body))
    used = {node.id for node in inside if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    counters = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    collects = any(isinstance(node, ast.AugAssign) or _is_append(node) for node in loop.body)
    has_inner = any(isinstance(node, ast.For | ast.While | ast.Call) for node in inside)
    return has_inner and not used & counters and not collects


def _is_append(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)


def _nodes(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in statements:
        yield from ast.walk(statement)
