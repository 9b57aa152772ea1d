"""Labels, which say where numbers come from: of arrays, of containers of arrays, and of numbers read out of them.

An array's *label* is a set of tokens: `argument 0`, `kernel: add_kernel`, `compiled: add_numba`, `mixed: numpy.add
(sums.py:12)`, `data`. A view shares its owner's label; what is written into a view is written into its owner.
"""

from __future__ import annotations

import operator
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from grader.slices.policy import words
from grader.worker.sliced.calllog import DATA, ELEMENTS, INDEX, NOTHING, Label, current, has_mixed, refuse, tally_work
from grader.worker.sliced.exact import MOST_NESTED, NUMBERS, exact, items_of, leaves
from grader.worker.sliced.freezing import is_own

Raw = np.ndarray[Any, Any]
TINY = 16  # unlabelled arrays of up to so many entries are shapes, sizes and settings, not data
LONG = 16  # Python sequences of more numbers are data
_LARGE = 1 << 64  # a larger integer of Python's may hold many numbers
PLAIN = frozenset({int, float, bool, str})  # types of items without a label; most items are of these types
_TYPED = "numba.typed"
_PROTOCOLS = words("""
    __array__ __array_interface__ __array_struct__ __array_ufunc__ __array_function__ __cuda_array_interface__
""")
"""Names by which NumPy and Numba ask an object for its memory; no class of a slice can define them."""
base_of = np.ndarray.base.__get__


class Unwrapped:
    """A stand-in that a slice gets for a real object: a function of NumPy, a type, a compiled function."""

    _real: Any  # the real object. No slice can name this field, because it begins with an underscore


device_labels: list[Callable[[Any], Label | None]] = []
"""Functions that return the label of device memory, and None for any other value; `devices` adds its own."""


class Labelled(np.ndarray[Any, Any]):
    """An array with a label, as far as labels need it; see `arrays.Observed`."""

    _made_from: Label = NOTHING
    _is_view = True  # whether another observed array may own this memory; every read of an entry asks for it
    _written = 0  # how many of its entries Python wrote one by one
    _checksum = -1  # of the numbers that it was made of, if these are indices
    _owner: Labelled | None = None  # the entries' owner, if NumPy's `base` does not tell: for a chunk of an iteration

    # No `__array_finalize__`, so that views are as fast as NumPy's; they need no label, because their owner has it.


class Between(np.ndarray[Any, Any]):
    """A view between an observed array and the ordinary array that owns the memory.

    NumPy makes the owner of the memory the `base` of a view, and skips arrays of the view's own class. Without this
    class, an ordinary view of an observed array, or an observed view of that, could not find the observed array.
    """


