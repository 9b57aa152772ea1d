"""Part 2: the linear layer, forward and backward, on both paths."""

import itertools
from functools import partial

import numpy as np

from grader.assignments.layers import answers, inputs, recipe
from grader.assignments.layers.answers import Piece
from grader.assignments.layers.inputs import LinearCase
from grader.authoring import Array, Note, Setup, attempt, check, fail, first_that_runs
from grader.authoring.comparison import as_numbers
from grader.authoring.judges import kernels, makers, scenarios
from grader.authoring.judges.scenarios import Launched
from grader.authoring.judges.substitutes import Runner

MODULE = "layer_scenarios"
LINEAR = (("layers", "Linear"), *recipe.MATRIX)


def _mistakes_forward(W: Array, b: Array, A: Array) -> dict[str, dict[str, Array]]:
    return {
        "Z": {
            "The bias is missing.": W @ A,
            "The bias has the wrong sign.": W @ A - b,
            "The last product of each sum is missing.": W[:, :-1] @ A[:-1] + b,
        }
    }


def _mistakes_backward(W: Array, b: Array, A: Array, dZ: Array) -> dict[str, dict[str, Array]]:
    right, m = inputs.solve_backward(W, b, A, dZ), A.shape[1]
    return {
        "dA": {"The mean over the samples belongs to dW and db only.": right["dA"][0] / m},
        "dW": {"This is the sum over the samples; dW is their mean: divide by m.": right["dW"][0] * m},
        "db": {
            "This is the sum over the samples; db is their mean: divide by m.": right["db"][0] * m,
            "This is the first sample only; db is the mean over all.": dZ[:, :1],
        },
    }


def _mistakes_update(W: Array, b: Array, _A: Array, dW: Array, db: Array, rate: float) -> dict[str, dict[str, Array]]:
    return {
        name: {
            "This step goes uphill: subtract the gradient.": old + rate * slope,
            "Nothing has changed: W takes a step, and so does b.": old,
            "The learning rate is missing.": old - slope,
        }
        for name, old, slope in (("W", W, dW), ("b", b, db))
    }


FORWARD = Piece("Linear.forward", (MODULE, "linear_forward"), LINEAR, inputs.solve_forward, _mistakes_forward)
BACKWARD = Piece("Linear.backward", (MODULE, "linear_backward"), LINEAR, inputs.solve_backward, _mistakes_backward)
UPDATE = Piece("Linear.update", (MODULE, "linear_update"), LINEAR, inputs.solve_update, _mistakes_update)
TWICE = MODULE, "linear_backward_twice"


