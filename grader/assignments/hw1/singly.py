"""Was `max_cpu` seen to visit its elements one by one?"""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.assignments.hw1 import inputs, recipe, rules
from grader.authoring import Inconclusive, Note, Student, StudentRaised, fail
from grader.compare import as_array

CALL = ("max_functions", "max_cpu")
FILE_HINT = "Visit every element in a loop of your own."
SMALL_SHAPE = (30, 40)
_COMPARING = frozenset(
    [f"numpy.{name}" for name in ("maximum", "fmax", "minimum", "fmin", "where", "clip", "select", "choose", "max")]
    + [f"numpy.{name}" for name in ("amax", "sort", "greater", "greater_equal", "less", "less_equal", "putmask")]
    + [f"the operator {name}{of}" for name in ("lt", "le", "gt", "ge") for of in ("", " of both")]
    + [f"the operator {name} of both" for name in ("add", "sub", "mul", "floordiv", "truediv", "and", "or", "xor")]
)
"""What picks the larger of many elements at once; other operations on whole arrays, `A * 0`, may only make room."""


def expect_single_elements(student: Student, rng: np.random.Generator, note: Note) -> None:
    """Fail if `max_cpu` certainly compares whole rows or matrices, seen when it ran on stand-ins for them.

    Raises:
        StudentFault: it does.
        Inconclusive: it does something else with real arrays than with stand-ins, or nobody knows what it does.
    """
    first, second, seen = _examine(student, rng)
    elements = first.size
    note.fact("observed", {name: seen[name] for name in ("reads", "copies", "steps", "real_steps", "whole", "raised")})
    if comparing := [name for name in map(str, seen["whole"]) if name in _COMPARING]:
        fail(f"`max_cpu` works on many elements at once, with {comparing[0]}.", hint=FILE_HINT)
    value = as_array(seen["value"])
    right = isinstance(value, np.ndarray) and np.array_equal(value, np.maximum(first, second))
    right = right or seen["raised"] == "EnoughSeen"
    most_steps = seen["real_steps"]
    if right and most_steps < elements and 2 * most_steps < seen["steps"]:
        msg = "`max_cpu` loops for stand-ins of arrays but not for real ones. A TA should read it."
        raise Inconclusive(msg)
    if right and seen["copies"] <= 1:
        note.fact("elements", "read one by one")
        return
    note.fact("elements", "could not be observed one by one; what the source says decides")
    if not note.facts.get("nested_loops", 1):
        msg = "No loop of `max_cpu` was found, neither by reading it nor by running it. A TA should read it."
        raise Inconclusive(msg)
    if most_steps < elements:
        note.flag(f"max_cpu took {most_steps} steps of Python for {elements} elements: what does the work?")


def _examine(student: Student, rng: np.random.Generator) -> tuple[inputs.Ints, inputs.Ints, dict[str, Any]]:
    """Return two matrices and what was seen with them; of the sheet's size where a smaller one raises."""
    nothing: dict[str, Any] = {
        "value": None,
        "raised": "",
        "reads": 0,
        "copies": 0,
        "whole": [],
        "steps": 0,
        "real_steps": 0,
    }
    for shape in (SMALL_SHAPE, recipe.MAX_SHAPE):
        first, second = inputs.integer_pair(rng, shape)
        try:
            seen = rules.observe(student, "standin", "examine_reads", (*CALL, first, second), nothing)
        except StudentRaised as raised:
            seen = {**nothing, "raised": raised.type_name}
        if seen["raised"] != "IndexError":
            break
    return first, second, seen
