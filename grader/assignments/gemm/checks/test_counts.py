"""Part 1: how often each step loads a number, counted by the executor. No time is measured.

Nominally, each of the m k n multiply-adds of a product loads two numbers. In shared memory a tile of 16 × 16 numbers
is loaded once and used 16 times; with several sums per thread, a number that was read from shared memory is used
several times. The counts do not depend on the machine. They decide here, without a GPU, what a GPU would only show as
time.
"""

from functools import partial
from typing import Any

import numpy as np
import pytest

from grader.assignments.gemm import products, recipe, steps
from grader.assignments.gemm.products import Product
from grader.assignments.gemm.steps import Steps
from grader.authoring import Inconclusive, Note, Run, Student, StudentFault, attempt, check, fail
from grader.authoring.judges import costs, makers

CountedRun = Run[Any, costs.Costs]
NOMINAL_LOADS = 2  # numbers that a multiply-add loads if none is kept for another use
NAIVE_LEAST = 1.5
ONE_SUM = 1.8
"""Fewer numbers per multiply-add mean several sums per thread: one sum needs 2 numbers, 1 × 2 sums need 1.5."""
SHARED = "cuda.shared.array holds a tile of A and one of B, which all threads of a block use."
FEWEST, FEWEST_SHARED = 0.004, 0.06
"""The fewest loads: tiles of 512 × 512, and 32 × 32 sums per thread. No GPU has so many registers."""
MOST_THREADS = 2
"""Threads per entry of a wrong grid, whose width is k instead of n; a step that keeps no numbers gains little by it."""
PASS_BYTES = 128  # bytes that 32 banks deliver in one pass
FEWEST_LANES = 8
"""Lanes of a warp that load at a time: all if all threads carry a tile, one if one thread works for all."""
UNEVEN_SHARE = 0.25
"""This share of the fall has to remain for uneven sizes: edges by step 1 leave 0.5, all entries by step 1 0.02."""
TILED_FALL, BLOCKED_FALL, MOSTLY_FREE = 15, 30, 0.9
"""What the sheet asks for. A submission below it gets a hint; the rubric decides the points."""
MOST_CONSTANTS = 256
"""Numbers in a constant array of a kernel; reads of a larger one would have to be counted, and cannot be."""
MOST_SHARED = 1.1  # numbers from shared memory for a multiply-add of step 3: with 2 × 2 sums per thread, 1
MOST_NEEDED = {"gemm_tiled": 1.25 * NOMINAL_LOADS, "gemm_blocked": 1.25 * MOST_SHARED}
"""The most numbers per multiply-add that passes of shared memory need, to fill tiles, too; more hide no conflicts."""


