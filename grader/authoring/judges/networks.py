"""Judge the parts of networks: entrywise functions, batches of samples, weights and biases.

An entrywise function, such as an activation, must be right for arrays of any shape. Data and labels must be cut into
the same batches, without losing a sample. Weights and biases must fit the layers; random weights must be uniform.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from grader.authoring import Answer, Array, Finding, Foreign, Note, Student, StudentFault, expect, fail, hinted
from grader.authoring.comparison import as_array, as_numbers, describe, is_inexact

RTOL, ATOL = 1e-6, 1e-7  # loose enough for float32, and for formulas that lose the last digits near 0 and 1
Call = Callable[[Any], Answer]
Solve = Callable[[Array], tuple[Array, Mapping[str, Array]]]
"""Takes an array of float64; returns the right array, and sentence -> the array that this mistake gives."""
BATCH_SIZES = ((10, 3), (12, 4), (5, 8), (7, 1), (1, 1), (101, 16))  # the number of samples, and the size of a batch
CHANCE = 1e-9  # weights are called wrong if random ones would look like this with a smaller probability
ROUNDING = 1e-6
FOLLOWS = 0.9  # a correlation that many independent numbers never reach
UNIT = 2.0**-53  # half the distance from 1 to the next float64
IMAGINARY_STEP = 1e-30


def logistic(z: Array) -> Array:
    """Return 1 / (1 + e^-z)."""
    return np.asarray(1 / (1 + np.exp(-z)))


def differentiate_analytic(value: Callable[[Array], Array], x: Array) -> Array:
    """Return the exact derivatives of an entrywise function that also accepts complex numbers.

    f'(x) = Im f(x + ih) / h up to O(h²), without differences of near values (Squire and Trapp, SIAM Review 40, 1998).
    """
    return np.imag(value(x + 1j * IMAGINARY_STEP)) / IMAGINARY_STEP


def differentiate_number(value: Callable[[Array], complex], x: Array) -> Array:
    """Return the derivatives of a number by each entry of `x`, of which it is any analytic function; see above."""
    slopes = np.empty(x.shape)
    for place in np.ndindex(x.shape):
        shifted = x.astype(complex)
        shifted[place] += 1j * IMAGINARY_STEP
        slopes[place] = value(shifted).imag / IMAGINARY_STEP
    return slopes


def expect_entrywise(function: str, call: Call, solve: Solve, rng: np.random.Generator, note: Note) -> None:
    """Fail unless a function is right for each entry of arrays; flag it if it is wrong for integers or single numbers.

    The numbers are about -30 to 30. `solve` returns the right array, and those of known mistakes.
    """
    usual = {
        "a vector of 61 numbers from -30 to 30": np.linspace(-30, 30, 61),
        "a 3 × 5 matrix": rng.normal(0, 3, (3, 5)),
        "an array of one element": rng.normal(size=1),
        "a 1000 × 64 matrix": rng.normal(0, 5, (1000, 64)),
    }
    unasked = {"integers": np.arange(-5, 6), "the number 0": 0.0, "a single number": float(rng.uniform(-30, 30))}
    _expect_all(function, call, solve, usual, note)
    try:  # no network calls it with these; the sheet does not say whether they must work
        _expect_all(function, call, solve, unasked, note)
    except StudentFault as fault:
        note.flag(f"{function} is right for arrays of floats, and not for this: {fault.finding.message}")


def _expect_all(function: str, call: Call, solve: Solve, arguments: Mapping[str, Any], note: Note) -> None:
    for name, x in arguments.items():
        answer = call(x)
        note.flag_overwritten(answer, function)
        right, mistakes = solve(np.asarray(x, dtype=float))
        expect(f"`{function}` of {name}", answer.value, right, rtol=RTOL, atol=ATOL, mistakes=mistakes)
        got = as_numbers(answer.value)
        off = float(np.abs(got - right).max())
        if is_inexact(got, off):
            note.flag(f"`{function}` of {name} is off by {off:.1g}, more than float64 leaves: is it a formula?")


def expect_batches(
    student: Student,
    call: tuple[str, str],
    rng: np.random.Generator,
    note: Note,
    *,
    share: float,
    unpacking: tuple[str, str] | None = None,
) -> None:
    """Fail unless a function cuts data and labels into batches, the last one with the rest; flag a changed order.

    The function gets data, labels and the size of a batch. Samples are different rows of numbers, so they are found in
    any order. If the only mistake is that the last, smaller batch is missing, the check gives `share` of the points.
    `unpacking` names a staff function that returns the same batches as tuples: objects of a student's class cannot
    leave the worker.
    """
    ask = partial(_ask, student, call, unpacking)
    calls = [(sizes, one_hot) for sizes in BATCH_SIZES for one_hot in (True, False)]
    found = [_expect_cut(ask, call[1], sizes, rng, note, one_hot=one_hot) for sizes, one_hot in calls]
    if missing := next(filter(None, found), None):
        note.credit(share, "all batches but the last are as they have to be")
        raise StudentFault(missing)


def _ask(student: Student, call: tuple[str, str], unpacking: tuple[str, str] | None, args: tuple[Any, ...]) -> Any:
    batches = student.run(*call, args).value
    if unpacking and isinstance(batches, list | tuple) and any(isinstance(batch, Foreign) for batch in batches):
        return student.run(*unpacking, args).value
    return batches


def _expect_cut(
    ask: Callable[[tuple[Any, ...]], Any],
    function: str,
    sizes: tuple[int, int],
    rng: np.random.Generator,
    note: Note,
    *,
    one_hot: bool,
) -> Finding | None:
    """Judge one call; return a finding if the last, smaller batch is missing, and nothing else is wrong.

    With `one_hot`, each label is a row with a single 1, else a number.
    """
    samples, batch_size = sizes
    data = rng.permutation(samples * 4).reshape(samples, 4) / 8
    labels = np.eye(10)[rng.integers(0, 10, samples)] if one_hot else rng.permutation(samples)
    kind = "one-hot" if one_hot else "plain"
    what = f"`{function}` of {samples} samples and {kind} labels in batches of {batch_size}"
    batches = [_pair(what, batch) for batch in expect_items(what, ask((data, labels, batch_size)))]
    lengths = [len(part) for part, _ in batches]
    full, rest = divmod(samples, batch_size)
    right = [batch_size] * full + ([rest] if rest else [])
    hint = _explain_sizes(lengths, right, batch_size)
    wrong_sizes = Finding(f"{what}: the batches have the wrong sizes.", str(right), str(shorten(lengths)), hint)
    lacks_last = bool(rest) and lengths == right[:-1]
    if not batches and lacks_last:
        return wrong_sizes
    if lengths != right and not lacks_last:
        raise StudentFault(wrong_sizes)
    for part, part_labels in batches:
        if part.shape[1:] != data.shape[1:] or part_labels.shape[1:] != labels.shape[1:]:
            shapes = f"{part.shape} and {part_labels.shape}"
            fail(f"{what}: a batch has the wrong shape.", expected="rows as they came in", got=shapes)
    got_data, got_labels = (np.concatenate(parts) for parts in zip(*batches, strict=True))
    order = [int(np.argmin(np.abs(data - row).sum(axis=1))) for row in got_data]
    if len(set(order)) < len(order) and np.array_equal(got_data, data[order]):
        often = next(row for row in order if order.count(row) > 1)
        hint = f"Batch k begins with sample k * {batch_size}."
        fail(f"{what}: sample {often} comes {order.count(often)} times.", expected="each sample once", hint=hint)
    whole = data[sorted(set(order))] if lacks_last else data
    expect(f"{what}: the array of data", got_data[np.argsort(order, kind="stable")], whole)
    with hinted("Some labels belong to other samples: data and labels must be cut and ordered alike.", always=True):
        expect(f"{what}: the array of labels", got_labels, labels[order])
    if lacks_last:
        return wrong_sizes
    if order != sorted(order) and not note.flags:
        note.flag(f"{function} changes the order of the samples, which keep it by the template; no point is lost")
    return None


def _explain_sizes(lengths: list[int], right: list[int], batch_size: int) -> str:
    """Return a hint for batches of wrong sizes."""
    if lengths == right[:-1]:
        return "The last, smaller batch is missing."
    if sum(lengths) != sum(right):
        return f"Together they hold {sum(lengths)} samples, and there are {sum(right)}."
    if len(lengths) == batch_size != lengths[0]:
        return f"{batch_size} is how many samples a batch holds, not how many batches there are."
    return f"Each holds {batch_size} samples; only the last one may be smaller, and none is empty."


def _pair(call: str, batch: Any) -> tuple[Array, Array]:
    """Return a batch as data and labels, or fail."""
    is_pair = isinstance(batch, list | tuple) and len(batch) == 2  # noqa: PLR2004 - data and labels
    arrays = [as_array(part) for part in batch] if is_pair else []
    good = [array for array in arrays if isinstance(array, np.ndarray) and array.ndim]
    lengths = [len(array) for array in good]
    if not lengths or lengths != lengths[:1] * 2:
        got = f"data of {lengths[0]} and labels of {lengths[1]} rows" if lengths[1:] else describe(batch)
        hint = "`data, labels = batch` must work, with one label for each sample."
        fail(f"{call}: a batch is not a pair (data, labels) of equal length.", got=got, hint=hint)
    return good[0], good[1]


def expect_random_weights(
    student: Student, function: tuple[str, str], networks: Sequence[list[int]], hint: str
) -> None:
    """Fail unless a function draws uniform weights within ±1/√rows for each network, and new ones in every call.

    The function gets the sizes of the layers of each of `networks`. The first matrix of the first network must be large
    enough to test its distribution.
    """
    for sizes in networks:
        for weight in expect_matrices(student, function, sizes):
            bound = 1 / np.sqrt(len(weight))
            if not np.all(np.abs(weight) <= bound * (1 + ROUNDING)):
                rows = len(weight)
                fail(
                    f"`{function[1]}({sizes})`: a matrix of {rows} rows has weights beyond ±1/√{rows}.",
                    expected=f"within ±{bound:.6g}",
                    got=f"from {weight.min():.6g} to {weight.max():.6g}",
                    hint=hint,
                )
    first, second = (expect_matrices(student, function, networks[0]) for _ in range(2))
    if same := [place for place, pair in enumerate(zip(first, second, strict=True)) if np.array_equal(*pair)]:
        where = "" if len(same) == len(first) else f" in matrix {same[0]}"
        seeded = "Is the seed set inside the function?"
        fail(f"`{function[1]}` returns the same numbers on every call{where}.", hint=seeded)
    if are_made(first[0], second[0]):
        fail(f"The numbers of `{function[1]}` follow from each other, or from those of another call.", hint=hint)
    for weight in first:
        _expect_uniform(f"`{function[1]}`", weight, hint)


def are_made(drawn: Array, again: Array) -> bool:
    """Return whether numbers that should be random correlate with those before them, or with those of another call."""
    numbers, others = drawn.ravel(), again.ravel()
    pairs = (numbers, others), (numbers[1:], numbers[:-1])
    with np.errstate(all="ignore"):  # constants have no correlation
        return any(abs(np.corrcoef(*pair)[0, 1]) > FOLLOWS for pair in pairs)


def expect_matrices(student: Student, function: tuple[str, str], sizes: list[int]) -> list[Array]:
    """Return the matrices that a function makes for `sizes`; fail unless their shapes are (sizes[i], sizes[i + 1])."""
    call = f"`{function[1]}({sizes})`"
    items = expect_items(call, student.run(*function, (sizes,)).value)
    shapes, arrays = list(pairwise(sizes)), [as_array(item) for item in items]
    got = [
        array.shape if isinstance(array, np.ndarray) else describe(item)
        for array, item in zip(arrays, items, strict=True)
    ]
    if got != shapes:
        hint = _explain_shapes(got, shapes)
        fail(f"{call} returned wrong shapes.", expected=shorten(shapes), got=shorten(got), hint=hint)
    return [array for array in arrays if isinstance(array, np.ndarray)]


def _explain_shapes(got: list[Any], shapes: list[tuple[int, int]]) -> str:
    """Return a hint for weights of wrong shapes."""
    if got == [shape[::-1] for shape in shapes]:
        return "Each matrix is transposed: rows belong to layer i, columns to layer i + 1."
    if len(got) != len(shapes):
        return f"{len(shapes)} matrices are needed, one between two layers; {len(got)} came back."
    first = next(index for index, (shape, right) in enumerate(zip(got, shapes, strict=True)) if shape != right)
    return f"Matrix {first} connects layer {first} with layer {first + 1}: its shape follows from their sizes."


def expect_vectors(student: Student, function: tuple[str, str], sizes: list[int]) -> list[Any]:
    """Return the vectors that a function makes for `sizes`, one for each layer after the first; fail for others.

    One more vector in front, for the first layer, is left out: networks that count layers from 0 never read it.
    """
    call = f"`{function[1]}({sizes})`"
    vectors = expect_items(call, student.run(*function, (sizes,)).value)
    if len(vectors) == len(sizes):
        vectors = vectors[1:]
    if len(vectors) != len(sizes) - 1:
        hint = "Each layer but the input has a vector, the output layer, too."
        if vectors and all(isinstance(vector, int | float | np.number) for vector in vectors):
            hint = "The items are numbers: return a list of vectors, one a layer."
        wanted = len(sizes) - 1
        expected = f"{wanted}, one per layer 1 … L"
        fail(f"{call} returned {len(vectors)} items, not {wanted}.", expected=expected, got=len(vectors), hint=hint)
    return vectors


def expect_items(call: str, value: Any) -> list[Any]:
    """Return the items of a list, tuple or array; fail for any other value."""
    if isinstance(value, list | tuple) or (isinstance(value, np.ndarray) and value.ndim):
        return list(value)
    missing = "Is a return statement missing?" if value is None else ""
    hint = "Wrap it in list(...)." if isinstance(value, Foreign) else missing
    return fail(f"{call} has to return a list.", got=describe(value), hint=hint)


def shorten(shapes: list[Any]) -> str:
    """Return the first six shapes or sizes of a list as a text."""
    return ", ".join(str(shape) for shape in shapes[:6]) + (", …" if len(shapes) > 6 else "")  # noqa: PLR2004 - display


def _expect_uniform(what: str, weight: Array, hint: str) -> None:
    """Fail if weights are not uniform within ±1/√rows, by the Kolmogorov-Smirnov test.

    n independent weights have a distance of d or more from the uniform distribution with a probability of at most
    2·exp(-2·n·d²), for every n: Massart, The tight constant in the Dvoretzky-Kiefer-Wolfowitz inequality, 1990.
    """
    bound = 1 / np.sqrt(len(weight))
    shares = (np.sort(weight, axis=None) + bound) / (2 * bound)
    steps = np.arange(shares.size + 1) / shares.size
    distance = max((steps[1:] - shares).max(), (shares - steps[:-1]).max())
    if 2 * np.exp(-2 * shares.size * distance**2) < CHANCE:
        fail(
            f"{what} are not uniform within ±1/√rows.",
            expected=f"mean 0, standard deviation {bound / np.sqrt(3):.4g}",
            got=f"mean {weight.mean():.4g}, standard deviation {weight.std():.4g}",
            hint=hint,
        )
