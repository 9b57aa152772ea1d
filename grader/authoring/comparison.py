"""Compare the value that a student's function returned with the right one.

Values that are not numbers fail, then those of another shape or kind, then those that do not pass the tolerance test:
so NaN is wrong whatever the tolerance. Lists and tuples may stand for arrays, float32 and float64 for integers, and
NumPy scalars for numbers. A difference is one `Finding` of bounded length, with a hint if the cause is clear.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.model import Finding, printable
from grader.worker.wire import Foreign

Array = npt.NDArray[Any]
Mistakes = Mapping[str, Array] | Callable[[Array], Mapping[str, Array]]
Tolerance = float | npt.NDArray[np.float64]
SHOWN = 5  # how many wrong elements a finding shows
MATRIX_NDIM = 2
_EXACT = 1e-12  # formulas in float64 have smaller errors than this; finite differences have larger ones
_LEFTOVER = 1e-300  # no sum of products is so close to zero, except zero itself
RECOGNISED_RTOL = 1e-6  # how close a result must be to that of a known mistake; float32 is close enough


def difference(
    got: Any, expected: Any, *, rtol: Tolerance = 0.0, atol: Tolerance = 0.0, mistakes: Mistakes | None = None
) -> Finding | None:
    """Return how `got` differs from `expected`; None if it is right. Callers put a subject before the message.

    Args:
        got: Decoded value from a worker, perhaps forged: any mixture of numbers, arrays, sequences and `Foreign`.
        expected: A number or array; or a list or tuple of them: then `got` must be a list or tuple, too.
        rtol: Relative tolerance, a number or an array that broadcasts to the expected shape.
        atol: Absolute tolerance; an element is right when `|got - expected| <= atol + rtol * |expected|`.
            With both at 0, integers are compared exactly, also those beyond 2**53.
        mistakes: Sentence -> the array that this mistake gives; if `got` is that array, the sentence is the hint.
            A function that returns such a dict gets `got`, if that is wrong. Not used if `expected` is a sequence.
    """
    if isinstance(expected, list | tuple):
        return _sequence_difference(got, expected, rtol=rtol, atol=atol)
    right, array = np.asarray(expected), as_array(got)
    if isinstance(array, Finding):
        return replace(array, expected=describe(right))
    return (
        _shape_difference(array, right, mistakes or {})
        or _kind_difference(array, right)
        or _value_difference(array, right, rtol, atol, mistakes=mistakes or {})
    )


def as_array(value: Any) -> Array | Finding:
    """Return `value` as an array of booleans, integers or floats, or a finding that says why that is impossible."""
    if value is None or isinstance(value, Foreign):
        return _describe_nothing(value)
    if isinstance(value, list | tuple):
        return _sequence_as_array(value)
    if isinstance(value, bool | int | float | np.number | np.bool_ | np.ndarray):
        array = np.asarray(value)
        if array.dtype.kind in "biuf":
            return array
    return Finding(f"returned {describe(value)}, not numbers.", got=describe(value))


def as_numbers(value: Any) -> Array:
    """Return `value` as an array of float64; an empty one if it does not consist of numbers."""
    array = as_array(value)
    return array.astype(float) if isinstance(array, np.ndarray) else np.empty(0)


def is_inexact(got: Array, off: float) -> bool:
    """Return whether numbers with an error of `off` are neither float32 nor exact float64, as of finite differences."""
    return off > _EXACT and not np.array_equal(got, got.astype(np.float32))


def matches(got: Array, expected: Array, rtol: Tolerance = 0.0, atol: Tolerance = 0.0) -> npt.NDArray[np.bool_]:
    """Return, element by element, whether `got` is right; NaN never is. Both arrays have the same shape."""
    if expected.dtype.kind in "biu" and np.isscalar(rtol) and np.isscalar(atol) and rtol == atol == 0:
        return _equals_exactly(got, expected)
    with np.errstate(all="ignore"):
        wide, right = got.astype(np.float64, copy=False), expected.astype(np.float64, copy=False)
        near = np.abs(wide - right) <= (atol + rtol * np.abs(right) if np.any(rtol) else atol)
        # An infinity tolerates everything when multiplied by rtol, and nothing when subtracted from itself.
        return np.asarray(near if np.isfinite(right).all() else np.where(np.isfinite(right), near, wide == right))


def describe(value: Any) -> str:
    """Describe `value` in a few words, such as `a float64 array of shape (3, 2)`."""
    if isinstance(value, Foreign):
        module, _, name = value.type_name.rpartition(".")
        own = module.startswith("grader.")  # such as the executor's arrays: students do not know our modules
        return f"an object of type {printable(name if own else value.type_name, 100)}"
    if isinstance(value, np.ndarray) and value.ndim:
        return f"{'an' if value.dtype.kind == 'i' else 'a'} {value.dtype} array of shape {_shape(value)}"
    if isinstance(value, list | tuple | dict):
        name = type(value).__name__
        return f"a {name} of {len(value)} {'item' if len(value) == 1 else 'items'}"
    return f"the text {printable(value, 60)!r}" if isinstance(value, str) else printable(str(value), 60)


def _describe_nothing(value: Foreign | None) -> Finding:
    if value is None:
        return Finding("returned None.", got="None", hint="Is a return statement missing?")
    name = value.type_name.lower()
    hint = "Return an array or a list of numbers."
    if "device" in name or "cuda" in name or "cupy" in name:
        hint = "This is still on the device: return what copy_to_host() gives."
    elif name.rpartition(".")[2] in {"map", "zip", "generator", "filter", "range", "enumerate"}:
        hint = f"This is a {name.rpartition('.')[2]}, not a list: wrap it in list(...)."
    elif "notimplemented" in name or "function" in name or "method" in name:
        hint = "This was not called, or not written: return its result."
    return Finding(f"returned {describe(value)}, not numbers.", got=printable(value.text, 200), hint=hint)


def _sequence_as_array(value: Sequence[Any]) -> Array | Finding:
    try:
        array = np.array(value)
    except (ValueError, TypeError, OverflowError):
        return Finding(
            f"returned {describe(value)} that do not form an array.",
            got=describe(value),
            hint="All rows must have the same length, and hold numbers only.",
        )
    if array.dtype.kind in "biuf":
        return array
    where, odd = next(_odd_items(value), ((), value))
    hint = "Is an element never set?" if odd is None else "Return numbers only."
    return Finding(
        f"returned {describe(value)}, of which some are not numbers.",
        got=f"at {list(where)}: {describe(odd)}",
        hint=_describe_nothing(odd).hint if isinstance(odd, Foreign) else hint,
    )


def _odd_items(value: Any, where: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield index and value of each item that is not a number; the wire format limits the nesting."""
    if isinstance(value, list | tuple):
        for index, item in enumerate(value):
            yield from _odd_items(item, (*where, index))
    elif not isinstance(value, bool | int | float | np.number | np.bool_ | np.ndarray):
        yield where, value


