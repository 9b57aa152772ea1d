"""Which values of a kernel are the same for all threads of a block, and which code all of them run.

This module reads Numba's typed code. A value counts as different unless it is known to be the same for all threads.
The same: arguments, shapes, ``blockIdx``, ``blockDim``, ``gridDim``, constants, the results of barriers, and numbers
computed from these by plain arithmetic. Different: all values read from arrays, and values that are assigned in code
that only some threads run.
"""

import operator
from typing import Any, Final

from grader.cuda_cpu import barriers
from grader.cuda_cpu.intrinsics import TripleType, grid, gridsize
from grader.cuda_cpu.memory import local_array, shared_array
from grader.cuda_cpu.numba_internals import compute_cfg_from_blocks, numba_ir, types

_REPEATABLE: Final = (bool, int, float, min, max, abs, grid, gridsize, local_array)
_SAME: Final = (range, len, round, shared_array)
_SCALARS: Final = (types.Number, types.Boolean, types.NoneType)
_ARRAY_FACTS: Final = ("shape", "strides", "size", "ndim", "nbytes", "itemsize")
_ORDERS: Final = (operator.lt, operator.le, operator.gt, operator.ge)
_BARRIERS: Final = ("syncthreads", "syncthreads_count", "syncthreads_and", "syncthreads_or")


def called(typemap: Any, expression: Any) -> Any:
    """Return the Python function or the intrinsic that a call names; None where Numba does not know one."""
    return getattr(typemap[expression.func.name], "typing_key", None)


def barrier_name(typemap: Any, statement: Any) -> str:
    """Return the name of the barrier that a statement is the call of; empty for other statements."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, numba_ir.Assign) or not isinstance(value, numba_ir.Expr) or value.op != "call":
        return ""
    key = called(typemap, value)
    return next((name for name in _BARRIERS if key is getattr(barriers, name)), "")


def _find_dependents(blocks: Any) -> dict[int, set[int]]:
    """Return, for each block that ends in a branch, the blocks that are reached or not depending on this branch."""
    graph = compute_cfg_from_blocks(blocks)
    behind = graph.post_dominators()
    dependents: dict[int, set[int]] = {}
    for label in graph.nodes():
        targets = [target for target, _ in graph.successors(label)]
        if len(targets) > 1:
            dependents[label] = set().union(*(behind[target] for target in targets)) - (behind[label] - {label})
    return dependents


class Uniformity:
    """What differs between the threads of a block."""

    def __init__(self, blocks: Any, typemap: Any) -> None:
        self.variables: set[str] = set()  # names of those that may differ
        self.blocks: set[int] = set()  # labels of basic blocks that some threads may run, others not, or more often
        self._typemap = typemap
        dependents = _find_dependents(blocks)
        known = -1
        while known != (known := len(self.variables) + len(self.blocks)):
            for label, block in blocks.items():
                for statement in block.body:
                    self._visit(label, statement, dependents)

    def _visit(self, label: int, statement: Any, dependents: dict[int, set[int]]) -> None:
        if isinstance(statement, numba_ir.Assign):
            is_same = label not in self.blocks and self._is_same(statement.value)
            if not is_same and not barrier_name(self._typemap, statement):
                self.variables.add(statement.target.name)
            self._visit_iterators(label, statement)
        elif isinstance(statement, numba_ir.Branch) and (label in self.blocks or statement.cond.name in self.variables):
            self.blocks |= dependents.get(label, set())

    def _visit_iterators(self, label: int, statement: Any) -> None:
        """Count an iterator as different if a copy of it is, or if not all threads take the same values from it."""
        value = statement.value
        if isinstance(value, numba_ir.Var):
            if statement.target.name in self.variables and self._is_iterator(value):
                self.variables.add(value.name)
        elif isinstance(value, numba_ir.Expr) and (label in self.blocks or value.op != "iternext"):
            self.variables |= {part.name for part in value.list_vars() if self._is_iterator(part)}

    def _is_iterator(self, var: Any) -> bool:
        return isinstance(self._typemap[var.name], types.IteratorType)

    def _is_same(self, value: Any) -> bool:
        if isinstance(value, numba_ir.Var):
            return value.name not in self.variables
        if not isinstance(value, numba_ir.Expr):
            return True  # an argument, a constant, a global name
        if _tells_threads_apart(self._typemap, value) or any(v.name in self.variables for v in value.list_vars()):
            return False
        return is_repeatable(self._typemap, value) or self._is_same_with_equal_parts(value)

    def _is_same_with_equal_parts(self, value: Any) -> bool:
        """Return whether a value that is not plain arithmetic is the same for all threads if its parts are."""
        if value.op in ("null", "pair_first", "pair_second"):
            return True
        if value.op in ("getiter", "iternext"):
            return isinstance(self._typemap[value.value.name], (types.RangeType, types.RangeIteratorType))
        if value.op != "call" or value.vararg is not None:
            return False
        key = called(self._typemap, value)
        is_math = getattr(key, "__module__", None) == "math" and _has_scalars(self._typemap, value.args)
        return is_math or any(key is function for function in _SAME)


def is_repeatable(typemap: Any, value: Any) -> bool:
    """Return whether an expression is cheap, reads no memory, and gives the same value for the same operands.

    The position of the running thread counts as one of the operands.
    """
    kind = typemap[value.value.name] if value.op in ("getattr", "static_getitem", "exhaust_iter") else None
    if value.op in ("binop", "inplace_binop", "unary", "cast"):
        is_power = value.op != "cast" and value.fn in (operator.pow, operator.ipow)
        return not is_power and _has_scalars(typemap, value.list_vars())
    if value.op == "getattr" and isinstance(kind, types.Array):
        return value.attr in _ARRAY_FACTS
    if value.op == "call":
        key = called(typemap, value)
        is_known = isinstance(typemap[value.func.name], types.NumberClass) or any(key is f for f in _REPEATABLE)
        plain = [var for var in value.args if key is not local_array]
        return is_known and value.vararg is None and not value.kws and _has_scalars(typemap, plain)
    return value.op == "build_tuple" or isinstance(kind, (types.Module, TripleType, types.BaseTuple))


def _has_scalars(typemap: Any, variables: Any) -> bool:
    return all(isinstance(typemap[var.name], _SCALARS) for var in variables)


def _tells_threads_apart(typemap: Any, value: Any) -> bool:
    if value.op == "call":
        return called(typemap, value) in (grid, local_array)
    kind = typemap[value.value.name] if value.op == "getattr" else None
    return (isinstance(kind, TripleType) and kind.field == "tid") or (
        isinstance(kind, types.Module) and value.attr == "laneid"
    )


class Repetition:
    """Values that each region computes again instead of loading them: plain arithmetic of values that never change."""

    def __init__(self, blocks: dict[int, Any], typemap: Any) -> None:
        self.typemap = typemap
        self._assignments: dict[str, list[Any]] = {}
        self._known: dict[str, bool] = {}
        for block in blocks.values():
            for statement in block.find_insts(numba_ir.Assign):
                self._assignments.setdefault(statement.target.name, []).append(statement)

    def value_of(self, name: str) -> Any:
        """Return the value of a variable that is assigned in one place only; None for other variables."""
        assignments = self._assignments.get(name, ())
        return assignments[0].value if len(assignments) == 1 else None

    def covers(self, name: str) -> bool:
        """Return whether a variable keeps one value, computed from constants, arguments and the thread's position."""
        if name not in self._known:
            self._known[name] = False  # during the search: a variable computed from itself changes
            assignments = self._assignments.get(name, ())
            self._known[name] = len(assignments) == 1 and self._is_constant(assignments[0].value)
        return self._known[name]

    def _is_constant(self, value: Any) -> bool:
        if isinstance(value, numba_ir.Var):
            return self.covers(value.name)
        if isinstance(value, numba_ir.Expr):
            return is_repeatable(self.typemap, value) and all(self.covers(var.name) for var in value.list_vars())
        return True

    def add(self, name: str, body: list[Any]) -> None:
        """Add the statements that compute a variable to those of `body`, unless they are there."""
        statement = self._assignments[name][0]
        if statement in body:
            return
        value = statement.value
        for var in [value] if isinstance(value, numba_ir.Var) else getattr(value, "list_vars", list)():
            self.add(var.name, body)
        body.append(statement)


