"""Loops that only pass the time."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Idle:
    """Why a loop seems to do nothing."""

    message: str
    certain: bool


def count_reads(function: ast.AST) -> Counter[str] | None:
    """Return how often each name is read in a function; None if some of its names live elsewhere."""
    nodes = list(ast.walk(function))
    if any(isinstance(node, ast.Global | ast.Nonlocal) for node in nodes):
        return None
    return Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


def describe_idle_loop(loop: ast.For | ast.AsyncFor, reads: Counter[str] | None) -> Idle | None:
    """Return why a for loop seems to do nothing useful, else None. `reads` are those of the function around it.

    Only loops over `range(...)` with more than one turn are judged: others may drain an iterator.
    """
    if not _is_long_range(loop.iter):
        return None
    body = [node for node in loop.body if not _does_nothing(node)]
    if not body:
        return Idle("a loop that does nothing", certain=True)
    if all(_assigns_constants(node) for node in body):
        return Idle("a loop that only assigns constants", certain=True)
    if reads is not None and _is_never_used(loop, reads):
        return Idle("a loop whose results are never used", certain=False)
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


def is_unused_work(value: ast.expr) -> bool:
    """Whether a statement that is only an expression goes through a sequence and drops what it finds."""
    if isinstance(value, ast.ListComp | ast.SetComp | ast.DictComp):
        return not any(isinstance(node, ast.Call) for node in ast.walk(getattr(value, "elt", value)))
    named = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id
    return named in {"sum", "list", "tuple", "max", "min", "sorted"}


def _is_never_used(loop: ast.For | ast.AsyncFor, reads: Counter[str]) -> bool:
    """Whether a loop only gives values to names that nothing outside of the loop reads."""
    plain = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.For, ast.If, ast.Pass, ast.Continue)
    inside = list(_nodes(loop.body))
    if not all(isinstance(node, plain) for node in inside if isinstance(node, ast.stmt)):
        return False
    stores = [node for node in inside if isinstance(getattr(node, "ctx", None), ast.Store)]
    own = count_reads(loop) or Counter()
    return all(isinstance(node, ast.Name) and reads[node.id] <= own[node.id] for node in stores)


def _repeats_the_same(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether a fixed number of turns neither uses the counter nor collects anything nor builds on the turn before."""
    if not all(isinstance(bound, ast.Constant) for bound in getattr(loop.iter, "args", ())):
        return False
    inside = list(_nodes(loop.body))
    names = [node for node in inside if isinstance(node, ast.Name)]
    used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    carried = used & {node.id for node in names if isinstance(node.ctx, ast.Store)}
    counters = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    collects = any(isinstance(node, ast.AugAssign) or _is_append(node) for node in loop.body)
    loops_inside = any(isinstance(node, ast.For | ast.While) for node in inside)
    return not used & counters and not collects and (loops_inside or not carried)


def _is_append(node: ast.stmt) -> bool:
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)


def _nodes(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in statements:
        yield from ast.walk(statement)
