"""Arrays that know where their numbers come from.

An array's *label* is a set of tokens: `argument 0`, `kernel: max_kernel`, `compiled: max_numba`, `mixed: numpy.maximum
(max_functions.py:12)`, `data`. A view shares its owner's label; what is written into a view is written into its owner.

What becomes of labels:

    one operand     `A / 255`, `A.astype(…)`, `A[::2]`: entries stay apart, the label stays
    several         `A > B`, `X * X[0]`: numbers of different entries come together: `mixed`, and where
    over an axis    `A.sum()`, `A.sort()`, `X @ X.T`: the same
    of itself       `A - A`: each entry meets itself only; it makes room and no more

NumPy asks every operand whether it has an opinion (`__array_ufunc__`, `__array_function__`), so that no operation on
whole arrays goes unseen, whatever name it was called by. Single entries, `A[i, j]`, are read at NumPy's own speed by
`Observed`; `Watched` also sees each of them, and what is written where.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from grader.slices.arraynames import ELEMENTWISE, LAYOUT, words
from grader.worker.sliced.book import (
    COMPILED,
    DATA,
    ELEMENTS,
    INDEX,
    MIXED,
    NOTHING,
    Label,
    current,
    find_line,
    is_mixed,
)

Raw = np.ndarray[Any, Any]
_TINY = 16
"""Unlabelled arrays of up to so many entries are shapes, sizes and settings, not data."""
_VIEWS = words("""
    reshape ravel transpose permute_dims swapaxes moveaxis rollaxis squeeze expand_dims diagonal flip fliplr flipud
    split array_split hsplit vsplit dsplit atleast_1d atleast_2d atleast_3d matrix_transpose real imag
""")
"""Functions that look at the same memory in another way."""
_LONG = 16
"""Python sequences of more numbers are data."""
INTO_FIRST = frozenset({"shuffle", "copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"})
"""NumPy's functions that write into their first argument."""
_MOST_UNWRAPPED = 5000
"""Longer lists are numbers."""

kept: weakref.WeakValueDictionary[int, Observed] = weakref.WeakValueDictionary()
"""Arrays that slices made, by id: those that live on between calls."""


_NUMBERS = frozenset({int, float, bool, np.int64, np.float64, np.float32, np.int32, np.bool_, np.uint8})
_POSITIONS = {int}
_get, _set = np.ndarray.__getitem__, np.ndarray.__setitem__
_base_of = np.ndarray.base.__get__


class _Mixed(dict[Label, bool]):
    """Whether a label has a mix in it, remembered: it is asked for every entry that is read."""

    def __missing__(self, label: Label) -> bool:
        self[label] = is_mixed(label)
        return self[label]


_mixed = _Mixed()


class Unwrapped:
    """What stands in a slice for something real: a function of NumPy, a type, a compiled function."""

    _real: Any
    """No slice can name it: it begins with an underscore."""


device_labels: list[Callable[[Any], Label | None]] = []
"""Asks what is no NumPy array whether it is memory of the device; set by `devices`."""


def raw_of(array: Any) -> Raw:
    """Return the memory of an array as an ordinary one."""
    return np.ndarray.view(array, np.ndarray)


