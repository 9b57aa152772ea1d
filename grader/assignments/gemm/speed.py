"""Which share of cuBLAS and of the roofline `gemm` reaches on a GPU.

The staff's worker and the submission take turns, in a new order and with fresh numbers for each block; a part of each
product is compared with the right one. The shares are ratios of times; the interval of their samples decides each tier.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import permutations
from typing import Any

import numpy as np

from grader.assignments.gemm import products
from grader.authoring import Note, NotMeasured, Staff, Student, StudentFault, WorkerError, fail
from grader.authoring.comparison import as_numbers
from grader.authoring.judges import speedup
from grader.timing import health, lane, locks, verdict
from grader.timing.gpus import name_gpu

GRADED = 4096
SHOWN = 1024, 8192  # sizes that give no points; their shares stand in the report
BLOCKS, SHOWN_BLOCKS, CALLS = 12, 3, 5
ROWS, COLUMNS = 8, 256  # rows and columns of each product that are compared with the right ones
ROOFLINE = 4096, 2048, 1 << 26  # blocks, rounds of arithmetic and numbers to copy: see `baselines/rates.py`
SCENARIO = "speed_scenarios", "time_block"  # unobserved: observing took 1.5 to 2.7 ms per launch on an H200
RIVALS = {"cublas": "time_cublas", "roofline": "time_roofline"}
HINTED_BELOW = 0.2  # a right step 3, all in float32, takes 0.27 of cuBLAS's rate on an H200
LIMIT_S, LONGEST_SHOWN_S = 60.0, 20.0
"""Limit of a block; and of all timed products of a size without points, whose untimed work takes twice as long."""

Blocks = list[list[float]]


@dataclass(frozen=True, slots=True)
class Measured:
    """Size -> blocks of seconds: those of the submission, and of each rival that is installed here."""

    own: dict[int, Blocks]
    rivals: dict[str, dict[int, Blocks]]
    after: health.Health = field(default_factory=lambda: health.Health(None))
    """The state of the machine after the graded size was timed."""
    disturbed: tuple[str, ...] = ()  # why earlier attempts to time the graded size do not count


def measure(student: Student, staff: Staff, rng: np.random.Generator) -> Measured:
    """Return the samples, taken on a reserved core while no other grading uses the GPU; errors: see `Bench.measure`."""
    core = lane.pick_core()
    with locks.hold(locks.resources(name_gpu(), [core])), lane.Lane(core) as track:
        bench = Bench(student, staff, track, rng, GRADED, SHOWN)
        return bench.measure(health.undisturbed, partial(health.observe, "gpu", used=[core]))


@dataclass(frozen=True, slots=True)
class Bench:
    """Whose products are timed, where, and of which sizes."""

    student: Student
    staff: Staff
    track: lane.Lane
    rng: np.random.Generator
    graded: int
    shown: tuple[int, ...]

    def measure(self, undisturbed: Callable[..., Any], observe: Callable[[], health.Health]) -> Measured:
        """Return the samples of all sizes.

        The graded size comes first; an attempt counts if nothing disturbed it. A size that is only shown has no samples
        if it failed, or would take too long.

        Raises:
            StudentFault: a product of the graded size was wrong while it was timed.
            WorkerError: the machine disturbed each attempt; no points are lost.
        """
        samples, after, disturbed = undisturbed(lambda: self.take(self.graded, BLOCKS), observe)
        taken, block_s = {self.graded: samples}, sum(map(sum, samples["own"])) / BLOCKS
        for size in self.shown:
            if SHOWN_BLOCKS * block_s * (size / self.graded) ** 3 < LONGEST_SHOWN_S:
                with suppress(StudentFault, WorkerError):
                    taken[size] = self.take(size, SHOWN_BLOCKS)
        rivals = {name: {size: blocks[name] for size, blocks in taken.items()} for name in RIVALS}
        return Measured({size: blocks["own"] for size, blocks in taken.items()}, rivals, after, disturbed)

    def take(self, size: int, blocks: int) -> dict[str, Blocks]:
        """Return blocks of seconds of the submission, `own`, and of each rival, in a new order for each block."""
        self.student.begin_time()
        names = ("own", *RIVALS)
        taken: dict[str, Blocks] = {name: [] for name in names}
        for _ in range(blocks):
            for place in self.rng.permutation(len(names)):
                taken[names[place]] += self.time_one(names[place], size)
        return taken

    def time_one(self, name: str, size: int) -> Blocks:
        """Return one block of the submission, or of a rival, while the submission stands still."""
        if name == "own":
            return [self.track.run(self.student, lambda: time_block(self.student, size, self.rng))]
        return self.track.run(self.staff, lambda: time_rival(self.staff, name, size), (self.student,))


def time_block(student: Student, size: int, rng: np.random.Generator) -> list[float]:
    """Return one block of the submission's seconds, after a part of each of its products came out right."""
    seed, order = int(rng.integers(2**31)), rng.permutation(list(permutations(range(3), 2)))[: CALLS + 1]
    rows, columns = (np.sort(rng.choice(size, min(size, some), replace=False)) for some in (ROWS, COLUMNS))
    result = student.ask_plain(*SCENARIO, (size, seed, order, rows, columns), limit_s=LIMIT_S).value
    answer = result if isinstance(result, dict) else {}
    parts = answer.get("parts")
    if not isinstance(parts, list) or len(parts) != len(order):
        parts = [None] * len(order)
    drawn = np.random.default_rng(seed)
    matrices = [drawn.standard_normal((size, size), dtype=np.float32) for _ in range(3)]
    nothing = np.zeros((len(rows), len(columns)), np.float32)
    for (left, right), part in zip(order, parts, strict=True):
        product = products.Product(1.0, matrices[left][rows], matrices[right][:, columns], 0.0, nothing)
        products.expect_round_off(f"`gemm` of {size} × {size} float32, while it was timed,", part, product)
    times_s = as_numbers(answer.get("times_s"))
    if times_s.shape != (CALLS,) or not (times_s > 0).all():
        fail("`gemm` could not be timed.", got=str(answer.get("times_s"))[:100])
    return [float(time_s) for time_s in times_s]


