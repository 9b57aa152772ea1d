"""What calls come to: own functions are followed, library functions are known by their path.

A function that is handed to something unknown is followed as well: it may be called from there.
"""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from grader.source import libraries
from grader.source.expressions import Expressions
from grader.source.libraries import words
from grader.source.values import (
    SCALAR,
    UNKNOWN,
    FunctionNode,
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
    rank_of,
    tuple_of,
)

MAKERS = frozenset({"zeros", "empty", "ones", "full", "ndarray", "device_array", "pinned_array", "mapped_array"})
LIKE = words(
    "zeros_like empty_like ones_like full_like array asarray asanyarray ascontiguousarray asfortranarray copy to_device"
    " device_array_like as_cuda_array transpose swapaxes moveaxis round around"
)
COMBINING = words(
    "append concatenate vstack hstack dstack stack column_stack block fromiter eye identity squeeze tile repeat"
)
COUNTING = words("prod size ndim allclose array_equal isscalar")
KEEPING_METHODS = words("copy astype view copy_to_host transpose swapaxes")
ARRAY_OPERATORS = frozenset({"builtins.abs", "builtins.pow", "builtins.divmod", "builtins.round"})
SEQUENCE_BUILTINS = words("list tuple sorted reversed iter set frozenset")
NUMBER_BUILTINS = words("len int float bool hash id ord sum print isinstance hasattr callable any all")


@dataclass(frozen=True, slots=True)
class Call:
    """One call: its node, and what its arguments come to."""

    node: ast.Call
    arguments: tuple[Value, ...]
    keywords: Mapping[str, Value]
    scope: Scope

    def argument(self, index: int, name: str = "") -> Value:
        """Return an argument by position or else by name."""
        if index < len(self.arguments):
            return self.arguments[index]
        return self.keywords.get(name, UNKNOWN)

    @property
    def everything(self) -> tuple[Value, ...]:
        """All arguments, named ones last."""
        return (*self.arguments, *self.keywords.values())