class Observed(np.ndarray[Any, Any]):
    """An array with a label. None of its public names leads to the ordinary array behind it."""

    _label: Label = NOTHING
    _is_view = True
    """Whether another observed array may have this memory; asked for every entry that is read."""
    _owner: Observed | None = None
    """Whose entries these are, where NumPy does not know: a chunk of an iteration."""

    # No `__array_finalize__`: views cost what they cost NumPy, because their owner has the label.

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        return run_ufunc(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return run_function(function, args, kwargs)

    def __repr__(self) -> str:
        leak(self, self.size)
        return repr(raw_of(self))

    def __str__(self) -> str:
        leak(self, self.size)
        return str(raw_of(self))

    def __format__(self, spec: str) -> str:
        leak(self, self.size)
        return format(raw_of(self), spec)

    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, _memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        msg = "arrays of slices stay where they are"
        raise TypeError(msg)

    @property
    def base(self) -> Any:
        """None: what owns the memory is nobody's business."""
        return None

    @property
    def data(self) -> Any:
        """Refuse: memory that is read as such says nothing of where it is from."""
        current.book.refuse("the memory of an array")
        msg = "a slice cannot take the memory of an array"
        raise AttributeError(msg)

    @property
    def flat(self) -> Any:
        """The entries, one after the other."""
        return Flat(self)

    @flat.setter
    def flat(self, values: Any) -> None:
        self.reshape(-1)[:] = np.resize(unwrap(values), self.size) if np.ndim(values) else values
        write(self, label_of(values))

    @property
    def real(self) -> Any:
        """The real parts, in the same memory."""
        return np.ndarray.real.__get__(self)

    @real.setter
    def real(self, values: Any) -> None:
        raw_of(self).real = unwrap(values)
        write(self, label_of(values))

    @property
    def imag(self) -> Any:
        """The imaginary parts, in the same memory."""
        return np.ndarray.imag.__get__(self)

    @imag.setter
    def imag(self, values: Any) -> None:
        raw_of(self).imag = unwrap(values)
        write(self, label_of(values))

    def view(self, *args: Any, **_options: Any) -> Any:
        """Return a view, of another type of numbers if one is named."""
        kinds = [unwrap(arg) for arg in args]
        kinds = [kind for kind in kinds if not (isinstance(kind, type) and issubclass(kind, np.ndarray))]
        _check_kind(kinds)
        label = label_of(self)
        if len(label) > 1 and any(np.dtype(kind) != self.dtype for kind in kinds):
            label |= {record("view of several arrays' numbers as others", [self])}
        return labelled(np.ndarray.view(self, *kinds), label)

    def astype(self, dtype: Any, *args: Any, **options: Any) -> Any:
        """Return a copy of another type of numbers."""
        _check_kind([unwrap(dtype)])
        return labelled(np.ndarray.astype(self, unwrap(dtype), *args, **options), label_of(self))

    def tolist(self) -> Any:
        """Return the numbers as Python lists; their label is lost, and what was mixed has leaked."""
        leak(self, self.size)
        current.book.reads += self.size
        return raw_of(self).tolist()


def _check_kind(kinds: list[Any]) -> None:
    """Refuse texts and bytes: their methods work on the memory of arrays without asking these."""
    for kind in kinds:
        if np.dtype(kind).kind in "SUV":
            current.book.refuse(f"arrays of {np.dtype(kind)}")
            msg = "a slice cannot view numbers as bytes"
            raise TypeError(msg)


class Watched(Observed):
    """An array whose single reads and writes are recorded."""

    def __getitem__(self, key: Any) -> Any:
        found = _get(self, key)
        if type(found) is np.ndarray:  # out of an array of objects
            return observe(found, frozenset({DATA}))
        if isinstance(found, Observed):
            if type(key) is not int:
                found._label = self._label | owner_of(self)._label | _of_key(key)
            return found
        book = current.book
        book.reads += 1
        if _mixed[self._label] or (self._is_view and _mixed[owner_of(self)._label]):
            book.leaks += 1
        return found

    def __setitem__(self, key: Any, value: Any) -> None:
        book = current.book
        owner = id(owner_of(self) if self._is_view else self)
        if type(value) in _NUMBERS and (type(key) is int or (type(key) is tuple and {*map(type, key)} <= _POSITIONS)):
            _set(self, key, value)  # nearly always: one entry
            book.writes += 1
            book.written[owner] = book.written.get(owner, 0) + 1
            return
        _set(self, key, value if isinstance(value, Observed) and self.dtype.kind == "O" else unwrap(value))
        if isinstance(value, np.ndarray | list | tuple | Flat) and np.size(unwrap(value)) > 1:
            write(self, label_of(value) | _of_key(key))
            return
        if isinstance(value, Observed) and is_mixed(label_of(value)):
            book.leaks += 1
        book.writes += 1
        book.written[owner] = book.written.get(owner, 0) + 1
        if label := _of_key(key):
            write(self, label)

    def item(self, *args: Any) -> Any:
        """Return one number."""
        leak(self, 1)
        current.book.reads += 1
        return raw_of(self).item(*args)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))


