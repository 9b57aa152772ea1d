"""Which share of cuBLAS and of the roofline `gemm` reaches on a GPU.

Staff's worker and submission take turns, block by block, with fresh numbers in each; some rows of each block are held
against what is right. The shares are ratios of times, and the interval of their samples decides each tier.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grader.assignments.gemm import products, roundoff
from grader.authoring import Note, NotMeasured, Staff, Student, WorkerError, fail
from grader.authoring.comparison import as_array
from grader.timing import lane, locks, verdict
from grader.timing.gpus import name_gpu

GRADED = 4096
SHOWN = 1024, 8192
BLOCKS, CALLS = 12, 5
ROWS = 8
SCENARIO = "speed_scenarios", "time_block"
RIVALS = {"cublas": "time_cublas", "roofline": "time_roofline"}
LIMIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Measured:
    """Blocks of seconds: those of the submission, and of what it is compared with."""

    own: list[list[float]]
    rivals: dict[str, list[list[float]]]
    shown_s: dict[int, float]
    """Size -> best time of the submission, for sizes that give no points."""


def measure(student: Student, staff: Staff, rng: np.random.Generator) -> Measured:
    """Return the samples, taken while nobody else uses the GPU.

    Raises:
        StudentFault: a product was wrong while it was timed.
    """
    with locks.hold(locks.resources(name_gpu(), [lane.pick_core()])):
        found = Measured([], {name: [] for name in RIVALS}, {})
        for _ in range(BLOCKS):
            found.own.append(time_block(student, GRADED, rng))
            for name, function in RIVALS.items():
                found.rivals[name] += time_rival(staff, function)
        for size in SHOWN:
            found.shown_s[size] = min(time_block(student, size, rng))
    return found


def time_block(student: Student, size: int, rng: np.random.Generator) -> list[float]:
    """Return one block of the submission's seconds, after its rows came out right."""
    seed, rows = int(rng.integers(2**31)), np.sort(rng.choice(size, ROWS, replace=False))
    answer = student.ask_slices(*SCENARIO, (size, seed, rows, CALLS), limit_s=LIMIT_S).value
    seen = answer if isinstance(answer, dict) else {}
    drawn = np.random.default_rng(seed)
    A, B = (drawn.standard_normal((size, size), dtype=np.float32) for _ in range(2))
    product = products.Product(1.0, A[rows], B, 0.0, np.zeros((ROWS, size), np.float32))
    roundoff.expect_round_off(f"`gemm` of {size} × {size} float32, while it was timed,", seen.get("rows"), product)
    times_s = as_array(seen.get("times_s"))
    if not isinstance(times_s, np.ndarray) or times_s.shape != (CALLS,) or not (times_s > 0).all():
        fail("`gemm` could not be timed.", got=str(seen.get("times_s"))[:100])
    return [float(one) for one in times_s]


def time_rival(staff: Staff, function: str) -> list[list[float]]:
    """Return one block of what the submission is compared with; none where that is not installed."""
    try:
        return [[float(one) for one in staff.call("rates", function, (GRADED,), limit_s=LIMIT_S).value]]
    except WorkerError:
        return []


def note_share(measured: Measured, name: str, note: Note) -> None:
    """Note the samples of a share; the interval that follows from them decides.

    Raises:
        NotMeasured: there is nothing to compare with.
    """
    blocks = measured.rivals[name]
    if len(blocks) < BLOCKS:
        raise NotMeasured(f"{name} could not be measured on this machine.")  # noqa: EM102, TRY003
    samples = {verdict.BASELINE: blocks, verdict.FAST: measured.own}
    fact = f"share_of_{name}"
    note.fact(f"{fact}_samples", samples)
    note.fact(fact, verdict.raw_ratios(samples)[verdict.BASELINE])
    best_s = min(min(block) for block in measured.own)
    note.fact(
        "best_times_s", {str(size): took_s for size, took_s in sorted({GRADED: best_s, **measured.shown_s}.items())}
    )
