"""Stand-ins for objects that NumPy makes, such as `np.nditer`, and for NumPy's types of numbers.

Arrays that come out of them keep their labels. In a slice, `type(value)` is what the slice gets under the type's name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any, Self

import numpy as np

from grader.slices import policy
from grader.worker.sliced import arrays, labels, operations
from grader.worker.sliced.calllog import INDEX, MIXED, NOTHING, Label, current, refuse, tally
from grader.worker.sliced.exact import NUMBERS, exact, exact_arguments, leaves
from grader.worker.sliced.freezing import freeze, is_own
from grader.worker.sliced.labels import Unwrapped, unwrap
from grader.worker.sliced.standard import STAND_INS as STANDARD
from grader.worker.sliced.standard import Hint, make_hint


class Grid(Unwrapped):
    """`np.mgrid`, `np.r_` and the like: their arrays are observed, too."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def __getitem__(self, key: Any) -> Any:
        """Return what the real one makes of slices, numbers and arrays."""
        key = exact(key, ask=True)
        return operations.labelled(self._real[unwrap(key)], labels.label_of(key) or frozenset({INDEX}))


class Iteration:
    """`np.nditer`: its chunks keep the labels of the arrays that they are parts of."""

    def __init__(self, args: tuple[Any, ...], options: dict[str, Any]) -> None:
        operands = args[0] if args else options.pop("op")
        settings = [*args[1:], *options.values()]
        labels.leak_all(settings)  # a chunk is as long as they say
        if any(isinstance(leaf, str) and str.__eq__(leaf, "writemasked") for leaf in leaves(settings)):
            refuse("numpy.nditer with masks", "let a mask choose what an iteration writes")
        given = list(operands) if isinstance(operands, list | tuple) else [operands]
        listed = [one.copy() if type(one) is np.ndarray else one for one in given]  # writes into it would be unseen
        self._real = np.nditer(unwrap(listed), *unwrap(args[1:]), **unwrap(options))
        self._owners = [
            operand if isinstance(operand, arrays.Observed) else operations.observe(array, labels.label_of(operand))
            for operand, array in zip(listed, self._real.operands, strict=True)
        ]

    def __iter__(self) -> Any:
        return self._observe_steps()

    def _observe_steps(self) -> Iterator[Any]:
        for step in self._real:
            parts = step if isinstance(step, tuple) else (step,)
            observed = tuple(self._see(part, place) for place, part in enumerate(parts))
            yield observed if isinstance(step, tuple) else observed[0]

    def __enter__(self) -> Self:
        self._real.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self._real.__exit__(*error)  # type: ignore[arg-type] # what Python passes, as it is

    def _see(self, part: Any, place: int) -> Any:
        """Return a chunk of an operand, observed; what is written into it counts for the operand as well."""
        owner = self._owners[place]
        is_single = part.size <= 1
        if is_single and current.log.full:
            labels.leak(owner, 1)
        if part.ndim == 0 and not part.flags.writeable:
            return part[()]
        observed = operations.observe(part, NOTHING if is_single else labels.label_of(owner))  # perhaps for each entry
        labels.own(observed, owner)
        return observed

    def __getitem__(self, place: int) -> Any:
        return self._see(self._real[place], place)

    def __setitem__(self, place: int, value: Any) -> None:
        self[place][...] = value

    def iternext(self) -> bool:
        """Go on to the next entries; return whether there are some."""
        return bool(self._real.iternext())

    @property
    def operands(self) -> tuple[Any, ...]:
        """The arrays of the iteration, also those that `nditer` made for it."""
        return tuple(self._owners)

    multi_index = property(lambda self: self._real.multi_index)
    finished = property(lambda self: self._real.finished)
    iterindex = property(lambda self: self._real.iterindex)
    index = property(lambda self: self._real.index)
    value = property(lambda self: self._see(self._real.value, 0))


def vectorize(function: Any = None, *_args: Any, **options: Any) -> Any:
    """Return what `np.vectorize` gives: one call of Python for each entry, which keeps entries apart."""
    if {"signature", "excluded"} & {*options}:
        refuse("numpy.vectorize with a signature", "vectorize over whole rows")
    if function is None:
        return lambda late: vectorize(late, **options)
    return Vectorized(function, unwrap(options))


