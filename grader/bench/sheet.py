"""What is compared: `comparisons.toml` of an assignment, and the kinds of work that it may name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import numpy.typing as npt

from grader.assignment import Assignment
from grader.authoring.comparison import difference
from grader.errors import StaffError, UsageError

FILE = "comparisons.toml"
Array = npt.NDArray[Any]
_MOST_CALLS = 1000


class Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way to do the work: a function of the submission, or one that staff supply."""

    name: str
    function: str
    """`module.function`."""
    calls: int = 20
    staff: bool = False
    kernels: bool = False
    """Whether it launches CUDA kernels: without a GPU its times are no GPU times."""
    one_block: bool = False
    """Whether one block does it all, so that one multiprocessor's peak is its limit."""

    @property
    def module(self) -> str:
        """The module's part of `function`."""
        return self.function.rpartition(".")[0]

    @property
    def called(self) -> str:
        """The function's own name."""
        return self.function.rpartition(".")[2]


class Comparison(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Several ways to do the same work; the first is what the others are compared with."""

    id: str
    title: str
    work: str
    shape: tuple[int, int]
    row: tuple[Row, ...]

    @property
    def kind(self) -> Work:
        """What is computed."""
        return WORKS[self.work]


class _Sheet(msgspec.Struct, forbid_unknown_fields=True):
    comparison: tuple[Comparison, ...]


@dataclass(frozen=True, slots=True)
class Work:
    """A kind of work: its inputs, whether a result is right, and how many operations a shape needs by the book."""

    draw: Callable[[np.random.Generator, tuple[int, int]], tuple[Array, ...]]
    is_right: Callable[[tuple[Array, ...], Any], bool]
    flops: Callable[[tuple[int, int]], float]


def load_comparisons(assignment: Assignment, only: str = "") -> tuple[Comparison, ...]:
    """Return the assignment's comparisons, or the one whose id is `only`.

    Raises:
        UsageError: the assignment compares nothing, or nothing of that id.
        StaffError: its file is wrong.
    """
    path = assignment.folder / FILE
    if not path.is_file():
        msg = f"assignment {assignment.name} compares nothing: it has no {FILE}"
        raise UsageError(msg)
    found = read_comparisons(path)
    kept = tuple(comparison for comparison in found if only in {"", comparison.id})
    if not kept:
        msg = f"there is no comparison {only!r}: choose one of {', '.join(row.id for row in found)}"
        raise UsageError(msg)
    return kept


def read_comparisons(path: Path) -> tuple[Comparison, ...]:
    """Return what the file at `path` describes; `StaffError` says what is wrong with it."""
    try:
        sheet = msgspec.toml.decode(path.read_bytes(), type=_Sheet)
    except msgspec.MsgspecError as error:
        msg = f"{path.parent.name}/{path.name}: {error}"
        raise StaffError(msg) from error
    for comparison in sheet.comparison:
        if comparison.work not in WORKS:
            msg = f"{path.name}: comparison {comparison.id} has the work {comparison.work!r}: use {', '.join(WORKS)}"
            raise StaffError(msg)
        if wrong := [row.name for row in comparison.row if not 1 <= row.calls <= _MOST_CALLS or not row.module]:
            msg = f"{path.name}: {comparison.id}: {wrong[0]} needs 1 to {_MOST_CALLS} calls of a `module.function`"
            raise StaffError(msg)
    return sheet.comparison


def _draw_integers(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Array, ...]:
    first, second = rng.integers(0, 256, (2, *shape))
    return first, second


def _draw_uniform(rng: np.random.Generator, shape: tuple[int, int]) -> tuple[Array, ...]:
    return (rng.uniform(size=shape),)


def _is_maximum(inputs: tuple[Array, ...], got: Any) -> bool:
    return difference(got, np.maximum(*inputs), sequences=(list, tuple)) is None


def _is_self_product(inputs: tuple[Array, ...], got: Any) -> bool:
    """Return whether `got` is X·Xᵀ within what sums in single precision may be off."""
    (matrix,) = inputs
    magnitude = np.abs(matrix)
    return difference(got, matrix @ matrix.T, atol=1e-5 * (magnitude @ magnitude.T), sequences=(list, tuple)) is None


WORKS = {
    "maximum": Work(_draw_integers, _is_maximum, lambda shape: float(shape[0] * shape[1])),
    "self_product": Work(_draw_uniform, _is_self_product, lambda shape: 2.0 * shape[0] ** 2 * shape[1]),
}
"""One comparison per entry: the larger of each two entries; n² sums of m products, an addition and a multiplication
each."""
