"""Find arrays that contain the right numbers, and the launches that wrote them, whole or in blocks."""

import math
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np

from grader.authoring import Array, fail
from grader.authoring.comparison import MATRIX_NDIM, as_array, matches
from grader.authoring.judges.scenarios import Launched

_MOST_EXACT = 2**53 - 1  # floats represent all integers up to this one
SMALL = 16  # arrays of up to so many entries have no label: they are shapes and settings
_NEAR = 1e-5  # how far entries may be off, as a share of the largest one
_Place = tuple[slice, slice]


def find_makers(launches: Sequence[Launched], right: Array) -> list[Launched]:
    """Return the launches that first wrote `right`; empty if none did before a launch got an array that contains it.

    One launch may write all of it, up to a common factor, also as a block of a larger array. Or several launches write
    blocks of it, or, in arrays with another number of dimensions, pieces of its entries in order, up to round-off.
    """
    first, was_given = find_first(launches, right)
    if first and not was_given:
        return [first]
    return _find_blocks(launches[: place_of(launches, first)] if first else launches, right)


def holds(array: Array, right: Array) -> bool:
    """Return whether an array consists of these numbers, in the same order, up to round-off and a common factor."""
    if array.size != right.size or not array.size or array.dtype.kind not in "fiub":
        return False
    flat, wanted = array.ravel().astype(float), np.asarray(right, float).ravel()
    if not (np.isfinite(flat).all() and wanted.any()):
        return bool(np.array_equal(flat, wanted, equal_nan=True))
    peak = int(np.abs(wanted).argmax())
    factor, limit = flat[peak] / wanted[peak], _NEAR * abs(wanted[peak])
    few = slice(None, None, wanted.size // 100 + 1)  # most arrays differ in these
    return bool(factor) and all(matches(flat[at] / factor, wanted[at], atol=limit).all() for at in (few, slice(None)))


def without_padding(array: Array, shape: tuple[int, ...]) -> list[Array]:
    """Return [array]; if it is larger, [its corner of this shape], or [] if the rest is not one number everywhere."""
    if array.ndim != len(shape) or array.size <= math.prod(shape):
        return [array]
    corner = tuple(map(slice, shape))
    is_outside = np.ones(array.shape, bool)
    is_outside[corner] = False
    padding = array[is_outside]
    return [array[corner]] if array[corner].shape == shape and np.all(padding == padding[0]) else []


def is_right(got: Any, right: Array, tolerance: Array | float) -> bool:
    """Return whether `got` has the right numbers, in one of the usual layouts."""
    return share_right(got, right, tolerance) == 1


def expect_right(right: tuple[Array, Array | float], words: str, got: Any) -> None:
    """Fail with these words unless `got` is right; `right` has the numbers, and how far each may be off."""
    if not is_right(got, *right):
        fail(words)


def share_right(got: Any, right: Array, tolerance: Array | float) -> float:
    """Return the share of right entries in the best of the usual layouts: unchanged, transposed, flat or padded."""
    array, share = as_array(got), 0.0
    if isinstance(array, np.ndarray) and array.size == right.size:
        array = array.reshape(right.shape)
    if not isinstance(array, np.ndarray) or array.ndim != right.ndim:
        return share
    corner = array[tuple(map(slice, right.shape))]
    for layout in (corner, corner.T):
        if share < 1 and layout.shape == right.shape:
            share = max(share, float(matches(layout, right, atol=tolerance).mean()))
    return share


def find_chain(launches: Sequence[Launched], maker: Launched) -> list[Launched]:
    """Return a launch, earlier launches whose results it got, those whose results these got, etc.; the last first."""
    chain, inputs = [maker], [*maker.inputs()]
    for launch in reversed(launches[: place_of(launches, maker)]):
        if any(_share(new, old) for new in launch.changed() for old in inputs):
            chain.append(launch)
            inputs += launch.inputs()
    return chain


def find_aside(launches: Sequence[Launched], results: Sequence[Array], known: Sequence[Array]) -> str:
    """Return the kernels that leave, or if any are `known` get, arrays that are neither known nor lead to results."""
    kernels: set[str] = set()
    leading: set[tuple[int, str]] = set()  # what a kernel gets and turns into a result; equal arrays are one object
    for launch in reversed(launches):
        for old, new in zip(launch.before, launch.after, strict=True):
            if (id(new), launch.place) in leading or any(has(new, right) for right in results):
                leading.add((id(old), launch.place))
            elif (new is not old or (known and new.size > SMALL)) and not (
                is_known(new, known) or any(holds(new, one) for one in known)
            ):
                kernels.add(f"`{launch.kernel}`")
    return ", ".join(sorted(kernels))


def is_known(array: Array, known: Sequence[Array], earlier: Sequence[Launched] = ()) -> bool:
    """Return whether an array is a known one, by rows or by columns, or all one number, or what a kernel wrote.

    So are pieces of a known array, if its entries follow each other, several known arrays side by side, parts of what a
    kernel wrote, and a matrix with ones in its diagonal and zeros elsewhere, which says nothing but its size.
    """
    eye = np.eye(*array.shape, dtype=array.dtype) if array.ndim == MATRIX_NDIM else None
    if is_uniform(array) or (eye is not None and array.tobytes() == eye.tobytes()):  # bit by bit: see `is_uniform`
        return True
    forms = (form.astype(array.dtype) for other in known for form in (other, other.T, other.ravel()))
    parts = ((part, form) for form in forms for part in without_padding(array, form.shape))
    written = [new for launch in earlier for new in launch.changed()]
    return (
        any(_is_piece(part.ravel(), form.ravel()) for part, form in parts)
        or any(_share(new, array) and new.size >= array.size for new in written)
        or _is_composed(array, [*known, *written])
    )


def _is_composed(array: Array, known: Sequence[Array]) -> bool:
    """Return whether an array consists of known ones, each at most once, and of one number in all other entries."""
    whole = np.atleast_2d(array)
    missing = np.ones(whole.shape, bool)
    for other in known:
        if place := next((place for place in _find_copies(array, other) if missing[place].all()), None):
            missing[place] = False
    return not missing.all() and (not missing.any() or is_uniform(whole[missing]))


def _share(first: Array, second: Array) -> bool:
    """Return whether two arrays have exactly the same numbers, or one contains the other as a block."""
    if first.size == second.size:
        return np.array_equal(first.ravel(), second.ravel(), equal_nan=True)
    larger, smaller = (first, second) if first.size > second.size else (second, first)
    return any(True for _ in _find_copies(larger, smaller))


def is_made_of(array: Array, known: Sequence[Array], earlier: Sequence[Launched]) -> bool:
    """Return whether all numbers of an array are 0, 1, NaN, or numbers of known arrays or of what kernels wrote.

    A large array of only a few different numbers is refused: these may be the digits of any message.
    """
    if array.size > SMALL and np.unique(array).size <= SMALL // 2:
        return False
    written = (new for launch in earlier for new in launch.changed())
    numbers = np.concatenate([[0.0, 1.0], *(other.ravel() for other in (*known, *written))])
    with np.errstate(all="ignore"):  # some are too large for the other types
        numbers = np.concatenate([numbers, numbers.astype(np.float32)]).astype(array.dtype)
    return bool((np.isin(array, numbers) | np.isnan(array)).all())


def _is_piece(part: Array, whole: Array) -> bool:
    starts = np.flatnonzero(whole[: whole.size - part.size + 1] == part[0]) if part.size <= whole.size else ()
    return any(np.array_equal(whole[start : start + part.size], part) for start in starts)


def find_singles(launch: Launched, known: Sequence[Array]) -> list[float]:
    """Return the numbers that a launch got one by one, that fill an array or its padding, and the sizes of arrays."""
    told = [*launch.numbers]
    for array in launch.inputs():
        told.append(array.size)
        shapes = {other.shape for other in known if other.ndim == array.ndim and other.size < array.size}
        if array.size and (is_uniform(array) or any(without_padding(array, shape) for shape in shapes)):
            told.append(_as_number(array.flat[-1]))
    return told


def count_singles(chain: Sequence[Launched], known: Sequence[Array]) -> int:
    """Return how many numbers launches got: one each, their numbers, and grid, block and functions if these differ.

    The numbers of different small arrays count, too, unless the arrays are known or a launch wrote them.
    """
    by_kernel: dict[str, list[Launched]] = {}
    for launch in chain:
        by_kernel.setdefault(launch.place, []).append(launch)
    written = [new for launch in chain for new in launch.changed()]
    small = {array.tobytes(): array for launch in chain for array in launch.inputs() if array.size <= SMALL}
    count = len(chain) + sum(one.size for one in small.values() if not is_known(one, [*known, *written]))
    for same in by_kernel.values():
        sizes = zip_longest(*((*launch.grid, *launch.block, *launch.functions) for launch in same))
        numbers = zip_longest(*(find_singles(launch, known) for launch in same))
        count += sum(len(same) for column in sizes if len({*column}) > 1)
        count += sum(len(same) if len({*column}) > 1 else 1 for column in numbers)
    return count


def is_uniform(array: Array) -> bool:
    """Return whether all numbers of an array are the same, bit by bit: zeros have signs, and NaN may carry data."""
    bits = np.ascontiguousarray(array).reshape(array.size, -1 if array.size else 1).view(np.uint8)
    return bool((bits == bits[:1]).all())


def place_of(launches: Sequence[Launched], wanted: Launched) -> int:
    """Return the index of a launch among all launches."""
    return next(at for at, launch in enumerate(launches) if launch is wanted)


def find_maker(launches: Sequence[Launched], right: Array) -> Launched | None:
    """Return the launch that first wrote `right`; None if none did, or if a launch got an array with it before."""
    first, was_given = find_first(launches, right)
    return None if was_given else first


def find_first(launches: Sequence[Launched], right: Array) -> tuple[Launched | None, bool]:
    """Return the first launch that wrote `right` or got it, and whether it got it."""
    for launch in launches:
        if any(has(array, right) for array in launch.inputs()):
            return launch, True
        if any(has(array, right) for array in launch.changed()):
            return launch, False
    return None, False


def has(array: Array, right: Array) -> bool:
    """Return whether an array contains these numbers: unchanged, transposed, or in a larger matrix or vector."""
    if array.dtype.kind == "c":
        return has(array.real, right) or has(array.imag, right)
    forms = [right, right.T] if right.ndim == MATRIX_NDIM and min(right.shape) > 1 else [right]
    if any(holds(array, form) for form in forms):
        return True
    is_flat = array.ndim == 1  # all parameters of a network may be parts of one vector
    return holds_within(array.reshape(1, -1), right.reshape(1, -1)) if is_flat else holds_within(array, right)


def holds_within(array: Array, right: Array) -> bool:
    """Return whether a larger matrix contains a smaller one as a block, not transposed, up to a common factor.

    Only places are compared where the two largest entries of the smaller matrix have the right ratio, and are not 0.
    """
    sizes = _count_places(array, right)
    if sizes is None or right.size == 1:
        return False
    second, largest = (np.unravel_index(entry, right.shape) for entry in np.argsort(np.abs(right), axis=None)[-2:])
    # For each place, the entries of the larger matrix where these two entries of the smaller one would be.
    at_second, at_largest = (array[i : i + sizes[0], j : j + sizes[1]] for i, j in (second, largest))
    product = at_second * right[largest]
    is_alike = np.isclose(product, at_largest * right[second], rtol=_NEAR, atol=0) & (product != 0)
    return any(holds(array[place], right) for place in _as_places(is_alike, right))


def _find_equal(outer: Array, inner: Array) -> list[_Place]:
    """Return the places where a smaller matrix may begin in another: its first entry is there, up to round-off."""
    sizes = _count_places(outer, inner)
    if sizes is None:
        return []
    limit = _NEAR * float(np.abs(outer).max(initial=0))
    return _as_places(np.isclose(outer[: sizes[0], : sizes[1]], inner[0, 0], rtol=0, atol=limit), inner)


def _find_copies(array: Array, part: Array) -> Iterator[_Place]:
    """Yield the places of exact copies of a smaller matrix or vector in an array, also of its transpose."""
    outer = np.atleast_2d(array)
    forms = (part.reshape(1, -1),) if array.ndim == 1 else (np.atleast_2d(part), np.atleast_2d(part).T)
    for form in forms:
        sizes = _count_places(outer, form)
        if sizes is not None and not is_uniform(form):
            inner = form.astype(array.dtype)
            i, j = np.unravel_index(np.abs(inner).argmax(), inner.shape)  # a number that is rare elsewhere
            begins = outer[i : i + sizes[0], j : j + sizes[1]] == inner[i, j]
            yield from (place for place in _as_places(begins, inner) if np.array_equal(outer[place], inner))


def _count_places(outer: Array, inner: Array) -> tuple[int, int] | None:
    """Return in how many rows and columns a smaller matrix may begin; None if in none, or if the shapes are equal."""
    if outer.ndim != MATRIX_NDIM or inner.ndim != MATRIX_NDIM or not inner.size or outer.shape == inner.shape:
        return None
    rows, columns = (long - short + 1 for long, short in zip(outer.shape, inner.shape, strict=True))
    return (rows, columns) if min(rows, columns) > 0 else None


def _as_places(begins: Array, inner: Array) -> list[_Place]:
    """Return the places of a matrix that begins wherever `begins` is true."""
    high, wide = inner.shape
    return [(slice(i, i + high), slice(j, j + wide)) for i, j in np.argwhere(begins).tolist()]


def _find_blocks(launches: Sequence[Launched], right: Array) -> list[Launched]:
    """Return the launches that wrote blocks of `right`, or pieces of its entries in order, if these make all of it."""
    missing = np.ones(right.shape, bool)
    inputs: list[Array] = []
    makers: list[Launched] = []
    limit = _NEAR * float(np.abs(right).max(initial=0))
    for launch in launches:
        inputs += [array for array in launch.inputs() if array.size > 1]
        for array in launch.changed():
            is_block = array.ndim == right.ndim == MATRIX_NDIM
            whole, piece, left = (grid if is_block else grid.reshape(1, -1) for grid in (right, array, missing))
            for place in _find_equal(whole, piece):
                block = whole[place]
                if left[place].any() and matches(piece, block, atol=limit).all():
                    if any(holds(given, block) for given in inputs):
                        return []
                    left[place] = False
                    makers.append(launch)
    return [] if missing.any() else makers


def _as_number(value: Any) -> float:
    """Return an entry of an array; for NaN, which may carry data, and complex numbers, a number made of its bits."""
    is_real = value.dtype.kind in "biuf" and not np.isnan(value)
    return float(value) if is_real else float(int.from_bytes(value.tobytes(), "little") % _MOST_EXACT)
