"""Functions made by Numba in a slice; `launches` watches its kernels.

Machine code cannot reach an observer. So Numba compiles a *twin* of each function: the same code, with the real NumPy
and Numba in its globals. Arguments and results pass through this module, which keeps their labels.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import Enum
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import types

from grader.cuda_cpu.numba_internals import Dispatcher
from grader.slices import policy
from grader.slices.policy import words
from grader.worker.sliced import containers, devices, labels, operations, withheld
from grader.worker.sliced.calllog import COMPILED, DATA, KERNEL, NOTHING, SPOILS, Label, current, refuse, tally
from grader.worker.sliced.exact import exact, items_of, leaves
from grader.worker.sliced.facade import Facade, real_module
from grader.worker.sliced.labels import Unwrapped, label_of, unwrap
from grader.worker.sliced.owncode import ORIGINALS, codes_in
from grader.worker.sliced.scopes import Scopes
from grader.worker.sliced.signatures import SIGNATURES, NumbaType, expect_signatures

_JITS = frozenset({"njit", "jit", "vectorize", "guvectorize"})
_NEW_ON_DEVICE = frozenset({"device_array", "device_array_like"})
_NEW_ON_HOST = words("pinned_array pinned_array_like mapped_array mapped_array_like managed_array")
_HOLDING = (np.ndarray, np.generic, int, float, complex, tuple, list, str, set, frozenset, dict, Enum)
_SETTINGS = (int, float, str, type(None), types.Type, NumbaType)
"""Types that options of a compiler may have: it would call functions and objects of a slice with its own objects."""


class Compiled(Unwrapped):
    """A function that Numba compiled, as Python code of the slice calls it."""

    def __init__(self, real: Any, name: str, owner: Compiler, plain: FunctionType) -> None:
        self._real, self._owner, self._plain = real, owner, plain
        runs_on_device = type(real).__module__ == "numba.cuda.vectorizers"  # made by `vectorize(target="cuda")`
        self._made_by = f"{KERNEL if runs_on_device else COMPILED}{name}"
        self.__name__ = self.__qualname__ = name
        self.__doc__ = plain.__doc__

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the machine code with ordinary arrays, and label what it returns and what it may have written to."""
        return self._call_machine_code(self._real, args, options)

    def _call_machine_code(self, call: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        self._owner.refresh(self._plain.__globals__)
        args, options = tuple(map(exact, args)), {key: exact(option) for key, option in options.items()}
        log = current.log
        tally(log.compiled, self._made_by.removeprefix(COMPILED))
        log.dispatchers[id(self._real)] = self._real
        arguments = (*args, *options.values())
        label = containers.label_of_all_given(arguments) | self._owner.captured(self._plain, *arguments)
        label |= {DATA} if labels.are_views_of_other_sizes(arguments) else NOTHING
        spoils = inherited(label)
        log.given_to_compiled.update(token for token in spoils if not token.startswith(COMPILED))
        made = spoils | {self._made_by}
        remembered = [arg for arg in arguments if id(arg) in log.made]
        for arg in leaves(arguments):  # before the call, so that an exception in it cannot skip the labels
            labels.write(arg, made)
        for arg in remembered:
            containers.remember(arg, made)
        lists = [(arg, _numbers_in(arg)) for arg in arguments if isinstance(arg, list)]
        try:
            result = call(*unwrap(args), **unwrap(options))
        except Exception as error:  # its arguments are numbers that machine code hands out
            written = self._owner.texts_in(self._plain)
            told = [arg for arg in error.args if not (isinstance(arg, str) and arg in written)]
            log.reads += 1 + labels.count_told(told)
            raise
        log.reads += labels.count_told(arg for arg in leaves(arguments) if isinstance(arg, set))
        log.reads += sum(labels.count_told([arg]) for arg, old in lists if _numbers_in(arg) != old)
        for arg in remembered:  # the call may have changed the items of a list
            containers.remember(arg, made)
        if hasattr(result, "__next__"):
            return (containers.label(item, made) for item in result)
        return containers.label(result, made)

    def __getattr__(self, name: str) -> Any:
        if name == "recompile":
            return self._real.recompile
        if name in {"reduce", "outer", "accumulate", "at"}:
            method = getattr(self._real, name)
            return lambda *args, **options: self._call_machine_code(method, args, options)
        raise AttributeError(name)


class Compiler:
    """Makes twins of functions, and wraps what Numba makes of them."""

    def __init__(self, *, within_arrays: bool = False) -> None:
        self._within_arrays = within_arrays
        self._scopes = Scopes(self._real_of, self._label_of)
        self._plain: dict[int, FunctionType] = {}
        self._made_and_alive: list[Any] = []
        """Keeps the objects whose ids are keys of `_plain`, so that no other object gets the same id."""
        self._registered: dict[int, tuple[Any, Any]] = {}
        self.names: Callable[[Any], str] = lambda kernel: str(getattr(kernel, "__name__", "?"))

    def make_numba(self, name: str, real: Any) -> Any:
        """Return what a slice gets for a name of `numba`."""
        if self._within_arrays and name in _JITS | {"register_jitable"}:
            withheld.keep_within_arrays()
        if name in _JITS:
            return self._jit(real, self._compile_twin)
        if name == "register_jitable":
            return self._register_overload
        if name == "from_dtype":
            return named_like(lambda dtype: _as_type(real(np.dtype(unwrap(dtype)))), real)
        return _passing_on(name, real, _as_type) if name == "typeof" else _as_type(real)

    def make_cuda(self, name: str, real: Any) -> Any:
        """Return what a slice gets for a name of `numba.cuda`."""
        real = devices.beneath.get(real, real)
        if name == "jit":
            return self._jit(real, self._compile)
        if name == "to_device":
            return _to_device(real)
        if name in _NEW_ON_DEVICE:
            return _passing_on(name, real, devices.memory.clear)
        if name in _NEW_ON_HOST:
            return _passing_on(name, real, _clear_on_host)
        if name == "pinned":  # the real one needs a buffer, which an observed array lacks
            return _passing_on(name, real, lambda locked: locked)
        if name in {"reduce", "Reduce"}:
            return named_like(lambda function: real(self.twin(function)), real)
        return _as_type(real)

    def twin(self, function: Any) -> Any:
        """Return a function with the same code and the real modules in its globals."""
        if not isinstance(function, FunctionType):
            return unwrap(function)
        scope = function.__globals__
        values = self._scopes.enclose(function)
        closure = tuple(value if isinstance(value, CellType) else CellType(self._real_of(value)) for value in values)
        name = function.__name__
        made = FunctionType(
            function.__code__,
            vars(self._scopes.twin_of(scope)),
            # Numba puts the name into source text that it executes
            name if type(name) is str and name.isidentifier() else function.__code__.co_name,
            argdefs=unwrap(function.__defaults__),
            closure=closure or None,
        )
        made.__kwdefaults__ = unwrap(function.__kwdefaults__)
        made.__doc__ = function.__doc__
        made.__module__ = next((name for name, one in sys.modules.items() if getattr(one, "__dict__", 0) is scope), "")
        made.__qualname__ = made.__code__.co_qualname
        ORIGINALS[made] = function
        return made

    def refresh(self, scope: dict[str, Any]) -> None:
        """Copy a slice's current globals to its twins, for all machine code that is compiled from now on."""
        self._scopes.refresh(scope)

    def _real_of(self, value: Any) -> Any:
        """Return what twins have in place of a value that a slice has."""
        if id(value) in self._registered:
            return self._registered[id(value)][1]
        if isinstance(value, Facade):
            return real_module(value)
        return self._scopes.twin_of(vars(value)) if isinstance(value, ModuleType) else unwrap(value)

    def _label_of(self, value: Any) -> Label:
        """Return the label of a value that machine code may have been compiled around."""
        own = containers.label_of_given(value) if isinstance(value, _HOLDING) else NOTHING
        return own | self.captured(value)

    def captured(self, *functions: Any) -> Label:
        """Return the labels of the globals, closures and defaults of functions, and of all functions they call."""
        return containers.label_of_all_given(self.known_to(*functions)[1])

    def known_to(self, *functions: Any) -> tuple[list[FunctionType], list[Any]]:
        """Return functions with all that they call, and those of their globals and defaults that may hold numbers."""
        visited: dict[int, Any] = {}  # kept, so that nothing new gets their ids
        known: list[FunctionType] = []
        constants: list[Any] = []
        seen: set[tuple[int, str]] = set()
        todo = [*functions]
        while todo:
            holder = todo.pop()
            if isinstance(holder, list | tuple):
                items = items_of(holder) if id(holder) not in visited else ()  # a list may hold itself
                todo += [item for item in items if isinstance(item, Unwrapped | list | tuple)]
                visited[id(holder)] = holder
                continue
            plain = holder if isinstance(holder, FunctionType) else self.plain_of(unwrap(holder))
            known += [plain] if plain is not None else []
            if plain is None or id(plain) in visited:
                continue
            visited[id(plain)] = plain
            values = [*self._scopes.held_by(plain, seen)]
            for value in values:
                if isinstance(value, type) and issubclass(value, Enum):  # machine code knows the values of its members
                    constants.append([*value.__members__.values()])
                elif isinstance(value, _HOLDING):
                    constants.append(value)
            todo += values
        return known, constants

    def texts_in(self, function: FunctionType) -> set[str]:
        """Return the texts that stand in a function and in those that it calls."""
        codes = (code for known in self.known_to(function)[0] for code in codes_in(known.__code__))
        return {text for code in codes for text in code.co_consts if type(text) is str}

    def dispatchers_known_to(self, function: Any) -> list[Any]:
        """Return Numba's dispatchers of a function and of the functions that it calls."""
        known, _ = self.known_to(function)
        return [made for made in self._made_and_alive if isinstance(made, Dispatcher) and self.plain_of(made) in known]

    def plain_of(self, dispatcher: Any) -> FunctionType | None:
        """Return the function of the slice from which a kernel or a compiled function was made."""
        twin = dispatcher.py_func if isinstance(dispatcher, Dispatcher) else dispatcher  # or a specialised kernel
        return self._plain.get(id(twin))

    def _register_overload(self, function: Any = None, **options: Any) -> Any:
        """Replace `register_jitable`: machine code may call the function, too, and it stays plain Python."""
        options = _exact_options(options)
        if function is None:
            return lambda late: self._register_overload(late, **options)
        from numba.extending import register_jitable  # noqa: PLC0415 - after the executor took its place in Numba

        function.__globals__.setdefault("__name__", function.__module__)
        compile_later = register_jitable(**options) if options else register_jitable
        self._registered[id(function)] = (function, compile_later(self.twin(function)))
        return function

    def _jit(self, real: Any, compile_function: Callable[..., Any]) -> Any:
        """Return what stands for `njit` or `cuda.jit`: it takes a function at once, or after its options."""

        def jit(*args: Any, **options: Any) -> Any:
            args, options = tuple(map(exact, args)), _exact_options(options)
            expect_signatures(args, options)
            if args and isinstance(args[0], FunctionType):
                return compile_function(real, args[0], (), options)  # dropped: positional options only tune
            return lambda function: compile_function(real, function, args, options)

        return named_like(jit, real)

    def _compile_twin(self, real: Any, function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if isinstance(function, Compiled):
            function = self._plain[id(unwrap(function))]
        if not isinstance(function, FunctionType):
            return real(*unwrap(args), **unwrap(options))(unwrap(function))
        return self.wrap(self._compile(real, function, args, options), function.__name__, function)

    def wrap(self, made: Any, name: str, plain: FunctionType) -> Compiled:
        """Return the object that a slice calls in place of Numba's dispatcher."""
        return Compiled(made, name, self, plain)

    def _compile(self, real: Any, function: FunctionType, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        """Return what Numba makes of the twin of a slice's function, and remember the function."""
        twin = self.twin(function)
        made = real(*unwrap(args), **unwrap(options))(twin)
        for derived in (twin, made):
            self._plain[id(derived)] = function
            self._made_and_alive.append(derived)
        return made


def _numbers_in(listed: list[Any]) -> list[Any]:
    return [item for item in leaves([listed]) if not isinstance(item, np.ndarray)]


def _exact_options(options: dict[str, Any]) -> dict[str, Any]:
    """Refuse options that would run or link code; drop `cache`, because each worker compiles once."""
    read = {}
    for name, value in options.items():
        read[name] = {*map(exact, items_of(value))} if isinstance(value, set | frozenset) else exact(value)
        settings = items_of(read[name]) if isinstance(value, set | frozenset | dict) else [read[name]]
        is_setting = name in SIGNATURES or all(isinstance(one, _SETTINGS) for one in leaves(settings))
        if name not in policy.ARGUMENTS or not is_setting:
            refuse(f"the option {name} of a compiler", f"compile with the option {name!r}")
    return {name: value for name, value in read.items() if name != "cache"}


def _as_type(real: Any) -> Any:
    return NumbaType(real) if hasattr(real, "cast_python_value") else real


def inherited(label: Label) -> Label:
    """Return the tokens that an answer of machine code inherits from its arguments: those of the host's work."""
    return frozenset(token for token in label if token.startswith(SPOILS))


def _to_device(real: Any) -> Any:
    def to_device(obj: Any, *args: Any, **options: Any) -> Any:
        if devices.is_on_device(obj):
            return real(obj, *unwrap(args), **unwrap(options))
        obj = exact(obj, ask=True)
        label = label_of(obj)
        devices.copies.count_told(obj)
        with devices.copies.reported(devices.TO_DEVICE, obj):
            copy = real(unwrap(obj), *unwrap(args), **unwrap(options))
        if not (len(args) > 1 or "to" in options):
            devices.memory.allocated(copy)
        devices.memory.replace(copy, devices.label_of_copy(copy, obj, label))  # `to=` may name a view with gaps
        return copy

    return named_like(to_device, real)


def named_like(function: Any, real: Any) -> Any:
    """Give a stand-in the name of the real function, and return it."""
    function.__name__ = function.__qualname__ = getattr(real, "__name__", "function")
    return function


def _passing_on(name: str, real: Any, finish: Callable[[Any], Any]) -> Any:
    """Return a function that calls `real` with ordinary arrays, and returns `finish` of the result."""

    def passed_on(*args: Any, **options: Any) -> Any:
        if name.endswith("_array"):
            labels.leak_all((*args, *options.values()))  # a shape tells the numbers that it is made of
        return finish(real(*unwrap(args), **unwrap(options)))

    return named_like(passed_on, real)


def _clear_on_host(made: Any) -> Any:
    """Fill new pinned, mapped or managed memory with zeros, because it may hold freed numbers; return it observed."""
    made.fill(0)
    return operations.observe(made, NOTHING)
