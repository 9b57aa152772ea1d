"""Part 3: X·Xᵀ in Python, Numba and CUDA."""

import time
from contextlib import suppress
from functools import partial
from typing import Any

import numpy as np

from grader.assignments.hw1 import comparisons, recipe
from grader.assignments.hw1.comparisons import draw_uniform, solve_product
from grader.authoring import (
    Array,
    CheckedCall,
    Note,
    Setup,
    Student,
    StudentFault,
    StudentRaised,
    StudentTooSlow,
    attempt,
    check,
    expect,
    hinted,
)
from grader.authoring.comparison import as_numbers
from grader.authoring.judges import compiled, kernels, loops, races, slices, speedup

MODULE = "matmul_functions"
BLOCKS, THREADS = 1, 1024
TILE = 32
RACE_SHAPE = (64, 40)
"""Races show in small launches, too, and following one access takes fifty times as long as the access."""
SMALL_SHAPE = (13, 7)
SMALL_SHAPES = (SMALL_SHAPE, (13, recipe.MATMUL_SHAPE[1]))
"""Tried one after the other: the sheet fixes the size, and real submissions hard-code it, often only the columns."""
SOME_ROWS = 112  # a multiple of most divisors of 784, so that code which works block by block is right here, too
TRIVIAL_LIMIT_S = 100  # three loops over 784 × 784 × 128 take 14 to 60 s in Python
FEW_ROWS = 40  # rows for plain Python; for all 784 it takes 20 s, and the time grows with the square of their number
LOOK_S = 0.1  # how long three loops are observed with a matrix of the sheet's size; the whole call would take 20 s
ODD_SHAPES = ((1, 1), (1, 9), (33, 7), (50, 65), (1100, 3))


def _expect_product(
    student: Student, function: str, matrix: Array, note: Note, *, limit_s: float | None = None
) -> CheckedCall:
    is_gpu = "gpu" in function
    options = {"watch_inputs": True, "record_launches": is_gpu, "full": is_gpu or limit_s is None}
    answer = student.run(MODULE, function, (matrix,), limit_s=limit_s, **options)
    checked = answer.compared(partial(_compare, function, matrix), note)
    if is_gpu:
        kernels.expect_launched(checked, function, f"matmul_kernel[{BLOCKS}, {THREADS}](X, C)")
    note.flag_overwritten(answer, function)
    return checked


def _compare(function: str, matrix: Array, value: Any) -> None:
    """Fail unless an answer is X·Xᵀ."""
    if "gpu" in function:
        kernels.expect_returned(value, function)
    right, tolerance = solve_product(matrix)
    subject = f"`{function}` of a {matrix.shape[0]} × {matrix.shape[1]} matrix"
    expect(subject, value, right, atol=tolerance, mistakes=lambda _got: _mistakes(matrix, right))


def _mistakes(matrix: Array, right: Array) -> dict[str, Array]:
    last, tile = matrix[:, -1:], matrix[:, :TILE]
    mistakes = {
        "This is Xᵀ·X, not X·Xᵀ.": matrix.T @ matrix,
        "This is X·Xᵀ twice over.": 2 * right,
        "Only the last product of each sum is left: add to it, instead of setting it.": last @ last.T,
        f"Only the first {TILE} columns of X are summed: let the loop over tiles end where X ends.": tile @ tile.T,
        "Each sum goes on from the one before: begin each at zero.": _carry_over(right),
    }
    if matrix.shape[1] > 1:  # with a single column this gives zeros, which have other reasons
        shorter = "The last column of X is missing in every sum: does the innermost loop reach the end?"
        mistakes[shorter] = right - last @ last.T
    return mistakes