def make_ufunc(function: Any, nin: int, nout: int) -> Any:
    """Return what `np.frompyfunc` gives; refuse several results, which would make unobserved arrays of lists."""
    if nout != 1:
        refuse("numpy.frompyfunc of several results", "make a ufunc of several results")
    return Vectorized(function, {}, np.frompyfunc(unwrap(function), nin, nout), "frompyfunc")


class Vectorized(Unwrapped):
    """What `np.vectorize` and `np.frompyfunc` give: one call of Python for each entry, which keeps entries apart."""

    def __init__(self, function: Any, options: dict[str, Any], real: Any = None, name: str = "vectorize") -> None:
        def call_once(*single: Any) -> Any:  # so NumPy sees no function of its own that takes whole rows
            given = exact(function(*single), ask=True)
            self._given |= labels.label_of(given)
            return given

        self._given: Label = NOTHING
        self._call_each = np.vectorize(call_once, **options)
        self._real = np.vectorize(unwrap(function), **options) if real is None else real
        self._name = name

    def __call__(self, *args: Any) -> Any:
        """Return what the function gives for each entry; if the arguments are mixed, their numbers count as leaks.

        The log counts the entries that NumPy's own loop goes through, unless there is only one.
        """
        args, _ = exact_arguments(args, {})
        labels.leak_mixed(args)
        mixed = frozenset(token for token in labels.label_of(args) if token.startswith(MIXED))
        result = self._call_each(*unwrap(args))
        if np.size(result) > 1:
            tally(current.log.singles, self._name, int(np.size(result)))
        return operations.labelled(result, mixed | self._given)


class Generator:
    """A generator of random numbers with NumPy's public methods; it is made of a bit generator, as NumPy's is."""

    def __init__(self, source: Any) -> None:
        made = isinstance(source, np.random.Generator | np.random.RandomState)
        self._real = source if made else np.random.Generator(unwrap(source))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in policy.WITHHELD_ATTRIBUTES:
            current.log.refuse(f"Generator.{name}")
            raise AttributeError(name)
        method = getattr(self._real, name)
        return lambda *args, **options: operations.apply(name, method, *exact_arguments(args, options), is_mixing=True)

    def spawn(self, n_children: int) -> list[Generator]:
        """Return generators that are independent of this one."""
        return [Generator(child) for child in self._real.spawn(n_children)]


class RandomState(Generator):
    """NumPy's older generator."""

    def __init__(self, *args: Any, **options: Any) -> None:
        args, options = _seeding(args, options)
        super().__init__(np.random.RandomState(*args, **options))


for _kind in (Generator, RandomState):
    _kind.__module__ = "numpy.random"


class Distribution:
    """A distribution of `scipy.stats` that has only the methods in `_OF_DISTRIBUTIONS`."""

    def __init__(self, real: Any, wrap: Callable[[str, Any], Any]) -> None:
        self._real, self._wrap = real, wrap

    def __call__(self, *args: Any, **options: Any) -> Distribution:
        """Return the distribution with some parameters, which are numbers: what comes out of it has no label."""
        args, options = exact_arguments(args, options)
        if labels.label_of((*args, *options.values())):
            refuse("a distribution of arrays", "make a distribution of anything but numbers")
        return Distribution(self._real(*unwrap(args), **unwrap(options)), self._wrap)

    def __getattr__(self, name: str) -> Any:
        if name not in _OF_DISTRIBUTIONS:
            current.log.refuse(f"{name} of a distribution")
            raise AttributeError(name)
        return self._wrap(name, getattr(self._real, name))


_OF_DISTRIBUTIONS = policy.words("pdf logpdf cdf logcdf sf logsf ppf isf rvs mean median std var interval")


def default_rng(*args: Any, **options: Any) -> Generator:
    """Return a generator as `np.random.default_rng` does."""
    args, options = _seeding(args, options)
    return Generator(np.random.default_rng(*args, **options))


