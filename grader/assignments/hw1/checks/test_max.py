"""Part 2: the element-wise maximum in Python, Numba and CUDA."""

from functools import partial
from typing import Any

import numpy as np

from grader.assignments.hw1 import comparisons, recipe
from grader.assignments.hw1.comparisons import draw_integers, solve_maximum
from grader.authoring import Args, Array, CheckedCall, Note, Setup, Staff, Student, check, expect
from grader.authoring.judges import compiled, delays, kernels, loops, races, slices, speedup
from grader.model import Threshold

MODULE = "max_functions"
BLOCKS, THREADS = 1000, 1000
RACE_SHAPE = (40, 40)
"""Races show in small launches, too, and following one access takes fifty times as long as the access."""
SMALL_SHAPES = ((20, 40), (60, 40))
ODD_SHAPES = ((1, 1), (7, 13), (33, 65), (1100, 30), (30, 1100))


def _expect_maximum(student: Student, function: str, rng: np.random.Generator, note: Note) -> CheckedCall:
    """Return the last answer to two calls of the sheet's size, which are compared with our own copies."""
    is_gpu = "gpu" in function
    for pair in (comparisons.mixed_pair(rng), draw_integers(rng, recipe.MAX_SHAPE)):
        answer = student.run(MODULE, function, pair, watch_inputs=True, record_launches=is_gpu, full=is_gpu)
        checked = answer.compared(partial(_compare, function, pair), note)
        if is_gpu:
            kernels.expect_launched(checked, function, f"max_kernel[{BLOCKS}, {THREADS}](A, B, C)")
        note.flag_overwritten(answer, function)
    return checked


def _compare(function: str, pair: Args, value: Any) -> None:
    """Fail unless an answer is the maximum."""
    if "gpu" in function:
        kernels.expect_returned(value, function)
    expect(f"`{function}(A, B)`", value, np.maximum(*pair), mistakes=lambda _got: _mistakes(function, *pair))


def _mistakes(function: str, first: Array, second: Array) -> dict[str, Array]:
    mistakes = {
        "This is the minimum.": np.minimum(first, second),
        "This is A itself: B never won.": first,
        "This is B itself: A never won.": second,
        "This is the sum.": first + second,
    }
    if "gpu" in function:
        words = "Only column 0 is set: cuda.grid(2) gives j = 0 where a launch has one dimension."
        mistakes[words] = np.where(np.arange(first.shape[1]) == 0, np.maximum(first, second), 0)
    return mistakes


@check("max.cpu.correct", values_only=True)
def test_max_cpu(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_cpu(A, B)` returns the element-wise maximum of two 1000 × 1000 matrices."""
    _expect_maximum(student, "max_cpu", rng, note)


@check("max.cpu.trivial")
def test_max_cpu_is_trivial(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_cpu` is written in the trivial way: plain loops over the elements, no library work, no delays."""
    function = "max_cpu"
    call, shapes = (MODULE, function), (recipe.MAX_SHAPE, (90, 110))
    watched, entries = loops.watch(student, call, partial(draw_integers, rng), shapes, solve_maximum, note)
    loops.expect_own_loops(watched, function, entries, entries, note)
    loops.flag_repetition(watched, function, entries, note)
    loops.flag_ordering(student, MODULE, function, note)
    slices.flag_chance(student, call, note)
    slices.expect_no_other_calls(student, MODULE, function)
    small, larger = (draw_integers(rng, shape) for shape in SMALL_SHAPES)
    delays.flag_delays(student, call, small, larger, draw_integers(rng, recipe.MAX_SHAPE), note)


@check("max.numba.correct", values_only=True)
def test_max_numba(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_numba(A, B)` returns the element-wise maximum of two 1000 × 1000 matrices."""
    _expect_maximum(student, "max_numba", rng, note)


@check("max.numba.compiled")
def test_max_numba_is_compiled(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_numba` is your own loop, compiled by `njit` to machine code."""
    pair = draw_integers(rng, recipe.MAX_SHAPE)
    compiled.expect_compiled(student, (MODULE, "max_numba"), pair, solve_maximum(*pair), note)


@check("max.gpu.correct")
def test_max_gpu(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`max_gpu(A, B)` returns the element-wise maximum of two 1000 × 1000 matrices, computed by a CUDA kernel."""
    call = (MODULE, "max_gpu")
    tiny, wide = (draw_integers(rng, shape) for shape in (RACE_SHAPE, recipe.MAX_SHAPE))
    races.expect_shared_work(student, call, tiny, wide, setup, note)
    with races.explained(student, call, tiny, setup, note, wide):
        answer = _expect_maximum(student, "max_gpu", rng, note)
    draw = partial(draw_integers, rng, recipe.MAX_SHAPE)
    kernels.expect_from_kernels(student, call, answer, draw, solve_maximum, note)


@check("max.gpu.launch")
def test_max_gpu_launch(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_gpu` launches `max_kernel` with 1000 blocks of 1000 threads."""
    draw, counts = partial(draw_integers, rng, recipe.MAX_SHAPE), (BLOCKS, THREADS)
    call, owner = (MODULE, "max_gpu"), "max.gpu.correct"
    kernels.expect_launch(student, call, "max_kernel", counts, draw, solve_maximum, note, owner)


@check("max.gpu.speedup", stage="timed", values_only=True)
def test_max_gpu_speedup(
    student: Student, staff: Staff, rng: np.random.Generator, threshold: Threshold | None, setup: Setup, note: Note
) -> None:
    """`max_gpu` is at least 40 times as fast as `max_cpu`."""
    speedup.expect_gpu(setup)
    speedup.measure(comparisons.MAX_WORKLOAD, student, staff, threshold, rng, note)
    slices.expect_closed(student, MODULE, ["max_gpu"])
    for call in student.seen_of(MODULE, "max_gpu"):  # the timed calls, too: a function may count its calls
        kernels.expect_no_host_work("max_gpu", call)
    slices.expect_no_other_calls(student, MODULE, "max_gpu")


@check("max.times", stage="timed")
def test_max_times(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """How long the three functions take, as measured here; no points."""
    functions = {"CPU": "max_cpu", "Numba": "max_numba"}
    if setup.device == "gpu":
        functions["CUDA"] = "max_gpu"
    pairs = [draw_integers(rng, recipe.MAX_SHAPE) for _ in range(3)]
    speedup.measure_best(student, MODULE, functions, pairs, note)
    races.explain_kernels(student, (MODULE, "max_gpu"), pairs[0], setup, note)


@check("max.shapes")
def test_max_shapes(student: Student, rng: np.random.Generator) -> None:
    """The three functions are right for other sizes than the sheet's, too; no points."""
    for function in ("max_cpu", "max_numba", "max_gpu"):
        for shape in ODD_SHAPES:
            pair = draw_integers(rng, shape)
            got = student.run(MODULE, function, pair).value
            right = np.maximum(*pair)
            reached = np.zeros_like(right)
            reached[:BLOCKS, :THREADS] = right[:BLOCKS, :THREADS]
            mistakes = {"The sheet's threads end here: each may do several entries. No points depend on it.": reached}
            expect(f"`{function}` of {shape[0]} × {shape[1]} matrices", got, right, mistakes=mistakes)
