"""Functions that work entry by entry, such as activations: right for arrays of whatever shape."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grader.authoring import Answer, Array, Note, StudentFault, expect

RTOL, ATOL = 1e-6, 1e-7
"""Loose enough for float32, and for formulas that lose the last digits near 0 and 1."""
Call = Callable[[Any], Answer]
Solve = Callable[[Array], tuple[Array, Mapping[str, Array]]]
"""Returns, for an array of float64, what is right; and sentence -> what the mistake gives that it tells of."""


def expect_entrywise(function: str, call: Call, solve: Solve, rng: np.random.Generator, note: Note) -> None:
    """Fail unless a function is right for each entry of arrays; flag it if it is not for integers and single numbers.

    The numbers go up to 30 or -30. `solve` says what is right, and what mistakes give.
    """
    usual = {
        "a vector of 61 numbers from -30 to 30": np.linspace(-30, 30, 61),
        "a 3 × 5 matrix": rng.normal(0, 3, (3, 5)),
        "an array of one element": rng.normal(size=1),
        "a 1000 × 64 matrix": rng.normal(0, 5, (1000, 64)),
    }
    unasked = {"integers": np.arange(-5, 6), "the number 0": 0.0, "a single number": float(rng.uniform(-30, 30))}
    _expect_all(function, call, solve, usual, note)
    try:  # what no network hands to such a function; the sheet does not say whether it has to bear it
        _expect_all(function, call, solve, unasked, note)
    except StudentFault as fault:
        note.flag(f"{function} is right for arrays of floats; the sheet asks for no others: {fault.finding.message}")


def _expect_all(function: str, call: Call, solve: Solve, arguments: Mapping[str, Any], note: Note) -> None:
    for name, x in arguments.items():
        answer = call(x)
        note.flag_overwritten(answer, function)
        right, mistakes = solve(np.asarray(x, dtype=float))
        expect(f"`{function}` of {name}", answer.value, right, rtol=RTOL, atol=ATOL, mistakes=mistakes)