class Counter:
    """Counts the loads of steps, on a product whose sizes are multiples of every tile."""

    def __init__(self, student: Student, rng: np.random.Generator, note: Note) -> None:
        self._student, self._rng, self._note = student, rng, note
        self._product = products.draw(rng, recipe.COUNTED, (1.0, 0.0))
        tries = [partial(steps.run, student, step, self._product) for step in recipe.STEPS if self.is_wrong(step)]
        if any(attempt(call, None) is None for call in tries):  # it raises: perhaps for matrices that are not square
            self._product = products.draw(rng, recipe.EVEN, (1.0, 0.0))
        self.entries = self._product.C.size
        self.adds: int = self.entries * self._product.A.shape[1]

    def count(self, step: str) -> costs.Costs:
        """Return the costs of a step; keep them as facts. A wrong product is flagged; another check fails for it."""
        run = self._run(step, self._product)

        def compare(value: Any) -> None:
            try:
                _expect_product(step, self._product, value)
            except StudentFault:
                self._note.flag(f"`{step}` computes a wrong product; its loads are counted all the same")
                raise

        counts = run.compared(compare, self._note, steps.owner(step)).seen
        self._expect_same(step, self._product, counts)
        fact = {
            "threads": counts.threads,
            "global_loads_per_multiply_add": round(self.loads(counts), 4),
            "shared_loads_per_multiply_add": round(self.shared_loads(counts), 4),
            "conflict_percent": round(counts.conflict_percent, 1),
        }
        self._note.fact(f"{step}_counted", fact)
        if step != "gemm_naive":  # blocks of a single thread are slow there, but right
            steps.flag_few_lanes(step, counts, FEWEST_LANES, self._note)
        if not counts.kernels:
            fail(f"`{step}` launches no kernel.", hint="Let a kernel compute the product.")
        return counts

    def expect_for_uneven_sizes(self, step: str, fall: float) -> None:
        """Fail if a step needs many more loads where tiles are not full; another check fails for wrong products."""
        sizes = (np.array(recipe.UNEVEN) + 2 * self._rng.integers(0, 3, 3)).tolist()
        product = products.draw(self._rng, tuple(self._rng.permutation(sizes).tolist()), (1.0, 0.0))
        try:
            run = self._run(step, product)
        except StudentFault:  # another check fails for a step that raises
            return
        counts = run.compared(partial(_expect_product, step, product), self._note, steps.owner(step)).seen
        self._expect_same(step, product, counts)
        adds = product.C.size * product.A.shape[1]
        uneven = NOMINAL_LOADS * product.C.itemsize * adds / max(counts.global_bytes, 1)
        self._note.fact("fall_for_uneven_sizes", round(uneven, 2))
        if uneven < UNEVEN_SHARE * fall:
            fail(
                f"`{step}` loads as much as step 1 where its tiles are not full.",
                expected=f"for {product.words} about as small a part as for sizes that are multiples: 1/{fall:g}",
                got=f"1/{uneven:.2g} of the loads of step 1",
                hint="Let the same kernel do any size: a thread beyond the edge puts a zero into the tile.",
            )

    def _run(self, step: str, product: Product) -> CountedRun:
        call = (recipe.SCENARIOS, "multiply")
        return costs.run(self._student, call, (step, *product.args), steps.uses(step), f"`{step}`")

    def _expect_same(self, step: str, product: Product, counts: costs.Costs) -> None:
        """Fail unless the kernels that were counted compute the product; another check fails for a wrong product.

        Raises:
            Inconclusive: a kernel has a large constant array, whose reads are not counted.
        """
        scene = steps.run(self._student, step, product)
        launches = scene.held_against.launches if scene.held_against else ()
        held = [array.size for launch in launches for array in launch.constants]
        if max(held, default=0) > MOST_CONSTANTS:
            what = f"has an array of {max(held):,} constants in a kernel, and reads of these are not counted"
            raise Inconclusive(f"`{step}` {what}. A TA should read it.")
        if not scene.is_observed or self.is_wrong(step) or not counts.kernels:
            return
        made = steps.compare(scene, product, [], self._note, steps.owner(step))
        steps.expect_kernels(made, product, self._note)
        chains = [makers.find_chain(launches, maker) for maker in makers.find_makers(launches, made.value["C"])]
        needed = {id(launch) for chain in chains for launch in chain}
        if useless := {launch.kernel for launch in launches if id(launch) not in needed}:
            self._note.flag(f"`{step}` launches {', '.join(sorted(useless))}, which C does not need; its loads count")
        if others := {launch.kernel for launch in launches} ^ {*counts.kernels}:
            names = ", ".join(sorted(others))
            self._note.flag(f"`{step}` launches {names} in one of two calls with the same numbers, not in both")

    def share_of_threads(self, step: str, counts: costs.Costs) -> float:
        """Return the threads per entry of a wrong step, whose grid may be the mistake; 1 for other steps."""
        return counts.threads / self.entries if self.is_wrong(step) else 1.0

    def is_wrong(self, step: str) -> bool:
        """Whether a step has lost points for its numbers."""
        return self._note.passed.get(steps.owner(step)) is False

    def loads(self, counts: costs.Costs) -> float:
        """Return how many numbers a multiply-add loads from global memory."""
        return counts.global_bytes / self._product.C.itemsize / self.adds

    def shared_loads(self, counts: costs.Costs) -> float:
        """Return how many numbers a multiply-add loads from shared memory."""
        return counts.shared_bytes / self._product.C.itemsize / self.adds

    def all_loads(self, counts: costs.Costs) -> float:
        """Return how many numbers a multiply-add takes from memory or from other threads."""
        return self.loads(counts) + self.shared_loads(counts) + counts.exchanges / self.adds

    def share_without_conflicts(self, step: str, counts: costs.Costs) -> float:
        """Return the share of the passes of shared memory that a product needs; the rest are bank conflicts."""
        return counts.share_without_conflicts(MOST_NEEDED[step] * self.adds * self._product.C.itemsize / PASS_BYTES)


@pytest.fixture
def counted(student: Student, rng: np.random.Generator, note: Note) -> Counter:
    """Counts what the launches of a step cost."""
    return Counter(student, rng, note)


def _expect_product(step: str, product: Product, value: Any) -> None:
    products.expect_round_off(f"`{step}` of {product.words}:", (value or {}).get("C"), product)


@check("gemm.naive.counts")
def test_naive(counted: Counter) -> None:
    """`gemm_naive` has one thread for each entry, and loads both numbers of each multiply-add from global memory."""
    counts = counted.count("gemm_naive")
    share = counted.share_of_threads("gemm_naive", counts)
    if counts.shared_bytes or counted.loads(counts) < NAIVE_LEAST * min(1.0, share):
        fail(
            "`gemm_naive` is not step 1: it keeps numbers to use them several times.",
            expected=f"{NOMINAL_LOADS} loads from global memory for each multiply-add, none from shared memory",
            got=f"{counted.loads(counts):.3g} and {counted.shared_loads(counts):.3g}",
            hint="Step 1 stays in the file as it was first written: the other two are measured against it.",
        )
    _expect_a_thread_for_each("gemm_naive", counts, counted)


