"""Run NumPy's operations on whole arrays with ordinary arrays, record them, and label the results.

How labels spread:

    one operand     `A + 255`, `A[::2]`: entries are not combined, the label stays; `np.exp(A)` adds `alone`
    several         `A > B`, `X * X[0]`: different entries are combined, the label gets `mixed`, with the line
    over an axis    `A.sum()`, `A.sort()`, `X @ X.T`: as with several
    of itself       `A - A`: each entry is combined with itself only, the label stays
"""

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Any

import numpy as np

from grader.slices.policy import ELEMENTWISE, LAYOUT, words
from grader.worker.sliced.calllog import DATA, INDEX, NOTHING, Label, alone, current, has_mixed, refuse, tally
from grader.worker.sliced.exact import exact_arguments, items_of, leaves
from grader.worker.sliced.labels import (
    TINY,
    Between,
    Labelled,
    Raw,
    Unwrapped,
    checksum,
    is_piece,
    label_of,
    label_of_key,
    leak_all,
    observed_base,
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
_INTO_FIRST = frozenset({"shuffle", "copyto", "put", "place", "putmask", "fill_diagonal", "put_along_axis"})
"""NumPy's functions that write into their first argument."""
_CHOOSING = words("where ind mask indices obj repeats")  # their keywords for what chooses entries, and those of `take`
_OF_CONTENTS = words("""
    nonzero flatnonzero argwhere where extract compress trim_zeros unique unique_all unique_counts unique_inverse
    unique_values union1d intersect1d setdiff1d setxor1d bincount histogram histogram2d histogramdd histogram_bin_edges
    hamming hanning blackman bartlett kaiser vander roots polydiv diff fft ifft rfft irfft fft2 ifft2 unpackbits
""")
"""Functions whose result has a length that tells a number of what it is made of."""

_SEEDED = words("seed SeedSequence MT19937 PCG64 PCG64DXSM Philox SFC64")
_ROOM = 40  # how many nested calls it takes to label an array, at most
_A_PAIR = 2  # a call with more numbers works on several entries, in arrays that are too small for a label
_DIGITS = 9  # differences between neighbours are rounded to so many decimals before they are compared
array_classes: dict[bool, type[Labelled]] = {}
"""Whether single reads and writes are recorded -> the class of arrays; filled in by `arrays`."""


def observe(array: Raw, label: Label) -> Labelled:
    """Return the memory of an ordinary array as an observed one.

    Raises:
        TypeError: its entries are records with arrays in them, which would be handed out unobserved.
    """
    if array.dtype.names and _joins(array.dtype):
        refuse("records with arrays or common memory in them", "keep arrays, or fields over each other, in records")
    observed: Labelled = np.ndarray.view(np.ndarray.view(array, Between), array_classes[current.log.full])
    is_view = observed_base(observed) is not None
    vars(observed).update(_made_from=label, _is_view=is_view)  # fast: setting attributes of arrays is guarded
    if label == {INDEX} and array.size > TINY:
        vars(observed).update(_checksum=checksum(array))
    _observe_entries(array, label)
    return observed


def _joins(dtype: np.dtype[Any]) -> bool:
    """Return whether records have arrays in them, or fields in the same memory: one may hold numbers of several."""
    fields = [dtype.fields[name] for name in dtype.names or ()]  # type: ignore[index] # it has names
    spans = sorted((begin, begin + kind.itemsize) for kind, begin, *_ in fields)
    is_shared = any(end > begin for (_, end), (begin, _) in pairwise(spans))
    return dtype.subdtype is not None or is_shared or any(_joins(kind) for kind, *_ in fields)


def _observe_entries(array: Raw, label: Label) -> None:
    """Observe the arrays in an array of objects, also those in lists; reading it would give ordinary ones."""
    for place, entry in enumerate(array.flat if _holds_objects(array) else ()):
        if type(entry) is np.ndarray or isinstance(entry, list | tuple):
            array.flat[place] = labelled(entry, label)


def _holds_objects(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "O"


def _expect_room(calls: int) -> None:
    """Raise RecursionError now if `calls` nested calls would raise it, so that none comes between write and label."""
    if calls:
        _expect_room(calls - 1)


@contextmanager
def seeing_writes(operands: Sequence[Any], label: Label, sources: Sequence[Any] = ()) -> Iterator[None]:
    """Label arrays into which a function of NumPy's writes without being told by `out=`."""
    _expect_room(_ROOM)
    before = [(array, raw_of(array).copy()) for array in operands if isinstance(array, Labelled)]
    try:
        yield
    finally:
        for array, copy in before:
            if not np.array_equal(copy, raw_of(array), equal_nan=copy.dtype.kind == "f"):
                write(array, label)
                _write_pieces(array, sources)
                _observe_entries(raw_of(array), label)


def run_ufunc(ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Run a ufunc on ordinary arrays and label what comes back."""
    inputs, options = exact_arguments(inputs, options)
    is_mixing = method != "__call__" or ufunc.signature is not None
    if method == "__call__" and len(inputs) > ufunc.nin:  # results may be named behind the operands, without `out=`
        options = {**options, "out": inputs[ufunc.nin :]}
        inputs = inputs[: ufunc.nin]
    name = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
    return apply(name, getattr(ufunc, method), inputs, options, is_mixing=is_mixing, into_first=method == "at")


def run_named(name: str, function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Run what NumPy has under a name, with exact arguments, on ordinary arrays; label what comes back."""
    if name == "einsum" and len(args) == 2 and type(args[0]) is str:  # noqa: PLR2004 - of one array: no products
        before, _, after = args[0].replace(" ", "").partition("->")
        if len(before) == len({*before} & {*after}):
            return rearrange(name, function, args, options)
        name = "sum"
    if name in LAYOUT:
        return rearrange(name, function, args, options)
    return apply(name, function, args, options, is_mixing=name not in ELEMENTWISE, into_first=name in _INTO_FIRST)


def rearrange(name: str, function: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Run a function that moves or copies numbers; a view of an observed array keeps its owner."""
    label = NOTHING.union(*map(label_of, [*args, *options.values()]))
    if name in _INTO_FIRST | {"take", "delete", "insert", "repeat"}:
        keys = [*(args[3:] if name == "copyto" else args[1:2]), *(options[key] for key in _CHOOSING & {*options})]
        label |= NOTHING.union(*map(label_of_key, keys))
    write(options.get("out"), label)
    if name in _INTO_FIRST and args:
        write(args[0], label)  # before the call, so that an exception in it cannot skip the label
        _write_pieces(args[0], args[1:])
    if name in {"array_str", "array_repr", "array2string"}:
        leak_all([*args, *options.values()])
    implementation = getattr(function, "_implementation", None)
    if name == "frombuffer" and args:
        label = label_as(unwrap(options.get("dtype", args[1] if len(args) > 1 else float)), args[0], label)
    if name in _VIEWS and implementation is not None:  # a view of an observed array keeps its owner
        return labelled(implementation(*args, **options), label)
    try:
        with seeing_writes([*args[name not in _INTO_FIRST :], *options.values()], label):
            result = function(*unwrap(args), **unwrap(options))
    except Exception:
        leak_all([*args, *options.values()])  # the message may show their numbers
        raise
    if label == {INDEX} and _is_put_together(args, result):
        label |= {DATA}
    return labelled(apart(result, args), label)


def apart(result: Any, sources: Sequence[Any]) -> Any:
    """Return a result, or a copy if it shares memory with an ordinary array, into which writes are unseen."""
    bare = [source for source in sources if type(source) is np.ndarray]
    is_shared = bare and isinstance(result, np.ndarray) and any(np.may_share_memory(result, one) for one in bare)
    return result.copy() if is_shared else result


def _write_pieces(target: Any, sources: Sequence[Any]) -> None:
    """Count a few numbers without a label that were written into an array as if Python wrote them one by one."""
    count = max((size_of(source) for source in sources if is_piece(source)), default=0)
    if count:
        write(target, NOTHING, min(count, size_of(target)))


def _is_put_together(args: tuple[Any, ...], result: Any) -> bool:
    """Return whether many arrays were joined, or several with a result that looks picked: then it may hold data."""
    joined = items_of(args[0]) if args and isinstance(args[0], list | tuple) else args
    arrays = [part for part in joined if isinstance(part, np.ndarray)]
    return len(arrays) > TINY or (len(arrays) > 1 and _is_picked(result))


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
    tainted = [(operand, label) for operand, label in labels if label - {INDEX} or (label and _is_picked(operand))]
    joined = NOTHING.union(*(label for _, label in labels))
    is_partial = out is None and "where" in options  # where it is False, the result holds old memory
    is_together = (
        is_mixing
        or is_partial
        or any(isinstance(value, np.ndarray) and value.dtype.kind == "c" for value, _ in tainted)  # two numbers each
        or (len(tainted) > 1 and not _are_the_same([operand for operand, _ in tainted]))
    )
    is_declared = not (is_mixing and tainted) and isinstance(getattr(call, "__self__", None), np.ufunc)
    current.log.leaks += has_mixed[joined] and name in _OF_CONTENTS
    if name in _SEEDED:  # what they make, or draw, tells the numbers
        leak_all(operands)
    if has_mixed[joined] and any(map(_has_operators, args)):  # these operators get each number of the other operands
        leak_all(args)
    leak_all(filter(_holds_objects, args if is_mixing else ()))  # a single long integer may hold all their numbers
    if tainted and is_together:
        joined |= {record(f"{name} of all pairs" if _pairs_all(name, operands) else name, operands)}
    elif joined - {INDEX}:
        joined |= alone(name)
    elif not tainted:
        largest = max((size_of(operand) for operand in operands if not isinstance(operand, str | type)), default=1)
        count = largest if largest <= TINY else 0  # over `TINY`: a large constant
        tally(current.log.singles, name if count <= _A_PAIR else f"{name}.several", count)
    for target, sources in [*((out, args) for out in outs), *([(args[0], args[1:])] if into_first else [])]:
        write(target, joined)  # before the call, so that an exception in it cannot skip the label
        _write_pieces(target, sources)
    try:
        with seeing_writes(() if is_declared else operands[into_first:], joined, args):
            result = call(*unwrap(args), **unwrap(options))
    except Exception:
        leak_all(args)  # the message may show their numbers
        raise
    return labelled(result, joined) if out is None else outs if len(outs) > 1 else outs[0]


def _pairs_all(name: str, operands: Sequence[Any]) -> bool:
    """Return whether a multiplication makes more numbers than each factor has: a product of matrices, not yet added."""
    shapes = [np.shape(unwrap(operand)) for operand in operands if isinstance(operand, np.ndarray | list)]
    return name == "multiply" and math.prod(np.broadcast_shapes(*shapes)) > max(map(math.prod, shapes), default=1)


def _is_picked(value: Any) -> bool:
    """Return whether numbers with no label but `INDEX` may have been picked one by one, so that they hold data.

    They are regular, not picked, if the two most frequent differences between neighbours, or differences of these, are
    half of all: as with `arange` and `indices`, their squares, triangles, and patterns such as 0 1 0 1.
    """
    if isinstance(value, list | tuple):
        return any(map(_is_picked, items_of(value)))
    if not isinstance(value, np.ndarray) or value.size <= TINY or value.dtype.kind not in "biuf":
        return False
    numbers = raw_of(value).ravel().astype(float)
    steps = (np.round(np.diff(numbers, times), _DIGITS) for times in (1, 2))
    frequent = (np.sort(np.unique(of, return_counts=True)[1])[-2:].sum() for of in steps)
    return all(count < (value.size - times) // 2 for times, count in enumerate(frequent, 1))


def _has_operators(operand: Any) -> bool:
    """Return whether NumPy calls operators of an operand's own class: of an object, or of objects in an array."""
    if operand is None or isinstance(operand, type | Unwrapped):
        return False
    return np.asarray(unwrap(operand)).dtype.kind == "O"


def label_as(kind: Any, array: Any, label: Label) -> Label:
    """Return the label of an array's memory viewed as another type, one number of which may cover several entries."""
    kind = np.dtype(kind)
    if not (isinstance(array, np.ndarray) and label - {INDEX}) or kind == array.dtype:
        return label
    is_together = len(label) > 1 or kind.itemsize > array.itemsize
    return label | {record("view of several arrays' numbers as others", [array])} if is_together else label


def _are_the_same(arrays: list[Any]) -> bool:
    """Return whether all arrays are the same entries in the same order, so that each is combined with itself only."""
    if not all(isinstance(array, np.ndarray) for array in arrays):
        return False
    return len({(array.__array_interface__["data"][0], array.shape, array.strides) for array in arrays}) == 1


def labelled(value: Any, label: Label) -> Any:
    """Return arrays, also in lists and tuples, as observed ones with a label; count a mixed single number as a leak."""
    if isinstance(value, Labelled):
        value._made_from |= label
        return value
    if isinstance(value, np.ndarray):
        return observe(value, label)
    if isinstance(value, np.generic | int | float | complex | str):
        current.log.leaks += has_mixed[label]
        return value
    if isinstance(value, list | tuple) and any(isinstance(leaf, np.ndarray) for leaf in leaves([value])):
        items = [labelled(item, label) for item in value]
        return items if isinstance(value, list) else tuple.__new__(type(value), items)
    return value
