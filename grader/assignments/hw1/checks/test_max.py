"""Part 2: the element-wise maximum in Python, Numba and CUDA."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from grader.assignments.hw1 import inputs, recipe
from grader.authoring import Answer, Note, NotMeasured, Seen, Setup, Staff, Student, StudentFault, check, expect, fail
from grader.authoring.judges import compiled, launches, loops, provenance, races, slices, speedup, times
from grader.model import Threshold

MODULE = "max_functions"
BLOCKS, THREADS = 1000, 1000
RACE_SHAPE = (40, 40)
"""Races show in small launches, too, and following one access takes fifty times as long as the access."""
ENTRIES = math.prod(recipe.MAX_SHAPE)
WATCHED_SHAPE = (90, 110)
WATCHED_LIMIT_S = 60
"""A call in which every entry that is read and written is recorded takes five times as long as another."""
SMALL_SHAPES = ((20, 40), (60, 40))
ODD_SHAPES = ((1, 1), (7, 13), (33, 65), (1100, 30), (30, 1100))


def _expect_maximum(student: Student, function: str, rng: np.random.Generator, note: Note) -> Answer:
    """Two calls of the sheet's size, compared with our own copies whatever the function does to its arguments.

    Returns:
        The last answer, and what was seen on the way to it.
    """
    is_gpu = "gpu" in function
    for first, second in (inputs.mixed_pair(rng), inputs.integer_pair(rng, recipe.MAX_SHAPE)):
        answer = student.call(MODULE, function, (first, second), watch_inputs=True, record_launches=is_gpu, full=is_gpu)
        if is_gpu:
            _expect_launched(answer)
            launches.expect_an_answer(answer, function)
        mistakes = partial(inputs.pair_mistakes, first, second)
        expect(f"`{function}(A, B)`", answer.value, np.maximum(first, second), mistakes=mistakes)
        if answer.inputs_changed and not note.flags:
            note.flag(
                f"{function} overwrites an argument; the values returned are right, and the sheet does not forbid it"
            )
    return answer


def _expect_launched(answer: Answer) -> None:
    if not answer.launches:
        fail(
            "`max_gpu` launched no kernel.", hint="Call max_kernel[1000, 1000](A, B, C) and return what it wrote to C."
        )


def _solve(first: inputs.Ints, second: inputs.Ints) -> tuple[inputs.Ints, float]:
    return np.maximum(first, second), 0.0


@check("max.cpu.correct")
def test_max_cpu(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_cpu(A, B)` returns the element-wise maximum of two 1000 × 1000 matrices."""
    _expect_maximum(student, "max_cpu", rng, note)