class Flat:
    """The entries of an array in C's order, as `A.flat` gives them."""

    def __init__(self, array: Observed) -> None:
        self._array = array

    def __iter__(self) -> Iterator[Any]:
        if not current.book.full:  # NumPy's own iterator has methods that give ordinary arrays: entries only
            return (entry for entry in raw_of(self._array).flat)
        return (self._array[index] for index in np.ndindex(*self._array.shape))

    def __len__(self) -> int:
        return int(self._array.size)

    def __getitem__(self, key: Any) -> Any:
        return self._array.reshape(-1)[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, int | np.integer):
            self._array[np.unravel_index(int(key), self._array.shape)] = value
        else:
            raw = raw_of(self._array)
            raw.flat[unwrap_key(key)] = unwrap(value)
            write(self._array, label_of(value))


def _mixing_method(name: str) -> Callable[..., Any]:
    method = getattr(np.ndarray, name)

    def run(self: Observed, *args: Any, **options: Any) -> Any:
        return apply(
            name, method, (self, *args), options, is_mixing=True, into_first=name in {"sort", "partition", "put"}
        )

    run.__name__ = name
    return run


for _name in (
    "dot",
    "choose",
    "compress",
    "searchsorted",
    "sort",
    "partition",
    "argsort",
    "argpartition",
    "trace",
    "nonzero",
    "argmax",
    "argmin",
    "put",
):
    setattr(Observed, _name, _mixing_method(_name))


def _labelled_method(name: str) -> Callable[..., Any]:
    """Return a method that NumPy's C code would run on any subclass, with the label of its arguments joined."""
    method = getattr(np.ndarray, name)

    def run(self: Observed, *args: Any, **options: Any) -> Any:
        label = label_of(self)
        for arg in args:
            label |= _of_key(arg)
        found = method(self, *(unwrap_key(arg) for arg in args), **unwrap(options))
        write(options.get("out"), label)
        return labelled(found, label)

    run.__name__ = name
    return run


for _name in (
    "take",
    "repeat",
    "copy",
    "flatten",
    "diagonal",
    "reshape",
    "ravel",
    "round",
    "byteswap",
    "conj",
    "conjugate",
):
    setattr(Observed, _name, _labelled_method(_name))
for _class, _shown in ((Observed, "array"), (Watched, "array")):
    _class.__name__ = _class.__qualname__ = _shown
    _class.__module__ = "numpy"


def array_class() -> type[Observed]:
    """Return the class of arrays for the call that is under way."""
    return Watched if current.book.full else Observed


def observe(array: Raw, label: Label) -> Observed:
    """Return the memory of an ordinary array as an observed one."""
    seen: Observed = np.ndarray.view(array, array_class())
    seen._label = label
    seen._is_view = _observed_base(seen) is not None
    return seen


def owner_of(array: Observed) -> Observed:
    """Return the observed array of which `array` is a view, or itself."""
    base = _base_of(array)
    if isinstance(base, Observed) and not base._is_view:  # nearly always: a row of a matrix
        return base
    while (base := array._owner if array._owner is not None else _observed_base(array)) is not None:
        array = base
    return array


def _observed_base(array: Observed) -> Observed | None:
    """Return the observed array whose memory this one looks at, be it through ordinary arrays or buffers."""
    base = _base_of(array)
    while base is not None and not isinstance(base, Observed):
        base = base.obj if isinstance(base, memoryview) else getattr(base, "base", None)
    return base if isinstance(base, Observed) else None


def own(part: Observed, owner: Observed) -> None:
    """Let what is said of `part`, and written into it, hold for `owner` as well."""
    part._owner, part._is_view = owner, True


def label_of(value: Any, depth: int = 3) -> Label:
    """Return where the numbers of an array, or of what holds arrays or numbers, come from."""
    if isinstance(value, np.ndarray):
        return _of_array(value)
    if isinstance(value, Flat):
        return label_of(value._array)
    if id(value) in current.book.made:
        return current.book.made[id(value)][1]
    if isinstance(value, list | tuple) and depth:
        return _of_items(value, depth)
    if isinstance(value, bytes | bytearray):
        return frozenset({DATA})
    for ask in device_labels:
        if (found := ask(value)) is not None:
            return found
    return NOTHING