def _sequence_difference(got: Any, expected: Sequence[Any], *, rtol: Tolerance, atol: Tolerance) -> Finding | None:
    if got is None or isinstance(got, Foreign):
        return replace(_describe_nothing(got), expected=describe(expected))
    message = hint = ""
    if not isinstance(got, list | tuple):
        message = f"returned {describe(got)}, not a list or tuple."
    elif len(got) != len(expected):
        message = f"returned {describe(got)}, not of {len(expected)}."
        hint = "Does the return stand inside the loop?" if len(got) == 1 else ""
    if message:
        return Finding(message, expected=describe(expected), got=describe(got), hint=hint)
    for index, (item, right) in enumerate(zip(got, expected, strict=True)):
        finding = difference(item, right, rtol=rtol, atol=atol)
        if finding:
            return replace(finding, message=f"(item {index}) {finding.message}")
    return None


def _shape_difference(got: Array, expected: Array, mistakes: Mistakes) -> Finding | None:
    if got.shape == expected.shape:
        return None
    return Finding(
        f"has the shape {_shape(got)}, not {_shape(expected)}.",
        expected=describe(expected),
        got=describe(got),
        hint=_recognise(got, mistakes) or _recognise_shape(got, expected),
    )


def _recognise_shape(got: Array, expected: Array) -> str:
    """Return a hint on how a result got another shape."""
    hint = ""
    if got.ndim == MATRIX_NDIM and got.shape == expected.shape[::-1]:
        hint = "Rows and columns are exchanged: this is the shape of the transposed result."
    elif got.ndim == 0:
        hint = "One number was returned, not an array: is the return in a loop, or did @ multiply two vectors?"
    elif got.size == 1 and not expected.ndim:
        hint = "One number is asked for, not an array of one: return its entry, as by .item()."
    elif got.shape == expected.shape[1:]:
        hint = "One row came back: does the return stand inside a loop?"
    elif got.size == expected.size and got.ndim == 1:
        hint = "The result is flattened: give it its rows and columns back."
    elif got.ndim == expected.ndim == MATRIX_NDIM and got.shape[0] == expected.shape[0]:
        hint = "The rows are as many as they should be, the columns are not: from which sizes is the result made?"
    elif got.size == expected.size:
        hint = "The number of elements is right, their arrangement is not."
    return hint


