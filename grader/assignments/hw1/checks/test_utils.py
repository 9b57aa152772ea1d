"""Part 1: the functions of utils.py, one check each."""

from typing import Any

import numpy as np

from grader.authoring import Array, Note, Student, StudentFault, StudentRaised, StudentTooSlow, check, expect, fail
from grader.authoring.comparison import difference
from grader.authoring.judges import networks
from grader.authoring.judges.substitutes import Runner

MODULE = "utils"
NETWORKS = ([784, 128, 64, 10], [3, 1, 5], [7, 4], [1, 1], [300, 200, 2])  # neurons in each layer


def _solve_sigmoid(x: Array) -> tuple[Array, dict[str, Array]]:
    return networks.logistic(x), {
        "This is tanh, a similar curve, but from -1 to 1.": np.tanh(x),
        "It falls where the sigmoid rises: look at the sign of the exponent.": networks.logistic(-x),
        "Division comes before addition: put the divisor in parentheses.": 1 / 1 + np.exp(-x),
    }


def _solve_slope(x: Array) -> tuple[Array, dict[str, Array]]:
    return networks.differentiate_analytic(networks.logistic, x), {
        "This is x·(1 - x): right for an activation, but x is the input of the sigmoid.": x * (1 - x),
        "This is the sigmoid itself, not its derivative.": networks.logistic(x),
        "Multiplication comes before subtraction: 1 - s needs parentheses.": np.zeros_like(x),
    }


@check("utils.sigmoid")
def test_sigmoid(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`sigmoid(x)` returns 1 / (1 + e^-x), for arrays of any shape."""
    networks.expect_entrywise(
        "sigmoid", lambda x: student.run(MODULE, "sigmoid", (x,), watch_inputs=True), _solve_sigmoid, rng, note
    )
    hint = "No points depend on it."
    try:  # the sheet's formula overflows there, and with `math.exp` it raises
        far = student.utils.sigmoid(np.array([-1000.0, 1000.0]))
        if wrong := difference(far, np.array([0.0, 1.0]), rtol=1e-5, atol=1e-8):
            note.remark("At -1000 and 1000 the result is not 0 and 1.", got=wrong.got, hint=hint)
    except StudentRaised as raised:
        note.remark("At ±1000 it raises an exception.", got=raised.finding.message, hint=hint)
    if "RuntimeWarning" in student.output:
        note.remark("NumPy warned of an overflow: usual for large negative x, and no point is lost.")


@check("utils.sigmoid_prime")
def test_sigmoid_prime(student: Student, runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`sigmoid_prime(x)` returns the derivative of the sigmoid at x."""
    student.load(MODULE)  # another sigmoid does not help a file that cannot be imported
    try:
        networks.expect_entrywise(
            "sigmoid_prime", lambda x: student.run(MODULE, "sigmoid_prime", (x,)), _solve_slope, rng, note
        )
    except StudentFault as fault:
        helped = runner.without("utils.sigmoid")  # which may be wrong, or overwrite its argument
        if not helped.replaced or (isinstance(fault, StudentTooSlow) and note.passed.get("utils.sigmoid")):
            raise  # a kit has no other, and a function that does not end is waited for once

        def call(x: Any) -> Any:
            function, args = helped.wrapped((MODULE, "sigmoid_prime"), (x,))
            return student.ask_whole(*function, args)

        try:
            networks.expect_entrywise("sigmoid_prime", call, _solve_slope, rng, note)
        except StudentFault:
            raise fault from None
        helped.remark(note)


@check("utils.random_weights")
def test_random_weights(student: Student) -> None:
    """`random_weights(sizes)` returns one matrix per pair of layers, uniform in ±1/√rows and new on every call."""
    hint = "Return xavier_initialization(rows, columns) as it comes, and leave that function as it was given."
    networks.expect_random_weights(student, (MODULE, "random_weights"), NETWORKS, hint)


@check("utils.zeros_weights")
def test_zeros_weights(student: Student) -> None:
    """`zeros_weights(sizes)` returns one matrix of zeros per pair of layers, of shape (sizes[i], sizes[i + 1])."""
    for sizes in NETWORKS:
        for weight in networks.expect_matrices(student, (MODULE, "zeros_weights"), sizes):
            expect(f"`zeros_weights({sizes})`", weight, np.zeros(weight.shape))


@check("utils.zeros_biases")
def test_zeros_biases(student: Student, note: Note) -> None:
    """`zeros_biases(sizes)` returns one vector of zeros per layer after the input layer."""
    for sizes in NETWORKS:
        vectors = networks.expect_vectors(student, (MODULE, "zeros_biases"), sizes)
        for vector, previous, size in zip(vectors, sizes[:-1], sizes[1:], strict=True):
            before = {"It has the length of the layer before: use sizes[1:].": np.zeros(previous)}
            expect(f"A vector of `zeros_biases({sizes})`", vector, np.zeros(size), mistakes=before)
    if len(student.run(MODULE, "zeros_biases", (sizes,)).value) == len(sizes):
        note.remark(
            "`zeros_biases` returns one vector more than the sheet's L, for the input layer, which has no biases. "
            "It is left out, and no point is lost."
        )


@check("utils.create_batches")
def test_create_batches(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`create_batches` cuts data and labels into batches of the size asked for; the last one takes what is left."""
    call, unpacking = (MODULE, "create_batches"), ("unpacked", "create_batches")
    networks.expect_batches(student, call, rng, note, share=0.5, unpacking=unpacking)


def _addends(rng: np.random.Generator) -> dict[str, tuple[Any, Any, Any]]:
    """Return name -> two lists and their sum, made backwards: a sum is cut in two."""

    def cut(*shapes: tuple[int, ...]) -> tuple[list[Array], list[Array], list[Array]]:
        wholes = [rng.normal(size=shape) for shape in shapes]
        parts = [rng.normal(size=shape) for shape in shapes]
        return parts, [wholes[index] - part for index, part in enumerate(parts)], wholes

    return {
        "two lists of numbers": ([1, 2.5, -3], [10, 20, 30], [11, 22.5, 27]),
        "lists of one array": cut((2, 3)),
        "lists of arrays of one shape": cut(*[(3, 2)] * 4),
        "lists of arrays of different shapes": cut((784, 16), (16,), (16, 10), (10,)),
    }


@check("utils.add_elementwise")
def test_add_elementwise(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`add_elementwise(list1, list2)` returns the list of sums, also of arrays whose shapes differ along the list."""
    for name, (left, right, sums) in _addends(rng).items():
        answer = student.run(MODULE, "add_elementwise", (left, right), watch_inputs=True)
        note.flag_overwritten(answer, "add_elementwise")
        call = f"`add_elementwise` of {name}"
        got = networks.expect_items(call, answer.value)
        if len(got) == 2 * len(sums):
            hint = "The lists were joined, not added."
            fail(f"{call} returned {len(got)} items.", expected=len(sums), got=len(got), hint=hint)
        expect(call, got, sums, rtol=networks.RTOL, atol=networks.ATOL)
    first, second = rng.normal(size=(2, 5))  # the sheet speaks of lists, not of arrays
    try:
        got = networks.expect_items("It", student.utils.add_elementwise(first, second))
        expect("It", got, list(first + second), rtol=networks.RTOL)
    except StudentFault as fault:
        hint = "No points depend on it: the sheet asks for lists."
        note.remark("It is right for lists, and not for two arrays.", got=fault.finding.message, hint=hint)