def _of_array(array: Raw) -> Label:
    if not isinstance(array, Observed):
        return _of_contents(array)
    owner = owner_of(array)
    label = array._label | owner._label
    if "_label" not in vars(owner):  # a copy that NumPy made by itself, such as `A[[0, 1]]`
        label |= {DATA}
    if current.book.written.get(id(owner), 0) > owner.size // 50:
        label |= {ELEMENTS}
    return label or _of_contents(raw_of(array))


def _of_items(items: Sequence[Any], depth: int) -> Label:
    label = NOTHING.union(*(label_of(item, depth - 1) for item in items[:2000]))
    return label | {DATA} if len(items) > _LONG and isinstance(items[0], int | float | np.generic) else label


def _of_contents(array: Raw) -> Label:
    """Return the label of numbers that nobody labelled: none for constants and few numbers, else data."""
    if array.size <= _TINY or array.dtype.kind not in "biufc":
        return NOTHING
    return NOTHING if bool((array == array.flat[0]).all()) else frozenset({DATA})


def _of_key(key: Any) -> Label:
    """Return what an index says: entries that are picked by masks or positions made of data are NumPy's choice."""
    parts = key if isinstance(key, tuple) else (key,)
    label = NOTHING
    for part in parts:
        if isinstance(part, Observed | list) and np.size(unwrap(part)) > 1 and label_of(part) - {INDEX}:
            label |= label_of(part) | {record("selection by an index", [part])}
    return label


def write(target: Any, label: Label) -> None:
    """Add a label to an array that something was written into."""
    if isinstance(target, Observed):
        target._label |= label
        owner_of(target)._label |= label


def unwrap(value: Any, depth: int = 4) -> Any:
    """Return the ordinary arrays, functions and types behind what a slice holds; lists and tuples of them likewise."""
    if isinstance(value, Observed):
        return raw_of(value)
    if isinstance(value, Unwrapped) or (isinstance(value, type) and "_is_type_of_slices" in vars(value)):
        return value._real  # type: ignore[union-attr] # types that stand for others have it, too
    if isinstance(value, Flat):
        return raw_of(value._array).ravel()
    if (
        depth
        and type(value) in {list, tuple}
        and len(value) < _MOST_UNWRAPPED
        and any(_is_wrapped(item) for item in value)
    ):
        return type(value)(unwrap(item, depth - 1) for item in value)
    if depth and type(value) is dict:
        return {key: unwrap(item, depth - 1) for key, item in value.items()}
    return value


def _is_wrapped(item: Any) -> bool:
    return isinstance(item, Observed | Unwrapped | list | tuple | Flat | type)


def unwrap_key(key: Any) -> Any:
    """Return an index with ordinary arrays in it."""
    if isinstance(key, tuple):
        return tuple(raw_of(part) if isinstance(part, Observed) else part for part in key)
    return raw_of(key) if isinstance(key, Observed) else key


def run_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Run a ufunc on ordinary arrays and label what comes back."""
    is_mixing = method != "__call__" or ufunc.signature is not None
    if method == "__call__" and len(inputs) > ufunc.nin:  # results may be named behind the operands, without `out=`
        options = {**options, "out": inputs[ufunc.nin :]}
        inputs = inputs[: ufunc.nin]
    name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
    return apply(name, getattr(ufunc, method), inputs, options, is_mixing=is_mixing, into_first=method == "at")


def run_function(function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Run one of NumPy's functions on ordinary arrays and label what comes back."""
    name = getattr(function, "__name__", "function")
    if name in LAYOUT:
        return rearrange(name, function, args, options)
    return apply(name, function, args, options, is_mixing=name not in ELEMENTWISE, into_first=name in INTO_FIRST)


