"""Part 2: a network of two layers, forward and backward, on the submission's own products."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from grader.assignments.gemm import answers, network, recipe
from grader.assignments.gemm.network import Network
from grader.authoring import Array, Note, check, expect, fail, first_that_runs, hinted
from grader.authoring.comparison import as_numbers
from grader.authoring.judges import chains, networks, scenarios
from grader.authoring.judges.substitutes import Runner

MODULE = "mlp_scenarios"
FORWARD = (("mlp", "forward"), ("gemm", "gemm"))
BACKWARD = (("mlp", "gradients"), *FORWARD)
FAR_BELOW = 10_000  # so far below 0, the power of every score is 0
_OWN_LARGEST = "Subtract from each column its own largest score before you take powers: they all stay below 1."
_FIRST_SCORE = "A column's largest score may be far below 0: let the search begin with its first score, and not with 0."
HIGHER = 0.3  # 0.9 for right code, about 0 for numbers that do not depend on the scores; `mlp.forward` asks for more


@check("mlp.forward")
def test_forward(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`forward` returns A1 = sigmoid(W1 X + b1) and P = softmax(W2 A1 + b2), both computed by kernels."""
    for _ in range(2):  # a submission may keep numbers of the first call
        net = network.draw(rng)
        run = runner.run((MODULE, "forward"), (net.parameters, net.X), FORWARD, "`forward`")
        forward = answers.expect_near(run, net.forward(), note, mistakes=_mistakes_forward(net))
        chains.expect_made_by_kernels(forward, ["A1", "P"], (*net.parameters, net.X), note)
    runner.remark(note)


def _mistakes_forward(net: Network) -> dict[str, dict[str, Array]]:
    W1, b1, W2, b2 = net.parameters
    A1 = net.forward()["A1"]
    powers = np.exp(W2 @ A1 + b2)
    return {
        "A1": {
            "The bias is missing.": network.forward((W1, 0 * b1, W2, b2), net.X)[0],
            "This is tanh; the sigmoid is 1 / (1 + e^-z).": np.tanh(W1 @ net.X + b1),
            "The exponent has the wrong sign.": 1 - A1,
        },
        "P": {
            "The bias is missing.": network.forward((W1, b1, W2, 0 * b2), net.X)[1],
            "This adds up to 1 in each row; columns are samples.": powers / powers.sum(axis=1, keepdims=True),
            "These are the powers; divide each by the sum of its column.": powers,
        },
    }


