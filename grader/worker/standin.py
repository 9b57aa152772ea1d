"""Inside the worker: does a function visit elements one by one? Called by checks as a module of the worker.

The function gets stand-ins for matrices. They hand out single elements and count them; whatever needs a whole
matrix or row at once, such as `np.maximum` or `A > B`, is noted by name and refused. Then the function gets real
arrays of the same numbers. A function that is the same for both takes the same steps in both: as many as there are
elements, at least, if it loops.
"""

from __future__ import annotations

import importlib
import operator
import sys
from collections.abc import Callable, Iterator
from types import CodeType, FrameType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
_EMPTY_LIKE = ("empty_like", "zeros_like", "ones_like", "full_like")
_OPERATORS = (
    *("lt", "le", "gt", "ge", "eq", "ne", "add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "truediv"),
    *("mod", "pow", "matmul", "rmatmul", "and", "or", "xor", "neg", "abs", "invert", "iadd", "isub", "imul"),
)
MOST_STEPS = 400_000
"""Counting stops here: the question is only whether there are as many steps as elements."""
_MOST_NAMES = 50
"""More than there are operators, so that harmless ones cannot hide another."""

MOST_READS = 100_000
"""So many elements one by one are proof enough; a million would take seconds."""


class EnoughSeen(BaseException):
    """The run may end: it has read `MOST_READS` elements one by one.

    No `Exception`, so that student code does not catch it by accident.
    """


class WholeArrayNeededError(TypeError):
    """Something asked for a whole matrix or row at once."""


class Matrix:
    """Stands in for a matrix, or a row of one, and gives out single elements only."""

    def __init__(self, numbers: Array, book: dict[str, Any]) -> None:
        self._numbers, self._book = numbers, book

    shape = property(lambda self: self._numbers.shape)
    ndim = property(lambda self: self._numbers.ndim)
    size = property(lambda self: self._numbers.size)
    dtype = property(lambda self: self._numbers.dtype)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, key: Any) -> Any:
        numbers = self._numbers[_plain(key)]
        if isinstance(numbers, np.ndarray):
            return Matrix(numbers, self._book)
        self._book["reads"] += 1
        if self._book["reads"] > MOST_READS:
            raise EnoughSeen
        return numbers

    def item(self, *key: int) -> Any:
        """Return one element as a Python number."""
        return self[key if len(key) > 1 else key[0]].item()

    @property
    def flat(self) -> Iterator[Any]:
        """All elements, one by one."""
        return (self[index] for index in np.ndindex(self._numbers.shape))

    def copy(self, *_args: Any, **_options: Any) -> Array:
        """Return real numbers, from which nothing is counted; so that is counted."""
        self._book["copies"] += 1
        return self._numbers.copy()

    __array__ = astype = copy

    def tolist(self) -> Any:
        """Return the numbers as lists; what is read there is not counted."""
        return self.copy().tolist()

    def flatten(self, *_order: Any) -> Array:
        """Return the numbers in one row; what is read there is not counted."""
        return self.copy().ravel()

    ravel = flatten

    def __array_ufunc__(self, ufunc: Any, *_args: Any, **_options: Any) -> Any:
        self._refuse(f"numpy.{ufunc.__name__}")

    def __array_function__(self, function: Any, _types: Any, args: Any, options: Any) -> Any:
        if function.__name__ in _EMPTY_LIKE:
            return function(self._numbers, *args[1:], **options)
        if function.__name__ in {"shape", "size", "ndim"}:
            return getattr(self, function.__name__)
        return self.copy() if function.__name__ == "copy" else self._refuse(f"numpy.{function.__name__}")

    def _refuse(self, what: str) -> Any:
        self._book["whole"].append(what)
        msg = f"{what} needs all elements at once"
        raise WholeArrayNeededError(msg)


def _refuser(name: str) -> Callable[..., Any]:
    def refuse(self: Matrix, *others: Any) -> Any:
        # `A - A` only makes room: what compares needs the numbers of both.
        of_both = " of both" if any(isinstance(other, Matrix) and other is not self for other in others) else ""
        return self._refuse(f"the operator {name}{of_both}")

    return refuse


for _name in _OPERATORS:
    setattr(Matrix, f"__{_name}__", _refuser(_name))


def examine_reads(module: str, function: str, first: Array, second: Array) -> dict[str, Any]:
    """Run `module.function` on stand-ins for two matrices, and on real arrays of the same numbers.

    Returns:
        `value`: what it returned for the stand-ins, or `raised`, the name of its exception: `EnoughSeen` when it was
        ended after `MOST_READS` single elements. `reads`, `copies`: how
        many elements were read, and how often all of them were asked for at once as plain data. `whole`: names of
        operations that need a whole row or matrix. `steps`, `real_steps`: instructions of Python that the
        submission's file executed for stand-ins and for real arrays, counted up to `MOST_STEPS`.
    """
    loaded = importlib.import_module(module)
    target = getattr(loaded, function)
    book: dict[str, Any] = {"reads": 0, "copies": 0, "whole": []}
    seen: dict[str, Any] = {"value": None, "raised": ""}
    with _Steps(str(loaded.__file__)) as steps:
        try:
            seen["value"] = target(Matrix(first.copy(), book), Matrix(second.copy(), book))
        except (Exception, EnoughSeen) as error:  # noqa: BLE001 - student code, given what it never expected
            seen["raised"] = type(error).__name__
    with _Steps(str(loaded.__file__)) as real_steps:
        target(first, second)  # in the memory of any call: a copy owns its own, and that shows
    book["whole"] = list(dict.fromkeys(book["whole"]))[:_MOST_NAMES]
    return seen | book | {"steps": steps.count, "real_steps": real_steps.count}


class _Steps:
    """Counts the instructions that frames of one file execute, while it is entered."""

    def __init__(self, file: str) -> None:
        self.count = 0
        self._file = file
        self._mine: dict[CodeType, bool] = {}

    def __enter__(self) -> Self:
        sys.settrace(self._enter_frame)
        return self

    def __exit__(self, *_error: object) -> None:
        sys.settrace(None)

    def _enter_frame(self, frame: FrameType, _event: str, _arg: object) -> Any:
        code = frame.f_code
        if not self._mine.setdefault(code, code.co_filename == self._file):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return self._step

    def _step(self, frame: FrameType, _event: str, _arg: object) -> Any:
        self.count += 1
        if self.count >= MOST_STEPS:
            sys.settrace(None)
            frame.f_trace, frame.f_trace_opcodes = None, False
        return self._step


def _plain(key: Any) -> Any:
    """Return an index of whole numbers and full slices as such; anything else takes many elements at once."""
    parts = key if isinstance(key, tuple) else (key,)
    plain = tuple(part if part == slice(None) else operator.index(part) for part in parts if part is not Ellipsis)
    return plain if isinstance(key, tuple) else plain[0]
