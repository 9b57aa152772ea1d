"""Find out whether Numba made machine code of a slice's functions, and whether libraries do the work in it.

Checks call this module in the worker. Numba knows the type of every value in a function that it compiled. So this
module searches Numba's typed form, not the source, for NumPy functions and operators that get whole arrays.
"""

import operator
from collections.abc import Iterator, Sequence
from types import FunctionType
from typing import Any

import numpy as np
from numba import njit

from grader.cuda_cpu.numba_internals import CPUDispatcher, numba_ir, types
from grader.slices.policy import CREATING, ELEMENTWISE, LAYOUT, words
from grader.worker.sliced.calllog import current
from grader.worker.sliced.compiled import Compiled
from grader.worker.sliced.worker import the_slices

_HARMLESS = (
    (LAYOUT - {"frombuffer"})
    | CREATING
    | words("""
        len range prange enumerate zip iter next print isinstance tuple slice ndindex ndenumerate nditer literal_unroll
        type bool getitem setitem empty_like zeros_like shape list reversed id hash internal_prange is_ is_not
        static_getitem delitem contains
    """)
)
_PRODUCTS = (operator.matmul, operator.imatmul)
"""Operators that combine different entries of an array, even if both sides are the same array."""
_MOST = 10


def describe(module: str, function: str, args: Sequence[Any]) -> dict[str, Any]:
    """Call `module.function(*args)` and return how it is compiled.

    Returns:
        `is_dispatcher`: whether it is compiled. `nopython`: which of it, its callees and functions that it defines have
        machine code without the interpreter, and arrays or lists (also in tuples) as arguments. `object_mode`: which of
        them fell back to Python objects. `library`: texts such as `numpy.sum of an array (sums.py:12)`, for work of
        libraries on whole arrays. `singles`: NumPy's functions that get single numbers.
    """
    slices = the_slices()
    root = getattr(slices.load(module), function)
    slices.call(root, args, full=False)
    reader = _Reader(slices.compiler.dispatchers_known_to(root) if slices.compiler else [])
    for dispatcher in list(current.log.dispatchers.values()):
        if isinstance(dispatcher, CPUDispatcher):
            reader.read(dispatcher)
        elif builder := getattr(dispatcher, "gufunc_builder", None):  # its function gets whole rows
            reader.read_rows(builder.nb_func)
    native, lifted = [], []
    for dispatcher in reader.dispatchers:
        specialised = list(dispatcher.overloads.values())
        if any(map(_is_native, specialised)):
            native.append(_name(dispatcher))
        if any(made.objectmode or made.lifted for made in specialised):
            lifted.append(_name(dispatcher))
    return {
        "is_dispatcher": isinstance(root, Compiled),
        "nopython": list(dict.fromkeys(native)),
        "object_mode": list(dict.fromkeys(lifted)),
        "library": list(dict.fromkeys(reader.library + reader.works_on_joined()))[:_MOST],
        "singles": sorted(reader.singles)[:_MOST],
    }