def time_rival(staff: Staff, name: str, size: int) -> Blocks:
    """Return one block of seconds of a rival; an empty list if the rival is not installed."""
    more = ROOFLINE if name == "roofline" else ()
    try:
        answer = staff.call("rates", RIVALS[name], (size, CALLS, *more), limit_s=LIMIT_S)
    except WorkerError:
        return []
    return [[float(time_s) for time_s in answer.value]]


def note_share(measured: Measured, name: str, note: Note) -> None:
    """Note the samples of a share; the interval that follows from them decides.

    Raises:
        NotMeasured: there is nothing to compare with.
    """
    shares = {size: _share(measured.own[size], blocks) for size, blocks in measured.rivals[name].items()}
    if (share := shares[GRADED]) is None:
        raise NotMeasured(_MISSING[name])
    fact = f"share_of_{name}"
    speedup.note_machine(measured.after, measured.disturbed, note)
    note.fact(f"{fact}_samples", {verdict.BASELINE: measured.rivals[name][GRADED], verdict.FAST: measured.own[GRADED]})
    note.fact(fact, share)
    percent = {str(size): round(100 * part, 1) for size, part in sorted(shares.items()) if part}
    note.fact(f"{fact}_percent_by_size", percent)
    if share < HINTED_BELOW:
        note.remark(_HINT)
    best_s = {size: min(map(min, blocks)) for size, blocks in sorted(measured.own.items())}
    note.fact("best_tflops_by_size", {str(size): round(2e-12 * size**3 / took_s, 2) for size, took_s in best_s.items()})


def _share(own: Blocks, rival: Blocks) -> float | None:
    """Return the median share of the rival's speed that the submission reaches; None if a rival's block is missing."""
    if len(rival) < len(own):
        return None
    return verdict.raw_ratios({verdict.BASELINE: rival, verdict.FAST: own})[verdict.BASELINE]


_HINT = (
    "Does a loop of the kernel work with float64? `A[i, p] if inside else 0` is one for Numba, also of float32: write "
    "`if inside:` and `else:`."
)
_MISSING = {
    "cublas": "cuBLAS could not be measured: it needs CuPy, or nvmath-python with cuBLAS, on this machine.",
    "roofline": "The peak and the bandwidth of this GPU could not be measured.",
}
