"""Modules that hold the allowed names only; a wrapper around each of NumPy's functions keeps labels.

*Plain* modules hold the real functions under the allowed names. They are for slices that may use NumPy freely, such as
a network's functions, so that observation does not slow down a training.
"""

import importlib
import sys
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np

from grader.slices import policy
from grader.slices.policy import CREATING, words
from grader.worker.sliced import labels, objects, operations
from grader.worker.sliced.calllog import INDEX, NOTHING, current, has_mixed, refuse, tally
from grader.worker.sliced.exact import NUMBERS, exact, exact_arguments, leaves
from grader.worker.sliced.freezing import freeze
from grader.worker.sliced.labels import Unwrapped, unwrap
from grader.worker.sliced.objects import Grid, Iteration, make_type
from grader.worker.sliced.standard import STAND_INS, make_hint

_PASSED = words("""
    errstate printoptions seterr geterr set_printoptions get_printoptions ndindex ndenumerate finfo iinfo
    dtype issubdtype isscalar iterable isdtype promote_types can_cast result_type broadcast_shapes ScalarType typecodes
""")
"""NumPy's names whose results hold no numbers of arrays: their arguments are unwrapped, their results get no label."""
_ALIKE = words("zeros ones empty full ndarray")  # makers of arrays whose entries are all the same, or not initialised
_OF_A_SHAPE = CREATING | words("""
    array_split as_strided broadcast_to dsplit hsplit pad repeat reshape resize sliding_window_view split tile vsplit
""")
"""Functions whose first argument decides a shape, or else the others do."""
_SHAPED = words("zeros ones empty broadcast_to broadcast_shapes ndindex dtype reshape resize tile as_strided")
"""Those that are given an array for the sake of a shape only, beside the one that they arrange."""
_EMPTY = {"empty": np.zeros, "empty_like": np.zeros_like}
"""What replaces them in calls with a full log: memory that was just freed may hold an answer of NumPy's."""


_OF_UFUNCS = frozenset({"reduce", "accumulate", "outer", "at", "reduceat"})
_COPYING_MODES = words("constant edge reflect symmetric wrap")
_MODE = 2  # the place of `mode` among the arguments of `pad`

Makers = Mapping[str, Callable[[str, Any], Any]]
"""Module -> function that gets a name and the real object, and returns what a slice gets."""


class Facade(ModuleType):
    """A module with the allowed names of a real one. If a slice asks for another name, the log records it."""

    def __init__(self, module: str, wrap: Callable[[str, str, Any], Any]) -> None:
        super().__init__(module)
        object.__setattr__(self, "_stand_in_for", wrap)
        object.__setattr__(self, "_allowed", policy.names_within(module))

    def __getattr__(self, name: str) -> Any:
        module = self.__name__
        if name == "__version__":
            return _real(module, name)
        if name == "__all__":  # what `import *` binds: of the allowed names, those that the real one binds
            real = real_module(self)
            bound = getattr(real, name, dir(real))
            return [one for one in sorted(self._allowed) if one in bound and hasattr(real, one)]
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        if name not in self._allowed:
            current.log.refuse(f"{module}.{name}")
            raise AttributeError(_explain_absence(module, name))
        stand_in = self._stand_in_for(module, name, _real(module, name))
        if not isinstance(stand_in, ModuleType):
            freeze(stand_in if isinstance(stand_in, type) else type(stand_in))
        self.__dict__[name] = stand_in
        return stand_in

    def __setattr__(self, name: str, value: Any) -> None:
        is_setting = name.startswith("__") or self.__name__ == "numba.core.config"  # kept here only, without effect
        if is_setting and name != "__name__":  # `__name__` says which module this stands for
            object.__setattr__(self, name, value)
            return
        current.log.refuse(f"{self.__name__}.{name} =")
        raise AttributeError(f"module {self.__name__!r} cannot be changed by a graded function")


def real_module(facade: Facade) -> ModuleType:
    """Return the module that a façade stands for."""
    return importlib.import_module(facade.__name__)


def _explain_absence(module: str, name: str) -> str:
    """Return Python's own message if the real module lacks the name, too; else say what the student can do."""
    if not hasattr(importlib.import_module(module), name):
        return f"module {module!r} has no attribute {name!r}"
    return (
        f"`{module}.{name}` is not available to graded functions: "
        "compute with arrays and numbers, by what numpy, math and numba offer for them"
    )


