"""Part 5: which share of cuBLAS and of the roofline does `gemm` reach? Only a GPU can say."""

import numpy as np
import pytest

from grader.assignments.gemm import recipe, speed
from grader.authoring import Note, Setup, Staff, Student, check
from grader.authoring.judges import slices, speedup


@pytest.fixture(scope="session")
def measured(student: Student, staff: Staff, setup: Setup) -> speed.Measured:
    """The samples, taken once for all tiers."""
    speedup.expect_gpu(setup)
    slices.expect_closed(student, "gemm", [recipe.GEMM])
    return speed.measure(student, staff, np.random.default_rng([setup.seed, 7]))


@check("speed.cublas.fifth", stage="timed")
def test_a_fifth_of_cublas(measured: speed.Measured, note: Note) -> None:
    """`gemm` of 4096 × 4096 float32 reaches at least 20 % of what cuBLAS does."""
    speed.note_share(measured, "cublas", note)


@check("speed.cublas.half", stage="timed")
def test_half_of_cublas(measured: speed.Measured, note: Note) -> None:
    """`gemm` of 4096 × 4096 float32 reaches at least 50 % of what cuBLAS does."""
    speed.note_share(measured, "cublas", note)


@check("speed.roofline.fifth", stage="timed")
def test_a_fifth_of_the_roofline(measured: speed.Measured, note: Note) -> None:
    """`gemm` of 4096 × 4096 float32 reaches at least 20 % of the roofline, measured at the same time."""
    speed.note_share(measured, "roofline", note)


@check("speed.roofline.more", stage="timed")
def test_more_of_the_roofline(measured: speed.Measured, note: Note) -> None:
    """`gemm` of 4096 × 4096 float32 reaches at least 40 % of the roofline, measured at the same time."""
    speed.note_share(measured, "roofline", note)