def _carry_over(right: Array) -> Array:
    """Return the result if threads stride over all entries and never set their sum back to zero."""
    padded = np.zeros(-(-right.size // THREADS) * THREADS)
    padded[: right.size] = right.ravel()
    return padded.reshape(-1, THREADS).cumsum(axis=0).ravel()[: right.size].reshape(right.shape)


@check("matmul.trivial.correct", values_only=True)
def test_trivial(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`matmul_transpose_trivial(X)` returns X·Xᵀ, computed by three nested loops."""
    function = "matmul_transpose_trivial"
    for rows, columns in SMALL_SHAPES:
        matrix = comparisons.mixed_matrix(rng, (rows, columns))
        with suppress(StudentFault):
            answer = _expect_product(student, function, matrix, note)
            break
    else:
        some = comparisons.mixed_matrix(rng, (SOME_ROWS, recipe.MATMUL_SHAPE[1]))
        with suppress(StudentRaised):  # only code that raises here, or has 784 rows, may be right at the whole size
            got = student.run(MODULE, function, (some,)).value
            if as_numbers(got).shape in {(0,), (SOME_ROWS, SOME_ROWS)}:
                _compare(function, some, got)
        answer = _expect_product(student, function, comparisons.mixed_matrix(rng), note, limit_s=TRIVIAL_LIMIT_S)
        rows, columns = recipe.MATMUL_SHAPE[0], 0  # single reads, 77 million of them, are not recorded
        note.fact("decided_at", "784 × 128")
    if columns:
        with hinted("It was right when it was called first: begin each call with new zeros.", always=True):
            _expect_product(student, function, matrix, note)
    slices.expect_closed(student, MODULE, [function])
    slices.flag_chance(student, (MODULE, function), note)
    loops.flag_products(student, MODULE, function, note)
    if not (answer.seen.fully or loops.is_by_python_alone(answer.seen.work, rows * rows)):
        loops.expect_no_mixes(answer, function)
    loops.expect_own_loops(answer, function, rows * rows, rows * columns, note)
    loops.expect_same_at_size(student, (MODULE, function), (comparisons.mixed_matrix(rng),), answer, LOOK_S)


@check("matmul.numba.correct", values_only=True)
def test_numba(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`matmul_transpose_numba(X)` returns X·Xᵀ for a 784 × 128 matrix."""
    function = "matmul_transpose_numba"
    try:
        _expect_product(student, function, comparisons.mixed_matrix(rng), note)
    except StudentTooSlow as slow:  # loops that are not compiled are right, but slow: the next check fails for that
        _expect_product(student, function, comparisons.mixed_matrix(rng, SMALL_SHAPE), note)
        note.fact("decided_at", "13 × 7")
        note.flag(f"`{function}` is right for a small matrix, but: {slow.finding.message}")


@check("matmul.numba.compiled")
def test_numba_is_compiled(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`matmul_transpose_numba` is your own loops, compiled by `njit` to machine code."""
    matrix = comparisons.mixed_matrix(rng)
    compiled.expect_compiled(student, (MODULE, "matmul_transpose_numba"), (matrix,), solve_product(matrix), note)


@check("matmul.gpu.correct")
def test_gpu(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """`matmul_transpose_gpu(X)` returns X·Xᵀ for a 784 × 128 matrix, computed by a CUDA kernel."""
    call = (MODULE, "matmul_transpose_gpu")
    tiny, wide = (draw_uniform(rng, shape) for shape in (RACE_SHAPE, recipe.MATMUL_SHAPE))
    races.expect_shared_work(student, call, tiny, wide, setup, note)
    with races.explained(student, call, tiny, setup, note, wide):
        for matrix in (comparisons.mixed_matrix(rng), rng.uniform(size=recipe.MATMUL_SHAPE)):
            answer = _expect_product(student, "matmul_transpose_gpu", matrix, note)
    draw = partial(draw_uniform, rng, recipe.MATMUL_SHAPE)
    kernels.expect_from_kernels(student, call, answer, draw, solve_product, note)


@check("matmul.gpu.launch")
def test_gpu_launch(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`matmul_transpose_gpu` launches `matmul_kernel` with one block of 1024 threads."""
    draw, counts = partial(draw_uniform, rng, recipe.MATMUL_SHAPE), (BLOCKS, THREADS)
    call = (MODULE, "matmul_transpose_gpu")
    kernels.expect_launch(student, call, "matmul_kernel", counts, draw, solve_product, note, "matmul.gpu.correct")


@check("matmul.times", stage="timed")
def test_times(student: Student, rng: np.random.Generator, setup: Setup, note: Note) -> None:
    """How long NumPy, plain Python, Numba and CUDA take, as measured here; no points."""
    matrices = [draw_uniform(rng, recipe.MATMUL_SHAPE) for _ in range(3)]
    functions = {"Numba": "matmul_transpose_numba"}
    if setup.device == "gpu":
        functions["CUDA"] = "matmul_transpose_gpu"
    speedup.measure_best(student, MODULE, functions, matrices, note)
    races.explain_kernels(student, (MODULE, "matmul_transpose_gpu"), matrices[0], setup, note)
    began = time.perf_counter()
    np.matmul(matrices[0][0], matrices[0][0].T)
    best_s = {"NumPy": time.perf_counter() - began, **note.facts["best_times_s"]}
    call = partial(student.run, MODULE, "matmul_transpose_trivial", (matrices[0][0][:FEW_ROWS],))
    if (answer := attempt(call, None)) is not None:  # None: a hard-coded size, which would take too long
        best_s[f"Trivial, scaled from {FEW_ROWS} rows"] = (recipe.MATMUL_SHAPE[0] / FEW_ROWS) ** 2 * answer.wall_s
    note.fact("best_times_s", best_s)


@check("matmul.shapes")
def test_shapes(student: Student, rng: np.random.Generator, note: Note) -> None:
    """Numba and CUDA are right for other sizes than the sheet's, too, by one block of 1024 threads; no points."""
    for function in ("matmul_transpose_numba", "matmul_transpose_gpu"):
        for shape in (*ODD_SHAPES, tuple(rng.integers(2, 90, 2))):
            answer = _expect_product(student, function, rng.normal(size=shape), note)
            if "gpu" in function and note.passed.get("matmul.gpu.launch", True):  # else its check has failed
                kernels.expect_launches(answer, "matmul_kernel", BLOCKS, THREADS, note)
