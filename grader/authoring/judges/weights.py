"""Weights and biases of fully connected networks: their shapes, and how random ones are spread."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from grader.authoring import Array, Foreign, Student, fail
from grader.authoring.comparison import as_array, describe

CHANCE = 1e-9
"""How unlikely right weights must be to look as they do before they are called wrong."""
ROUNDING = 1e-6


def expect_random(student: Student, function: tuple[str, str], networks: Sequence[list[int]], hint: str) -> None:
    """Fail unless a function draws the matrices of each network evenly from ±1/√rows, and others on every call.

    The function gets the sizes of the layers, those of each of `networks`; the matrices of the first are large enough
    to see how they spread.
    """
    for sizes in networks:
        for weight in expect_matrices(student, function, sizes):
            _expect_within(f"`{function[1]}({sizes})`", weight, hint)
    first, second = (expect_matrices(student, function, networks[0]) for _ in range(2))
    if all(map(np.array_equal, first, second)):
        fail(f"`{function[1]}` returns the same numbers on every call.", hint="Is the seed set inside the function?")
    _expect_uniform(f"`{function[1]}`", first[0], hint)


def expect_matrices(student: Student, function: tuple[str, str], sizes: list[int]) -> list[Array]:
    """Return the list of weights that a function makes of `sizes`, of shapes (sizes[i], sizes[i + 1]), or fail."""
    call = f"`{function[1]}({sizes})`"
    items = expect_items(call, student.run(*function, (sizes,)).value)
    shapes = list(pairwise(sizes))
    arrays = [as_array(item) for item in items]
    got = [
        array.shape if isinstance(array, np.ndarray) else describe(item)
        for array, item in zip(arrays, items, strict=True)
    ]
    if got != shapes:
        hint = _explain_shapes(got, shapes)
        fail(f"{call} does not have the shapes of the layers.", expected=shorten(shapes), got=shorten(got), hint=hint)
    return [array for array in arrays if isinstance(array, np.ndarray)]


def _explain_shapes(got: list[Any], shapes: list[tuple[int, int]]) -> str:
    """Return which kind of mistake the shapes of weights show."""
    if got == [shape[::-1] for shape in shapes]:
        return "Each matrix is transposed: rows belong to layer i, columns to layer i + 1."
    if len(got) != len(shapes):
        return f"{len(got)} came back, and {len(shapes)} pairs of neighbouring layers need one each."
    first = next(index for index, (shape, right) in enumerate(zip(got, shapes, strict=True)) if shape != right)
    return f"Matrix {first} connects layer {first} with layer {first + 1}: its shape follows from their sizes."


def expect_vectors(student: Student, function: tuple[str, str], sizes: list[int]) -> list[Any]:
    """Return what a function makes of `sizes` for the layers after the first, which has no biases, or fail.

    One more in front, for the first layer, is left out: where networks count layers from 0, nobody reads it.
    """
    call = f"`{function[1]}({sizes})`"
    vectors = expect_items(call, student.run(*function, (sizes,)).value)
    if len(vectors) == len(sizes):
        vectors = vectors[1:]
    if len(vectors) != len(sizes) - 1:
        hint = "Every layer after the input layer has one, the output layer too."
        if vectors and all(isinstance(vector, int | float | np.number) for vector in vectors):
            hint = "These are numbers: put one vector for each layer into a list."
        expected = f"{len(sizes) - 1}, one per layer 1 … L"
        fail(f"{call} returned {len(vectors)} vectors.", expected=expected, got=len(vectors), hint=hint)
    return vectors


def expect_items(call: str, value: Any) -> list[Any]:
    """Return what a list, tuple or array holds, or fail with what came instead."""
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        return list(value)
    missing = "Is a return statement missing?" if value is None else ""
    hint = "Wrap it in list(...)." if isinstance(value, Foreign) else missing
    return fail(f"{call} has to return a list.", got=describe(value), hint=hint)


def shorten(shapes: list[Any]) -> str:
    """Return the first of a list of shapes or sizes as a text."""
    return ", ".join(str(shape) for shape in shapes[:6]) + (", …" if len(shapes) > 6 else "")  # noqa: PLR2004 - display


def _expect_within(call: str, weight: Array, hint: str) -> None:
    """Fail if a weight lies beyond ±1/√rows, where Xavier's initialization ends."""
    bound = 1 / np.sqrt(len(weight))
    if not np.all(np.abs(weight) <= bound * (1 + ROUNDING)):
        fail(
            f"{call}: a matrix of {len(weight)} rows has weights beyond ±1/√{len(weight)}.",
            expected=f"within ±{bound:.6g}",
            got=f"from {weight.min():.6g} to {weight.max():.6g}",
            hint=hint,
        )


def _expect_uniform(what: str, weight: Array, hint: str) -> None:
    """Fail if weights are not spread evenly over ±1/√rows, by Kolmogorov and Smirnov's test.

    n independent weights have a distance of d from the even distribution with a probability of at most
    2·exp(-2·n·d²), whatever n is: Massart, The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality, 1990.
    """
    bound = 1 / np.sqrt(len(weight))
    shares = (np.sort(weight, axis=None) + bound) / (2 * bound)
    steps = np.arange(shares.size + 1) / shares.size
    distance = max((steps[1:] - shares).max(), (shares - steps[:-1]).max())
    if 2 * np.exp(-2 * shares.size * distance**2) < CHANCE:
        fail(
            f"{what} are not spread evenly over ±1/√rows.",
            expected=f"mean 0, standard deviation {bound / np.sqrt(3):.4g}",
            got=f"mean {weight.mean():.4g}, standard deviation {weight.std():.4g}",
            hint=hint,
        )