def _real(module: str, name: str) -> Any:
    """Return what a module holds under a name; import a submodule if it is not there yet."""
    loaded = importlib.import_module(module)
    if name in policy.SUBMODULES.get(module, frozenset()) and not hasattr(loaded, name):
        return importlib.import_module(f"{module}.{name}")
    return getattr(loaded, name)


class Modules:
    """The modules that one slice worker can import."""

    def __init__(self, *, observed: bool, prepare_numba: Callable[[], Makers]) -> None:
        self._modules: dict[str, Facade] = {}
        self._is_observed = observed
        self._prepare_numba = prepare_numba
        self._makers: Makers | None = None

    def get(self, name: str) -> Facade:
        """Return the module of that name."""
        if self._makers is None and name.partition(".")[0] == "numba":  # only now: Numba takes 0.3 s to import
            self._makers = self._prepare_numba()
        if name not in self._modules:
            self._modules[name] = Facade(name, self._stand_in_for)
        return self._modules[name]

    def _stand_in_for(self, module: str, name: str, real: Any) -> Any:
        if isinstance(real, ModuleType):
            is_named = name in policy.SUBMODULES.get(module, frozenset())
            return self.get(f"{module}.{name}" if is_named else real.__name__)
        if (module, name) in STAND_INS:
            return STAND_INS[module, name]
        if maker := (self._makers or {}).get(module):
            return maker(name, real)
        if module == "scipy.stats":
            return objects.Distribution(real, Function if self._is_observed else lambda _name, method: method)
        if self._is_observed and module.partition(".")[0] in {"numpy", "scipy"} and module != "numpy.typing":
            return wrap_numpy(name, real)
        if name == "as_strided" and "mpi4py" in sys.modules:  # behind an MPI rank's array lie those of other ranks;
            # elsewhere nothing is hidden there, and Numba compiles the real function only
            return lambda *args, **options: _view_within(real, args, options)
        return real


class Function(Unwrapped):
    """A function of NumPy that keeps labels."""

    def __init__(self, name: str, real: Any) -> None:
        self._real = real
        self.__name__ = name
        self.__doc__ = getattr(real, "__doc__", None)

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Call the real one with ordinary arrays, and label what comes back."""
        real, name = self._real, self.__name__
        if isinstance(real, np.ufunc) and not options and NUMBERS.issuperset(map(type, args)):
            tally(current.log.singles, real.__name__)  # perhaps called for each entry
            return real(*args)
        args, options = exact_arguments(args, options)
        options.pop("like", None)  # it would give its label to numbers that have none, and holds none of the result's
        real = _EMPTY.get(name, real) if current.log.full else real
        tell = labels.leak_all if name in _SHAPED else labels.leak_mixed
        if name in _OF_A_SHAPE:  # the shape of the result tells the numbers of the arguments
            tell([*args[name not in CREATING :], *options.values()])
        if isinstance(real, np.ufunc):
            return operations.run_ufunc(real, "__call__", args, options)
        if name in _SPECIAL:
            return _SPECIAL[name](real, args, options)
        if name in _PASSED:
            given = (*args, *options.values())
            if "override_repr" in options or (name.endswith("printoptions") and labels.label_of(given)):
                refuse(f"numpy.{name}", "keep arrays, or own functions, in NumPy's settings")
            tell(args)
            return real(*unwrap(args), **unwrap(options))
        if name in CREATING and not labels.label_of((*args, *options.values())) - {INDEX}:
            label = NOTHING if name in _ALIKE else frozenset({INDEX})
            return operations.labelled(real(*unwrap(args), **unwrap(options)), label)
        return operations.run_named(name, real, args, options)

    def __getattr__(self, name: str) -> Any:
        if name in _OF_UFUNCS and isinstance(self._real, np.ufunc):
            return lambda *args, **options: operations.run_ufunc(self._real, name, args, options)
        if not name.startswith("_"):
            current.log.refuse(f"{self.__name__}.{name}")
        raise AttributeError(name)

    __or__ = __ror__ = lambda self, other: make_hint(self._real) | other  # in annotations such as `np.finfo | None`


def _take_out(real: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Replace `fromiter`; a type whose entries are rows is refused."""
    if np.dtype(unwrap(options.get("dtype", args[1] if len(args) > 1 else float))).subdtype:
        refuse("numpy.fromiter of rows", "take rows out of an iterator")
    label = labels.label_of(args[0] if args else options.get("iter"))  # of nothing else: `count` holds no entries
    try:
        return operations.labelled(real(*unwrap(args), **unwrap(options)), label)
    except Exception:
        labels.leak_all(args)  # the message may show their numbers
        raise