@check("max.cpu.trivial")
def test_max_cpu_is_trivial(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_cpu` is written in the trivial way: plain loops over the elements, no library work, no delays."""
    function = "max_cpu"
    seen, entries = _watch(student, function, rng)
    loops.expect_own_loops(seen, function, entries, entries, note)
    loops.flag_repetition(seen, function, entries, note)
    loops.flag_ordering(student, MODULE, function, note)
    slices.expect_no_other_calls(student, MODULE, function)
    small, larger = (inputs.integer_pair(rng, shape) for shape in SMALL_SHAPES)
    loops.flag_delays(student, (MODULE, function), small, larger, note)


def _watch(student: Student, function: str, rng: np.random.Generator) -> tuple[Seen, int]:
    """Return what a call was seen to do, single reads and writes included, and how many entries its answer had.

    Where nothing but Python touched the entries of matrices of the sheet's size, small ones show the rest. Else, or for
    a function that is made for that size, the call is watched at that size.
    """
    if not student.answers(MODULE, function):  # by the check before, unless only this one was asked for
        _call_max(student, function, recipe.MAX_SHAPE, rng)
    answers = student.answers(MODULE, function)
    slices.expect_closed(student, MODULE, [function])
    if all(loops.is_by_python_alone(slices.expect_seen(answer, function), ENTRIES) for answer in answers):
        with suppress(StudentFault):
            return _call_max(student, function, WATCHED_SHAPE, rng, full=True), math.prod(WATCHED_SHAPE)
    return _call_max(student, function, recipe.MAX_SHAPE, rng, full=True, limit_s=WATCHED_LIMIT_S), ENTRIES


def _call_max(
    student: Student, function: str, shape: tuple[int, int], rng: np.random.Generator, **options: Any
) -> Seen:
    pair = inputs.integer_pair(rng, shape)
    answer = student.call(MODULE, function, pair, **options)
    expect(f"`{function}(A, B)`", answer.value, np.maximum(*pair))
    slices.expect_closed(student, MODULE, [function])
    return slices.expect_seen(answer, function)


@check("max.numba.correct")
def test_max_numba(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_numba(A, B)` returns the element-wise maximum of two 1000 × 1000 matrices."""
    _expect_maximum(student, "max_numba", rng, note)


@check("max.numba.compiled")
def test_max_numba_is_compiled(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_numba` is your own loop, compiled by `njit` to machine code."""
    pair = inputs.integer_pair(rng, recipe.MAX_SHAPE)
    student.load(MODULE)
    slices.expect_closed(student, MODULE, ["max_numba"])
    right = np.maximum(*pair)
    compiled.expect_compiled(student, (MODULE, "max_numba"), pair, lambda got: provenance.is_right(got, right, 0), note)


@check("max.gpu.correct")
def test_max_gpu(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`max_gpu(A, B)` returns the element-wise maximum of two 1000 × 1000 matrices, computed by a CUDA kernel."""
    call = (MODULE, "max_gpu")
    tiny, wide = (inputs.integer_pair(rng, shape) for shape in (RACE_SHAPE, recipe.MAX_SHAPE))
    with races.explained(student, call, tiny, setup, note, wide):
        answer = _expect_maximum(student, "max_gpu", rng, note)
    slices.expect_closed(student, MODULE, ["max_gpu"])
    draw = partial(inputs.integer_pair, rng, recipe.MAX_SHAPE)
    provenance.expect_from_kernels(student, call, answer, draw(), _solve, note)
    provenance.expect_same_later(student, call, answer, draw, _solve)


@check("max.gpu.launch")
def test_max_gpu_launch(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_gpu` launches `max_kernel` with 1000 blocks of 1000 threads."""
    pair = inputs.integer_pair(rng, recipe.MAX_SHAPE)
    answer = student.max_functions.max_gpu.call(*pair, record_launches=True, full=True)
    launches.expect_launches(answer, "max_kernel", BLOCKS, THREADS, note)
    slices.expect_closed(student, MODULE, ["max_gpu", "max_kernel"])
    draw = partial(inputs.integer_pair, rng, recipe.MAX_SHAPE)
    provenance.expect_kernel_works(student, (MODULE, "max_gpu"), "max_kernel", answer, draw, _solve)
    slices.flag_doubts(student, (MODULE, "max_gpu"), note)


@check("max.gpu.speedup", stage="timed")
def test_max_gpu_speedup(
    student: Student, staff: Staff, rng: np.random.Generator, threshold: Threshold | None, setup: Setup, note: Note
) -> None:
    """`max_gpu` is at least 40 times as fast as `max_cpu`."""
    if setup.device != "gpu":
        raise NotMeasured("Speed is measured on the GPU server; here, kernels were executed on the CPU.")  # noqa: EM101, TRY003
    speedup.measure(inputs.MAX_WORKLOAD, student, staff, threshold, rng, note)
    slices.expect_closed(student, MODULE, ["max_gpu"])
    for answer in student.answers(MODULE, "max_gpu"):  # the timed calls, too: a function may count its calls
        provenance.expect_no_host_work("max_gpu", answer)
    slices.expect_no_other_calls(student, MODULE, "max_gpu")


@check("max.times", stage="timed")
def test_max_times(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """How long the three functions take, as measured here; no points."""
    functions = {"CPU": "max_cpu", "Numba": "max_numba"} | ({"CUDA": "max_gpu"} if setup.device == "gpu" else {})
    pairs = [inputs.integer_pair(rng, recipe.MAX_SHAPE) for _ in range(3)]
    times.measure_best(student, "max_functions", functions, pairs, note)
    times.explain_kernels(student, "max_functions", "max_gpu", pairs[0], setup, note)
    slices.flag_changes(student, MODULE, note)


@check("max.shapes")
def test_max_shapes(student: Student, rng: np.random.Generator) -> None:
    """The three functions are right for other sizes than the sheet's, too; no points."""
    for function in ("max_cpu", "max_numba", "max_gpu"):
        for shape in ODD_SHAPES:
            first, second = inputs.integer_pair(rng, shape)
            got = student.call("max_functions", function, (first, second)).value
            expect(f"`{function}` of {shape[0]} × {shape[1]} matrices", got, np.maximum(first, second))
