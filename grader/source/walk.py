"""Follows a function and everything it calls, statement by statement, and notes what it meets.

    1. the module is read once, quietly: imports, renamings, definitions, decorators
    2. the function under examination is read with two-dimensional arrays as arguments, and everything it reaches

Branches are read one after the other and joined; the body of a loop is read again until its names come to rest.
"""
# ruff: noqa: N802, N815 - a reader is found by the name of the node that it reads

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence

from grader.source import libraries
from grader.source.calls import Calls
from grader.source.delays import Idle, count_reads, describe_idle_loop, is_unused_work
from grader.source.values import (
    UNKNOWN,
    FunctionNode,
    Kind,
    Scope,
    Value,
    element,
    is_main_guard,
    join,
    library,
    list_of,
)

_ROUNDS = 3


class Walk(Calls):
    """The reading of a module."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        super().__init__(name, lines)
        self._returned: list[list[Value]] = []
        self._idle: dict[ast.AST, Idle | None] = {}
        self._reads: dict[ast.AST, Counter[str] | None] = {}

    def read_module(self, tree: ast.Module) -> Scope:
        """Return the names that the module binds, without noting anything."""
        scope = Scope()
        self.run(tree.body, scope)
        self.forget()
        return scope

    def run_function(self, node: FunctionNode, scope: Scope) -> Value:
        """Return what the body returns, joined over its return statements."""
        if isinstance(node, ast.Lambda):
            return self.value(node.body, scope)
        for decorator in node.decorator_list:
            self.value(decorator, scope.parent or scope)
        self._returned.append([])
        self.run(node.body, scope)
        return join(self._returned.pop())

    def run(self, statements: Sequence[ast.stmt], scope: Scope) -> None:
        """Read statements in order."""
        for statement in statements:
            self.step()
            method = getattr(self, f"_run_{type(statement).__name__}", self._run_other)
            method(statement, scope)

    def _run_other(self, node: ast.stmt, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, scope)

    def _run_Expr(self, node: ast.Expr, scope: Scope) -> None:
        self.value(node.value, scope)
        if is_unused_work(node.value):
            self.note("delay", node, "computes something that is never used", certain=False)

    def _run_Import(self, node: ast.Import, scope: Scope) -> None:
        for alias in node.names:
            scope.names[alias.asname or alias.name.partition(".")[0]] = library(
                alias.name if alias.asname else alias.name.partition(".")[0]
            )

    def _run_ImportFrom(self, node: ast.ImportFrom, scope: Scope) -> None:
        for alias in node.names:
            if alias.name == "*":
                scope.module.stars.append(node.module or "")
            else:
                scope.names[alias.asname or alias.name] = library(
                    libraries.canonical(f"{node.module or '(package)'}.{alias.name}")
                )

    def _run_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef, scope: Scope) -> None:
        value = Value(Kind.FUNCTION, name=node.name, node=node, scope=scope)
        for decorator in reversed(node.decorator_list):
            value = self._decorate(self._read_decorator(decorator, scope), value)
        scope.names[node.name] = value

    _run_AsyncFunctionDef = _run_FunctionDef

    def _read_decorator(self, node: ast.expr, scope: Scope) -> Value:
        """Return what a decorator is; what `functools.wraps(f)` returns leaves its function as it is."""
        made_by = self.value(node.func, scope) if isinstance(node, ast.Call) else UNKNOWN
        return made_by if made_by.name in libraries.WRAPPING else self.value(node, scope)

    def _decorate(self, decorator: Value, function: Value) -> Value:
        if decorator.kind is Kind.LIBRARY and function.kind is Kind.FUNCTION:
            known = decorator.name.startswith(("numba.", "numpy."))
            return self.compile(decorator, function) if known else function
        if decorator.kind is Kind.FUNCTION and decorator.node:
            changed = self.follow(decorator, [function])
            return changed if changed.kind in {Kind.FUNCTION, Kind.LIBRARY, Kind.OBJECT} else UNKNOWN
        if decorator.kind is Kind.CLASS and isinstance(function.node, FunctionNode):
            return self.make_object(decorator, [function], function.node)
        return function if decorator.kind is Kind.LIBRARY else UNKNOWN

    def _run_ClassDef(self, node: ast.ClassDef, scope: Scope) -> None:
        inner = Scope(scope)
        for base in node.bases:
            value = self.value(base, scope)
            if value.kind is Kind.CLASS and value.scope:
                inner.names.update(value.scope.names)
        self.run(node.body, inner)
        for name, value in inner.names.items():
            if value.kind is Kind.FUNCTION and value.scope is inner:
                inner.names[name] = Value(
                    value.kind, name=name, node=value.node, scope=scope, compiled=value.compiled, options=value.options
                )
        scope.names[node.name] = Value(Kind.CLASS, name=node.name, node=node, scope=inner)

    def _run_Return(self, node: ast.Return, scope: Scope) -> None:
        value = self.value(node.value, scope)
        if self._returned:
            self._returned[-1].append(value)

    def _run_Assign(self, node: ast.Assign, scope: Scope) -> None:
        value = self.value(node.value, scope)
        for target in node.targets:
            self.bind(target, value, scope)

    def _run_AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value:
            self.bind(node.target, self.value(node.value, scope), scope)

    def _run_AugAssign(self, node: ast.AugAssign, scope: Scope) -> None:
        before, change = self.value(node.target, scope), self.value(node.value, scope)
        after = self.operate(node, node.op, before, change)
        if isinstance(node.target, ast.Name):
            scope.names[node.target.id] = after

    def _run_Global(self, node: ast.Global, scope: Scope) -> None:
        scope.declared_global.update(node.names)

    def _run_If(self, node: ast.If, scope: Scope) -> None:
        if is_main_guard(node.test):
            self.run(node.orelse, scope)
            return
        self.value(node.test, scope)
        if isinstance(node.test, ast.Constant):
            self.run(node.body if node.test.value else node.orelse, scope)
            return
        self._branch(scope, [lambda: self.run(node.body, scope), lambda: self.run(node.orelse, scope)])

    def _branch(self, scope: Scope, branches: Sequence[Callable[[], None]]) -> None:
        """Read branches that all start with the same names, and join the names they leave."""
        before, after = dict(scope.names), list[dict[str, Value]]()
        for branch in branches:
            scope.names = dict(before)
            branch()
            after.append(scope.names)
        names = dict.fromkeys(name for left in after for name in left)
        self.step(len(names))
        scope.names = {name: join(left[name] for left in after if name in left) for name in names}

    def _run_Match(self, node: ast.Match, scope: Scope) -> None:
        self.value(node.subject, scope)
        for case in node.cases:
            for pattern in ast.walk(case.pattern):
                if isinstance(pattern, ast.MatchAs | ast.MatchStar) and pattern.name:
                    scope.names[pattern.name] = UNKNOWN
            if case.guard:
                self.value(case.guard, scope)
        self._branch(scope, [lambda case=case: self.run(case.body, scope) for case in node.cases])  # type: ignore[misc]  # mypy cannot infer a lambda with a default

    def _run_For(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        idle = self._describe_idle(node)
        if idle:
            self.note("delay", node, f"runs {idle.message}", certain=idle.certain, hint="Remove the delay.")
        iterable = self.value(node.iter, scope)
        before = self.depth
        self.descend(self.loops_in(node.iter, node.target, scope))

        def turn() -> None:
            self.bind(node.target, element(iterable), scope)
            self.run(node.body, scope)

        self._repeat(turn, scope)
        self.depth = before
        self.run(node.orelse, scope)

    _run_AsyncFor = _run_For

    def _describe_idle(self, loop: ast.For | ast.AsyncFor) -> Idle | None:
        """Return why a loop seems to do nothing; found out once, however often the loop is read."""
        if loop not in self._idle:
            function = self.reading
            if function and function not in self._reads:
                self._reads[function] = count_reads(function)
            self._idle[loop] = describe_idle_loop(loop, self._reads[function] if function else None)
        return self._idle[loop]

    def _run_While(self, node: ast.While, scope: Scope) -> None:
        self.clock_read = False
        before = self.depth
        self.value(node.test, scope)
        waits = self.clock_read
        self.descend(1)
        self._repeat(lambda: self.run(node.body, scope), scope)
        if self.clock_read:
            self.note("delay", node, "runs a loop that waits for the clock", certain=waits, hint="Remove the delay.")
        self.depth = before
        self.run(node.orelse, scope)

    def _repeat(self, turn: Callable[[], None], scope: Scope) -> None:
        """Read the body of a loop until its names come to rest."""
        for _ in range(_ROUNDS):
            before = dict(scope.names)
            self.step(len(before))
            turn()
            shared = {name: join([value, scope.names.get(name, value)]) for name, value in before.items()}
            scope.names = {**scope.names, **shared}
            if scope.names == before:
                return

    def _run_With(self, node: ast.With | ast.AsyncWith, scope: Scope) -> None:
        for item in node.items:
            value = self.value(item.context_expr, scope)
            if item.optional_vars:
                self.bind(item.optional_vars, value, scope)
        self.run(node.body, scope)

    _run_AsyncWith = _run_With

    def _run_Try(self, node: ast.Try, scope: Scope) -> None:
        """What a handler binds counts only where the body did not bind it: handlers are for other machines."""
        self.run(node.body, scope)
        regular = dict(scope.names)
        for handler in node.handlers:
            self.run(handler.body, scope)
        scope.names = {**scope.names, **regular}
        self.run([*node.orelse, *node.finalbody], scope)

    _run_TryStar = _run_Try

    def _value_Yield(self, node: ast.Yield, scope: Scope) -> Value:
        value = self.value(node.value, scope)
        if self._returned:
            self._returned[-1].append(list_of(value))
        return UNKNOWN

    def _value_YieldFrom(self, node: ast.YieldFrom, scope: Scope) -> Value:
        value = self.value(node.value, scope)
        if self._returned:
            self._returned[-1].append(value)
        return UNKNOWN
