"""Part 2: the element-wise maximum in Python, Numba and CUDA."""

from __future__ import annotations

from functools import partial

import numpy as np

from grader.assignments.hw1 import inputs, origin, races, recipe, rules, singly, speedup, timing
from grader.authoring import Answer, Note, NotMeasured, Setup, Sources, Staff, Student, check, expect, fail
from grader.model import Threshold

FILE = "max_functions.py"
BLOCKS, THREADS = 1000, 1000
ODD_SHAPES = ((1, 1), (7, 13), (33, 65), (1100, 30), (30, 1100))


def _expect_maximum(student: Student, function: str, rng: np.random.Generator, note: Note) -> None:
    """Two calls of the sheet's size, compared with our own copies whatever the function does to its arguments."""
    for first, second in (inputs.mixed_pair(rng), inputs.integer_pair(rng, recipe.MAX_SHAPE)):
        answer = student.call(
            "max_functions", function, (first, second), watch_inputs=True, record_launches="gpu" in function
        )
        if "gpu" in function:
            _expect_launched(answer)
            rules.expect_an_answer(answer, function)
        mistakes = partial(inputs.pair_mistakes, first, second)
        expect(f"`{function}(A, B)`", answer.value, np.maximum(first, second), mistakes=mistakes)
        if answer.inputs_changed and not note.flags:
            note.flag(
                f"{function} overwrites an argument; the values returned are right, and the sheet does not forbid it"
            )


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
def test_max_cpu_is_trivial(student: Student, rng: np.random.Generator, sources: Sources, note: Note) -> None:
    """`max_cpu` is written in the trivial way: plain loops over the elements, no library work, no delays."""
    rules.expect_own_loops(sources, FILE, "max_cpu", note, loops=1, seen_elsewhere=True)
    singly.expect_single_elements(student, rng, note)
    rules.expect_ordinary_code(sources)


@check("max.numba.correct")
def test_max_numba(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`max_numba(A, B)` returns the element-wise maximum of two 1000 × 1000 matrices."""
    _expect_maximum(student, "max_numba", rng, note)


@check("max.numba.compiled")
def test_max_numba_is_compiled(student: Student, rng: np.random.Generator, sources: Sources, note: Note) -> None:
    """`max_numba` is your own loop, compiled by `njit` to machine code."""
    pair = inputs.integer_pair(rng, recipe.MAX_SHAPE)
    student.load("max_functions")
    rules.expect_compiled(student, "max_functions", "max_numba", pair, note)
    rules.expect_own_work(sources, FILE, "max_numba", note)
    right = np.maximum(*pair)
    rules.expect_compiled_work(
        student, "max_functions", "max_numba", pair, lambda got: origin.is_right(got, right, 0), note
    )
    rules.flag_odd_compilation(sources, FILE, "max_numba", note)
    rules.expect_ordinary_code(sources)


@check("max.gpu.correct")
def test_max_gpu(student: Student, rng: np.random.Generator, sources: Sources, setup: Setup, note: Note) -> None:
    """`max_gpu(A, B)` returns the element-wise maximum of two 1000 × 1000 matrices, computed by a CUDA kernel."""
    pair = inputs.integer_pair(rng, recipe.MAX_SHAPE)
    with races.explained(student, ("max_functions", "max_gpu"), pair, setup, note, sources.data(FILE)):
        _expect_maximum(student, "max_gpu", rng, note)
    pairs = inputs.integer_pair(rng, recipe.MAX_SHAPE), inputs.integer_pair(rng, recipe.MAX_SHAPE)
    origin.expect_from_kernels(student, ("max_functions", "max_gpu"), pairs, _solve, rng, note)
    rules.expect_ordinary_code(sources)


@check("max.gpu.launch")
def test_max_gpu_launch(student: Student, rng: np.random.Generator, sources: Sources, note: Note) -> None:
    """`max_gpu` launches `max_kernel` with 1000 blocks of 1000 threads."""
    pair = inputs.integer_pair(rng, recipe.MAX_SHAPE)
    answer = student.max_functions.max_gpu.call(*pair, record_launches=True)
    rules.expect_launches(answer, "max_kernel", BLOCKS, THREADS, note)
    fresh, call = inputs.integer_pair(rng, recipe.MAX_SHAPE), ("max_functions", "max_gpu")
    is_only_one = {launch.kernel for launch in answer.launches} == {"max_kernel"}
    judge = origin.expect_kernel_works if is_only_one else origin.expect_from_kernel
    judge(student, call, "max_kernel", fresh, _solve, rng)
    rules.expect_ordinary_code(sources)


@check("max.gpu.speedup", stage="timed")
def test_max_gpu_speedup(
    student: Student, staff: Staff, rng: np.random.Generator, threshold: Threshold | None, setup: Setup, note: Note
) -> None:
    """`max_gpu` is at least 40 times as fast as `max_cpu`."""
    if setup.device != "gpu":
        raise NotMeasured("Speed is measured on the GPU server; here, kernels were executed on the CPU.")  # noqa: EM101, TRY003
    speedup.measure(student, staff, threshold, rng, note)
    pairs = inputs.integer_pair(rng, recipe.MAX_SHAPE), inputs.integer_pair(rng, recipe.MAX_SHAPE)
    # Once more: a function may count its calls, and let something else than its kernel work while it is timed.
    origin.expect_from_kernels(student, ("max_functions", "max_gpu"), pairs, _solve, rng, note)


@check("max.times", stage="timed")
def test_max_times(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """How long the three functions take, as measured here; no points."""
    functions = {"CPU": "max_cpu", "Numba": "max_numba"} | ({"CUDA": "max_gpu"} if setup.device == "gpu" else {})
    pairs = [inputs.integer_pair(rng, recipe.MAX_SHAPE) for _ in range(3)]
    timing.measure_best(student, "max_functions", functions, pairs, note)
    timing.explain_kernels(student, "max_functions", "max_gpu", pairs[0], setup, note)


@check("max.shapes")
def test_max_shapes(student: Student, rng: np.random.Generator) -> None:
    """The three functions are right for other sizes than the sheet's, too; no points."""
    for function in ("max_cpu", "max_numba", "max_gpu"):
        for shape in ODD_SHAPES:
            first, second = inputs.integer_pair(rng, shape)
            got = student.call("max_functions", function, (first, second)).value
            expect(f"`{function}` of {shape[0]} × {shape[1]} matrices", got, np.maximum(first, second))