@check("linear.forward.cpu")
def test_forward_cpu(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`Linear.forward(A, cpu_only=True)` returns Z = W A + b, and nothing runs on the GPU."""
    args = inputs.draw_linear(rng)[:3]
    answers.expect_on_host(FORWARD.compared(runner, args, note, cpu_only=True), FORWARD.solve(*args), note)


@check("linear.forward.gpu")
def test_forward_gpu(runner: Runner, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`Linear.forward(A)` returns Z = W A + b, computed by kernels."""
    drawn = (inputs.draw_linear(rng, sizes)[:3] for sizes in (recipe.SIZES, recipe.SIZES, recipe.SMALL))
    FORWARD.expect_on_device(runner, drawn, setup, note)


def _expect_anew(runner: Runner, case: LinearCase, note: Note, *, cpu_only: bool) -> None:
    """Fail if the derivatives of a second batch are added to those of the first one."""
    right = BACKWARD.solve(*case)
    subject = f"`Linear.backward` on the {'CPU' if cpu_only else 'GPU'}, for a second batch"
    run = runner.run(TWICE, (*case, cpu_only), LINEAR, subject)
    kept = {name: right[name] for name in ("dW", "db")}
    hint = "It is added to that of the last batch: begin with zero in each call."
    answers.expect_right(run, kept, note, mistakes={name: {hint: 2 * value} for name, (value, _) in kept.items()})


@check("linear.backward.cpu")
def test_backward_cpu(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`Linear.backward(dZ, cpu_only=True)` returns dA = Wᵀ dZ and keeps dW = dZ Aᵀ / m and db, the mean of dZ."""
    case = inputs.draw_linear(rng)
    run = BACKWARD.compared(runner, case, note, cpu_only=True)
    forward = attempt(lambda: FORWARD.run(runner, case[:3], cpu_only=True), None)  # another check fails if it raises
    answers.expect_on_host(run, BACKWARD.solve(*case), note, forward)
    _expect_anew(runner, case, note, cpu_only=True)


@check("linear.backward.gpu")
def test_backward_gpu(runner: Runner, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`Linear.backward(dZ)` returns dA = Wᵀ dZ and keeps dW = dZ Aᵀ / m and db, all three computed by kernels."""
    drawn = (inputs.draw_linear(rng, sizes) for sizes in (recipe.SIZES, recipe.SIZES, recipe.SMALL))
    BACKWARD.expect_on_device(runner, drawn, setup, note)
    _expect_anew(runner, inputs.draw_linear(rng), note, cpu_only=False)


@check("linear.update")
def test_update(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """`Linear.update(learning_rate)` takes learning_rate · dW from W, and learning_rate · db from b, on both paths."""
    W, b, A, _dZ = inputs.draw_linear(rng)
    args = (W, b, A, rng.normal(size=W.shape), rng.normal(size=b.shape), 0.25)
    UPDATE.compared(runner, args, note, cpu_only=True)
    UPDATE.expect_by_kernels(UPDATE.compared(runner, args, note, cpu_only=False), args, note)


@check("linear.launch")
def test_linear_launch(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """The products of `Linear` run in blocks of 16 × 16 threads, as many as the result needs."""

    def launch_all(sizes: tuple[int, int, int]) -> tuple[LinearCase, list[Launched]]:
        drawn = inputs.draw_linear(rng, sizes)
        return drawn, _launches_of(runner, drawn, note)

    case, launched = first_that_runs(launch_all, recipe.SIZES, recipe.EVEN)  # threads beyond the edge may raise
    note.fact("launches", kernels.as_fact(launched))
    forward, backward = FORWARD.solve(*case[:3]), BACKWARD.solve(*case)
    products = {"Z": [forward["Z"][0], case.W @ case.A], "dA": [backward["dA"][0]], "dW": [backward["dW"][0]]}
    are_written = [_expect_tiles(name, arrays, launched, case, note) for name, arrays in products.items()]
    if not any(are_written):
        fail("`Linear` launches no kernel that writes Z, dA or dW.", hint="Let a kernel compute each product.")


def _launches_of(runner: Runner, case: LinearCase, note: Note) -> list[Launched]:
    """Return the launches of a pass forward and of one backward; raise if both raise."""
    calls = (FORWARD, case[:3], "linear.forward.gpu"), (BACKWARD, case, "linear.backward.gpu")
    runs = [(partial(one.run, runner, args, cpu_only=False), one.solve(*args), owner) for one, args, owner in calls]
    return [*itertools.chain.from_iterable(answers.launches_of(runs, note))]


def _expect_tiles(name: str, products: list[Array], launched: list[Launched], case: LinearCase, note: Note) -> bool:
    """Return whether kernels write a product; fail unless one has the blocks that it needs, of 16 × 16 threads.

    If the product is wrong, only the threads of a block count: another check fails for the product.
    """
    made_by = [maker for product in products if (maker := makers.find_maker(launched, product)) is not None]
    for launch in launched if not made_by else []:
        if any(makers.has(array, right) for array in launch.changed() for right in products):
            fail(
                f"`{launch.kernel}` only copies {name}, which was there before its launch.",
                hint="Let a kernel compute each product.",
            )
    if made_by:
        maker = min(made_by, key=partial(makers.place_of, launched))  # later ones add the bias
        made_by = [_find_unsorted(launched, maker, products) or maker]
        _flag_begun(name, maker, launched[: makers.place_of(launched, maker)], case, note)
    sizes = {product.size for product in products}
    writers = made_by or [launch for launch in launched if any(array.size in sizes for array in launch.changed())]
    rows, columns = products[0].shape
    needed = (-(-columns // recipe.TILE), -(-rows // recipe.TILE), 1)
    block = (recipe.TILE, recipe.TILE, 1)
    grids = (needed, (needed[1], needed[0], 1))
    if writers and not any(launch.block == block and (launch.grid in grids or not made_by) for launch in writers):
        fail(
            f"`{writers[0].kernel}`, which writes {name} ({rows} × {columns}), is launched with a wrong grid or block.",
            expected=f"grid {needed[:2]}, block (16, 16)",
            got="; ".join(f"grid {launch.grid}, block {launch.block}" for launch in writers[:3]),
            hint="16 × 16 threads in a block; blocks = columns and rows of the result / 16, rounded up.",
        )
    return bool(writers)


def _flag_begun(name: str, maker: Launched, earlier: list[Launched], case: LinearCase, note: Note) -> None:
    """Tell a TA if the maker of a product gets what other blocks left: no bias, and no multiple of what was given."""
    for launch in earlier if maker.block == (recipe.TILE, recipe.TILE, 1) else []:
        left = [array for array in launch.changed() if array.ndim and (array.T[:1] != array.T).any()]
        begun = [array for array in left if not any(makers.has(array, given) for given in case)]
        if launch.block != maker.block and {*map(id, maker.before)} & {*map(id, begun)}:
            words = f"goes on with what `{launch.kernel}` left, in blocks of {launch.block} threads"
            note.flag(f"`{maker.kernel}`, which writes {name}, {words}: which of them computes the product?")


def _find_unsorted(launched: list[Launched], maker: Launched, products: list[Array]) -> Launched | None:
    """Return a launch before `maker` that left the numbers of a product in another order: that launch did the work."""
    ordered = [np.sort(product, axis=None) for product in products]
    for launch in launched[: makers.place_of(launched, maker)]:
        if any(makers.holds(np.sort(array, axis=None), right) for array in launch.changed() for right in ordered):
            return launch
    return None


def _expect_in_order(launch: Launched, name: str, matrix: Array) -> None:
    """Fail if a launch has the transpose of a matrix."""
    arrays = [part for array in (*launch.before, *launch.after) for part in (array.real, array.imag)]
    if any(makers.holds(array, matrix.T) or makers.holds_within(array, matrix.T) for array in arrays):
        fail(
            f"`{launch.kernel}` works on a transposed copy of {name}.",
            hint="Do not transpose: exchange the indices in the kernel, such as W[k, i] for W[i, k].",
        )


@check("linear.transposes")
def test_transposes(runner: Runner, rng: np.random.Generator, note: Note) -> None:
    """No matrix is transposed for `Linear.backward`: its kernels read columns instead of rows."""
    subject = "`Linear.backward` on the GPU"

    def go_back(sizes: tuple[int, int, int]) -> tuple[LinearCase, scenarios.SceneRun]:
        drawn, forward_on_cpu = inputs.draw_linear(rng, sizes), sizes != recipe.SIZES
        return drawn, runner.run((MODULE, "linear_backward"), (*drawn, False, forward_on_cpu), LINEAR, subject)

    # confused indices and threads may raise, and what the GPU's `forward` does not keep
    case, run = first_that_runs(go_back, recipe.SIZES, (recipe.EVEN[1],) * 3)
    derivatives = BACKWARD.solve(*case)
    launched = answers.expect_right(run, derivatives, note, "linear.backward.gpu").seen.launches
    if not launched:
        fail(f"{subject} launches no kernel.", hint="Let kernels compute the three derivatives.")
    right = {name: derivatives[name][0] for name in ("dA", "dW")}
    is_right = all(makers.holds(as_numbers(run.value.get(name)), value) for name, value in right.items())
    if is_right and not any(makers.find_maker(launched, value) for value in right.values()):
        fail(f"{subject}: no kernel computes dA or dW.", hint="Let kernels compute the three derivatives.")
    note.fact("kernels", sorted({launch.kernel for launch in launched}))
    for launch, name in itertools.product(launched, ("W", "A", "dZ")):
        _expect_in_order(launch, name, getattr(case, name))
    results = [case.W @ case.A, *(value for value, _ in (FORWARD.solve(*case[:3]) | derivatives).values())]
    is_alone = is_right and note.passed.get("linear.forward.gpu", True)  # a wrong Z is no product, either
    if is_alone and (others := makers.find_aside(launched, results, case)):
        note.flag(f"{subject}: {others} has other numbers than data and results, or other orders: a transposed matrix?")
