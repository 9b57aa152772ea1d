"""Part 5: the data set, the network and its training."""

import itertools
from collections import Counter
from typing import Any

import numpy as np

from grader.assignments.layers import inputs, parts, recipe
from grader.authoring import Array, Note, StudentRaised, check, expect, fail
from grader.authoring.comparison import as_numbers
from grader.authoring.judges import makers
from grader.authoring.judges.scenarios import Watched
from grader.authoring.judges.substitutes import Runner, find_wrong

MODULE = "network_scenarios"
DATASET = (("dataset", "Dataset"), *recipe.MATRIX)
PARTS = (
    *("linear.forward.cpu", "linear.backward.cpu", "relu.cpu", "sigmoid.cpu"),
    *("linear.forward.gpu", "linear.backward.gpu", "relu.gpu", "sigmoid.gpu"),
    *("linear.update", "loss.gradient"),
)
"""The checks of all parts that a step of training uses, on either path."""
ENOUGH_COPIES = {"to device": 5, "to host": 4}
"""For a step of training; a layer whose work begins and ends on the host needs up to twice as many."""
_IN_TURN = "forward from the first layer to the last, backward from the last to the first; hand cpu_only on."
_LEFT_ALONE = "Leave the list of layers as it is: .reverse() turns it round for the next batch, too; use reversed()."
WEIGHTS = "W1", "W2"
PATHS = 1e-3  # how far weights of size 1 may be apart after a step on either path: kernels may use float32
SPREAD = 0.21
"""How far a share of 250 points may be from what is expected: by Hoeffding, chance exceeds it less than once in 1e9."""


