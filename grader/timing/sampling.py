"""Sample times until the verdict is clear: contestants take turns in random order, block by block.

The caller gives the clock, so a simulation runs this same loop with simulated time.

Student code cannot make the time of the stopwatch shorter than its work. The parent's clock gives two moments of a
call: the worker says that the function has *returned*, and the value is *in hand*, copied to where the worker cannot
reach it. A programmer would measure the first. But the worker could report it early, and go on computing while the
value is handed over, in a thread or in an object that computes when it is read. So the handover gets its usual time,
and a longer one counts:

    time = max(returned, in hand - handover) - cost

The usual handover, and the cost of a request and its reply, are measured in the same session, by staff calls that only
return an array of this size. The cheapest call is the cost, which must not count against the submission: it was 0.46 ms
beside a call of 6.4 ms on a server with a GPU.
"""

import math
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from grader.errors import StudentFault
from grader.timing.verdict import FIRST_LOOK

_GROWTH = 1.6  # each look comes after so many times the blocks of the last: a verdict is late by this factor at most
_LONGEST = 3.0  # how many times the budget the blocks before the first look may take, if single calls are very slow
_WARM_S = 0.1  # after so many seconds of calls, the clocks of a GPU are up
_MOST_BLOCKS = 400  # a limit for the evidence, which keeps every sample
_LEAST_S = 1e-6  # no call counts as shorter: a call that costs no more than the stopwatch must not be infinitely fast
_USUAL_PERCENT = 90  # the percentile of the staff's handovers that is usual: one slow by chance must not count as work

Blocks = dict[str, list[list[float]]]  # contestant -> block -> seconds of each call


@dataclass(frozen=True, slots=True)
class Contestant:
    """A function that is timed."""

    name: str
    call: Callable[[], float]  # makes one call, verifies what it returned, and returns its seconds
    calls: int = 1  # how often it is called in a block: more often if a call costs little
    optional: bool = False  # whether the comparison goes on without it if it fails
    warm_ups: int = 0  # how often it is called untimed before those calls: an idle GPU slows its clocks down
    most_s: float = math.inf  # after so many seconds of its calls it gets no more: for one whose time is only shown


@dataclass(slots=True)
class SamplingResult:
    """The result of sampling."""

    times_s: Blocks
    spent_s: float = 0.0  # seconds of the budget, by the caller's clock
    warming_s: float = 0.0  # seconds of untimed calls, which are not part of the budget
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
    """Take blocks of samples until `has_decided` is true at one of its looks, or the budget ends.

    Args:
        contestants: The functions; within a block, they are called in an order drawn from `rng`.
        has_decided: Called after 9, 15, 24, … blocks and at the end.
        budget_s: The limit, by `now_s`. The blocks before the first look may take longer.
        rng: A generator for the orders.
        now_s: The clock of the budget.
        find_needless: Called at each look; returns the contestants that need not be called any more.

    Raises:
        StudentFault: a contestant that is not optional failed.
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
    """Make the contestant's untimed calls, until they have lasted long enough; return their seconds."""
    began_s = now_s()
    for _ in range(contestant.warm_ups):
        if now_s() - began_s >= _WARM_S:
            break
        contestant.call()
    return now_s() - began_s


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """What timing costs in this session, in seconds."""

    cost_s: float  # the shortest time of a request and its reply, with no work in between
    handover_s: float  # the time that an array of this size may take from the reply until the parent has it

    def read_s(self, returned_s: float, received_s: float) -> float:
        """Return the time of a call from its two moments; if the first is missing, the handover counts as well."""
        has_word = 0 < returned_s <= received_s
        taken_s = max(returned_s, received_s - self.handover_s) if has_word else received_s
        return max(taken_s - self.cost_s, _LEAST_S)


def calibrate(moments: Sequence[tuple[float, float]]) -> Stopwatch:
    """Return the stopwatch that follows from (returned, in hand) of calls that only return an array, in seconds."""
    returned, in_hand = np.array(moments).T
    return Stopwatch(float(returned.min()), float(np.percentile(in_hand - returned, _USUAL_PERCENT)))