class Flat:
    """The entries of an array in C's order, as `A.flat` gives them."""

    _observed: Labelled

    def __init__(self, array: Labelled) -> None:
        vars(self)["_observed"] = array  # perhaps for each entry, and a guarded class is slow to set attributes

    def __iter__(self) -> Iterator[Any]:
        if not current.log.full:  # entries only: methods of NumPy's own iterator give ordinary arrays
            return (entry for entry in raw_of(self._observed).flat)
        return (self._observed[index] for index in np.ndindex(*self._observed.shape))

    def __len__(self) -> int:
        return int(self._observed.size)

    def __getitem__(self, key: Any) -> Any:
        if type(key) is int and not current.log.full and self._observed.dtype.kind != "O":  # nearly always
            return raw_of(self._observed).flat[key]
        return self._observed.reshape(-1)[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        key, value = exact(key, ask=True), exact(value, ask=True)
        if type(key) is int and type(value) in NUMBERS and not current.log.full:
            raw_of(self._observed).flat[key] = value
        elif isinstance(key, int | np.integer):
            self._observed[np.unravel_index(int(key), self._observed.shape)] = value
        else:
            write(self._observed, label_of(value) | label_of_key(key))
            raw_of(self._observed).flat[unwrap_key(key)] = value if self._observed.dtype.hasobject else unwrap(value)


_WRAPPED = (Labelled, Unwrapped, list, tuple, dict, Flat, type)


def raw_of(array: Any) -> Raw:
    """Return the memory of an array as an ordinary one."""
    return np.ndarray.view(array, np.ndarray)


def owner_of(array: Labelled) -> Labelled:
    """Return the observed array of which `array` is a view, or itself."""
    base = base_of(array)
    if isinstance(base, Labelled) and not base._is_view:  # nearly always: a row of a matrix
        return base
    while (base := array._owner if array._owner is not None else observed_base(array)) is not None:
        array = base
    return array


def observed_base(array: Labelled) -> Labelled | None:
    """Return the observed array of which this array is a view, also through ordinary arrays or buffers; else None."""
    base = base_of(array)
    while base is not None and not isinstance(base, Labelled):
        base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
    return base if isinstance(base, Labelled) else None


def are_views_of_other_sizes(values: Iterable[Any]) -> bool:
    """Return whether some arrays among values are one memory, with entries of several sizes: one may cover others."""
    sizes: dict[int, int] = {}
    arrays = (value for value in leaves(values) if isinstance(value, Labelled))
    return any(sizes.setdefault(id(owner_of(array)), array.itemsize) != array.itemsize for array in arrays)


def own(part: Labelled, owner: Labelled) -> None:
    """Make `owner` the owner of `part`, so that what is written into `part` counts for `owner` as well."""
    vars(part).update(_owner=owner, _is_view=True)  # fast: setting attributes of arrays is guarded


def label_of(value: Any) -> Label:
    """Return the label of a value: an array, a container of arrays or numbers, or something else."""
    if type(value) in NUMBERS:
        return NOTHING if type(value) is not int or -_LARGE < value < _LARGE else frozenset({DATA})
    if isinstance(value, np.ndarray):
        return _of_array(value)
    if isinstance(value, Flat):
        return label_of(value._observed)
    if isinstance(value, list | tuple):
        return _of_items(value)
    if id(value) in current.log.made:
        return _of_made(value)
    return frozenset({DATA}) if isinstance(value, bytes | bytearray | np.void) else _of_object(value)


def _of_object(value: Any) -> Label:
    """Return the label of device memory, `data` for Numba's lists and dictionaries, and no label for all else.

    Raises:
        TypeError: an object of the slice describes memory, as NumPy's arrays do.
    """
    for ask in device_labels:
        if (label := ask(value)) is not None:
            return label
    if any(kind.__module__.startswith(_TYPED) for kind in type(value).__mro__):
        return frozenset({DATA})  # a list or dictionary of Numba's that Python filled
    if not (_PROTOCOLS.isdisjoint(getattr(value, "__dict__", ())) or isinstance(value, type)):
        refuse("an object that tells NumPy where its numbers are", "make arrays of memory that an object describes")
    return NOTHING


def _of_array(array: Raw) -> Label:
    if not isinstance(array, Labelled):
        return _of_contents(array)
    owner = owner_of(array)
    label = array._made_from | owner._made_from
    if "_made_from" not in vars(owner):  # a copy that NumPy made by itself, such as `A[[0, 1]]`
        label |= {DATA}
    few = owner.size // 50
    if owner.size > TINY and owner._written > min(few, TINY):
        label |= {ELEMENTS if owner._written > few else DATA}  # few entries of a large array may still be an answer
    if label == {INDEX} and not current.log.full and owner.size > TINY and owner._checksum != checksum(owner):
        label |= {DATA}  # what was written into it was not recorded
    return label or _of_contents(raw_of(array))


def checksum(array: Raw) -> int:
    """Return a number that changes if Python or NumPy writes into an array."""
    return zlib.crc32(np.ascontiguousarray(raw_of(array)).data) if array.dtype.kind in "biufc" else 0


def _of_made(value: Any) -> Label:
    """Return the label of what a compiled function returned; it includes `data` if the host has changed the list."""
    _, label, items_before = current.log.made[id(value)]
    if not isinstance(value, list):
        return label
    items = items_of(value)
    return label if len(items) == len(items_before) and all(map(operator.is_, items, items_before)) else label | {DATA}


def _of_items(value: Sequence[Any]) -> Label:
    """Return the label of a list or tuple and of all that it holds, however deep: a limit could hide numbers.

    More than `LONG` numbers are data, unless compiled code made the list. Every item that is no array, no type, no list
    or tuple and not None may be a number: fractions, dates, texts, objects of a slice's own class.
    """
    label, numbers, known, todo = NOTHING, 0, {id(value)}, [value]
    while todo:
        holder = todo.pop()
        label |= _of_made(holder) if id(holder) in current.log.made else NOTHING
        items = items_of(holder)
        if set(map(type, items)) <= PLAIN:  # nearly always, and there may be a million
            numbers += len(items)
            label |= NOTHING.union(*map(label_of, items)) if len(items) <= LONG else NOTHING
            continue
        for item in items:
            if isinstance(item, list | tuple):
                if id(item) not in known:
                    todo.append(item)
                    known.add(id(item))
            elif type(item) in PLAIN:
                numbers += 1
            else:
                label |= label_of(item)
                if not (has_a_label(item) or item is None or isinstance(item, type)):
                    numbers += 1
    return label | {DATA} if numbers > LONG and id(value) not in current.log.made else label


def has_a_label(item: Any) -> bool:
    """Return whether a value is an array, or stands for something whose label is known."""
    return isinstance(item, np.ndarray | Flat | Unwrapped) or any(ask(item) is not None for ask in device_labels)


def _of_contents(array: Raw) -> Label:
    """Return the label of an ordinary array: none if it is small or if all entries are the same, else data.

    Dates, texts and objects count as numbers, too.
    """
    if array.size <= TINY:
        return NOTHING
    first = array.flat[0]
    is_constant = all(item is first for item in array.flat) if array.dtype.hasobject else np.all(array == first)
    return NOTHING if is_constant else frozenset({DATA})


def label_of_key(key: Any) -> Label:
    """Return the label that an index adds: if its masks or positions are made of data, NumPy chooses the entries.

    An array of a single number, on the device as well, counts as read: what is found there, or a message, tells it.
    """
    label = NOTHING
    for part in key if isinstance(key, tuple) else (key,):
        of_part = label_of(part) if isinstance(part, list) or has_a_label(part) else NOTHING
        if of_part - {INDEX} and size_of(part) == 1:
            current.log.reads += 1
            current.log.leaks += has_mixed[of_part]
        elif of_part - {INDEX} and size_of(part) > 1:
            if isinstance(part, Labelled) and part.dtype.kind == "b":  # the result's length tells how many are true
                current.log.leaks += has_mixed[of_part]
            label |= of_part | {record("selection by an index", [part])}
    return label


def write(target: Any, label: Label, count: int | None = None) -> None:
    """Add a label to an array into which `count` numbers were written, by default as many as it has entries.

    Up to `TINY` numbers without a label count as written one by one; more into a part of the owner count as one number.
    """
    if not isinstance(target, Labelled):
        return
    owner = owner_of(target)
    if label - {INDEX} and target.itemsize < owner.itemsize and owner.dtype.names is None:
        label |= {record("numbers written into parts of others", [target])}
    target._made_from |= label
    owner._made_from |= label
    count = target.size if count is None else count
    if not label - {INDEX}:
        owner._written += count if count <= TINY else target.size < owner.size


def count_told(values: Iterable[Any]) -> int:
    """Return how many numbers, letters and items of sets are among some values, also in lists, but not in arrays."""
    kinds = (int, float, complex, np.generic, str, bytes, set)
    told = [value for value in leaves(values) if isinstance(value, kinds)]
    return sum(len(one) if isinstance(one, str | bytes | set) else 1 + isinstance(one, complex) for one in told)


def is_piece(value: Any) -> bool:
    """Return whether a value is a few numbers, at most `TINY`, without a label."""
    return size_of(value) <= TINY and not label_of(value) - {INDEX}


def leak(array: Labelled, count: int) -> None:
    """Count numbers that Python reads out of an array with a label; out of a mixed array, count them as leaks, too."""
    current.log.reads += count * bool(label_of(array))  # Python knows the others: they are sizes, or settings
    if has_mixed[array._made_from] or has_mixed[owner_of(array)._made_from]:
        current.log.leaks += count


def leak_all(values: Iterable[Any]) -> None:
    """Count all numbers of the arrays with a label among some values as read."""
    values = [*values]
    current.log.reads += sum(size_of(one) for one in leaves(values) if isinstance(one, np.ndarray) and label_of(one))
    leak_mixed(values)


def leak_mixed(values: Iterable[Any]) -> None:
    """Count all numbers of the mixed arrays among some values as leaks, but not as reads."""
    for value in values:
        if has_mixed[label_of(value)]:
            current.log.leaks += size_of(value)


def record(name: str, operands: list[Any]) -> str:
    """Count an operation on whole arrays, and return its token; one on single entries counts as a single: `INDEX`."""
    sizes = [size_of(one) for one in operands if isinstance(one, list | tuple) or has_a_label(one)]
    return tally_work(name, max(sizes, default=0))


def size_of(value: Any) -> int:
    """Return how many entries a value has; a list or tuple has those of all its items, whatever their shapes."""
    if not isinstance(value, np.ndarray | list | tuple | Flat) and is_own(type(value)):
        return 1
    try:
        return int(np.size(unwrap(value)))
    except ValueError:  # an index of several arrays, which make no array together
        return sum(map(size_of, items_of(value)))


def unwrap(value: Any, depth: int = MOST_NESTED, *, is_answer: bool = False) -> Any:
    """Return the ordinary arrays, functions and types behind what a slice holds; lists and tuples of them likewise.

    In a dict inside them arrays and lists stay, unless `is_answer`: an array of objects would hand out ordinary arrays.
    """
    if type(value) in NUMBERS:
        return value
    if isinstance(value, Labelled):
        return raw_of(value)
    if isinstance(value, Unwrapped) or (isinstance(value, type) and "_is_type_of_slices" in vars(value)):
        return value._real  # type: ignore[union-attr] # types that stand for others have it, too
    if isinstance(value, Flat):
        return raw_of(value._observed).ravel()
    if depth and (type(value) is list or isinstance(value, tuple)):
        items = items_of(value)
        if not {*map(type, items)} <= PLAIN and any(isinstance(item, _WRAPPED) for item in items):
            bare = [unwrap(item, depth - 1, is_answer=is_answer) for item in items]
            return bare if isinstance(value, list) else tuple.__new__(type(value), bare)
    if depth and type(value) is dict:
        kept = () if is_answer or depth == MOST_NESTED else (Labelled, Flat, list, tuple)
        return {
            key: item if isinstance(item, kept) else unwrap(item, depth - 1, is_answer=is_answer)
            for key, item in value.items()
        }
    return value


def unwrap_key(key: Any) -> Any:
    """Return an index with ordinary arrays in it."""
    if isinstance(key, tuple):
        return tuple(raw_of(part) if isinstance(part, Labelled) else part for part in key)
    return raw_of(key) if isinstance(key, Labelled) else key