def is_led(block: Any, uniformity: Uniformity, repetition: Repetition) -> bool:
    """Return whether a block ends in a branch that only the first threads of a row, along `threadIdx.x`, take.

    The block itself must compute the condition: `threadIdx.x` is 0, or below (or at) a bound that all threads share.
    """
    made = {statement.target.name: statement.value for statement in block.find_insts(numba_ir.Assign)}
    truth: Any = made.get(block.terminator.cond.name) if isinstance(block.terminator, numba_ir.Branch) else None
    if not isinstance(truth, numba_ir.Expr) or truth.op != "call" or called(repetition.typemap, truth) is not bool:
        return False
    test: Any = repetition.value_of(truth.args[0].name)
    if not isinstance(test, numba_ir.Expr) or test.op != "binop" or truth.args[0].name not in made:
        return False
    below, above = (test.rhs, test.lhs) if test.fn in (operator.gt, operator.ge) else (test.lhs, test.rhs)
    if test.fn is operator.eq:
        is_bound = getattr(repetition.typemap[above.name], "literal_value", None) == 0
    else:
        is_bound = test.fn in _ORDERS and above.name not in uniformity.variables
    return is_bound and _is_x(below, repetition)


def _is_x(var: Any, repetition: Repetition) -> bool:
    value = repetition.value_of(var.name)
    if isinstance(value, numba_ir.Var):
        return _is_x(value, repetition)
    kind = repetition.typemap[value.value.name] if getattr(value, "op", "") == "getattr" else None
    return isinstance(kind, TripleType) and (kind.field, value.attr) == ("tid", "x")