def _kind_difference(got: Array, expected: Array) -> Finding | None:
    if got.dtype.kind == "b" and expected.dtype.kind != "b":
        hint = "A comparison gives True and False: use it to choose a value."
        return Finding("returned truth values, not numbers.", describe(expected), describe(got), hint)
    return None


def _value_difference(
    got: Array, expected: Array, rtol: Tolerance, atol: Tolerance, *, mistakes: Mistakes
) -> Finding | None:
    wrong = ~matches(got, expected, rtol, atol)
    count = int(np.count_nonzero(wrong))
    if not count:
        return None
    indices = [tuple(int(axis) for axis in index) for index in np.argwhere(wrong)[:SHOWN]]
    hint = (
        _recognise(got, mistakes, atol)
        or _recognise_shape_of_error(got, expected, wrong, rtol=rtol, atol=atol)
        or _recognise_numbers(got, expected)
    )
    return Finding(
        _describe_count(got, expected, wrong, count),
        expected=_list_values(expected, got, indices, more=count > SHOWN),
        got=_list_values(got, expected, indices, more=count > SHOWN),
        hint=hint,
    )


def _equals_exactly(got: Array, expected: Array) -> npt.NDArray[np.bool_]:
    if got.dtype.kind in "biu":
        return np.asarray(got == expected)
    with np.errstate(all="ignore"):
        # Only a float inside the range of int64 has an integer to compare; the upper bound is exact as a float.
        inside = np.isfinite(got) & (got == np.trunc(got)) & (np.abs(got) < 2.0**63)
        return np.asarray(inside & (np.where(inside, got, 0).astype(np.int64) == expected))


def _describe_count(got: Array, expected: Array, wrong: npt.NDArray[np.bool_], count: int) -> str:
    if not got.ndim:
        return "is wrong."
    text = f"is wrong in {count} of {got.size} values"
    odd = int(np.count_nonzero(~np.isfinite(got) & wrong))
    if odd:
        text += f", {odd} of them NaN or infinite"
    with np.errstate(all="ignore"):
        off = np.where(wrong, np.abs(got.astype(np.float64) - expected.astype(np.float64)), -1.0)
    off[~np.isfinite(off)] = -1.0
    worst = np.unravel_index(int(np.argmax(off)), off.shape)
    if off[worst] > 0:
        text += f"; the worst, at {[int(axis) for axis in worst]}, is off by {off[worst]:.3g}"
    return text + "."


def _list_values(values: Array, other: Array, indices: Sequence[tuple[int, ...]], *, more: bool) -> str:
    shown = (f"{list(i)}: {_number(values[i], other[i])}" if i else _number(values[i], other[i]) for i in indices)
    return ", ".join(shown) + (", …" if more else "")


