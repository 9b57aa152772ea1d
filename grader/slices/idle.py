"""Work in loops that nothing depends on, found by reading: a list that nobody reads, a sum that is thrown away."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.slices.policy import words

_WALKING = words("""
    all any deepcopy deque dict factorial frozenset join list map pow reduce set sorted sum tuple
""")
"""Calls that work through many numbers, and change nothing but what they return."""
_QUICK = words("abs bool enumerate float int len max min range repeat reversed round str zip")
_KNOWN = _WALKING | _QUICK
_SIMPLE = ast.Expr | ast.Assign | ast.AugAssign | ast.For | ast.While | ast.If | ast.Pass | ast.Break | ast.Continue
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True, slots=True)
class _Own:
    """What the hand-in defines under names of its own: a method `set` may do what the built-in `set` does not."""

    names: frozenset[str]
    methods: frozenset[str]

    def is_known(self, called: ast.expr) -> bool:
        """Whether an expression is one of Python's functions that change nothing but what they return."""
        match called:
            case ast.Name(id=name):
                return name in _KNOWN - self.names
            case ast.Attribute(attr=name):
                return name in _KNOWN - self.methods
        return False

    def is_called_in(self, expression: ast.AST) -> bool:
        """Whether a function or a class of the hand-in is called in an expression."""
        called = (last_name(node.func) for node in ast.walk(expression) if isinstance(node, ast.Call))
        return any(name in self.names | self.methods for name in called)


def find_idle_line(statements: Iterable[ast.stmt]) -> int:
    """Return the line of a statement that takes time in a loop of a function and that nothing depends on; 0 if none.

    No other statement may read what this one binds, and all functions that it calls must be known to change nothing.
    """
    statements = list(statements)
    own = _find_own(statements)
    for statement in statements:
        for function in ast.walk(statement):
            if isinstance(function, ast.FunctionDef) and (line := _find_in(function, own)):
                return line
    return 0


def _find_own(statements: Iterable[ast.stmt]) -> _Own:
    nodes = [node for statement in statements for node in ast.walk(statement)]
    parts = [part for node in nodes if isinstance(node, ast.ClassDef) for part in ast.walk(node)]
    methods = {part.name for part in parts if isinstance(part, ast.FunctionDef)}
    methods |= {node.attr for node in nodes if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)}
    inside = {id(part) for part in parts}
    names = {
        node.name
        for node in nodes
        if isinstance(node, ast.ClassDef) or (isinstance(node, ast.FunctionDef) and id(node) not in inside)
    }
    return _Own(frozenset(names), frozenset(methods))


def _find_in(function: ast.FunctionDef, own: _Own) -> int:
    loops = [node for node in _walk(function) if isinstance(node, ast.For | ast.While)]
    for statement in (*loops, *(inner for loop in loops for inner in loop.body)):
        is_idle = _takes_time(statement) and _leaves_no_trace(statement, own) and not _is_read(statement, function)
        if is_idle and not _reaches_out(statement, function, own):
            return statement.lineno
    return 0


def _walk(function: ast.FunctionDef) -> Iterator[ast.AST]:
    yield from (node for node in ast.walk(function) if node is not function)


def _takes_time(statement: ast.stmt) -> bool:
    if isinstance(statement, ast.For | ast.While):
        return True
    return any(
        isinstance(node, _COMPREHENSIONS)
        or (isinstance(node, ast.Call) and last_name(node.func) in _WALKING)
        or _fills(node)
        for node in ast.walk(statement)
    )


def _fills(node: ast.AST) -> bool:
    """Whether a list or a text is repeated."""
    match node:
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            values = (side if isinstance(side, ast.List) else getattr(side, "value", None) for side in (left, right))
            return any(isinstance(value, ast.List | str | bytes) for value in values)
    return False


def _leaves_no_trace(statement: ast.stmt, own: _Own) -> bool:
    """Whether a statement changes only names that it binds, and cannot end the code around it."""
    is_loop = isinstance(statement, ast.For | ast.While)
    ends = not is_loop and any(isinstance(node, ast.Break | ast.Continue) for node in ast.walk(statement))
    return not ends and all(_is_harmless(node, own) for node in ast.walk(statement))


def _is_harmless(node: ast.AST, own: _Own) -> bool:
    match node:
        case ast.Call(func=called, args=args):
            passed = [arg for arg in args[:1] if last_name(called) in {"map", "reduce"}]
            return own.is_known(called) and all(isinstance(arg, ast.Lambda) or own.is_known(arg) for arg in passed)
        case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
            return False
        case ast.stmt():
            return isinstance(node, _SIMPLE)
    return not isinstance(node, ast.Yield | ast.YieldFrom | ast.Await | ast.NamedExpr)


def _is_read(statement: ast.stmt, function: ast.FunctionDef) -> bool:
    """Whether a name that the statement binds is read elsewhere in the function, or is `global` or `nonlocal`."""
    bound = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    inside = {id(node) for node in ast.walk(statement)}
    return any(
        (isinstance(node, ast.Name) and node.id in bound and not isinstance(node.ctx, ast.Store))
        or (isinstance(node, ast.Nonlocal | ast.Global) and bound & {*node.names})
        for node in _walk(function)
        if id(node) not in inside
    )


def _reaches_out(statement: ast.stmt, function: ast.FunctionDef, own: _Own) -> bool:
    """Whether a statement iterates over, or adds in place to, an object that other code may use.

    Iterating over a generator of the hand-in runs its code. Adding in place to a list that is an entry of another list,
    or to an array that is a row of another array, changes the other one as well.
    """
    nodes = list(ast.walk(statement))
    added_to = {last_name(node.target) for node in nodes if isinstance(node, ast.AugAssign)}
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    bound = list(_bindings(function))
    if any(name in added_to and isinstance(value, ast.Name | ast.Attribute | ast.Subscript) for name, value in bound):
        return True
    values = [value for name, value in bound if name in read]
    lazy = [node for value in values if isinstance(value, ast.GeneratorExp) for node in ast.walk(value)]
    return any(map(own.is_called_in, values)) or not all(_is_harmless(node, own) for node in lazy)


def _bindings(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names that a function binds, each with its value, or with the iterable of the loop that binds it."""
    for node in _walk(function):
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.For(target=target, iter=value):
                targets = [target]
            case _:
                continue
        parts = (part for target in targets for part in ast.walk(target))
        yield from ((part.id, value) for part in parts if isinstance(part, ast.Name))


def first_name(node: ast.expr) -> str:
    """Return the name with which a chain of attributes and items begins; empty if it begins with something else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def last_name(called: ast.expr) -> str:
    """Return a name, or the last one behind points; empty for other expressions."""
    match called:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
