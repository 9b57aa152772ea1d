"""Part 1: matrices on host and device."""

from __future__ import annotations

from collections import Counter

import numpy as np

from grader.assignments.layers import recipe
from grader.authoring import Note, Student, check, expect, fail
from grader.authoring.judges import scenarios

MODULE = "matrix_scenarios"
SHAPE = (7, 5)
WHEN = {
    "set": "after `set`",
    "written": "after a kernel wrote what `allocate` returned",
    "set_again": "after `set`, when the device held other numbers",
}


@check("matrix.values")
def test_values(student: Student, rng: np.random.Generator) -> None:
    """A `Matrix` begins with zeros, and has the newest numbers on both sides, whoever wrote them."""
    given = tuple(rng.normal(size=(3, *SHAPE)))
    run = scenarios.run(student, (MODULE, "go_around"), given, recipe.MATRIX, "Filling and reading a `Matrix`")
    expect("`Matrix(7, 5).shape`", run.value.get("shape"), list(SHAPE))
    expect("`Matrix(7, 5).copy_to_host()`", run.value.get("zeros"), np.zeros(SHAPE))
    for (when, words), right in zip(WHEN.items(), given, strict=True):
        for side in ("device", "host"):
            expect(f"`copy_to_{side}()` {words}", run.value.get(f"{when}_{side}"), right, rtol=1e-6)


@check("matrix.copies")
def test_copies(student: Student, rng: np.random.Generator, note: Note) -> None:
    """A `Matrix` copies only when numbers are asked for where they are not: no copy twice, none in advance."""
    first, second, third = given = tuple(rng.normal(size=(3, *SHAPE)))
    run = scenarios.run(student, (MODULE, "ask_often"), given, recipe.MATRIX, "Reading a `Matrix` several times")
    scenarios.expect_followed(student, run, recipe.MATRIX)
    names = {
        "what `set` took": (first, 1, 0),
        "what a kernel wrote": (second, 1, 1),  # the one copy to the device is ours: it stands for the kernel
        "what `set` took, and nobody asked for on the device": (third, 0, 0),
    }
    seen = Counter(
        (direction, name) for direction, array in run.copies for name, (one, _, _) in names.items() if _same(array, one)
    )
    note.fact("copies", {f"{name}, {direction}": count for (direction, name), count in seen.items()})
    for name, (_, to_device, to_host) in names.items():
        for direction, most in (("to device", to_device), ("to host", to_host)):
            if seen[direction, name] > most:
                fail(
                    f"`Matrix` copied {name} {seen[direction, name]} times {direction}.",
                    expected=f"at most {most}",
                    hint="Remember on which side the newest numbers are, and copy only if they are not there.",
                )


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.size == other.size and np.allclose(one.ravel(), other.ravel(), rtol=1e-6)


@check("matrix.shapes")
def test_shapes(student: Student) -> None:
    """A `Matrix` raises ValueError for shapes that make no sense, or are not its own."""
    expect_refusals(scenarios.run(student, (MODULE, "try_shapes"), (), recipe.MATRIX, "Giving a `Matrix` wrong shapes"))


def expect_refusals(run: scenarios.Run) -> None:
    """Fail unless everything that was tried raised ValueError."""
    for words, raised in run.value.items():
        if raised != "ValueError":
            fail(
                f"{words}: {f'it raised {raised}' if raised else 'nothing was raised'}.",
                expected="ValueError",
                got=raised or "no exception",
                hint="Compare the shapes first, and raise ValueError with both of them in the message.",
            )
