"""Part 1: the functions of utils.py, one check each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from grader.authoring import Array, Note, Student, StudentFault, StudentRaised, check, expect, fail
from grader.authoring.comparison import as_array, describe
from grader.authoring.judges import weights
from grader.authoring.judges.batches import LastBatchMissing, expect_batches

RTOL, ATOL = 1e-6, 1e-7
"""Loose enough for float32, and for formulas that lose the last digits near 0 and 1."""
SHAPES = ([784, 128, 64, 10], [3, 1, 5], [7, 4], [1, 1], [300, 200, 2])
STEP = 1e-30
XAVIER = "Use xavier_initialization(rows, columns) of utils.py."


def _sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def _slope(x: Array) -> Array:
    """Return the derivative of `_sigmoid` by a step along the imaginary axis, which loses no digits.

    f'(x) = Im f(x + ih) / h up to O(h²), without a difference of near values (Squire and Trapp, SIAM Review 40, 1998).
    """
    return np.imag(_sigmoid(x + 1j * STEP)) / STEP


def _arrays(rng: np.random.Generator) -> list[tuple[str, Any]]:
    """Return what the sigmoid functions are called with, each with its name; |x| up to 30."""
    wide = np.linspace(-30, 30, 61)
    return [
        ("a vector of 61 numbers from -30 to 30", wide),
        ("a 3 × 5 matrix", rng.normal(0, 3, (3, 5))),
        ("an array of one element", rng.normal(size=1)),
        ("a 1000 × 64 matrix", rng.normal(0, 5, (1000, 64))),
    ]


def _unasked(rng: np.random.Generator) -> list[tuple[str, Any]]:
    """Return what no network hands to the sigmoid functions; the sheet does not say whether they have to bear it."""
    return [("integers", np.arange(-5, 6)), ("the number 0", 0.0), ("a single number", float(rng.uniform(-30, 30)))]


def _flag_unasked(
    function: str, expect_right: Callable[[str, Any], None], rng: np.random.Generator, note: Note
) -> None:
    """Ask a TA about the first of the arguments that only a part of all right functions bears."""
    for name, x in _unasked(rng):
        try:
            expect_right(name, x)
        except StudentFault as fault:
            note.flag(
                f"{function} is right for arrays of floats; the sheet asks for no others: {fault.finding.message}"
            )
            return


@check("utils.sigmoid")
def test_sigmoid(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`sigmoid(x)` returns 1 / (1 + e^-x), for arrays of any shape."""

    def expect_right(name: str, x: Any) -> None:
        answer = student.utils.sigmoid.call(x, watch_inputs=True)
        note.flag_overwritten(answer, "sigmoid")
        value = np.asarray(x, dtype=float)
        mistakes = {
            "This is tanh, which has a like shape but runs from -1 to 1.": np.tanh(value),
            "It falls where the sigmoid rises: look at the sign of the exponent.": _sigmoid(-value),
            "Division comes before addition: what is divided by needs parentheses.": 1 / 1 + np.exp(-value),
        }
        expect(f"`sigmoid` of {name}", answer.value, _sigmoid(value), rtol=RTOL, atol=ATOL, mistakes=mistakes)

    for name, x in _arrays(rng):
        expect_right(name, x)
    _flag_unasked("sigmoid", expect_right, rng, note)
    _remark_far_from_zero(student, note)
    if "RuntimeWarning" in student.output:
        note.remark("NumPy warned of an overflow; the standard formula does that for large negative x.")


def _remark_far_from_zero(student: Student, note: Note) -> None:
    """Say what becomes of ±1000: the sheet's formula overflows there, and with `math.exp` it raises."""
    try:
        far = student.utils.sigmoid(np.array([-1000.0, 1000.0]))
    except StudentRaised as raised:
        note.remark("At ±1000 it raises an exception.", got=raised.finding.message, hint="No points depend on it.")
        return
    values = as_array(far)
    if not isinstance(values, np.ndarray) or not np.allclose(values, [0, 1]):
        note.remark(
            "Far from 0, at ±1000, the result is not 0 and 1.", got=describe(far), hint="No points depend on it."
        )


