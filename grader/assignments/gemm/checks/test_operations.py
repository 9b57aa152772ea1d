"""Part 4: convolution, a linear neuron and attention, as matrix products by the submission's own `gemm`."""

from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np

from grader.assignments.gemm import answers, convolution
from grader.assignments.gemm.convolution import Convolution
from grader.authoring import Array, Note, StudentFault, attempt, check, expect
from grader.authoring.comparison import as_numbers
from grader.authoring.judges.substitutes import Runner

MODULE = "operation_scenarios"
GEMM = ("gemm", "gemm")
CASES = (((3, 9, 11), (4, 3, 2), 1, 0), ((2, 12, 9), (3, 3, 4), 2, 1), ((1, 6, 10), (2, 3, 3), 3, 2))
"""Image, kernels, stride and padding: neither image, kernels nor results are square, but for one kernel."""
SQUARE = (
    ((3, 9, 8), (4, 3, 2), 1, 0),
    ((2, 8, 9), (3, 3, 4), 2, 1),
    ((1, 6, 7), (2, 3, 3), 3, 2),
    ((2, 7, 9), (3, 1, 3), 1, 0),
)
"""Cases with square results, for submissions that confuse height and width and have failed a check for that. In the
last one, kernels have one row, so that their numbers have one order only.
"""
_WINDOWS = (
    "The first window begins `padding` before the edge, each next one `stride` further; the last that fits counts."
)
_LINEAR = {
    "dX": "Each number of X gets the sum over all windows that it is in, and those of the padding are left out.",
    "dK": "Each number of K gets the sum of dY times the numbers of X that it meets.",
}
_SIGN = "The sign is wrong: a - y, and not y - a."
_HALF = "The 2 of the square's derivative is missing."


def _orders(matrix: Array, rows: int) -> tuple[Array, Array]:
    """Return an array as a matrix of `rows` rows, and its transpose: a product may be laid out either way."""
    flat = matrix.reshape(rows, -1)
    return flat, np.ascontiguousarray(flat.T)


@check("operations.convolve")
def test_convolve(runner: Runner, kernels: frozenset[str], rng: np.random.Generator, note: Note) -> None:
    """`convolve(X, K, stride, padding)` is right, as one product by your `gemm`."""
    uses = (("operations", "convolve"), GEMM)
    for sizes in CASES:
        case = convolution.draw(rng, *sizes)
        args = (case.X, case.K, case.stride, case.padding)
        run = runner.run((MODULE, "convolve"), args, uses, f"`convolve` of {case.words}")
        right = convolution.convolve(case.X, case.K, case.stride, case.padding)
        mistakes, hints = {"Y": _mistakes(case)}, {"Y": _WINDOWS}
        convolved = answers.expect_near(run, {"Y": right}, note, mistakes=mistakes, hints=hints)
        answers.expect_no_product_of_numpy(convolved, ["Y"])
        factors = case.K, case.X
        answers.expect_products(
            convolved, kernels, {"the convolution": (_orders(right, len(right)), factors)}, note, is_only_way=False
        )
        answers.flag_other_sums(convolved, kernels, factors, note)
    runner.remark(note)


def _mistakes(case: Convolution) -> dict[str, Array]:
    X, K, stride, padding = case.X, case.K, case.stride, case.padding
    filters, channels, height, width = K.shape
    others = {
        "The kernel is turned round: in networks, K[i, j] meets X[p + i, q + j].": K[:, :, ::-1, ::-1],
        "Rows and columns of the kernel are exchanged: in K, and in each window, j changes faster than i.": K.reshape(
            filters, channels, width, height
        ).swapaxes(2, 3),
        "Your windows have the channels last, and the kernels have them first.": K.reshape(
            filters, height, width, channels
        ).transpose(0, 3, 1, 2),
    }
    return {hint: convolution.convolve(X, other, stride, padding) for hint, other in others.items()}


@check("operations.gradients")
def test_gradients(runner: Runner, kernels: frozenset[str], rng: np.random.Generator, note: Note) -> None:
    """`convolve_gradients` returns the derivatives by image and kernels, with its products by your `gemm`."""
    if note.passed.get("operations.convolve", True):
        for sizes in CASES:
            case = convolution.draw(rng, *sizes)
            _expect_gradients(runner, kernels, case, case.dY, note)
    else:
        _expect_some_gradients(runner, kernels, [convolution.draw(rng, *sizes) for sizes in SQUARE], note)
    runner.remark(note)


def _expect_gradients(runner: Runner, kernels: frozenset[str], case: Convolution, dY: Array, note: Note) -> None:
    """Fail unless the derivatives are right, where `dY` is what the submission gets of `case.dY`."""
    args, uses = (case.X, case.K, dY, case.stride, case.padding), (("operations", "convolve_gradients"), GEMM)
    run = runner.run((MODULE, "convolve_gradients"), args, uses, f"`convolve_gradients` of {case.words}")
    right = case.differentiate()
    back = answers.expect_near(run, right, note, hints=_LINEAR)
    answers.expect_no_product_of_numpy(back, ["dX", "dK"])
    dK = right["dK"]
    forms, factors = (*_orders(dK, len(dK)), *_orders(dK.transpose(0, 2, 3, 1), len(dK))), (case.dY, case.X)
    answers.expect_products(back, kernels, {"dK": (forms, factors)}, note, is_only_way=False)
    answers.flag_other_sums(back, kernels, factors, note)