def rearrange(name: str, function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Run what puts numbers elsewhere; a view of an observed array stays one of the same owner."""
    label = _join([*args, *options.values()])
    if name in INTO_FIRST | {"take", "delete", "insert"} and args:
        keys = [*args[1:2], *(options[key] for key in ("where", "indices", "mask") if key in options)]
        label |= NOTHING.union(*map(_of_key, keys)) if name != "copyto" else _of_key(options.get("where"))
    write(options.get("out"), label)
    if name in {"array_str", "array_repr", "array2string"}:
        for arg in args[:1]:
            leak(arg, arg.size) if isinstance(arg, Observed) else None
    if name in INTO_FIRST and args:
        function(*unwrap(args), **unwrap(options))
        write(args[0], label)
        return None
    implementation = getattr(function, "_implementation", None)
    if name in _VIEWS and implementation is not None:  # a view of an observed array stays one of the same owner
        return labelled(implementation(*args, **options), label)
    return labelled(function(*unwrap(args), **unwrap(options)), label)


def _join(values: Iterable[Any]) -> Label:
    label = NOTHING
    for value in values:
        label |= label_of(value)
    return label


def apply(
    name: str,
    call: Callable[..., Any],
    args: tuple[Any, ...],
    options: dict[str, Any],
    *,
    is_mixing: bool,
    into_first: bool = False,
) -> Any:
    """Run `call` on ordinary arrays, record it if it brings numbers together, and label what comes back."""
    out = options.get("out")
    outs = out if isinstance(out, tuple) else (out,) if out is not None else ()
    operands = [*args, *(value for key, value in options.items() if key != "out")]
    labels = [(operand, label_of(operand)) for operand in operands]
    tainted = [(operand, label) for operand, label in labels if label - {INDEX}]
    joined = NOTHING.union(*(label for _, label in labels))
    is_together = is_mixing or (len(tainted) > 1 and not _are_the_same([operand for operand, _ in tainted]))
    later = [(arg, raw_of(arg).copy()) for arg in args[1:] if isinstance(arg, Observed) and is_mixing and tainted]
    found = call(*unwrap(args), **unwrap(options))
    if tainted and is_together:
        token = record(name, operands)
        joined |= {token}
        is_number = not isinstance(found, np.ndarray | tuple | list | bool | np.bool_ | type(None))
        current.book.leaks += is_number and token.startswith(MIXED)
    elif not tainted and not any(isinstance(operand, np.ndarray) for operand in operands):
        current.book.singles[name] += 1
    changed = [
        arg for arg, before in later if not np.array_equal(before, raw_of(arg), equal_nan=before.dtype.kind == "f")
    ]
    for target in (*outs, *changed, *(args[:1] if into_first else ())):
        write(target, joined)
    if out is not None:
        return out if not isinstance(out, tuple) or len(out) > 1 else out[0]
    return labelled(found, joined)


def record(name: str, operands: list[Any]) -> str:
    """Count an operation on whole arrays; return its token. On single entries it is none of that kind."""
    sizes = [np.size(unwrap(operand)) for operand in operands if isinstance(operand, np.ndarray | list | tuple | Flat)]
    if max(sizes, default=0) <= 1:
        current.book.singles[name] += 1
        return INDEX
    token = f"numpy.{name} ({find_line()})"
    current.book.mixes[token] += 1
    return f"{MIXED}{token}"


def _are_the_same(arrays: list[Any]) -> bool:
    """Return whether all are the same entries in the same order, so that each meets itself only."""
    if not all(isinstance(array, np.ndarray) for array in arrays):
        return False
    places = {(array.__array_interface__["data"][0], array.shape, array.strides) for array in arrays}
    return len(places) == 1


def labelled(found: Any, label: Label) -> Any:
    """Return arrays, also those in lists and tuples, as observed ones with a label; numbers as they are."""
    if isinstance(found, Observed):
        found._label |= label
        return found
    if isinstance(found, np.ndarray):
        return observe(found, label)
    if isinstance(found, list | tuple) and any(isinstance(item, np.ndarray) for item in found):
        items = [labelled(item, label) for item in found]
        return type(found)(*items) if hasattr(found, "_fields") else type(found)(items)
    return found


def leak(array: Observed, count: int) -> None:
    """Count numbers that are read out of an array, if NumPy's work on whole arrays is in it."""
    if _mixed[array._label] or _mixed[owner_of(array)._label]:
        current.book.leaks += count


def enter_call(book_full: bool) -> None:
    """Give arrays that live on between calls the class of this one."""
    for array in list(kept.values()):
        array.__class__ = Watched if book_full else Observed


__all__ = ["COMPILED", "Flat", "Observed", "Unwrapped", "Watched", "apply", "label_of", "observe", "unwrap", "write"]