@check("utils.sigmoid_prime")
def test_sigmoid_prime(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`sigmoid_prime(x)` returns the derivative of the sigmoid at x."""

    def expect_right(name: str, x: Any) -> None:
        value = np.asarray(x, dtype=float)
        mistakes = {
            "This is x·(1 - x): right for an activation, but x is the input of the sigmoid.": value * (1 - value),
            "This is the sigmoid itself, not its derivative.": _sigmoid(value),
            "Multiplication comes before subtraction: 1 - s needs parentheses.": np.zeros_like(value),
        }
        got = functions.sigmoid_prime(x)
        expect(f"`sigmoid_prime` of {name}", got, _slope(value), rtol=RTOL, atol=ATOL, mistakes=mistakes)

    functions = student.utils
    arrays = _arrays(rng)
    try:
        for name, x in arrays:
            expect_right(name, x)
    except StudentFault as fault:
        functions = student.borrowed  # the staff's sigmoid: nothing else changes if the submitted one is right
        try:
            for name, x in arrays:
                expect_right(name, x)
        except StudentFault:
            raise fault from None
        note.remark("It is right with the staff's sigmoid: yours is wrong, which costs utils.sigmoid alone.")
    _flag_unasked("sigmoid_prime", expect_right, rng, note)


@check("utils.random_weights")
def test_random_weights(student: Student) -> None:
    """`random_weights(sizes)` returns one matrix per pair of layers, uniform in ±1/√rows and new on every call."""
    for sizes in SHAPES:
        call = f"`random_weights({sizes})`"
        matrices = weights.expect_matrices(call, student.utils.random_weights(sizes), sizes)
        for weight in matrices:
            weights.expect_within(call, weight, XAVIER)
    first, second = (weights.expect_matrices("it", student.utils.random_weights(SHAPES[0]), SHAPES[0]) for _ in "12")
    if all(np.array_equal(one, other) for one, other in zip(first, second, strict=True)):
        fail("`random_weights` returns the same numbers on every call.", hint="Is the seed set inside the function?")
    weights.expect_uniform("`random_weights`", first[0], XAVIER)


@check("utils.zeros_weights")
def test_zeros_weights(student: Student) -> None:
    """`zeros_weights(sizes)` returns one matrix of zeros per pair of layers, of shape (sizes[i], sizes[i + 1])."""
    for sizes in SHAPES:
        call = f"`zeros_weights({sizes})`"
        for weight in weights.expect_matrices(call, student.utils.zeros_weights(sizes), sizes):
            expect(call, weight, np.zeros(weight.shape))


@check("utils.zeros_biases")
def test_zeros_biases(student: Student) -> None:
    """`zeros_biases(sizes)` returns one vector of zeros per layer after the input layer."""
    for sizes in SHAPES:
        call = f"`zeros_biases({sizes})`"
        vectors = weights.expect_items(call, student.utils.zeros_biases(sizes))
        if len(vectors) == len(sizes):  # the hand-out's network indexes biases by layer; element 0 is never read
            vectors = vectors[1:]
        if len(vectors) != len(sizes) - 1:
            fail(
                f"{call} returned {len(vectors)} vectors.",
                expected=f"{len(sizes) - 1}, one per layer 1 … L",
                got=len(vectors),
                hint=_explain_count(vectors),
            )
        for vector, previous, size in zip(vectors, sizes[:-1], sizes[1:], strict=True):
            before = {"It is as long as the layer before: the input layer has none.": np.zeros(previous)}
            expect(f"A vector of {call}", vector, np.zeros(size), mistakes=before)


def _explain_count(vectors: list[Any]) -> str:
    """Return which kind of mistake the number of bias vectors shows."""
    if vectors and all(isinstance(vector, int | float | np.number) for vector in vectors):
        return "These are numbers: put one vector for each layer into a list."
    return "Every layer after the input layer has one, the output layer too."


@check("utils.create_batches")
def test_create_batches(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`create_batches` cuts data and labels into batches of the size asked for; the last one takes what is left."""
    missing: list[StudentFault] = []
    for sizes in ((10, 3), (12, 4), (5, 8), (7, 1), (1, 1), (101, 16)):
        for one_hot in (True, False):
            try:
                expect_batches(student, ("utils", "create_batches"), sizes, rng, note, one_hot=one_hot)
            except LastBatchMissing as fault:
                missing.append(fault)
    if missing:
        note.credit(0.5, "all batches but the last are as they have to be")
        raise missing[0]


def _addends(rng: np.random.Generator) -> dict[str, tuple[Any, Any, Any]]:
    """Return name -> two lists and their sum, made backwards: a sum is cut in two."""

    def cut(*shapes: tuple[int, ...]) -> tuple[list[Array], list[Array], list[Array]]:
        wholes = [rng.normal(size=shape) for shape in shapes]
        parts = [rng.normal(size=shape) for shape in shapes]
        return parts, [wholes[index] - part for index, part in enumerate(parts)], wholes

    one, other, whole = cut((5,))
    return {
        "two lists of numbers": ([1, 2.5, -3], [10, 20, 30], [11, 22.5, 27]),
        "two arrays": (one[0], other[0], list(whole[0])),
        "lists of one array": cut((2, 3)),
        "lists of arrays of one shape": cut(*[(3, 2)] * 4),
        "lists of arrays of different shapes": cut((784, 16), (16,), (16, 10), (10,)),
    }


@check("utils.add_elementwise")
def test_add_elementwise(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`add_elementwise(list1, list2)` returns the list of sums, also of arrays whose shapes differ along the list."""
    for name, (one, other, right) in _addends(rng).items():
        answer = student.utils.add_elementwise.call(one, other, watch_inputs=True)
        note.flag_overwritten(answer, "add_elementwise")
        call = f"`add_elementwise` of {name}"
        got = weights.expect_items(call, answer.value)
        concatenated = "The lists were joined, not added." if len(got) == 2 * len(right) else ""
        if concatenated:
            fail(f"{call} returned {len(got)} items.", expected=len(right), got=len(got), hint=concatenated)
        expect(call, got, right, rtol=RTOL, atol=ATOL)