def _number(value: Any, other: Any) -> str:
    """Return `value` with 7 digits, or with all digits if the 7 are also those of `other`."""
    if isinstance(value, np.floating):
        short = f"{value:.7g}"
        if other is None:
            return short
        return short if short != f"{float(other):.7g}" else repr(float(value))
    return str(value)


def _shape(array: Array) -> str:
    return printable(str(array.shape), 80)


def _recognise(got: Array, mistakes: Mistakes, atol: Tolerance = 0.0) -> str:
    for sentence, values in (mistakes(got) if callable(mistakes) else mistakes).items():
        if got.shape == values.shape and np.all(matches(got, values, RECOGNISED_RTOL, atol)):
            return sentence
    return ""


def _recognise_numbers(got: Array, expected: Array) -> str:
    """Return a hint that the numbers give, whatever their places."""
    if got.dtype == np.float16:
        return "float16 keeps three digits and ends at 65504: use float64."
    if not np.isfinite(got).all() and np.isfinite(expected).all():
        return "NaN or infinite: is an entry never set, a number too large for its type or for exp, or divided by zero?"
    if got.dtype.kind == "f" and np.any((got != 0) & (np.abs(got) < _LEFTOVER) & (expected == 0)):
        return "Numbers such as 1e-317 are what was in memory before: begin with zeros, not with empty."
    if got.size > 1 and np.all(got == got.flat[0]):
        return f"Every value is {_number(got.flat[0], None)}."
    if np.all(got == np.trunc(got)) and not np.all(expected == np.trunc(expected)):
        return "Every value is a whole number: is a sum or the result kept as an integer?"
    are_integers = got.dtype.kind in "iu" and expected.dtype.kind in "iu"
    if are_integers and np.array_equal(got.astype(np.uint8), expected.astype(np.uint8)):
        return "Every wrong value is off by 256 or a multiple: give the result a type that holds more than a byte."
    if got.ndim == MATRIX_NDIM and len(got) > 1 and np.all(got == got[0]):
        return "All rows are alike: [[0] * n] * m is one row m times; make a new row for each."
    return ""


def _recognise_shape_of_error(
    got: Array, expected: Array, wrong: npt.NDArray[np.bool_], *, rtol: Tolerance, atol: Tolerance
) -> str:
    if not got.any():
        return "Everything is zero: is the result filled, and, if a kernel made it, copied back?"
    if got.ndim != MATRIX_NDIM:
        return ""
    if got.shape == got.T.shape and np.all(matches(got.T, expected, rtol, atol)):
        return "This is the transposed result: are row and column exchanged?"
    return _recognise_unfilled(got, wrong)


def _recognise_unfilled(got: Array, wrong: npt.NDArray[np.bool_]) -> str:
    """Return which part of a matrix was never set; empty if a wrong value is not zero."""
    rows, columns = np.ogrid[: got.shape[0], : got.shape[1]]
    if got[wrong].any():
        return ""
    if not wrong[rows != columns].any() and wrong.sum() > 1:
        return "Only the diagonal is never set: do the loops or threads leave out i = j?"
    if not wrong[rows <= columns].any() and not got[rows > columns].any():
        return "Only the upper triangle is filled: the lower one is zero."
    if not wrong[rows >= columns].any() and not got[rows < columns].any():
        return "Only the lower triangle is filled: the upper one is zero."
    for axis, name in ((1, "row"), (0, "column")):
        lines = np.flatnonzero(wrong.any(axis=axis))
        if lines.size == 1 and lines[0] < got.shape[1 - axis] - 1 and not np.take(got, lines[0], 1 - axis).any():
            return f"Only {name} {lines[0]} is never set: where do the indices begin?"
        if lines.size and lines[0] > 0 and not np.delete(got, np.s_[: lines[0]], 1 - axis).any():
            return f"From {name} {lines[0]} on everything is zero: do the threads or loops reach the end?"
    return "All wrong values are zero: these elements are never set."