class Calls(Expressions):
    """The reading of calls."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        super().__init__(name, lines)
        self.recursive = False
        self.compiled_depths: list[int] = []
        """In how many plain loops compiled functions were called."""
        self._active: list[ast.AST] = []
        self._known: dict[object, Value] = {}

    @abstractmethod
    def run_function(self, node: FunctionNode, scope: Scope) -> Value:
        """Return what the body of a function returns."""

    def forget(self) -> None:
        """Forget everything that was seen, so that it is seen again when reached."""
        self._known.clear()
        self.compiled_depths.clear()
        self.depth = self.deepest = self.plain_deepest = 0
        self.recursive = False

    def follow(self, function: Value, arguments: Sequence[Value], keywords: Mapping[str, Value] | None = None) -> Value:
        """Return what an own function returns for these arguments, noting what is met inside."""
        node = function.node
        if not isinstance(node, FunctionNode):
            return UNKNOWN
        if function.receiver:
            arguments = [function.receiver, *arguments]
        if function.compiled in libraries.ELEMENTWISE:
            arguments = [SCALAR] * len(arguments)
        if function.compiled in libraries.COMPILERS:
            self.compiled_depths.append(self.depth)
        if node in self._active:
            self.recursive = True
            self.deepest = max(self.deepest, self.depth + 1)
            return UNKNOWN
        key = (node, tuple(arguments), tuple((keywords or {}).items()), self.depth, function.scope)
        if key not in self._known:
            scope = Scope(function.scope)
            self._bind_parameters(node, arguments, keywords or {}, scope)
            self._active.append(node)
            self.compiled_levels += function.compiled in libraries.COMPILERS
            self._known[key] = self.run_function(node, scope)
            self.compiled_levels -= function.compiled in libraries.COMPILERS
            self._active.pop()
        return self._known[key]

    @property
    def reading(self) -> ast.AST | None:
        """The function whose body is being read."""
        return self._active[-1] if self._active else None

    def compile(self, compiler: Value, function: Value) -> Value:
        """Return `function` with the compiler put on it."""
        return replace(function, compiled=compiler.name, options=compiler.options)

    def _bind_parameters(
        self, node: FunctionNode, arguments: Sequence[Value], keywords: Mapping[str, Value], scope: Scope
    ) -> None:
        parameters = [*node.args.posonlyargs, *node.args.args]
        defaults = [*node.args.defaults, *(default for default in node.args.kw_defaults if default)]
        for default in defaults:
            self.value(default, scope)
        first_default = len(parameters) - len(node.args.defaults)
        for index, parameter in enumerate(parameters):
            value = keywords.get(parameter.arg, UNKNOWN)
            if index < len(arguments):
                value = arguments[index]
            elif parameter.arg not in keywords and index >= first_default:
                value = self.value(node.args.defaults[index - first_default], scope)
            scope.names[parameter.arg] = value
        for parameter in node.args.kwonlyargs:
            scope.names[parameter.arg] = keywords.get(parameter.arg, UNKNOWN)
        if node.args.vararg:
            scope.names[node.args.vararg.arg] = tuple_of(arguments[len(parameters) :])
        if node.args.kwarg:
            scope.names[node.args.kwarg.arg] = mapping_of(UNKNOWN)

    def _value_Call(self, node: ast.Call, scope: Scope) -> Value:  # noqa: N802 - found by the node's name
        callee = self.value(node.func, scope)
        arguments: list[Value] = []
        for argument in node.args:
            value = self.value(argument.value if isinstance(argument, ast.Starred) else argument, scope)
            if isinstance(argument, ast.Starred):
                arguments.extend(value.items if value.kind is Kind.TUPLE else [element(value)])
            else:
                arguments.append(value)
        keywords = {keyword.arg or "**": self.value(keyword.value, scope) for keyword in node.keywords}
        return self._call(callee, Call(node, tuple(arguments), keywords, scope))

    def _call(self, callee: Value, call: Call) -> Value:
        if callee.kind is Kind.LIBRARY:
            return self._call_library(self.meet(callee, call.node), call)
        if callee.kind is Kind.FUNCTION:
            if callee.node:
                return self.follow(callee, call.arguments, call.keywords)
            return self._call_method(callee, call)
        if callee.kind is Kind.CLASS:
            return self.make_object(callee, call.arguments, call.node, call.keywords)
        if callee.kind is Kind.OBJECT:
            return self.follow(self.attribute(callee, "__call__", call.node), call.arguments, call.keywords)
        if any(argument.kind is Kind.ARRAY for argument in call.everything):
            self.note("dynamic", call.node, "hands arrays to a function that cannot be read here", certain=False)
        return self._hand_over(call)

    def make_object(
        self, made_of: Value, arguments: Sequence[Value], node: ast.AST, keywords: Mapping[str, Value] | None = None
    ) -> Value:
        """Return an object; its special methods are followed at once, because syntax calls them unseen."""
        made = Value(Kind.OBJECT, name=made_of.name, scope=Scope(), receiver=made_of)
        self.follow(self.attribute(made, "__init__", node), arguments, keywords)
        names = list(made_of.scope.names) if made_of.scope else []
        for name in names:
            if name.startswith("__") and name not in {"__init__", "__call__"}:
                self._guess(self.attribute(made, name, node))
        return made

    def _hand_over(self, call: Call) -> Value:
        """Follow the functions among the arguments of a call into the unknown."""
        for argument in call.everything:
            if argument.kind is Kind.FUNCTION:
                self._guess(argument)
        return UNKNOWN

    def _guess(self, function: Value) -> None:
        """Follow a function that may be called from somewhere, with whatever arguments."""
        self.guessed += 1
        self.follow(function, [])
        self.guessed -= 1

    def _call_library(self, callee: Value, call: Call) -> Value:
        root, _, rest = callee.name.partition(".")
        if callee.name in libraries.COMPILERS | libraries.OTHER_COMPILERS | {"numba.cuda.jit"}:
            return self._call_compiler(callee, call)
        readers = {"builtins": self._call_builtin, "numpy": self._call_numpy, "operator": self._call_operator}
        if root in readers:
            return readers[root](rest, call)
        if callee.name == "numba.prange":
            return list_of(SCALAR)
        if root == "numba":
            return self._call_cuda(rest.removeprefix("cuda."), call)
        if root in {"math", "time"} or callee.name == "timeit.default_timer":
            return SCALAR
        return self._call_standard(callee.name, call)

    def _call_compiler(self, compiler: Value, call: Call) -> Value:
        options = dict(compiler.options)
        for keyword in call.node.keywords:
            if keyword.arg and isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, bool):
                options[keyword.arg] = keyword.value.value
        configured = replace(compiler, options=tuple(sorted(options.items())))
        functions = [argument for argument in call.arguments if argument.kind is Kind.FUNCTION and argument.node]
        return self.compile(configured, functions[0]) if functions else configured

    def _call_builtin(self, name: str, call: Call) -> Value:
        if name in {"getattr", "vars", "__import__"}:
            return self._call_dynamic(name, call)
        if name in {"map", "filter"}:
            return self._call_map(name, call)
        self._hand_over(call)
        if f"builtins.{name}" in ARRAY_OPERATORS and any(item.kind is Kind.ARRAY for item in call.arguments):
            return self.whole_arrays(call.node, f"by {name}()", *call.arguments)
        first = element(call.argument(0))
        known = {
            "range": list_of(SCALAR),
            "zip": list_of(tuple_of(element(argument) for argument in call.arguments)),
            "enumerate": list_of(tuple_of([SCALAR, first])),
            "next": first,
        }
        if name in known:
            return known[name]
        if name in SEQUENCE_BUILTINS:
            return call.argument(0) if call.argument(0).kind is Kind.TUPLE else list_of(first)
        if name in {"max", "min"}:
            return join(call.arguments) if len(call.arguments) > 1 else first
        return SCALAR if name in NUMBER_BUILTINS or f"builtins.{name}" in ARRAY_OPERATORS else UNKNOWN

    def _call_map(self, name: str, call: Call) -> Value:
        before = self.depth
        self.descend(1)
        items = [element(argument) for argument in call.arguments[1:]]
        result = self._call(call.argument(0), Call(call.node, tuple(items), {}, call.scope))
        self.depth = before
        return list_of(result if name == "map" else join(items))

    def _call_dynamic(self, name: str, call: Call) -> Value:
        base, member = call.argument(0), call.argument(1)
        if name == "__import__":
            return library(base.name) if base.kind is Kind.TEXT else UNKNOWN
        if name == "vars":
            return library(f"{base.name}.__dict__") if base.kind is Kind.LIBRARY else UNKNOWN
        if member.kind is Kind.TEXT:
            return self.attribute(base, member.name, call.node)
        if base.kind is Kind.LIBRARY:
            return self.meet(library(f"{base.name}.?"), call.node)
        self.note("dynamic", call.node, "uses getattr() with a name that cannot be read here", certain=False)
        return UNKNOWN

    def _call_numpy(self, path: str, call: Call) -> Value:
        name = path.rpartition(".")[2]
        if name in MAKERS:
            return fresh_array(_axes(call.argument(0, "shape")))
        if name in LIKE:
            make = fresh_array if name.endswith("_like") else array
            return make(rank_of(call.argument(0, "object")) or None)
        known = {
            "arange": array(1),
            "ravel": array(1),
            "reshape": array(_axes(call.argument(1, "shape"))),
            "vectorize": call.argument(0),
            "ndindex": list_of(_place(call.arguments)),
            **dict.fromkeys(("nditer", "ndenumerate"), list_of(UNKNOWN)),
            **dict.fromkeys(COUNTING, SCALAR),
            **dict.fromkeys(COMBINING, array(None)),
        }
        if name in known:
            return known[name]
        if any(item.kind is Kind.ARRAY for item in call.everything):
            return array(None)
        return SCALAR if all(item.kind is Kind.SCALAR for item in call.everything) else self._hand_over(call)

    def _call_operator(self, name: str, call: Call) -> Value:
        if any(item.kind is Kind.ARRAY for item in call.arguments):
            if name in {"getitem", "setitem", "length_hint"}:
                return UNKNOWN
            return self.whole_arrays(call.node, f"by operator.{name}", *call.arguments)
        return SCALAR

    def _call_cuda(self, path: str, call: Call) -> Value:
        name = path.rpartition(".")[2]
        if name in MAKERS or path in {"shared.array", "local.array", "const.array"}:
            return array(_axes(call.argument(0, "shape")))
        if name in LIKE:
            return call.argument(0, "obj")
        if path in {"grid", "gridsize"}:
            axes = call.node.args[0] if call.node.args else None
            count = axes.value if isinstance(axes, ast.Constant) and isinstance(axes.value, int) else 1
            return SCALAR if count == 1 else tuple_of([SCALAR] * min(count, 3))
        if path.startswith("atomic.") or name in libraries.STAR_MEMBERS["numba"]:
            return SCALAR
        return self._hand_over(call)

    def _call_standard(self, path: str, call: Call) -> Value:
        if path == "importlib.import_module":
            return library(call.argument(0).name) if call.argument(0).kind is Kind.TEXT else UNKNOWN
        if path == "functools.partial":
            return _partial(call)
        if path == "functools.reduce":
            item = element(call.argument(1))
            return self._call_map("map", Call(call.node, (call.argument(0), *[list_of(item)] * 2), {}, call.scope))
        if path == "itertools.product":
            items = [element(argument) for argument in call.arguments]
            return list_of(tuple_of(items if "repeat" not in call.keywords else items * 2))
        if path.startswith(("itertools.combinations", "itertools.permutations")):
            return list_of(tuple_of([element(call.argument(0))] * 2))
        return self._hand_over(call)

    def _call_method(self, method: Value, call: Call) -> Value:
        owner, name = method.receiver or UNKNOWN, method.name
        if owner.kind is Kind.ARRAY:
            return _array_method(owner, name, call)
        if owner.kind is Kind.MAPPING and name == "items":
            return list_of(tuple_of([UNKNOWN, element(owner)]))
        if owner.kind is Kind.MAPPING and name == "values":
            return list_of(element(owner))
        if name in {"pop", "get", "setdefault"}:
            return element(owner)
        if name == "copy":
            return owner
        return self._hand_over(call)


def _axes(shape: Value) -> int | None:
    """Return how many axes an array of this shape has; None where it cannot be read."""
    if shape.kind is Kind.TUPLE:
        return len(shape.items)
    return 1 if shape.kind is Kind.SCALAR else None


def _place(axes: Sequence[Value]) -> Value:
    """Return one place that `ndindex` gives for these arguments: a shape, or its lengths one by one."""
    lengths = axes[0].items if axes and axes[0].kind is Kind.TUPLE else axes
    return tuple_of([SCALAR] * len(lengths)) if all(length.kind is Kind.SCALAR for length in lengths) else UNKNOWN


def _partial(call: Call) -> Value:
    """Return the function with its first arguments given; only those without any can be followed exactly."""
    function = call.argument(0)
    if function.kind is Kind.FUNCTION and len(call.arguments) == 1:
        return function
    if function.kind is Kind.FUNCTION and not function.receiver and len(call.arguments) > 1:
        return replace(function, receiver=call.arguments[1]) if len(call.arguments) == 2 else UNKNOWN  # noqa: PLR2004 - one
    return function if function.kind is Kind.LIBRARY else UNKNOWN


def _array_method(owner: Value, name: str, call: Call) -> Value:
    if name in KEEPING_METHODS:
        return owner
    if name in {"ravel", "flatten"}:
        return array(1)
    if name == "reshape":
        several = len(call.arguments) > 1
        return array(len(call.arguments) if several else _axes(call.argument(0, "shape")))
    if name == "tolist":
        result = SCALAR if owner.rank else UNKNOWN
        for _ in range(owner.rank or 0):
            result = list_of(result)
        return result
    return SCALAR if name == "item" else UNKNOWN
