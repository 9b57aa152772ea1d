"""Which share of cuBLAS and of the roofline `gemm` reaches on a GPU.

Staff's worker and submission take turns, block by block, with fresh numbers in each; a part of each product is held
against what is right. The shares are ratios of times, and the interval of their samples decides each tier.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from grader.assignments.gemm import products, roundoff
from grader.authoring import Note, NotMeasured, Staff, Student, WorkerError, fail
from grader.authoring.comparison import as_array
from grader.timing import lane, locks, verdict
from grader.timing.gpus import name_gpu

GRADED = 4096
SHOWN = 1024, 8192
"""Sizes that give no points; their shares stand in the report."""
BLOCKS, SHOWN_BLOCKS, CALLS = 12, 3, 5
ROWS, COLUMNS = 8, 256
"""Of each product, held against what is right."""
ROOFLINE = 4096, 2048, 1 << 26
"""Blocks, rounds of arithmetic and numbers to copy: see `baselines/rates.py`."""
SCENARIO = "speed_scenarios", "time_block"
RIVALS = {"cublas": "time_cublas", "roofline": "time_roofline"}
LIMIT_S = 60.0

Blocks = list[list[float]]


@dataclass(frozen=True, slots=True)
class Measured:
    """Size -> blocks of seconds: those of the submission, and of each rival that is installed here."""

    own: dict[int, Blocks]
    rivals: dict[str, dict[int, Blocks]]


def measure(student: Student, staff: Staff, rng: np.random.Generator) -> Measured:
    """Return the samples, taken in turns and while nobody else uses the GPU.

    Raises:
        StudentFault: a product was wrong while it was timed.
    """
    sizes = {GRADED: BLOCKS, **dict.fromkeys(SHOWN, SHOWN_BLOCKS)}
    found = Measured({size: [] for size in sizes}, {name: {size: [] for size in sizes} for name in RIVALS})
    with locks.hold(locks.resources(name_gpu(), [lane.pick_core()])):
        for size, blocks in sizes.items():
            for _ in range(blocks):
                found.own[size].append(time_block(student, size, rng))
                for name, samples in found.rivals.items():
                    samples[size] += time_rival(staff, name, size)
    return found


def time_block(student: Student, size: int, rng: np.random.Generator) -> list[float]:
    """Return one block of the submission's seconds, after a part of each of its products came out right."""
    seed, order = int(rng.integers(2**31)), rng.permutation(list(permutations(range(3), 2)))[: CALLS + 1]
    rows, columns = (np.sort(rng.choice(size, min(size, some), replace=False)) for some in (ROWS, COLUMNS))
    answer = student.ask_slices(*SCENARIO, (size, seed, order, rows, columns), limit_s=LIMIT_S).value
    seen = answer if isinstance(answer, dict) else {}
    parts = seen.get("parts")
    found = parts if isinstance(parts, list) and len(parts) == len(order) else [None] * len(order)
    drawn = np.random.default_rng(seed)
    matrices = [drawn.standard_normal((size, size), dtype=np.float32) for _ in range(3)]
    nothing = np.zeros((len(rows), len(columns)), np.float32)
    for (left, right), part in zip(order, found, strict=True):
        product = products.Product(1.0, matrices[left][rows], matrices[right][:, columns], 0.0, nothing)
        roundoff.expect_round_off(f"`gemm` of {size} × {size} float32, while it was timed,", part, product)
    times_s = as_array(seen.get("times_s"))
    if not isinstance(times_s, np.ndarray) or times_s.shape != (CALLS,) or not (times_s > 0).all():
        fail("`gemm` could not be timed.", got=str(seen.get("times_s"))[:100])
    return [float(one) for one in times_s]


def time_rival(staff: Staff, name: str, size: int) -> Blocks:
    """Return one block of what the submission is compared with; none where that is not installed."""
    more = ROOFLINE if name == "roofline" else ()
    try:
        answer = staff.call("rates", RIVALS[name], (size, CALLS, *more), limit_s=LIMIT_S)
    except WorkerError:
        return []
    return [[float(one) for one in answer.value]]


def note_share(measured: Measured, name: str, note: Note) -> None:
    """Note the samples of a share; the interval that follows from them decides.

    Raises:
        NotMeasured: there is nothing to compare with.
    """
    shares = {size: _share(measured.own[size], blocks) for size, blocks in measured.rivals[name].items()}
    if (share := shares[GRADED]) is None:
        raise NotMeasured(_MISSING[name])
    fact = f"share_of_{name}"
    samples = {verdict.BASELINE: measured.rivals[name][GRADED], verdict.FAST: measured.own[GRADED]}
    note.fact(f"{fact}_samples", samples)
    note.fact(fact, share)
    note.fact(f"{fact}_percent_by_size", {str(n): round(100 * one, 1) for n, one in sorted(shares.items()) if one})
    best_s = {size: min(map(min, blocks)) for size, blocks in sorted(measured.own.items())}
    note.fact("best_tflops_by_size", {str(size): round(2e-12 * size**3 / took_s, 2) for size, took_s in best_s.items()})


def _share(own: Blocks, rival: Blocks) -> float | None:
    """Return the median share of what a rival reaches; None where a block of it is missing."""
    if len(rival) < len(own):
        return None
    return verdict.raw_ratios({verdict.BASELINE: rival, verdict.FAST: own})[verdict.BASELINE]


_MISSING = {
    "cublas": "cuBLAS could not be measured: it needs CuPy, or nvmath-python with cuBLAS, on this machine.",
    "roofline": "The peak and the bandwidth of this GPU could not be measured.",
}
