"""Arrays with labels, which say where their numbers come from: see `labels`, and `operations` for how labels spread.

NumPy asks every operand whether it handles an operation itself (`__array_ufunc__`, `__array_function__`). So every
operation on whole arrays is seen, whatever name it was called by. `Observed` reads single entries, `A[i, j]`, at
NumPy's own speed and does not count them; `Watched` counts each read of an entry, and each write.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from grader.slices.policy import words
from grader.worker.sliced.calllog import DATA, NOTHING, current, has_mixed, refuse
from grader.worker.sliced.exact import NUMBERS, exact, exact_arguments
from grader.worker.sliced.freezing import hide_memory
from grader.worker.sliced.labels import (
    Flat,
    Labelled,
    label_of,
    label_of_key,
    leak,
    leak_all,
    leak_mixed,
    owner_of,
    raw_of,
    size_of,
    unwrap,
    unwrap_key,
    write,
)
from grader.worker.sliced.operations import (
    apply,
    array_classes,
    label_as,
    labelled,
    observe,
    run_named,
    run_ufunc,
    seeing_writes,
)

_POSITIONS = {int}
_get, _set = np.ndarray.__getitem__, np.ndarray.__setitem__


def _part_of_numbers(real: Any) -> property:
    """Return the real or the imaginary parts of an array, in the same memory."""

    def write_part(self: Observed, values: Any) -> None:
        values = exact(values, ask=True)
        write(self, label_of(values))
        real.__set__(raw_of(self), unwrap(values))

    return property(real.__get__, write_part)


class Observed(Labelled):
    """An array with a label. None of its public names leads to the ordinary array behind it."""

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return run_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return run_named(getattr(function, "__name__", "function"), function, *exact_arguments(args, kwargs))

    def __contains__(self, value: Any) -> bool:
        leak(self, 1)  # NumPy's C code compares, and asks the result for its truth
        return np.ndarray.__contains__(self, value)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, _memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        raise TypeError("arrays of slices stay where they are")

    @property
    def base(self) -> Any:
        """None: a slice must not reach the ordinary array that owns the memory."""
        return None

    @property
    def data(self) -> Any:
        """Refuse: numbers that are read through a buffer would have no label."""
        refuse("the memory of an array", "take the memory of an array", AttributeError)

    @property
    def flat(self) -> Any:
        """The entries, one after the other."""
        return Flat(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        values = exact(values, ask=True)
        write(self, label_of(values))
        values = values if self.dtype.kind == "O" else unwrap(values)
        self.reshape(-1)[:] = np.resize(values, self.size) if np.ndim(values) else values

    real, imag = map(_part_of_numbers, (np.ndarray.real, np.ndarray.imag))

    def view(self, *args: Any, **_options: Any) -> Any:
        """Return a view, of another type of numbers if one is named."""
        kinds = [unwrap(exact(arg, ask=True)) for arg in args]
        kinds = [kind for kind in kinds if not (isinstance(kind, type) and issubclass(kind, np.ndarray))]
        _check_kind(kinds)
        label = label_of(self)
        for kind in kinds:
            label = label_as(kind, self, label)
        return labelled(np.ndarray.view(self, *kinds), label)

    def astype(self, dtype: Any, *args: Any, **options: Any) -> Any:
        """Return a copy of another type of numbers."""
        kind = unwrap(exact(dtype, ask=True))
        _check_kind([kind])
        return labelled(np.ndarray.astype(self, kind, *args, **options), label_of(self))

    def fill(self, value: Any) -> None:
        """Write one number everywhere."""
        value = exact(value, ask=True)
        write(self, label_of(value))
        np.ndarray.fill(self, value if self.dtype.kind == "O" else unwrap(value))


def _count_shown(array: Observed) -> int:
    """Return how many numbers of an array NumPy shows in a text: of a large one, those at the edges."""
    options = np.get_printoptions()
    return int(array.size) if array.size <= options["threshold"] else int((2 * options["edgeitems"]) ** array.ndim)


def _check_kind(kinds: list[Any]) -> None:
    """Refuse types of texts, bytes and raw memory: their methods would read an array's memory unobserved."""
    for kind in kinds:
        if np.dtype(kind).kind in "SUV":
            refuse(f"arrays of {np.dtype(kind)}", "view numbers as bytes")