def _seeding(args: tuple[Any, ...], options: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return arguments with ordinary arrays in them; what is drawn tells their numbers."""
    args, options = exact_arguments(args, options)
    labels.leak_all([*args, *options.values()])
    return unwrap(args), unwrap(options)


STAND_INS: dict[str, Any] = {
    "Generator": Generator,
    "RandomState": RandomState,
    "default_rng": default_rng,
    "frompyfunc": make_ufunc,
    "vectorize": vectorize,
}
"""Name of NumPy -> what a slice gets for it."""


class _TypeOfNumbers(Hint, type):
    """Metaclass of the stand-ins for NumPy's types: calling them makes numbers, and arrays that keep their labels."""

    def __call__(cls, *args: Any, **options: Any) -> Any:
        if len(args) == 1 and type(args[0]) in NUMBERS and not options and cls._real is not np.ndarray:
            return cls._real(args[0])  # nearly always: one number, perhaps of each entry
        args, options = exact_arguments(args, options)
        result = cls._real(*unwrap(args), **unwrap(options))
        label = labels.label_of((*args, *options.values()))
        if cls._real is np.ndarray:
            named = dict(zip(("shape", "dtype", "buffer"), args, strict=False)) | options
            if named.get("buffer") is None and result.dtype.kind in "biufc":
                result.fill(0)  # as `numpy.empty` does here: old numbers in memory must not show
            label = operations.label_as(unwrap(named.get("dtype", float)), named.get("buffer"), label)
        if isinstance(result, np.flexible | np.dtype):  # a text, bytes or shapes of all the numbers of an array
            labels.leak_all((*args, *options.values()))
        return operations.labelled(result, label)

    def __subclasscheck__(cls, other: type) -> bool:
        return issubclass(unwrap(other), cls._real)

    def __eq__(cls, other: object) -> bool:
        other = unwrap(other)  # no object of the slice: that would be handed the real class
        return isinstance(other, type | np.dtype) and bool(cls._real == other)

    def __hash__(cls) -> int:
        return hash(cls._real)


def of_scalars(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method of NumPy's numbers, such that the arrays it makes are observed."""
    name = method.__name__
    return lambda *args, **options: operations.run_named(name, method, *exact_arguments(args, options))


MAKING_ARRAYS = policy.words("""
    argsort choose clip compress cumprod cumsum diagonal flatten nonzero ravel repeat reshape searchsorted squeeze
    swapaxes take transpose
""")
"""Methods of NumPy's numbers that give arrays."""


def make_type(name: str, real: Any) -> Any:
    """Return what stands for `real`, one of NumPy's types, under its name."""
    widest = {np.float64, np.str_, np.bytes_, np.complex128, np.int64}
    is_abstract = real is np.ndarray or (real.__subclasses__() and real not in widest)
    extra = {} if is_abstract else {"dtype": np.dtype(real)}
    body = {
        "_real": real,
        "_is_type_of_slices": True,
        "__module__": "numpy",
        "__class_getitem__": classmethod(lambda cls, _key: cls),
        **extra,
    }
    return _TypeOfNumbers(name, (), body)


def numbers_of(numpy: ModuleType, kind: type) -> Any:
    """Return a slice's stand-in for one of NumPy's types of numbers; return any other type unchanged."""
    return getattr(numpy, kind.__name__) if issubclass(kind, np.generic) else kind


def type_of(numpy: ModuleType, value: Any, *more: Any) -> Any:
    """Return what `type(value)` gives in a slice: the object that the slice gets under the type's name."""
    if more:
        refuse("type(...) as a way to make a class", "make a class by type(...): write a class")
    kind = type(value)
    if isinstance(value, type | FunctionType | MethodType | ModuleType):
        refuse("the type of a function, module or type", "take the type of this object")
    if isinstance(value, labels.Labelled):
        return numpy.ndarray
    if kind.__module__.startswith("grader"):
        refuse(f"the type of {getattr(value, '__name__', 'an object of ours')}", "take the type of this object")
    if not is_own(kind):
        freeze(kind)
    return numbers_of(numpy, kind) if _has_a_name(kind) else make_hint(kind)  # type: ignore[arg-type] # it has a hash


def _has_a_name(kind: type) -> bool:
    """Return whether a slice can name a class without an object of it."""
    if STANDARD.get((kind.__module__, kind.__name__), kind) is not kind:
        return False  # by that name a slice gets a stand-in for the class
    names = policy.BUILTINS if kind.__module__ == "builtins" else policy.module_names(kind.__module__)
    return is_own(kind) or issubclass(kind, np.generic | np.dtype) or kind.__name__ in {*(names or ()), "NoneType"}
