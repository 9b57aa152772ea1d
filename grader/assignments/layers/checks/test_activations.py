"""Part 3: the activations, and wrong shapes."""

from functools import partial

import numpy as np

from grader.assignments.layers import answers, inputs, parts, recipe
from grader.assignments.layers.answers import Piece
from grader.authoring import Array, Note, Setup, check, fail, first_that_runs
from grader.authoring.judges import networks, scenarios
from grader.authoring.judges.kernels import as_fact
from grader.authoring.judges.makers import holds
from grader.authoring.judges.substitutes import Runner

MODULE = "layer_scenarios"


def _mistakes(kind: str, Z: Array, dA: Array) -> dict[str, dict[str, Array]]:
    """Return name of a result -> hint -> the wrong numbers that a usual mistake gives."""
    if kind == "ReLU":
        return {
            "A": {"Let negative numbers become 0.": np.abs(Z)},
            "dZ": {
                "The slope is 0 where Z is negative, not where dA is.": dA * (dA > 0),
                "The slope is missing: dZ is dA.": dA,
                "dA is missing: these are the slopes alone.": (Z > 0) * 1.0,
            },
        }
    A = networks.logistic(Z)
    return {
        "A": {
            "It falls where the sigmoid rises: look at the sign of the exponent.": 1 - A,
            "This is tanh, a similar curve, but from -1 to 1.": np.tanh(Z),
        },
        "dZ": {
            "The slope is missing: dZ is dA.": dA,
            "dA is missing: these are the slopes alone.": A * (1 - A),
            "The slope is σ (1 - σ), not σ².": dA * A * A,
            "The slope is σ (1 - σ), with σ of Z, and not Z (1 - Z).": dA * Z * (1 - Z),
        },
    }


ACTIVATIONS = {
    kind: Piece(kind, (MODULE, "activation"), (("layers", kind), *recipe.MATRIX), inputs.solve_activation, _mistakes)
    for kind in ("ReLU", "Sigmoid")
}


def _check_cpu(runner: Runner, kind: str, rng: np.random.Generator, note: Note) -> None:
    piece, (Z, dA) = ACTIVATIONS[kind], inputs.draw_activation(rng)
    right = piece.solve(kind, Z, dA)
    answers.expect_on_host(piece.compared(runner, (kind, Z, dA), note, cpu_only=True), right, note)
    other, subject = np.ascontiguousarray(Z[::-1]), f"`{kind}` beside a second object of the class"
    twice = runner.run(piece.scenario, (kind, Z, dA, True, other), piece.uses, subject)
    mixed_up = piece.solve(kind, other, dA)["dZ"][0]
    hint = "It is right for the other object's input: store what `forward` got in self, not in the class."
    answers.expect_right(twice, right, note, mistakes={"dZ": {hint: mixed_up}})


