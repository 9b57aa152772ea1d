"""Reading a time that student code cannot make shorter than its work.

Two moments of a call are known by the parent's clock: the worker said that the function had *returned*, and the value
was *in hand*, copied to where the worker cannot reach it. The first is what a programmer would measure, but it is the
worker that says so: it could say it early, and go on computing while the value is handed over, by a thread or by an
answer that computes when it is looked at. So handing over gets the time that it takes, and what lasts longer counts:

    time = max(returned, in hand - handover)

Both the stopwatch's own cost and the handover are measured in the same session, on a call of the staff's that only
returns an array of the size in question.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

MOST_SHARE = 0.05
"""Of a timed call: a stopwatch that costs more distorts it."""
_USUAL = 90
"""Percent of all handovers that are allowed what they take: one that is slow by chance shall not count as work."""


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """What timing costs in this session, in seconds."""

    cost_s: float
    """A request and the word that it is done, with nothing in between: contained in every time."""
    handover_s: float
    """What an array of the size in question may take from there into the parent's hands."""

    def read_s(self, returned_s: float, received_s: float) -> float:
        """Return the time of a call from its two moments; without a word in between, all of it counts."""
        if not 0 < returned_s <= received_s:
            return received_s
        return max(returned_s, received_s - self.handover_s)

    def is_heavy(self, call_s: float) -> bool:
        """Return whether the stopwatch's own cost distorts a call of that length."""
        return self.cost_s > MOST_SHARE * call_s


def calibrate(moments: Sequence[tuple[float, float]]) -> Stopwatch:
    """Return the stopwatch that follows from (returned, in hand) of calls that only return an array, in seconds."""
    returned, in_hand = np.array(moments).T
    return Stopwatch(float(np.median(returned)), float(np.percentile(in_hand - returned, _USUAL)))