@check("mlp.extremes")
def test_extremes(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """The probabilities are numbers for large scores, too: e^1000 is more than a float64 can hold."""
    net = network.draw(rng, scale=300.0)
    W1, b1, W2, b2 = net.parameters
    _expect_probabilities(runner, net, "scores of up to some thousands", _OWN_LARGEST)
    if not note.passed.get("mlp.forward", True):
        return  # a wrong P may well be 0 far below
    low = replace(net, parameters=(W1, b1, W2, b2 - FAR_BELOW))
    _expect_probabilities(runner, low, f"very negative scores only, about -{FAR_BELOW:,}", _FIRST_SCORE)


def _expect_probabilities(runner: Runner, net: Network, scores: str, hint: str) -> None:
    """Fail unless P holds probabilities, and are high where the `scores` are."""
    run = runner.run((MODULE, "forward"), (net.parameters, net.X), FORWARD, f"`forward` with {scores}")
    hidden, got = as_numbers(run.value.get("A1")), as_numbers(run.value.get("P"))
    shape = (recipe.CLASSES, recipe.SAMPLES)
    if got.shape != shape == hidden.shape:  # exchanged: another check fails for that
        hidden, got = got, hidden
    if got.shape != shape:
        fail(f"`forward` did not return P of shape {shape}.", got=str(run.value.get("P"))[:100])
    if not (np.isfinite(got) & (got >= 0) & (got <= 1)).all():
        odd, outside = int((~np.isfinite(got)).sum()), int(((got < 0) | (got > 1)).sum())
        fail(
            f"{run.subject}: P holds numbers that are not probabilities.",
            expected="numbers from 0 to 1",
            got=f"{odd} entries that are NaN or infinite" if odd else f"{outside} entries below 0 or above 1",
            hint=hint,
        )
    fits = hidden.shape == (recipe.HIDDEN, recipe.SAMPLES)  # likewise, if not
    Z2 = net.parameters[2] @ (hidden if fits else net.forward()["A1"]) + net.parameters[3]
    if not _follows(got, Z2, 0) and not _follows(got, Z2, 1):  # along rows: likewise
        fail(f"{run.subject}: P is not largest where W2 A1 + b2 is.", hint=hint)


def _follows(P: Array, scores: Array, axis: int) -> bool:
    """Return whether P is higher where a column (axis 0) or a row (1) has its largest score than it is on average."""
    top = np.take_along_axis(P, scores.argmax(axis=axis, keepdims=True), axis)
    return bool(top.mean() - P.mean() > HIGHER * P.max())


@check("mlp.loss")
def test_loss(runner: Runner, rng: np.random.Generator) -> None:
    """`loss` returns J: the mean cross-entropy and λ/2 times the sum of all squares."""
    net = network.draw(rng)
    P = net.forward()["P"]
    data = network.cross_entropy(P, net.Y).real
    squares = sum(float((parameter**2).sum()) for parameter in net.parameters)
    weights = sum(float((parameter**2).sum()) for parameter in net.parameters[::2])
    run = runner.run((MODULE, "loss"), (net.parameters, P, net.Y, net.lam), [("mlp", "loss")], "`loss`")
    mistakes = {
        "λ/2, not λ, is the factor of the squares.": np.array(data + net.lam * squares),
        "The regularisation is missing.": np.array(data),
        "Biases are parameters, too: the text regularises all of p.": np.array(data + net.lam / 2 * weights),
        "This is the sum over the samples; J has their mean.": np.array(data * recipe.SAMPLES + net.lam / 2 * squares),
        "These are logarithms to base 2: take natural ones.": np.array(data / np.log(2) + net.lam / 2 * squares),
        "The mean is over the classes, too: divide by samples only.": np.array(data / len(P) + net.lam / 2 * squares),
        "The sign is lost: logarithms of probabilities are negative.": np.array(-data + net.lam / 2 * squares),
    }
    expect("`loss`", run.value.get("J"), net.loss(), rtol=answers.SHARE, mistakes=mistakes)


@check("mlp.gradients")
def test_gradients(back_with: Runner, rng: np.random.Generator, note: Note) -> None:
    """`gradients` returns the derivatives of J by W1, b1, W2 and b2, computed by kernels."""
    for _ in range(2):
        net = network.draw(rng)
        run = back_with.run((MODULE, "gradients"), (net.parameters, net.X, net.Y, net.lam), BACKWARD, "`gradients`")
        right = net.differentiate()
        back = answers.expect_near(run, right, note, mistakes=_mistakes_back(net, right))
        with hinted("`gradients` leaves the parameters alone: give each derivative memory of its own."):
            for name, old in net.named().items():
                expect(f"`gradients`: {name} afterwards", run.value.get(name), old, rtol=answers.SHARE)
        largest = max(float(np.abs(value).max()) for value in right.values())
        bound = net.roundings() * networks.UNIT * largest  # of the derivatives by complex steps
        off = max(float(np.abs(as_numbers(run.value[name]) - value).max()) for name, value in right.items())
        note.fact("off_complex_steps", {"largest": off, "bound_of_steps": bound})
        plain = (*net.parameters, net.X, net.Y, *net.forward().values())
        known = (*plain, *(np.ascontiguousarray(array.T) for array in plain))
        chains.expect_made_by_kernels(back, right, known, note)
    back_with.remark(note)


def _mistakes_back(net: Network, right: Mapping[str, Array]) -> dict[str, dict[str, Array]]:
    plain = replace(net, lam=0.0).differentiate()
    m = recipe.SAMPLES
    mistakes = {}
    for name, old in zip(right, net.parameters, strict=True):
        mistakes[name] = {
            "λ times the parameter is missing.": plain[name],
            "This is the sum over the samples; J has their mean.": plain[name] * m + net.lam * old,
            "Divide the sum over the samples by m, and not λ p.": plain[name] + net.lam / m * old,
            "The derivative of λ/2 p² is λ p.": plain[name] + net.lam / 2 * old,
            "The sign is wrong: P - Y, and not Y - P.": -plain[name] + net.lam * old,
        }
    W1, b1, W2, _ = net.parameters
    A1, P = net.forward().values()
    back = W2.T @ (P - net.Y) / m * (1 - A1**2)
    hint = "The slope of the sigmoid is A1 (1 - A1); 1 - A1² is that of tanh."
    mistakes["dW1"][hint] = back @ net.X.T + net.lam * W1
    mistakes["db1"][hint] = back.sum(axis=1, keepdims=True) + net.lam * b1
    return mistakes


@check("mlp.update")
def test_update(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`update` takes learning_rate times the derivative from each parameter, in place, by kernels."""
    net, rate = network.draw(rng), 0.25
    slopes = [rng.normal(size=parameter.shape) for parameter in net.parameters]
    run = runner.run((MODULE, "update"), (net.parameters, slopes, rate), [("mlp", "update")], "`update`")
    triples = list(zip(network.NAMES, net.parameters, slopes, strict=True))
    mistakes = {
        name: {
            "This step goes uphill: subtract the gradient.": old + rate * slope,
            "It has not changed: each parameter takes a step, in place.": old,
            "The learning rate is missing.": old - slope,
        }
        for name, old, slope in triples
    }
    right = {name: old - rate * slope for name, old, slope in triples}
    update = answers.expect_near(run, right, note, mistakes=mistakes)
    chains.expect_made_by_kernels(update, right, (*net.parameters, *slopes), note)


@check("mlp.products")
def test_products(trained_with: Runner, kernels: frozenset[str], rng: np.random.Generator, note: Note) -> None:
    """The products of the network, W1 X and W2 A1, dW1 and dW2, are computed by your own `gemm`."""
    runner = trained_with.only("gemm.gemm", "mlp.forward")

    def differentiate(sizes: tuple[int, int, int, int]) -> tuple[Network, scenarios.SceneRun]:
        drawn = network.draw(rng, sizes=sizes)
        args = (drawn.parameters, drawn.X, drawn.Y, drawn.lam)
        return drawn, runner.run((MODULE, "gradients"), args, BACKWARD, "`gradients`")

    net, run = first_that_runs(differentiate, network.SIZES, (recipe.CLASSES,) * 4)  # other factors may not fit
    W1, b1, W2, b2 = net.parameters
    right, plain = net.differentiate(), replace(net, lam=0.0).differentiate()
    back = answers.expect_near(run, right, note, "mlp.gradients")
    if not back.seen.launches:
        fail("`gradients` launches no kernel.", hint="Call `gemm` for each product of matrices.")
    wanted: dict[str, answers.Wanted] = {}
    A1, P = net.forward().values()
    for name, factors in (("dW1", (net.X,)), ("dW2", (A1, P - net.Y))):
        own = as_numbers(run.value.get(name))  # another check fails if it is wrong
        forms = right[name], plain[name], right[name].T, plain[name].T, *([own] if own.size else [])
        wanted[name] = forms, factors
    if "mlp.forward" not in runner.replaced:
        for words, W, A, bias in (("W1 X", W1, net.X, b1), ("W2 A1", W2, A1, b2)):
            product = W @ A
            wanted[words] = (product, product + bias, product.T, (product + bias).T), (W, A)
    answers.expect_products(back, kernels, wanted, note)