@check("gemm.tiled.counts")
def test_tiled(counted: Counter, note: Note) -> None:
    """`gemm_tiled` keeps tiles in shared memory: it loads from global memory a tile's share of what step 1 does."""
    counts = counted.count("gemm_tiled")
    _expect_a_thread_for_each("gemm_tiled", counts, counted)
    _expect_shared("gemm_tiled", counts)
    share = counted.share_of_threads("gemm_tiled", counts)
    fall = _fall("gemm_tiled", counted, counts) * min(max(1.0, share), MOST_THREADS)
    hint = "A tile of 16 × 16 numbers is used 16 times, one of 8 × 8 only 8 times."
    _note_fall("gemm_tiled", fall, TILED_FALL, hint, note)
    counted.expect_for_uneven_sizes("gemm_tiled", fall)


@check("gemm.blocked.counts")
def test_blocked(counted: Counter, note: Note) -> None:
    """`gemm_blocked` keeps several sums per thread: it loads less again, from global and from shared memory."""
    counts = counted.count("gemm_blocked")
    _expect_shared("gemm_blocked", counts)
    as_step_2 = counts.exchanges and counted.all_loads(counts) > ONE_SUM
    if counted.shared_loads(counts) > MOST_SHARED or as_step_2:
        fail(
            "`gemm_blocked` loads from shared memory as often as step 2.",
            expected=f"at most {MOST_SHARED} numbers for each multiply-add; 4 × 4 sums per thread need 0.5",
            got=f"{counted.shared_loads(counts):.3g}, and {counts.exchanges / counted.adds:.3g} from other threads",
            hint="Give each thread several rows and columns, and read each number once for all its sums.",
        )
    fall = _fall("gemm_blocked", counted, counts)
    hint = "Let a block compute more entries: 16 × 16 threads with 4 × 4 sums each use a number 64 times."
    _note_fall("gemm_blocked", fall, BLOCKED_FALL, hint, note)
    counted.expect_for_uneven_sizes("gemm_blocked", fall)


@check("gemm.conflicts")
def test_conflicts(sound: Steps, counted: Counter, note: Note) -> None:
    """Bank conflicts cost steps 2 and 3 few passes of shared memory."""
    in_steps = {step: counted.count(step) for step in sound.each() if step != "gemm_naive"}
    in_shared = {step: counts for step, counts in in_steps.items() if counts.shared_bytes}
    if not in_shared:
        fail("Neither `gemm_tiled` nor `gemm_blocked` computes a product in shared memory.", hint=SHARED)
    for step, counts in in_shared.items():
        if counted.loads(counts) > NAIVE_LEAST:
            note.flag(f"`{step}` loads from global memory as often as step 1: is its shared memory only for show?")
    share = min(counted.share_without_conflicts(step, counts) for step, counts in in_shared.items())
    note.fact("share_of_passes_without_conflicts_percent", round(100 * share, 1))
    if share < MOSTLY_FREE:
        note.remark(
            f"Bank conflicts: shared memory is passed {1 / share:.3g} times as often as would be needed.",
            hint="Let neighbouring threads use neighbours of a row; if they use a column, let rows be longer by one.",
        )


def _note_fall(step: str, fall: float, wanted: float, hint: str, note: Note) -> None:
    note.fact("fall_of_global_loads", fall)
    if fall < wanted:
        note.remark(f"`{step}` loads from global memory 1/{fall:.3g} of what step 1 does.", hint=hint)


def _expect_a_thread_for_each(step: str, counts: costs.Costs, counted: Counter) -> None:
    loads = counted.all_loads(counts)
    if not counted.is_wrong(step) and (counts.threads < counted.entries or loads < ONE_SUM):
        fail(
            f"`{step}` keeps several sums per thread.",
            expected=f"{counted.entries} threads at least, and {NOMINAL_LOADS} numbers for each multiply-add",
            got=f"{counts.threads} threads that touch an array, and {loads:.3g}",
            hint="Several sums per thread are step 3.",
        )


def _expect_shared(step: str, counts: costs.Costs) -> None:
    if not counts.shared_bytes:
        fail(f"`{step}` reads nothing from shared memory.", hint=SHARED)


def _fall(step: str, counted: Counter, counts: costs.Costs) -> float:
    """Return by which factor a step loads fewer numbers than nominal; fail if they are too few for a product."""
    loads = counted.loads(counts)
    if loads < FEWEST or counted.shared_loads(counts) < FEWEST_SHARED:
        fail(
            f"`{step}` loads too few numbers for a product.",
            expected=f"at least {FEWEST} from global and {FEWEST_SHARED} from shared memory for each multiply-add",
            got=f"{loads:.3g} and {counted.shared_loads(counts):.3g}",
            hint="Repair the product first.",
        )
    return round(NOMINAL_LOADS / loads, 2)
