"""Which launches computed an array: one that left it whole, or several that left its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

import numpy as np

from grader.authoring import Array
from grader.authoring.comparison import MATRIX_NDIM, matches

_NEAR = 1e-5
"""Of the largest entry: how far others may be off."""
_Place = tuple[slice, slice]


class _Launch(Protocol):
    """A launch of a kernel, as `scenarios` has it."""

    def inputs(self) -> Sequence[Array]:
        """Return what it was given."""

    def changed(self) -> list[Array]:
        """Return what the arrays hold that it changed."""


_L = TypeVar("_L", bound=_Launch)


def find_makers(launches: Sequence[_L], right: Array) -> list[_L]:
    """Return the launches that first left `right` in their arrays; empty if none did, or if one was given it.

    One launch may leave it whole, up to a common factor, be it as a block of a larger array; or several may leave its
    blocks, up to round-off.
    """
    whole = _find_whole(launches, right)
    return _find_blocks(launches, right) if whole is None else whole


def holds(array: Array, right: Array) -> bool:
    """Return whether an array holds these numbers, in the same order, up to round-off and a common factor."""
    if array.size != right.size or not array.size or array.dtype.kind not in "fiub":
        return False
    flat, wanted = array.ravel().astype(float), np.asarray(right, float).ravel()
    if not (np.isfinite(flat).all() and wanted.any()):
        return bool(np.array_equal(flat, wanted, equal_nan=True))
    peak = int(np.abs(wanted).argmax())
    factor = flat[peak] / wanted[peak]
    return bool(factor and matches(flat / factor, wanted, atol=_NEAR * abs(wanted[peak])).all())


def find_maker(launches: Sequence[_L], right: Array) -> _L | None:
    """Return the launch that first left `right` in an array, which none of its arrays held before; None if none did."""
    for launch in launches:
        if any(holds(array, right) for array in launch.inputs()):
            return None
        if any(holds(array, right) for array in launch.changed()):
            return launch
    return None


def _find_whole(launches: Sequence[_L], right: Array) -> list[_L] | None:
    """Return the launch that left `right`, alone; none if one was given it; None if none did."""
    for launch in launches:
        if any(_has(array, right) for array in launch.inputs()):
            return []
        if any(_has(array, right) for array in launch.changed()):
            return [launch]
    return None


def _has(array: Array, right: Array) -> bool:
    """Return whether an array holds these numbers, or, if it is a larger matrix, a block of it does."""
    if holds(array, right):
        return True
    return any(holds(array[place], right) for place in _find_alike(array, right))


def _find_alike(outer: Array, inner: Array) -> list[_Place]:
    """Return the places in a larger matrix where the two largest entries of a smaller one have their ratio."""
    sizes = _count_places(outer, inner)
    if sizes is None or inner.size == 1:
        return []
    low, high = np.argsort(np.abs(inner), axis=None)[-2:]
    one, other = (np.unravel_index(entry, inner.shape) for entry in (high, low))
    (i, j), (p, q), (rows, columns) = one, other, sizes
    left = outer[p : p + rows, q : q + columns] * inner[one]
    right = outer[i : i + rows, j : j + columns] * inner[other]
    return _as_places(np.isclose(left, right, rtol=_NEAR, atol=0) & (left != 0), inner)


def _find_equal(outer: Array, inner: Array) -> list[_Place]:
    """Return the places in a matrix where the first entry of another one, which is not larger, stands."""
    sizes = _count_places(outer, inner)
    if sizes is None:
        return []
    limit = _NEAR * float(np.abs(outer).max(initial=0))
    return _as_places(np.isclose(outer[: sizes[0], : sizes[1]], inner[0, 0], rtol=0, atol=limit), inner)


def _count_places(outer: Array, inner: Array) -> tuple[int, int] | None:
    """Return in how many rows and columns of a matrix another one may begin; None if in none, or it is no other."""
    if outer.ndim != MATRIX_NDIM or inner.ndim != MATRIX_NDIM or not inner.size or outer.shape == inner.shape:
        return None
    rows, columns = (long - short + 1 for long, short in zip(outer.shape, inner.shape, strict=True))
    return (rows, columns) if min(rows, columns) > 0 else None


def _as_places(begins: Array, inner: Array) -> list[_Place]:
    """Return the places of a matrix that begins at these rows and columns."""
    high, wide = inner.shape
    return [(slice(i, i + high), slice(j, j + wide)) for i, j in np.argwhere(begins).tolist()]


def _find_blocks(launches: Sequence[_L], right: Array) -> list[_L]:
    """Return the launches that left blocks of `right`, if these are all of it."""
    missing, given = np.ones(right.shape, bool), list[Array]()
    makers: list[_L] = []
    limit = _NEAR * float(np.abs(right).max(initial=0))
    for launch in launches:
        given += launch.inputs()
        for array in launch.changed():
            for place in _find_equal(right, array):
                block = right[place]
                if missing[place].any() and matches(array, block, atol=limit).all():
                    if any(holds(one, block) for one in given if one.size > 1):
                        return []
                    missing[place] = False
                    makers.append(launch)
    return [] if missing.any() else makers
