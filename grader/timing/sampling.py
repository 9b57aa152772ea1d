"""Sampling until the answer is clear: contestants take turns in random order, block by block.

The clock is the caller's, so that a simulation runs this very loop with simulated time.

A stopwatch reads a time that student code cannot make shorter than its work. Two moments of a call are known by the
parent's clock: the worker said that the function had *returned*, and the value was *in hand*, copied to where the
worker cannot reach it. The first is what a programmer would measure, but it is the worker that says so: it could say it
early, and go on computing while the value is handed over, by a thread or by an answer that computes when it is looked
at. So handing over gets the time that it takes, and what lasts longer counts:

    time = max(returned, in hand - handover) - cost

The handover, and the cost of a request and of the word that it is done, are measured in the same session, on calls of
the staff's that only return an array of the size in question. The cheapest of them is the cost: it was 0.46 ms beside
a call of 6.4 ms on a server with a GPU, and would count against the submission.
"""

import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.errors import StudentFault
from grader.timing.verdict import FIRST_LOOK

_GROWTH = 1.6
"""Each look comes after so many times the blocks of the one before: an answer is late by that much at most."""
_LONGEST = 3.0
"""So many times the budget may be spent on the blocks before the first look, when single calls are very slow."""
_WARM_S = 0.1
"""After so long, clocks are up, however few calls that took."""
_MOST_BLOCKS = 400
"""Evidence keeps every sample."""
_LEAST_S = 1e-6
"""No call takes less: there is no speed-up by infinity where a call costs no more than the stopwatch."""
_USUAL_PERCENT = 90
"""Of all handovers that are allowed what they take: one that is slow by chance shall not count as work."""

Blocks = dict[str, list[list[float]]]
"""Contestant -> block -> seconds of each call."""


@dataclass(frozen=True, slots=True)
class Contestant:
    """Something that is timed."""

    name: str
    call: Callable[[], float]
    """Makes one call, verifies what it returned, and returns its seconds."""
    calls: int = 1
    """How often it is called in a block: more where a call costs little."""
    optional: bool = False
    """Whether the comparison goes on without it when it fails."""
    warm_ups: int = 0
    """How often it is called untimed before those calls: a GPU that had nothing to do has slowed its clocks down."""
    most_s: float = math.inf
    """After so many seconds of its calls it takes no further turn: for one whose time is only shown."""


@dataclass(slots=True)
class SamplingResult:
    """What sampling came to."""

    times_s: Blocks
    spent_s: float = 0.0
    """Of the budget, by the caller's clock."""
    warming_s: float = 0.0
    """What untimed calls took besides: it is no part of the budget."""
    failures: dict[str, StudentFault] = field(default_factory=dict)
    """Optional contestants that failed, with the reason; their samples are left out."""

    @property
    def blocks(self) -> int:
        """How many blocks were taken."""
        return max(map(len, self.times_s.values()), default=0)


def sample(
    contestants: Sequence[Contestant],
    has_decided: Callable[[Blocks], bool],
    budget_s: float,
    rng: np.random.Generator,
    now_s: Callable[[], float] = time.monotonic,
    find_needless: Callable[[Blocks], Collection[str]] = lambda _times_s: (),
) -> SamplingResult:
    """Take blocks of samples until `has_decided` says so at one of its looks, or the budget ends.

    Args:
        contestants: Who is timed; within a block, in an order drawn from `rng`.
        has_decided: Asked after 9, 15, 24, … blocks and at the end.
        budget_s: The end, by `now_s`. The blocks before the first look may take longer.
        rng: A generator of its own for the orders.
        now_s: The clock of the budget.
        find_needless: Asked at each look: who need not be called any more.

    Raises:
        StudentFault: a contestant failed that is not optional.
    """
    taken = SamplingResult({contestant.name: [] for contestant in contestants})
    began_s, looks = now_s(), _looks()
    look = next(looks)
    while True:
        _take_block(contestants, taken, rng, now_s)
        taken.spent_s = now_s() - began_s - taken.warming_s
        is_over = taken.spent_s >= budget_s * (1 if taken.blocks >= FIRST_LOOK else _LONGEST)
        is_over = is_over or taken.blocks >= _MOST_BLOCKS
        if taken.blocks >= look or is_over:
            if has_decided(taken.times_s) or is_over:
                return taken
            needless = find_needless(taken.times_s)
            contestants = [contestant for contestant in contestants if contestant.name not in needless]
            look = next(looks)


def _looks() -> Iterator[int]:
    look = FIRST_LOOK
    while True:
        yield look
        look = math.ceil(look * _GROWTH)


def _take_block(
    contestants: Sequence[Contestant], taken: SamplingResult, rng: np.random.Generator, now_s: Callable[[], float]
) -> None:
    for index in rng.permutation(len(contestants)):
        contestant = contestants[index]
        if contestant.name in taken.failures or sum(map(sum, taken.times_s[contestant.name])) >= contestant.most_s:
            continue
        try:
            taken.warming_s += _warm_up(contestant, now_s)
            times_s = [contestant.call() for _ in range(contestant.calls)]
        except StudentFault as fault:
            if not contestant.optional:
                raise
            taken.failures[contestant.name] = fault
            del taken.times_s[contestant.name]
        else:
            taken.times_s[contestant.name].append(times_s)


def _warm_up(contestant: Contestant, now_s: Callable[[], float]) -> float:
    """Make the contestant's untimed calls, no more once they have lasted for long enough; return their seconds."""
    began_s = now_s()
    for _ in range(contestant.warm_ups):
        if now_s() - began_s >= _WARM_S:
            break
        contestant.call()
    return now_s() - began_s


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """What timing costs in this session, in seconds."""

    cost_s: float
    """The least that a request and the word that it is done take, with nothing in between."""
    handover_s: float
    """What an array of the size in question may take from there into the parent's hands."""

    def read_s(self, returned_s: float, received_s: float) -> float:
        """Return the time of a call from its two moments; without a word in between, handing over counts as well."""
        has_word = 0 < returned_s <= received_s
        taken_s = max(returned_s, received_s - self.handover_s) if has_word else received_s
        return max(taken_s - self.cost_s, _LEAST_S)


def calibrate(moments: Sequence[tuple[float, float]]) -> Stopwatch:
    """Return the stopwatch that follows from (returned, in hand) of calls that only return an array, in seconds."""
    returned, in_hand = np.array(moments).T
    return Stopwatch(float(returned.min()), float(np.percentile(in_hand - returned, _USUAL_PERCENT)))
