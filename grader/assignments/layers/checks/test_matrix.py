"""Part 1: matrices on host and device."""

import numpy as np

from grader.assignments.layers import answers, recipe
from grader.authoring import Array, Note, Student, StudentFault, check, expect, fail, first_that_runs, hinted
from grader.authoring.judges import loops, scenarios

MODULE = "matrix_scenarios"
SHAPE, SQUARE = (7, 5), (6, 6)  # in a square, exchanged rows and columns, which fail `matrix.values`, do no harm
WHEN = {
    "set": "after `set`",
    "written": "after a kernel wrote what `allocate` returned",
    "set_again": "after `set`, when the device held other numbers",
}


@check("matrix.values")
def test_values(student: Student, rng: np.random.Generator) -> None:
    """A `Matrix` begins with zeros, and has the newest numbers on both sides, whoever wrote them."""
    arrays = tuple(rng.normal(size=(3, *SHAPE)))
    with hinted("`Matrix(7, 5)` has 7 rows and 5 columns, and `set` takes arrays of that shape."):
        run = scenarios.run(student, (MODULE, "go_around"), arrays, recipe.MATRIX, "Filling and reading a `Matrix`")
    expect("`Matrix(7, 5).shape`", run.value.get("shape"), list(SHAPE))
    expect("`Matrix(7, 5).copy_to_host()`", run.value.get("zeros"), np.zeros(SHAPE))
    older = (np.zeros(SHAPE), *arrays[:-1])
    for (when, words), right, before in zip(WHEN.items(), arrays, older, strict=True):
        stale = {"These are old numbers: newer ones are on the other side, or came by a later `set`.": before}
        for side in ("device", "host"):
            expect(f"`copy_to_{side}()` {words}", run.value.get(f"{when}_{side}"), right, rtol=1e-6, mistakes=stale)
    stale = {"These are the numbers that the device held before `set`.": arrays[1]}
    words = "`copy_to_host()` after a kernel wrote, and then `set`"
    try:
        expect(words, run.value.get("set_over_host"), arrays[2], rtol=1e-6, mistakes=stale)
    except StudentFault:
        asked = _ask_often(student, arrays)
        if not asked.is_observed or not answers.is_needless(answers.compare_asked(asked, arrays, Note()), arrays):
            raise  # else it copies at every call, which causes these old numbers, and costs points in matrix.copies


def _ask_often(student: Student, arrays: tuple[Array, ...]) -> scenarios.SceneRun:
    return scenarios.run(student, (MODULE, "ask_often"), arrays, recipe.MATRIX, "Reading a `Matrix` several times")


@check("matrix.copies")
def test_copies(student: Student, rng: np.random.Generator, note: Note) -> None:
    """A `Matrix` copies only when numbers are asked for where they are not: no copy twice, none in advance."""

    def ask(sizes: tuple[int, int]) -> tuple[tuple[Array, ...], scenarios.SceneRun]:
        drawn = tuple(rng.normal(size=(3, *sizes)))
        return drawn, _ask_often(student, drawn)

    arrays, run = first_that_runs(ask, SHAPE, SQUARE)
    asked = answers.compare_asked(run, arrays, note)
    counts = answers.count_copies(asked, arrays)
    note.fact("copies", {f"{name}, {direction}": count for (name, direction), count in counts.items()})
    for (name, direction), count in counts.items():
        if count > (most := answers.MOST_COPIES[name, direction]):
            fail(
                f"`Matrix` copied {name} {count} times {direction}.",
                expected=f"at most {most}",
                hint="Remember on which side the newest numbers are, and copy only if they are not there.",
            )
    if not counts[answers.SET, answers.TO_DEVICE]:
        note.flag("the numbers of `set` travel to the device, and no copy holds them as they are: how do they?")
    singles = max(asked.seen.work.reads, asked.seen.work.told)
    if loops.are_many(singles, arrays[0].size):
        note.flag(f"`Matrix` moves {singles} numbers one by one between host and device: are these copies, too?")
    if others := answers.count_other_copies(asked):
        note.flag(
            f"`Matrix` makes {others} copies more than it needs, of other numbers than it was given: what are they?"
        )


@check("matrix.shapes")
def test_shapes(student: Student, rng: np.random.Generator) -> None:
    """A `Matrix` raises ValueError for shapes that make no sense, or are not its own."""
    shape = tuple(map(int, rng.choice(np.arange(2, 30), 2, replace=False)))
    call, subject = (MODULE, "try_shapes"), "Giving a `Matrix` wrong shapes"
    run = first_that_runs(lambda sizes: scenarios.run(student, call, sizes, recipe.MATRIX, subject), shape, SQUARE)
    scenarios.expect_refusals(run.value, answers.CHECK_SHAPES)