class _Reader:
    """Reads typed functions, and those that they call."""

    def __init__(self, known: list[Any]) -> None:
        self._known = known
        self.dispatchers: list[Any] = []
        self.library: list[str] = []
        self.singles: set[str] = set()
        self._in_parts = ""  # where an array is viewed as narrower numbers: these, written there, are joined in it
        self._alone = False  # whether libraries work on one whole array, each entry by itself

    def works_on_joined(self) -> list[str]:
        """Return, in words, that libraries work on whole arrays, entries of which may be joined ones; else nothing."""
        return [f"arithmetic on an array viewed in parts ({self._in_parts})"] if self._in_parts and self._alone else []

    def read(self, dispatcher: Any) -> None:
        """Read everything that was compiled of a function."""
        if any(dispatcher is known for known in self.dispatchers):
            return
        self.dispatchers.append(dispatcher)
        plain = njit(dispatcher.py_func) if dispatcher.targetoptions.get("parallel") else dispatcher
        for types_of_arguments, compiled in list(dispatcher.overloads.items()):
            if plain is not dispatcher:  # in parallel code loops and operations on arrays look alike
                plain.compile(types_of_arguments)
            typed = plain.overloads.get(types_of_arguments, compiled).type_annotation
            if hasattr(typed, "blocks"):
                self._read_typed(typed)

    def read_rows(self, dispatcher: Any) -> None:
        """Read what was compiled of a generalised ufunc's function, which is not counted among `dispatchers`."""
        for compiled in list(dispatcher.overloads.values()):
            self._read_typed(compiled.type_annotation)

    def _read_typed(self, typed: Any) -> None:
        for block in typed.blocks.values():
            for statement in block.body:
                if isinstance(statement, numba_ir.SetItem) and _holds_array(typed.typemap.get(statement.index.name)):
                    self.library.append(f"selection by an array ({self._place(statement.loc)})")
                if isinstance(statement, numba_ir.Assign) and isinstance(statement.value, numba_ir.Expr):
                    for words in self._words(statement.value, typed.typemap):
                        self.library.append(f"{words} ({self._place(statement.loc)})")

    def _words(self, expression: Any, typemap: Any) -> Iterator[str]:
        if expression.op in {"binop", "inplace_binop"}:
            self._alone |= any(_is_array(typemap.get(side.name)) for side in (expression.lhs, expression.rhs))
            yield from _operator_words(expression, typemap)
        elif expression.op == "getitem" and _holds_array(typemap.get(expression.index.name)):
            yield "selection by an array"
        elif expression.op == "arrayexpr":  # what Numba makes of operators and ufuncs of arrays
            self._alone = True
            names = {side.name for side in expression.list_vars() if _is_array(typemap.get(side.name))}
            if len(names) > 1 or any(_holds_pairs(typemap.get(name)) for name in names):
                function = expression.expr[0]
                if type(function).__name__ == "DUFunc":  # made by `vectorize`: a function of the hand-in
                    return
                yield f"{getattr(function, '__name__', function)} of whole arrays"
        elif expression.op == "call":
            yield from self._call_words(expression, typemap)

    def _call_words(self, call: Any, typemap: Any) -> Iterator[str]:
        kind = typemap.get(call.func.name)
        more = [part for part in (call.vararg, getattr(call, "varkwarg", None)) if part is not None]
        types_of_args = [typemap.get(arg.name) for arg in (*call.args, *(value for _, value in call.kws), *more)]
        whole = [arg for arg in types_of_args if _holds_array(arg)]
        if isinstance(kind, types.Dispatcher):
            self.read(kind.dispatcher)
        elif isinstance(kind, types.FunctionType):  # Numba's types do not say which of them it is
            for dispatcher in self._known:
                self.read(dispatcher)
        elif isinstance(kind, types.BoundFunction):
            yield from self._method_words(call, kind, types_of_args, whole)
        elif isinstance(kind, types.Function):
            yield from self._function_words(kind.typing_key, types_of_args, whole)

    def _method_words(self, call: Any, kind: Any, types_of_args: list[Any], whole: list[Any]) -> Iterator[str]:
        key = kind.typing_key[-1] if isinstance(kind.typing_key, tuple) else kind.typing_key
        name = str(key).rpartition(".")[2]
        if isinstance(kind.this, types.Function):  # its loop is Numba's, even if the ufunc is of the hand-in
            yield f"the method {name} of a ufunc"
        elif _is_array(kind.this):
            wider = _width_after(name, kind.this, types_of_args)
            self._alone |= name in ELEMENTWISE
            self._in_parts = self._place(call.loc) if wider < 0 else self._in_parts
            if whole or name not in _HARMLESS | ELEMENTWISE | {"flat", "conj"} or wider > 0:
                yield f"the method {name} of an array"

    def _function_words(self, key: Any, types_of_args: list[Any], whole: list[Any]) -> Iterator[str]:
        name = getattr(key, "__name__", str(key))
        if not whole:
            self.singles.update({name} if getattr(np, name, None) is key else ())
            return
        is_single = len(whole) == 1 and (name in ELEMENTWISE or getattr(key, "nin", 0) == 1)
        is_own = type(key).__name__ == "DUFunc"
        if isinstance(key, FunctionType) and key.__code__.co_filename.startswith(current.folder):
            compiled = njit(key)  # `register_jitable` made it known to machine code
            compiled.compile(tuple(types.unliteral(kind) for kind in types_of_args))
            self.read(compiled)
            is_own = True
        is_operator = getattr(operator, name, None) is key and len(whole) < 2  # noqa: PLR2004 - two sides
        self._alone |= is_single or is_operator
        if not (name in _HARMLESS or is_single or is_own or is_operator):
            library = "numpy." if getattr(np, name, None) is key else ""
            yield f"{library}{name} of {'an array' if len(whole) == 1 else 'arrays'}"

    def _place(self, loc: Any) -> str:
        return f"{str(loc.filename).rpartition('/')[2]}:{loc.line}"


def _operator_words(expression: Any, typemap: Any) -> Iterator[str]:
    sides = [expression.lhs, expression.rhs]
    kinds = [typemap.get(side.name) for side in sides]
    name = getattr(expression.fn, "__name__", expression.fn)
    if all(map(_is_array, kinds)) and (expression.fn in _PRODUCTS or sides[0].name != sides[1].name):
        yield f"the operator {name} of two arrays"
    elif any(map(_holds_pairs, kinds)):
        yield f"the operator {name} of complex numbers"


def _bare(kind: Any) -> Any:
    """Return the type of a value that may be None, or the type itself."""
    return kind.type if isinstance(kind, types.Optional) else kind


def _is_array(kind: Any) -> bool:
    kind = _bare(kind)
    return isinstance(kind, types.Array) and kind.ndim > 0


def _holds_pairs(kind: Any) -> bool:
    """Return whether a type is an array of complex numbers: arithmetic, even with a constant, combines their parts."""
    return _is_array(kind) and isinstance(_bare(kind).dtype, types.Complex)


def _width_after(name: str, array: Any, types_of_args: list[Any]) -> int:
    """Return how many more bits an entry has in the view that a method gives; if more, several entries are joined."""
    before, *after = (getattr(getattr(kind, "dtype", kind), "bitwidth", 8) for kind in (array, *types_of_args))
    return max(after) - before if name == "view" and after else 0


def _holds_array(kind: Any) -> bool:
    kind = _bare(kind)
    if isinstance(kind, types.BaseTuple):
        return any(map(_holds_array, kind))
    inner = getattr(kind, "dtype", None) if isinstance(kind, types.List | types.ListType) else None
    return _is_array(kind) or (inner is not None and _holds_array(inner))


def _is_native(compiled: Any) -> bool:
    """Return whether one specialisation has machine code, works on arrays or lists, and needs no interpreter."""
    bulky = (types.Array, types.List, types.ListType, types.Buffer)
    has_data = any(isinstance(argument, bulky) or _holds_array(argument) for argument in compiled.signature.args)
    return has_data and not compiled.objectmode and compiled.entry_point is not None


def _name(dispatcher: Any) -> str:
    return str(dispatcher.py_func.__name__)[:100]