def _expect_some_gradients(runner: Runner, kernels: frozenset[str], cases: list[Convolution], note: Note) -> None:
    """Fail if derivatives are wrong where `convolve` is right, or everywhere: one mistake in both costs points once."""
    faults = {}
    for case in cases:
        try:
            _expect_gradients(runner, kernels, case, case.dY, note)
        except StudentFault as fault:
            right = convolution.convolve(case.X, case.K, case.stride, case.padding)
            args, uses = (case.X, case.K, case.stride, case.padding), (("operations", "convolve"), GEMM)
            run = attempt(partial(runner.run, (MODULE, "convolve"), args, uses, "`convolve`"), None)
            own = as_numbers(run.value.get("Y")) if run else right[:0]
            if own.shape == right.shape and np.allclose(own, right, atol=answers.SHARE * np.abs(right).max()):
                raise
            if own.shape != right[:, 1:, 1:].shape or not _fit_without_last(runner, kernels, case, note):
                faults[case.words] = fault
    if len(faults) == len(cases):
        raise next(iter(faults.values()))
    if faults:
        note.flag(f"`convolve` and `convolve_gradients` are wrong for {'; '.join(faults)}: is it one mistake?")


def _fit_without_last(runner: Runner, kernels: frozenset[str], case: Convolution, note: Note) -> bool:
    """Return whether the derivatives are right for a dY without the last windows of rows and columns."""
    dY = np.ascontiguousarray(case.dY[:, :-1, :-1])
    judged = replace(case, dY=np.pad(dY, ((0, 0), (0, 1), (0, 1))))
    with suppress(StudentFault):
        _expect_gradients(runner, kernels, judged, dY, note)
        return True
    return False


@check("operations.neuron")
def test_neuron(runner: Runner, kernels: frozenset[str], rng: np.random.Generator, note: Note) -> None:
    """A linear neuron's `predict` and `neuron_gradients` are right, for one input and for several."""
    uses = (("operations", "predict"), ("operations", "neuron_gradients"), GEMM)
    for inputs, samples in ((1, 2), (1, 40), (7, 23)):
        w, b, y = rng.normal(size=inputs), float(rng.normal()), rng.normal(size=samples)
        X = rng.normal(size=(inputs, samples))
        run = runner.run((MODULE, "neuron"), (w, b, X, y), uses, f"A neuron with w of {w.shape}, X of {X.shape}")
        a = w @ X + b
        off = a - y
        dw, db = 2 / samples * X @ off, np.array(2 * off.mean())
        mistakes = {
            "a": {"The bias is missing.": w @ X},
            "dw": {"This is the sum; the error is the mean over the samples.": dw * samples, _HALF: dw / 2, _SIGN: -dw},
            "db": {_HALF: db / 2, _SIGN: -db},
        }
        neuron = answers.expect_near(run, {"a": a, "dw": dw, "db": db}, note, mistakes=mistakes)
        answers.expect_no_product_of_numpy(neuron, ["a", "dw"])
        if inputs > 1:
            forward = [*_orders(a - b, 1), *_orders(a, 1)]
            wanted = {"wᵀ X": (forward, (X, w)), "the sum of x (a - y)": (_orders(dw, 1), (X, off))}
            answers.expect_products(neuron, kernels, wanted, note, is_only_way=False)
            answers.flag_other_sums(neuron, kernels, (X, w), note)
    runner.remark(note)


@check("operations.attention")
def test_attention(runner: Runner, kernels: frozenset[str], rng: np.random.Generator, note: Note) -> None:
    """`attend(Q, K, V)` returns softmax(Q Kᵀ / √d) V, both products by your `gemm`."""
    uses = (("operations", "attend"), GEMM)
    Q, K, V = rng.normal(size=(11, 6)), rng.normal(size=(9, 6)), rng.normal(size=(9, 5))
    run = runner.run((MODULE, "attend"), (Q, K, V), uses, "`attend`")
    scores = Q @ K.T
    right, powers = _softmax(scores / np.sqrt(6)) @ V, np.exp(scores / np.sqrt(6))
    mistakes = {
        "1/√d is missing.": _softmax(scores) @ V,
        "The scores are divided by d, not by √d.": _softmax(scores / 6) @ V,
        "The softmax runs down the columns: let each row add up to 1.": powers / powers.sum(axis=0) @ V,
    }
    attended = answers.expect_near(run, {"out": right}, note, mistakes={"out": mistakes})
    answers.expect_no_product_of_numpy(attended, ["out"])
    largest = np.exp((scores - scores.max(axis=1, keepdims=True)) / np.sqrt(6))
    products = [right, largest @ V, powers @ V]  # rows may be divided before or after this product
    with_V = [*products, *(product.T for product in products)]
    with_K = [scores, scores.T, scores / np.sqrt(6), scores.T / np.sqrt(6)]  # the search for blocks allows no factor
    wanted = {"Q Kᵀ": (with_K, (Q, K)), "the product with V": (with_V, (V,))}
    answers.expect_products(attended, kernels, wanted, note, is_only_way=False)
    answers.flag_other_sums(attended, kernels, (Q, K, V), note)
    large = runner.run((MODULE, "attend"), (1000 * Q, K, V), uses, "`attend` of large numbers")
    right = _softmax(1000 * scores / np.sqrt(6)) @ V
    expect(f"{large.subject}: out", large.value.get("out"), right, atol=answers.SHARE * float(np.abs(right).max()))
    runner.remark(note)


def _softmax(scores: Array) -> Array:
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