def _pad(real: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Replace `pad`, which may compute the edges; refuse a function of the slice, which would get unobserved rows."""
    mode = options.get("mode", args[2] if len(args) > _MODE else "constant")
    if callable(mode):
        refuse("numpy.pad by a function", "pad by a function")
    if mode == "empty":  # its edges would be old memory
        return operations.rearrange("pad", lambda array, pad_width, *_, **__: real(array, pad_width), args, options)
    if mode in _COPYING_MODES and "reflect_type" not in options:
        return operations.rearrange("pad", real, args, options)
    return operations.apply("pad", real, args, options, is_mixing=True)


def _view_within(real: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call `as_strided`, and return a read-only view; raise ValueError if it leaves the array's own memory."""
    array = args[0] if args else options["x"]
    view = real(*unwrap(args), **unwrap(options) | {"writeable": False})
    begin, end = np.lib.array_utils.byte_bounds(unwrap(array))
    first, last = np.lib.array_utils.byte_bounds(view)
    if first < begin or last > end:
        refuse("numpy.lib.stride_tricks.as_strided beyond the array", "read memory beyond an array", ValueError)
    return view


def _call_back(real: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call a NumPy function that calls functions of the slice; observe the arrays that these get and return."""
    label = labels.label_of((*args, *options.values())) or frozenset({INDEX})
    returned: list[frozenset[str]] = []

    def observing(function: Any) -> Any:
        if isinstance(function, np.ndarray) and function.dtype.kind == "O":
            function = labels.raw_of(function).tolist()
        if isinstance(function, list | tuple):
            return [observing(entry) for entry in function]
        if not callable(function) or isinstance(function, type):
            return function

        def call(*some: Any) -> Any:
            current.log.leaks += has_mixed[label]  # each call, and the length of its part, tells a number
            result = exact(function(*(operations.labelled(value, label) for value in some)), ask=True)
            returned.append(labels.label_of(result))
            return unwrap(result)

        return call

    options = {key: observing(value) for key, value in options.items()}
    result = real(*unwrap(tuple(map(observing, args))), **unwrap(options))
    is_work = real is not np.fromfunction and label - {INDEX}
    mixed = frozenset({labels.record(real.__name__, [*args])}) if is_work else NOTHING
    return operations.labelled(result, label.union(mixed, *returned))


def _errstate(**options: Any) -> Any:
    """Replace `errstate`; a function to call is refused: its calls would tell which numbers are zero."""
    if options.get("call") is not None:
        refuse("numpy.errstate with a function", "let NumPy call a function for each error")
    return np.errstate(**options)


def _compare(real: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Replace the assertions of `numpy.testing`; other objects would be handed ordinary arrays to compare with."""
    plain = np.ndarray | np.generic | np.dtype | float | complex | str | int | type | None
    if not all(isinstance(value, plain) for value in leaves((*args, *options.values()))):
        refuse(f"numpy.testing.{real.__name__}", "compare anything but arrays and numbers by numpy.testing")
    return operations.run_named(real.__name__, real, args, options)


_SPECIAL = {
    **dict.fromkeys(policy.NUMPY_PARTS["testing"], _compare),
    "ndenumerate": lambda _real, args, _options: ((at, args[0][at]) for at in np.ndindex(*np.shape(unwrap(args[0])))),
    "nditer": lambda _real, args, options: Iteration(args, options),
    "fromiter": _take_out,
    "pad": _pad,
    "as_strided": lambda real, args, options: operations.labelled(
        _view_within(real, args, options), labels.label_of(args[0] if args else options["x"])
    ),
    **dict.fromkeys(("fromfunction", "apply_along_axis", "piecewise"), _call_back),
}


def wrap_numpy(name: str, real: Any) -> Any:
    """Return what a slice gets for one of NumPy's names."""
    if name in objects.STAND_INS:
        return objects.STAND_INS[name]
    if isinstance(real, type):
        if issubclass(real, np.generic | np.ndarray | np.dtype):
            return make_type(name, real)
        if name == "errstate":
            return _errstate
        return real if issubclass(real, BaseException) else Function(name, real)
    if name in {"mgrid", "ogrid", "r_", "c_"}:
        return Grid(real)
    return Function(name, real) if callable(real) else real
