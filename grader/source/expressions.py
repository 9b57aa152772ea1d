"""What each expression comes to, and what is met on the way.

An abstract reading: no value is computed, only its `Kind`. Every reference to a library member in code that the
function under examination reaches is judged where it stands, whether it is called, passed on or renamed.
"""
# ruff: noqa: N802, N815 - a reader is found by the name of the node that it reads

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model import Finding, printable
from grader.source import libraries
from grader.source.libraries import Verdict
from grader.source.values import (
    SCALAR,
    UNKNOWN,
    Kind,
    Scope,
    Value,
    array,
    element,
    fresh_array,
    join,
    library,
    list_of,
    mapping_of,
    text,
    tuple_of,
)

MAX_STEPS = 200_000
"""How many nodes one reading may visit; homework needs a few thousand."""


class TooComplicated(Exception):  # noqa: N818 - an answer of the reading, not a malfunction
    """The code branches so much that it cannot be followed to its end."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A breach of a rule of the sheet, or a reason to suspect one."""

    rule: str
    """`library`, `delay`, `dynamic` (what happens cannot be read) or `compiled`."""
    finding: Finding
    certain: bool


class Expressions:
    """The reading of expressions; `Walk` adds statements, `Calls` what calls come to."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.remarks: dict[tuple[str, int, int], Remark] = {}
        self.subject = name
        self.recording = False
        self.clock_read = False
        self.depth = 0
        self.deepest = 0
        self.plain_deepest = 0
        """Like `deepest`, of loops that plain Python runs."""
        self.guessed = 0
        """How many of the functions being read are read with arguments that nobody knows."""
        self.compiled_levels = 0
        """How many of the functions being read were compiled by njit."""
        self._name = name
        self._lines = lines
        self._steps_left = MAX_STEPS

    def note(self, rule: str, node: ast.AST, message: str, *, certain: bool, hint: str = "") -> None:
        """Remember a remark about the line of `node`, once; `message` follows the subject, as in "uses numpy.dot"."""
        line, column = getattr(node, "lineno", 0), getattr(node, "col_offset", 0)
        known = self.remarks.get((rule, line, column))
        if not self.recording or (known and known.certain >= certain):
            return
        shown = printable(self._lines[line - 1].strip(), 160) if 0 < line <= len(self._lines) else ""
        sentence = f"{self.subject} {message}."
        finding = Finding(sentence, got=shown, hint=hint, location=f"{self._name}:{line}")
        self.remarks[rule, line, column] = Remark(rule, finding, certain)

    def step(self, count: int = 1) -> None:
        """Count visited nodes; `TooComplicated` when there were too many."""
        self._steps_left -= count
        if self._steps_left < 0:
            raise TooComplicated

    def value(self, node: ast.expr | None, scope: Scope) -> Value:
        """Return what `node` comes to, noting what is met on the way."""
        if node is None:
            return SCALAR
        self.step()
        method = getattr(self, f"_value_{type(node).__name__}", None)
        if method:
            result: Value = method(node, scope)
            return result
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.value(child, scope)
        return UNKNOWN

    def bind(self, target: ast.expr, value: Value, scope: Scope) -> None:
        """Give the names in `target` what an assignment of `value` gives them."""
        if isinstance(target, ast.Name):
            owner = scope.module if target.id in scope.declared_global else scope
            owner.names[target.id] = value
        elif isinstance(target, ast.Starred):
            self.bind(target.value, list_of(UNKNOWN), scope)
        elif isinstance(target, ast.Tuple | ast.List):
            exact = value.kind is Kind.TUPLE and len(value.items) == len(target.elts)
            items = value.items if exact else [element(value)] * len(target.elts)
            for inner, item in zip(target.elts, items, strict=True):
                self.bind(inner, item, scope)
        elif isinstance(target, ast.Attribute):
            changed = self.value(target.value, scope)
            if changed.kind is Kind.OBJECT and changed.scope:
                changed.scope.names[target.attr] = value
        else:
            self.value(target, scope)

    def attribute(self, base: Value, name: str, node: ast.AST) -> Value:
        """Return member `name` of `base`."""
        if base.kind is Kind.LIBRARY:
            return self._library_member(base, name, node)
        if base.kind is Kind.ARRAY:
            return self._array_member(base, name, node)
        if base.kind in {Kind.CLASS, Kind.OBJECT}:
            return _class_member(base, name)
        if base.kind is Kind.FUNCTION:
            return base if name in {"py_func", "__call__", "__wrapped__", "forall", "specialize"} else UNKNOWN
        if base.kind in {Kind.LIST, Kind.TUPLE, Kind.MAPPING, Kind.TEXT}:
            return Value(Kind.FUNCTION, name=name, receiver=base)
        if base.kind is Kind.UNKNOWN and name in libraries.TELLING_ATTRIBUTES:
            self.note("library", node, f"may use a library's .{name}", certain=False)
        return UNKNOWN

    def meet(self, value: Value, node: ast.AST) -> Value:
        """Judge a reference to a library member where it stands, and return it."""
        if value.kind is not Kind.LIBRARY:
            return value
        path = value.name
        verdict = libraries.judge(path)
        if verdict is not Verdict.FINE:
            hint = "Write the work yourself, in plain loops."
            self.note("library", node, f"uses {path}", certain=verdict is Verdict.CERTAIN, hint=hint)
        self.clock_read = self.clock_read or path in libraries.CLOCKS
        if path in libraries.SLEEPS:
            self.note("delay", node, f"uses {path}", certain=True, hint="Remove the delay.")
        elif path.partition(".")[0] in libraries.PROCESS_LIBRARIES:
            self.note("delay", node, f"uses {path}", certain=False)
        elif path.removeprefix("builtins.") in libraries.DYNAMIC_BUILTINS and path.startswith("builtins."):
            self.note("dynamic", node, f"uses {path.removeprefix('builtins.')}()", certain=False)
        return value

    def whole_arrays(self, node: ast.AST, what: str, *operands: Value) -> Value:
        """Note that an operation works on whole arrays, and return its result."""
        ranks = [operand.rank for operand in operands if operand.kind is Kind.ARRAY]
        known = [rank for rank in ranks if rank is not None]
        hint = "Work on single elements, in plain loops."
        self.note("library", node, f"works on whole arrays {what}", certain=bool(known), hint=hint)
        return array(max(known)) if len(known) == len(ranks) else array(None)

    def _library_member(self, base: Value, name: str, node: ast.AST) -> Value:
        if name in {"x", "y", "z"} and base.name.startswith("numba.cuda."):
            return SCALAR
        path = base.name if base.name.endswith(".__dict__") and name == "get" else f"{base.name}.{name}"
        return self.meet(library(libraries.canonical(path)), node)

    def _array_member(self, base: Value, name: str, node: ast.AST) -> Value:
        if name in libraries.WORKING_ATTRIBUTES:
            hint = "Write the work yourself, in plain loops."
            self.note("library", node, f"uses the array method .{name}", certain=True, hint=hint)
        if name == "T":
            return base
        if name == "flat":
            return array(1)
        if name in {"size", "ndim", "itemsize", "nbytes"}:
            return SCALAR
        if name == "shape":
            return UNKNOWN if base.rank is None else tuple_of([SCALAR] * base.rank)
        return Value(Kind.FUNCTION, name=name, receiver=base)

    def _value_Constant(self, node: ast.Constant, scope: Scope) -> Value:  # noqa: ARG002 - all readers take a scope
        return text(node.value) if isinstance(node.value, str) else SCALAR

    def _value_Name(self, node: ast.Name, scope: Scope) -> Value:
        found = scope.find(node.id)
        if found is None:
            stars = (module for module in scope.module.stars if node.id in libraries.STAR_MEMBERS.get(module, ()))
            # Whether NumPy's star hides max() and sum() depends on its version: in doubt for the student.
            origin = "builtins" if node.id in libraries.BUILTINS else next(stars, "")
            found = library(f"{origin}.{node.id}") if origin else UNKNOWN
        return self.meet(found, node) if isinstance(node.ctx, ast.Load) else found

    def _value_Attribute(self, node: ast.Attribute, scope: Scope) -> Value:
        return self.attribute(self.value(node.value, scope), node.attr, node)

    def _value_NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> Value:
        value = self.value(node.value, scope)
        self.bind(node.target, value, scope)
        return value

    def _value_Lambda(self, node: ast.Lambda, scope: Scope) -> Value:
        return Value(Kind.FUNCTION, name="<lambda>", node=node, scope=scope)

    def _value_Starred(self, node: ast.Starred, scope: Scope) -> Value:
        return element(self.value(node.value, scope))

    def _value_IfExp(self, node: ast.IfExp, scope: Scope) -> Value:
        self.value(node.test, scope)
        return join([self.value(node.body, scope), self.value(node.orelse, scope)])

    def _value_BoolOp(self, node: ast.BoolOp, scope: Scope) -> Value:
        return join([self.value(operand, scope) for operand in node.values])

    def _value_JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> Value:
        parts = [self.value(part, scope) for part in node.values]
        known = all(part.kind is Kind.TEXT for part in parts)
        return text("".join(part.name for part in parts)) if known else UNKNOWN

    def _value_FormattedValue(self, node: ast.FormattedValue, scope: Scope) -> Value:
        return self.value(node.value, scope)

    def _value_Tuple(self, node: ast.Tuple, scope: Scope) -> Value:
        items = [self.value(item, scope) for item in node.elts]
        starred = any(isinstance(item, ast.Starred) for item in node.elts)
        return list_of(join(items)) if starred else tuple_of(items)

    def _value_List(self, node: ast.List | ast.Set, scope: Scope) -> Value:
        return list_of(join([self.value(item, scope) for item in node.elts]))

    _value_Set = _value_List

    def _value_Dict(self, node: ast.Dict, scope: Scope) -> Value:
        for key in node.keys:
            self.value(key, scope)
        return mapping_of(join([self.value(item, scope) for item in node.values]))

    def _value_UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> Value:
        operand = self.value(node.operand, scope)
        if operand.kind is Kind.ARRAY and operand.name == "fresh":
            return operand
        if operand.kind is Kind.ARRAY and not isinstance(node.op, ast.Not):
            return self.whole_arrays(node, "by a sign or ~", operand)
        return SCALAR if operand.kind is Kind.SCALAR or isinstance(node.op, ast.Not) else UNKNOWN

    def _value_Compare(self, node: ast.Compare, scope: Scope) -> Value:
        nodes = [node.left, *node.comparators]
        operands = [self.value(operand, scope) for operand in nodes]
        plain = any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in node.ops)
        with_none = any(isinstance(operand, ast.Constant) and operand.value is None for operand in nodes)
        if any(operand.kind is Kind.ARRAY for operand in operands) and not plain and not with_none:
            return self.whole_arrays(node, "in a comparison", *operands)
        return SCALAR

    def _value_BinOp(self, node: ast.BinOp, scope: Scope) -> Value:
        left, right = self.value(node.left, scope), self.value(node.right, scope)
        for operand, other in ((left, node.right), (right, node.left)):
            if operand.kind is Kind.ARRAY and _leaves_nothing(node, other):
                return fresh_array(operand.rank)  # room for a result, as `zeros_like` makes it
        return self.operate(node, node.op, left, right)

    def operate(self, node: ast.AST, operator: ast.operator, left: Value, right: Value) -> Value:
        """Return what a binary operator makes of two values."""
        if isinstance(operator, ast.MatMult):
            self.note("library", node, "multiplies whole matrices by the operator @", certain=True)
            return array(None)
        kinds = {left.kind, right.kind}
        if kinds == {Kind.ARRAY, Kind.SCALAR} and "fresh" in {left.name, right.name}:
            return left if left.kind is Kind.ARRAY else right
        if Kind.ARRAY in kinds:
            return self.whole_arrays(node, "in an expression", left, right)
        if kinds == {Kind.UNKNOWN} and not self.guessed:
            self.note("library", node, "computes with values that cannot be read here", certain=False)
        if kinds == {Kind.TEXT} and isinstance(operator, ast.Add):
            return text(left.name + right.name)
        if kinds == {Kind.TUPLE}:
            return tuple_of(left.items + right.items)
        if kinds & {Kind.LIST, Kind.TUPLE}:
            return list_of(join(item for value in (left, right) for item in value.items))
        return SCALAR if kinds <= {Kind.SCALAR, Kind.LIBRARY} else UNKNOWN

    def _value_Subscript(self, node: ast.Subscript, scope: Scope) -> Value:
        base, index = self.value(node.value, scope), self.value(node.slice, scope)
        if base.kind is Kind.FUNCTION:
            return base
        if base.kind is Kind.LIBRARY and base.name.endswith(".__dict__"):
            member = index.name if index.kind is Kind.TEXT else "?"
            return self.meet(library(libraries.canonical(f"{base.name.removesuffix('.__dict__')}.{member}")), node)
        if base.kind is Kind.ARRAY:
            return _indexed(base, node.slice, index)
        if isinstance(node.slice, ast.Slice):
            return _sliced(base, node.slice)
        if base.kind is Kind.TUPLE and isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int):
            return base.items[node.slice.value] if node.slice.value < len(base.items) else UNKNOWN
        return element(base)

    def _value_ListComp(self, node: ast.ListComp, scope: Scope) -> Value:
        return list_of(self._comprehension(node.generators, [node.elt], scope))

    _value_SetComp = _value_GeneratorExp = _value_ListComp

    def _value_DictComp(self, node: ast.DictComp, scope: Scope) -> Value:
        return mapping_of(self._comprehension(node.generators, [node.key, node.value], scope))

    def _comprehension(self, generators: list[ast.comprehension], results: list[ast.expr], scope: Scope) -> Value:
        inner, before = Scope(scope), self.depth
        for generator in generators:
            iterable = self.value(generator.iter, inner)
            self.descend(self.loops_in(generator.iter, generator.target, inner))
            self.bind(generator.target, element(iterable), inner)
            for condition in generator.ifs:
                self.value(condition, inner)
        value = [self.value(result, inner) for result in results][-1]
        self.depth = before
        return value

    def descend(self, loops: int) -> None:
        """Enter that many loops."""
        self.depth += loops
        self.deepest = max(self.deepest, self.depth)
        if not self.compiled_levels:
            self.plain_deepest = max(self.plain_deepest, self.depth)

    def loops_in(self, iterable: ast.expr, target: ast.expr, scope: Scope) -> int:
        """Return for how many plain loops one loop over `iterable` stands: `np.ndindex(n, m)` for two."""
        if not isinstance(iterable, ast.Call):
            return 1
        path = self.value(iterable.func, scope).name
        if path == "builtins.range" and len(iterable.args) == 1 and _is_at_most_one(iterable.args[0]):
            return 0
        if path.startswith(("itertools.combinations", "itertools.permutations")):
            return len(target.elts) if isinstance(target, ast.Tuple | ast.List) else 1
        if path in {"numpy.ndindex", "numpy.ndenumerate", "itertools.product"}:
            values = [self.value(argument, scope) for argument in iterable.args]
            ranks = (len(value.items) if value.kind is Kind.TUPLE else value.rank or 1 for value in values)
            named = len(target.elts) if isinstance(target, ast.Tuple | ast.List) and path != "numpy.ndenumerate" else 1
            return max(named, len(values) if path == "itertools.product" else sum(ranks))
        return 1


def _leaves_nothing(node: ast.BinOp, other: ast.expr) -> bool:
    """Return whether nothing but the shape is left of an array here, as in `0 * A` and `A - A`."""
    if isinstance(node.op, ast.Sub):
        return isinstance(node.left, ast.Name) and ast.dump(node.left) == ast.dump(node.right)
    return isinstance(node.op, ast.Mult) and _is_zero(other)


def _is_zero(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in {int, float} and node.value == 0


def _class_member(base: Value, name: str) -> Value:
    places: Iterator[Scope | None] = iter([base.scope, base.receiver.scope if base.receiver else None])
    found = next((place.names[name] for place in places if place and name in place.names), UNKNOWN)
    is_its_own = base.scope is not None and name in base.scope.names  # such a function gets no `self`
    if base.kind is Kind.OBJECT and found.kind is Kind.FUNCTION and found.node and not is_its_own:
        return Value(found.kind, name=name, node=found.node, scope=found.scope, compiled=found.compiled, receiver=base)
    return found


def _indexed(base: Value, index: ast.expr, value: Value) -> Value:
    """Return what is left of an array after indexing: each number takes an axis away, a slice keeps it."""
    nodes: Sequence[ast.expr] = index.elts if isinstance(index, ast.Tuple) else [index]
    values = value.items if value.kind is Kind.TUPLE else (value,)
    if any(item.kind in {Kind.ARRAY, Kind.LIST} for item in values):
        return array(None)
    dots = sum(isinstance(node, ast.Constant) and node.value is ... for node in nodes)
    slices = sum(isinstance(node, ast.Slice) for node in nodes)
    added = sum(_is_new_axis(node, item) for node, item in zip(nodes, values, strict=False))
    numbers = sum(item.kind in {Kind.SCALAR, Kind.LIBRARY} for item in values) - added - dots
    if base.rank is None or numbers + added + slices + dots < len(values):
        return array(None) if slices + dots else UNKNOWN
    return array(base.rank - numbers + added) if base.rank >= numbers else UNKNOWN


def _is_new_axis(node: ast.expr, value: Value) -> bool:
    return value.name == "numpy.newaxis" or (isinstance(node, ast.Constant) and node.value is None)


def _sliced(base: Value, index: ast.Slice) -> Value:
    """Return a slice of a list, or of a known text with constant bounds."""
    if base.kind is not Kind.TEXT:
        return list_of(element(base)) if base.kind is not Kind.UNKNOWN else UNKNOWN
    try:
        bounds = [None if part is None else ast.literal_eval(part) for part in (index.lower, index.upper, index.step)]
        return text(base.name[slice(*bounds)])
    except (ValueError, TypeError):
        return UNKNOWN


def _is_at_most_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value <= 1
