"""What NumPy is asked to do with whole arrays: done with ordinary ones, recorded, and labelled.

What becomes of labels:

    one operand     `A / 255`, `A.astype(…)`, `A[::2]`: entries stay apart, the label stays
    several         `A > B`, `X * X[0]`: numbers of different entries come together: `mixed`, and where
    over an axis    `A.sum()`, `A.sort()`, `X @ X.T`: the same
    of itself       `A - A`: each entry meets itself only; it makes room and no more
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from grader.slices.arraynames import ELEMENTWISE, LAYOUT, words
from grader.worker.sliced.book import INDEX, MIXED, NOTHING, Label, current
from grader.worker.sliced.labels import (
    TINY,
    Labelled,
    Raw,
    has_observed_base,
    label_of,
    label_of_key,
    leak,
    raw_of,
    record,
    size_of,
    unwrap,
    write,
)

_VIEWS = words("""
    reshape ravel transpose permute_dims swapaxes moveaxis rollaxis squeeze expand_dims diagonal flip fliplr flipud
    split array_split hsplit vsplit dsplit atleast_1d atleast_2d atleast_3d matrix_transpose real imag
""")
"""Functions that look at the same memory in another way."""
INTO_FIRST = frozenset({"shuffle", "copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"})
"""NumPy's functions that write into their first argument."""

array_classes: dict[bool, type[Labelled]] = {}
"""Whether single reads and writes are recorded -> the class of arrays; filled in by `arrays`."""


def observe(array: Raw, label: Label) -> Labelled:
    """Return the memory of an ordinary array as an observed one."""
    seen: Labelled = np.ndarray.view(array, array_classes[current.book.full])
    seen._label = label
    seen._is_view = has_observed_base(seen)
    if array.dtype.kind == "O":
        _observe_held(array, label)
    return seen


def _observe_held(array: Raw, label: Label) -> None:
    """Put observed arrays in the place of those that an array of objects holds, and would hand out."""
    for place, held in enumerate(array.flat):
        if type(held) is np.ndarray:
            array.flat[place] = observe(held, label)


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
        label |= NOTHING.union(*map(label_of_key, keys)) if name != "copyto" else label_of_key(options.get("where"))
    write(options.get("out"), label)
    if name in {"array_str", "array_repr", "array2string"}:
        for arg in args[:1]:
            leak(arg, arg.size) if isinstance(arg, Labelled) else None
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
    is_partial = out is None and "where" in options  # elsewhere the result is what was left in memory
    is_together = (
        is_mixing or is_partial or (len(tainted) > 1 and not _are_the_same([operand for operand, _ in tainted]))
    )
    later = [(arg, raw_of(arg).copy()) for arg in args[1:] if isinstance(arg, Labelled) and is_mixing and tainted]
    found = call(*unwrap(args), **unwrap(options))
    if tainted and is_together:
        token = record(name, operands)
        joined |= {token}
        is_number = not isinstance(found, np.ndarray | tuple | list | bool | np.bool_ | type(None))
        current.book.leaks += is_number and token.startswith(MIXED)
    elif not tainted:
        current.book.singles[name] += _few(operands)
    changed = [
        arg for arg, before in later if not np.array_equal(before, raw_of(arg), equal_nan=before.dtype.kind == "f")
    ]
    for target in (*outs, *changed, *(args[:1] if into_first else ())):
        write(target, joined)
    if out is not None:
        return out if not isinstance(out, tuple) or len(out) > 1 else out[0]
    return labelled(found, joined)


def _few(operands: list[Any]) -> int:
    """Return the number of entries of unlabelled operands that are too small to be data; 0 for large constants."""
    sizes = [size_of(operand) for operand in operands if not isinstance(operand, str | type)]
    largest = max(sizes, default=1)
    return largest if largest <= TINY else 0


def _are_the_same(arrays: list[Any]) -> bool:
    """Return whether all are the same entries in the same order, so that each meets itself only."""
    if not all(isinstance(array, np.ndarray) for array in arrays):
        return False
    places = {(array.__array_interface__["data"][0], array.shape, array.strides) for array in arrays}
    return len(places) == 1


def labelled(found: Any, label: Label) -> Any:
    """Return arrays, also those in lists and tuples, as observed ones with a label; numbers as they are."""
    if isinstance(found, Labelled):
        found._label |= label
        return found
    if isinstance(found, np.ndarray):
        return observe(found, label)
    if isinstance(found, list | tuple) and any(isinstance(item, np.ndarray) for item in found):
        items = [labelled(item, label) for item in found]
        return type(found)(*items) if hasattr(found, "_fields") else type(found)(items)
    return found