class Watched(Observed):
    """An array whose single reads and writes are recorded."""

    def __getitem__(self, key: Any) -> Any:
        chosen = NOTHING
        if type(key) is not int and not (type(key) is tuple and {*map(type, key)} <= _POSITIONS):
            key = exact(key, ask=True)
            chosen = label_of_key(key)
        try:
            item = _get(self, key)
        except IndexError:  # its message tells a position
            leak_all(key if isinstance(key, tuple) else (key,))
            raise
        if type(item) is np.ndarray:  # out of an array of objects
            return observe(item, frozenset({DATA}))
        if isinstance(item, Observed):
            if type(key) is not int:
                item._made_from = self._made_from | owner_of(self)._made_from | chosen
            return item
        log = current.log
        log.reads += 1
        if has_mixed[self._made_from] or (self._is_view and has_mixed[owner_of(self)._made_from]):
            log.leaks += 1
        return item

    def __setitem__(self, key: Any, value: Any) -> None:
        log = current.log
        owner = owner_of(self) if self._is_view else self
        if type(value) in NUMBERS and (type(key) is int or (type(key) is tuple and {*map(type, key)} <= _POSITIONS)):
            _set(self, key, value)  # nearly always: one entry
            log.writes += 1
            owner._written += 1
            return
        key, value = exact(key, ask=True), exact(value, ask=True)
        self._note_written(key, value, owner)  # before the write, so that an exception in it cannot skip the record
        try:
            _set(self, key, value if self.dtype.kind == "O" else unwrap(value))
        except IndexError:
            leak_all(key if isinstance(key, tuple) else (key,))
            raise

    def _note_written(self, key: Any, value: Any, owner: Labelled) -> None:
        log = current.log
        if type(value) not in NUMBERS and size_of(value) > 1:
            label = label_of(value) | label_of_key(key)
            write(self, label)
            if not label:  # a few numbers without a label count as if written one by one
                owner._written += size_of(value)
            return
        if isinstance(value, Observed) and has_mixed[label_of(value)]:
            log.leaks += 1
        log.writes += 1
        owner._written += 1
        if label := label_of_key(key):
            write(self, label)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))


def _mixing_method(name: str) -> Callable[..., Any]:
    method = getattr(np.ndarray, name)

    def run(self: Observed, *args: Any, **options: Any) -> Any:
        args, options = exact_arguments((self, *args), options)
        return apply(name, method, args, options, is_mixing=True, into_first=name in {"sort", "partition", "put"})

    run.__name__ = name
    return run


def _leaking_method(name: str, count: Callable[[Any], int]) -> Callable[..., Any]:
    """Return a method that turns entries into Python's numbers or a text, which have no label."""
    method = getattr(np.ndarray, name)

    def run(self: Observed, *args: Any) -> Any:
        leak(self, count(self))
        return method(raw_of(self), *args)

    run.__name__ = name
    return run


for _kind, _names, _count in (
    (Observed, "__bool__ __int__ __float__ __complex__ __index__", lambda _array: 1),
    (Observed, "__repr__ __str__ __format__", _count_shown),
    (Observed, "tolist", lambda array: array.size),
    (Watched, "item", lambda _array: 1),
):
    for _name in words(_names):
        setattr(_kind, _name, _leaking_method(_name, _count))


for _name in words(
    "dot choose compress searchsorted sort partition argsort argpartition trace nonzero argmax argmin put"
):
    setattr(Observed, _name, _mixing_method(_name))


def _labelled_method(name: str) -> Callable[..., Any]:
    """Return a method, done by NumPy's C code, whose result gets the labels of the array and of its arguments."""
    method = getattr(np.ndarray, name)

    def run(self: Observed, *args: Any, **options: Any) -> Any:
        args, options = exact_arguments(args, options)
        given = [*args, *(value for key, value in options.items() if key != "out")]
        leak_mixed(given)  # a shape tells the numbers that it is made of
        label = label_of(self).union(*map(label_of_key, given))
        with seeing_writes([*args, *options.values()], label):
            result = method(self, *(unwrap_key(arg) for arg in args), **unwrap(options))
        return labelled(result, label)

    run.__name__ = name
    return run


for _name in words("take repeat copy flatten diagonal reshape ravel round byteswap conj conjugate"):
    setattr(Observed, _name, _labelled_method(_name))
for _class in (Observed, Watched):
    _class.__name__ = _class.__qualname__ = "array"
    _class.__module__ = "numpy"
    hide_memory(_class)
array_classes.update({False: Observed, True: Watched})
KINDS = frozenset(array_classes.values())
entered: list[type[Labelled]] = []
"""The class that arrays had in the previous call; empty before the first call and after an import."""


def enter_call(log_full: bool) -> None:
    """Give all arrays that exist the class for this call, also views and arrays that imports made."""
    kind = array_classes[log_full]
    if entered[-1:] == [kind]:
        return
    entered[:] = [kind]
    for candidate in gc.get_objects():  # Python's list of all objects: NumPy makes views without telling us
        if type(candidate) in KINDS:
            candidate.__class__ = kind