def _check_gpu(runner: Runner, kind: str, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    shapes = (recipe.SIZES[::2], recipe.SIZES[::2], recipe.SMALL[:2])
    drawn = ((kind, *inputs.draw_activation(rng, shape)) for shape in shapes)
    ACTIVATIONS[kind].expect_on_device(runner, drawn, setup, note)


def _expect_flat_at_zero(runner: Runner, rng: np.random.Generator, note: Note, *, cpu_only: bool) -> None:
    """Fail unless the slope of ReLU is 0 where Z is 0; derivatives are otherwise compared only where Z is not 0."""
    Z, dA = inputs.draw_activation(rng, recipe.SMALL[:2])
    Z[:, ::2] = 0
    piece = ACTIVATIONS["ReLU"]
    run = runner.run(piece.scenario, ("ReLU", Z, dA, cpu_only), piece.uses, "`ReLU` of a Z with zeros")
    hint = "dA goes back where Z is positive, and the slope is 0 where Z is 0: compare with >, not >=."
    answers.expect_right(run, piece.solve("ReLU", Z, dA), note, mistakes={"dZ": {hint: dA * (Z >= 0)}})


@check("relu.cpu")
def test_relu_cpu(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`ReLU` returns max(0, Z), and dA where Z is positive on the way back, with cpu_only=True."""
    _check_cpu(runner, "ReLU", rng, note)
    _expect_flat_at_zero(runner, rng, note, cpu_only=True)


@check("relu.gpu")
def test_relu_gpu(runner: Runner, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`ReLU` returns max(0, Z), and dA where Z is positive on the way back, computed by kernels."""
    _check_gpu(runner, "ReLU", rng, setup, note)
    _expect_flat_at_zero(runner, rng, note, cpu_only=False)


@check("sigmoid.cpu")
def test_sigmoid_cpu(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`Sigmoid` returns σ(Z), and dA σ (1 - σ) on the way back, with cpu_only=True."""
    _check_cpu(runner, "Sigmoid", rng, note)


@check("sigmoid.gpu")
def test_sigmoid_gpu(runner: Runner, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`Sigmoid` returns σ(Z), and dA σ (1 - σ) on the way back, computed by kernels."""
    _check_gpu(runner, "Sigmoid", rng, setup, note)


@check("activations.launch")
def test_activations_launch(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """The kernels of `ReLU` and `Sigmoid` run in blocks of 64 threads, as many as there are entries for."""

    def launch_all(shape: tuple[int, int]) -> tuple[tuple[int, int], dict[str, list[tuple[scenarios.Launched, bool]]]]:
        return shape, _launches_of(runner, rng, shape, note)

    sizes = recipe.SIZES[::2], recipe.EVEN[::2]  # threads beyond the edge may raise
    shape, launches_of_kinds = first_that_runs(launch_all, *sizes)
    for kind, launches in launches_of_kinds.items():
        note.fact(f"launches_of_{kind}", as_fact([launch for launch, _ in launches]))
        for launch, is_right in launches:
            _expect_blocks(kind, launch, *shape, is_right=is_right)
    if not any(launches_of_kinds.values()):
        fail("`ReLU` and `Sigmoid` launch no kernel.", hint="Let a kernel compute each result.")


def _launches_of(
    runner: Runner, rng: np.random.Generator, shape: tuple[int, int], note: Note
) -> dict[str, list[tuple[scenarios.Launched, bool]]]:
    """Return the launches of each activation, and whether each leaves a right result; raise if both raise."""
    runs = []
    for kind, piece in ACTIVATIONS.items():
        args = (kind, *inputs.draw_activation(rng, shape))
        runs.append((partial(piece.run, runner, args, cpu_only=False), piece.solve(*args), f"{kind.lower()}.gpu"))
    return {
        kind: [
            (launch, any(holds(array, value) for array in launch.changed() for value, _ in right.values()))
            for launch in launches
        ]
        for kind, launches, (_, right, _) in zip(ACTIVATIONS, answers.launches_of(runs, note), runs, strict=True)
    }


def _expect_blocks(kind: str, launch: scenarios.Launched, rows: int, columns: int, *, is_right: bool) -> None:
    """Fail unless a launch has 64 threads in a block, and as many blocks as the result needs, in any layout.

    Too few blocks fail only if the result is right: for a wrong result, another check fails.
    """
    x, y, z = launch.block
    needed = -(-rows * columns // recipe.THREADS)
    most = max(needed, *(-(-rows // high) * -(-columns // wide) for high, wide in ((x, y), (y, x))))
    blocks = int(np.prod(launch.grid))
    if x * y * z != recipe.THREADS or blocks > most or (is_right and blocks < needed):
        fail(
            f"`{launch.kernel}` of `{kind}` is launched with a wrong grid or block.",
            expected=f"{needed} blocks of {recipe.THREADS} threads for {rows} × {columns} entries",
            got=f"grid {launch.grid}, block {launch.block}",
            hint="64 threads in a block; blocks = entries / 64, rounded up.",
        )


@check("layers.shapes")
def test_layer_shapes(runner: Runner, rng: np.random.Generator) -> None:
    """The layers raise ValueError for matrices whose shapes do not fit, and the loss for labels that do not."""
    rows_in, rows_out, samples = rng.integers(3, 9, 3)
    A, wrong_A, dZ, wrong_dZ = (
        rng.normal(size=(rows, columns))
        for rows, columns in ((rows_in, samples), (rows_in + 1, samples), (rows_out, samples), (rows_out, samples + 1))
    )
    layers = runner.run((MODULE, "try_shapes"), (A, wrong_A, dZ, wrong_dZ), parts.LAYERS, "Giving layers wrong shapes")
    predictions, labels = rng.uniform(0.1, 0.9, (1, samples)), np.ones((1, samples + 1))
    losses = runner.run((parts.LOSS, "try_shapes"), (predictions, labels), parts.LOSSES, "Giving the loss wrong shapes")
    scenarios.expect_refusals(layers.value | losses.value, answers.CHECK_SHAPES)