@check("dataset.points")
def test_points(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`Dataset` draws points from all of the square by its seed, and labels them by their quadrants."""
    seed = int(rng.integers(1, 1000))
    batches = _batches(runner, 250, 100, seed)
    sizes = [X.shape for X, _ in batches]
    if sizes != [(2, 100), (2, 100), (2, 50)]:
        fail(
            "`Dataset(250, 100, seed).batches` has batches of the wrong sizes.",
            expected="points of shapes (2, 100), (2, 100) and (2, 50)",
            got=", ".join(map(str, sizes[:5])) or "no batches",
            hint="Columns are samples; the last batch takes the rest.",
        )
    points = np.concatenate([X for X, _ in batches], axis=1)
    for X, Y in batches:
        right = inputs.label(X)
        mistakes = {
            "The labels are exchanged: give quadrants 1 and 3 the label 0.": 1 - right,
            "The label says whether x and y have different signs, not which sign y has.": (X[1:] > 0).astype(float),
        }
        expect("The matrix Y of a batch", Y, right, mistakes=mistakes)
    if len(np.unique(points, axis=1).T) < points.shape[1]:
        fail(
            "`Dataset` draws the same points several times.",
            hint="Make one generator for all batches: one that is made anew for each batch repeats itself.",
        )
    note.fact("mean", [float(points[0].mean()), float(points[1].mean())])
    _expect_spread(points)
    if not _are_the_same(batches, _batches(runner, 250, 100, seed)):
        fail(
            "`Dataset` draws other points for the same seed.",
            hint="Make a generator from the seed: np.random.default_rng(seed).",
        )
    others = _batches(runner, 250, 100, seed + 1)
    if _are_the_same(batches, others):
        fail("`Dataset` draws the same points for another seed.", hint="Make a generator from the seed.")
    if np.isin(points, np.concatenate([X for X, _ in others], axis=1)).any():
        note.flag("`Dataset` draws the same numbers for two seeds: are they drawn?")


def _batches(runner: Runner, samples: int, size: int, seed: int) -> list[tuple[Array, Array]]:
    run = runner.run(("matrix_scenarios", "batches"), (samples, size, seed), DATASET, "`Dataset`")
    points, labels = (run.value.get(name) for name in ("points", "labels"))
    if not isinstance(points, list) or not isinstance(labels, list) or len(points) != len(labels):
        fail("`Dataset.batches` is no list of pairs (X, Y).")
    if points and not run.value.get("left"):
        fail(
            "`Dataset.batches` is empty when it is read for the second time.",
            hint="Each epoch reads it. Keep a list: what a generator or zip holds is gone after one loop.",
        )
    return [(as_numbers(X), as_numbers(Y)) for X, Y in zip(points, labels, strict=True)]


def _are_the_same(batches: list[tuple[Array, Array]], others: list[tuple[Array, Array]]) -> bool:
    return len(batches) == len(others) and all(map(np.array_equal, itertools.chain(*batches), itertools.chain(*others)))


def _expect_spread(points: Array) -> None:
    """Fail unless 250 points look uniform in the square."""
    if np.abs(points).max() > 1:
        fail("`Dataset` draws points outside of [-1, 1] × [-1, 1].", got=f"{np.abs(points).max():.3g}")
    for axis, name in enumerate("xy"):
        for at in (-0.5, 0.0, 0.5):
            share = float((points[axis] < at).mean())
            if abs(share - (at + 1) / 2) > SPREAD:
                fail(
                    f"The points of `Dataset` are not uniform: {100 * share:.0f} % have {name} below {at:g}.",
                    expected=f"about {50 * (at + 1):.0f} %",
                    hint="Draw both coordinates uniformly from -1 to 1.",
                )
    if abs(float((inputs.label(points) == 1).mean()) - 0.5) > SPREAD:
        fail("Hardly any point of `Dataset` lies in one kind of quadrant.", hint="Draw x and y independently.")


@check("network.order")
def test_order(net_runner: Runner, rng: np.random.Generator) -> None:
    """`FFN` sends samples through its layers in their order, derivatives in the reverse one, and tells the path."""
    X, dY = rng.normal(size=(2, 3, 4))
    factors = [2.0, -3.0, 5.0]
    for cpu_only in (True, False):
        args = (X, dY, factors, cpu_only)
        run = net_runner.run((MODULE, "call_in_turn"), args, recipe.NETWORK, "An `FFN` of three layers")
        calls = run.value.get("calls")
        right_calls = [["forward", name, cpu_only] for name in range(3)]
        right_calls += [["backward", name, cpu_only] for name in (2, 1, 0)]
        if calls != 2 * right_calls:
            called = calls if isinstance(calls, list) else []
            is_right_once = called[:6] == right_calls
            when = " for a second batch" if is_right_once else ""
            fail(
                f"`FFN` calls its layers in the wrong order, or with a wrong cpu_only{when}.",
                expected=_tell(right_calls),
                got=_tell(called[6:] if is_right_once else calls),
                hint=_LEFT_ALONE if is_right_once else _IN_TURN,
            )
        _expect_path(run.value.get("in_training"), cpu_only=cpu_only)
        Y, dX = X, dY
        for factor in factors:
            Y = (Y + 1) * factor
        for factor in reversed(factors):
            dX = dX * factor + 1
        expect("`FFN.forward`", run.value.get("Y"), Y, rtol=1e-6, atol=1e-6)
        expect("`FFN.backward`", run.value.get("dX"), dX, rtol=1e-6, atol=1e-6)


def _expect_path(calls: Any, *, cpu_only: bool) -> None:
    """Fail if a step of training calls a layer with another cpu_only than its own, or `update` before `backward`."""
    if isinstance(calls, list) and (others := [call for call in calls if call[-1] is not cpu_only]):
        fail(
            f"`FFN.train` with cpu_only={cpu_only} calls layers with cpu_only={not cpu_only}.",
            expected=f"cpu_only={cpu_only} for each call of forward, backward and update",
            got=_tell(others),
            hint="Hand cpu_only on in each call; without it, a call takes the GPU path.",
        )
    methods = [call[0] for call in calls] if isinstance(calls, list) else []
    if "update" in methods and "backward" not in methods[: methods.index("update")]:
        fail("`FFN.train` calls `update` before `backward`.", hint="A step needs the derivatives of its own batch.")


def _tell(calls: Any) -> str:
    if not isinstance(calls, list):
        return str(calls)
    return ", ".join(
        f"{method} of layer {name}{' (cpu_only)' if cpu_only else ''}" for method, name, cpu_only in calls[:6]
    )


@check("network.transfers")
def test_transfers(net_runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """In one step of training on the GPU, no array crosses twice to the device, nor twice to the host."""
    samples = int(rng.integers(60, 80))
    X, Y = rng.normal(size=(2, samples)), rng.integers(0, 2, (1, samples)).astype(float)
    sizes = ((9, 2), (9, 1), (1, 9), (1, 1))
    parameters = [rng.normal(size=size) / 3 for size in sizes]  # so that no sigmoid is exactly 1 in float32
    try:
        step = _step(net_runner, (parameters, X, Y, (0.5, 1)), note)
    except StudentRaised:  # parts that raise lost their own points already: the staff's take their places
        net_runner = find_wrong(net_runner, [*parts.of_path(rng, cpu_only=False), parts.ORDER, *parts.UPDATES])
        step = _step(net_runner, (parameters, X, Y, (0.5, 1)), note)
    if not step.seen.launches:
        fail("A step of training on the GPU launches no kernel.", hint="Without cpu_only, layers use their kernels.")
    ends = ((as_numbers(step.value.get(name)), W) for name, W in zip(WEIGHTS, parameters[::2], strict=True))
    moved = [end for end, W in ends if end.shape == W.shape and not np.allclose(end, W, atol=PATHS)]
    is_right = note.passed.get("linear.update") is not False and not net_runner.replaced
    if is_right and not all(makers.find_makers(step.seen.launches, end) for end in moved):
        note.flag("the weights after a step of training on the GPU are in no array of a kernel: what updates them?")
    is_lost = note.passed.get("linear.transposes") is False  # then a column is copied as a row, too: one mistake
    uneven = [(way, array) for way, array in step.seen.copies if (array != array.flat[0]).any()]
    copies = Counter((way, _content(array, is_lost)) for way, array in uneven)
    ways = Counter(way for way, _ in copies.elements())
    for way, enough in ENOUGH_COPIES.items():
        note.fact(f"copies_{way.replace(' ', '_')}", ways[way])
        if not 0 < ways[way] <= 2 * enough:
            note.flag(f"a step of training copies {ways[way]} arrays {way}, where {enough} do: which?")
    names = ("X", "Y", "W of the first layer", "b of the first layer", "W of the second layer")
    known = {_content(array, is_lost): name for name, array in zip(names, (X, Y, *parameters), strict=False)}
    for (way, content), count in copies.items():
        if count > 1 and way in ENOUGH_COPIES:
            fail(
                f"In one step of training, {known.get(content, f'an array of {len(content[1]) // 4} numbers')} travels "
                f"{count} times {way}.",
                expected="once at most",
                hint="Keep what a layer needs later in a Matrix: it knows on which side its numbers are.",
            )


def _step(runner: Runner, args: tuple[Any, ...], note: Note) -> Watched:
    """Return a step of training on the GPU; fail unless it ends with the same weights as a step on the CPU path."""
    scenario, weights = (MODULE, "train_parts"), [*WEIGHTS]
    run = runner.run(scenario, (*args, False, weights), recipe.NETWORK, "A step of training on the GPU")

    def compare(value: dict[str, Any]) -> None:
        right = runner.run(scenario, (*args, True, weights), recipe.NETWORK, "A step of training on the CPU").value
        for name, wanted in right.items():
            expect(f"{run.subject}: {name}", value.get(name), wanted, rtol=PATHS, atol=PATHS)

    return run.compared(compare, note, *PARTS, "network.order")


def _content(array: Array, with_shape: bool) -> tuple[tuple[int, ...], bytes]:
    return array.shape if with_shape else (array.size,), array.astype(np.float32).tobytes()


@check("network.repeatable")
def test_repeatable(runner: Runner, trained_with: Runner, rng: np.random.Generator, points: tuple[Array, ...]) -> None:
    """Equal seeds give equal weights and equal trainings, other seeds other ones; weights lie within ±1/√inputs."""
    seed = int(rng.integers(1, 1000))
    scene, uses = ("layer_scenarios", "weights"), (("layers", "Linear"), *recipe.MATRIX)
    layers = [runner.run(scene, (6, 5, start), uses, "`Linear`").value for start in (seed, seed, seed + 1)]
    first, second, other = (as_numbers(layer.get("W")) for layer in layers)
    expect("The shape of W of `Linear(6, 5, seed)`, outputs × inputs,", list(first.shape), [5, 6])
    if not np.array_equal(first, second):
        hint = "np.random.default_rng(seed) repeats itself."
        fail("`Linear(6, 5, seed)` has other weights for the same seed.", hint=hint)
    if np.array_equal(first, other) or np.ptp(first) == 0:
        what = "has the same weights for another seed, or all weights equal"
        fail(f"`Linear(6, 5, seed)` {what}.", hint="Draw them by the seed.")
    if np.abs(first).max() > 1 / np.sqrt(6) * (1 + 1e-6):
        fail(
            "`Linear(6, 5, seed)` has weights beyond ±1/√6.",
            expected="at most 0.408",
            got=f"{np.abs(first).max():.3g}",
            hint="Draw them uniformly from -1/√inputs to 1/√inputs.",
        )
    expect("The matrix b of a new `Linear`", layers[0].get("b"), np.zeros((5, 1)))
    learnt, labels, *_ = points
    args = (8, inputs.cut(learnt[:, :60], 20), inputs.cut(labels[:, :60], 20), (0.5, 3, seed))
    run = find_wrong(trained_with, parts.UPDATES).run((MODULE, "train_twice"), args, recipe.NETWORK, "`FFN.train`")
    ends = {name: as_numbers(run.value.get(name)) for name in ("first", "second", "other")}
    if not np.array_equal(ends["first"], ends["second"]):
        fail("Two trainings with the same seeds end differently.", hint="Draw random numbers by the seeds only.")
    if np.array_equal(ends["first"], ends["other"]):
        hint = "The seed of a layer has to change its weights."
        fail("Trainings that begin with other weights end alike.", hint=hint)
