"""The student edition of this module: whether answers really come from the kernels is for staff to look at.

A hand-in whose kernels compute what its functions return has nothing to fear from what is left out here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from grader.authoring import Inconclusive, Note, Student
from grader.compare import as_array, matches

Array = npt.NDArray[Any]
Args = tuple[Array, ...]
Solve = Callable[..., tuple[Array, Array | float]]


def expect_from_kernels(
    student: Student,
    call: tuple[str, str],
    args: tuple[Args, Args],
    solve: Solve,
    rng: np.random.Generator,
    note: Note,
) -> None:
    """Leave this to staff."""


def expect_kernel_works(
    student: Student,
    call: tuple[str, str],
    kernel: str,
    args: Args,
    solve: Solve,  # noqa: ARG001 - the staff's edition takes this
    rng: np.random.Generator,  # noqa: ARG001 - the same
) -> None:
    """Leave it open where nothing but zeros comes back: whether the kernel changed anything, staff look."""
    got = as_array(student.call(*call, args).value)
    if isinstance(got, np.ndarray) and not got.any():
        msg = f"`{call[1]}` returns nothing but zeros. If `{kernel}` changes none of its arrays, these points are lost."
        raise Inconclusive(msg)


def expect_from_kernel(
    student: Student, call: tuple[str, str], kernel: str, args: Args, solve: Solve, rng: np.random.Generator
) -> None:
    """Leave this to staff."""


def is_right(got: Any, right: Array, tolerance: Array | float) -> bool:
    """Return whether `got` holds the right numbers."""
    array = as_array(got)
    return (
        isinstance(array, np.ndarray)
        and array.shape == right.shape
        and bool(matches(array, right, atol=tolerance).all())
    )
