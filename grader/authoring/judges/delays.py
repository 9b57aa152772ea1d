"""Delays in a function of plain Python: counted where they can be, and else measured in seconds of processor time.

What a neighbour on a busy machine takes shows in neither: counts depend on no machine, a process that waits for a
processor spends none of its time, and whatever makes a processor slow makes our own plain loop slow, which takes turns
with the function. Who sleeps is seen asking for it.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import Answer, Args, Inconclusive, Note, Student, StudentFault
from grader.authoring.judges import loops
from grader.authoring.judges.slices import COMPARE_TIMES, COUNT_STEPS, observe
from grader.slices.reading import IDLE_IN_LINE

MANY_STEPS = 4.5
"""Honest ways to visit every element need no more steps of Python than so many plain loops."""
MANY_TURNS, MANY_CALLS = 8.0, 12.0
"""For each element, so often may loops begin anew, and functions be entered. Honest ways: one to five, none to six."""
LONG = 6.0
"""Honest ways take no more time than so many plain loops; the slowest known, two objects of a class for each element,
take five."""
TIMES_BEFORE = 2.0
"""A small matrix takes no longer than so many plain loops over one of the sheet's size, for which some make room."""
TIMES_LARGER = 2.5
"""An entry of a large matrix takes no longer than so many entries of small ones."""
_GROWS = 1.5
"""Three times as many rows take longer by this factor at least, unless nearly all the time is the same for both."""
_LOOKS = 3
"""A delay has to be there so often, one look after the other."""
_WORTH_A_LOOK = 2.0
"""Observers make a function slower, so that what was seen beside them is only a reason to measure without."""


@dataclass(frozen=True, slots=True)
class _Measured:
    """Mean seconds of processor time of the function and of a plain loop, for some matrices."""

    call_s: float
    plain_s: float
    waited_s: float
    entries: int

    @property
    def times(self) -> float:
        """How many times as long as the plain loop the function takes."""
        return self.call_s / max(self.plain_s, 1e-9)


def flag_delays(student: Student, call: tuple[str, str], small: Args, larger: Args, wide: Args, note: Note) -> None:
    """Flag a function of two matrices that does much more than visiting their entries.

    In two `small` matrices of short rows, what is done for each row shows; two `larger` ones have more rows; two `wide`
    ones have the sheet's size, as those in the calls before that were not watched fully.

    Raises:
        StudentFault: it sleeps.
    """
    earlier = student.seen_of(*call)
    loops.expect_awake(sum(observed.work.waited_s for observed in earlier), call[1])
    wide_s = max((observed.work.computed_s for observed in earlier if not observed.fully), default=0.0)
    bare = partial(_measure, student, call, ask=student.ask_plain)
    try:
        beside = [_measure(student, call, pair, ask=student.ask_slices) for pair in (small, larger)]
        counted = observe(student, COUNT_STEPS, (*call, small, larger))
    except (StudentFault, Inconclusive):  # such as a function that is made for the sheet's size only
        words = "computes {:.0f} times as long as a plain loop: is there a delay?"
        reason = _look_again(lambda: words.format(times) if (times := bare(wide).times) > LONG else "")
    else:
        loops.expect_awake(sum(measured.waited_s for measured in beside) + counted["waited_s"], call[1])
        reason = _judge_counts(counted, np.size(larger[0]) - np.size(small[0]), note)
        if not reason and (pairs := _find_odd(beside, wide_s, (small, larger, wide))):
            reason = _look_again(lambda: _judge(map(bare, pairs), np.size(wide[0])))
    idle = [word.removeprefix(IDLE_IN_LINE) for word in student.words_in(*call) if word.startswith(IDLE_IN_LINE)]
    if idle and not reason:  # by reading: it may be too little to be measured
        reason = f"does work in line {idle[0]} that nothing depends on: is there a delay?"
    if reason:
        note.flag(f"{call[1]} {reason}")


def _find_odd(beside: list[_Measured], wide_s: float, pairs: tuple[Args, ...]) -> tuple[Args, ...]:
    """Return those of the small, the larger, and the sheet's matrices that deserve a look without observers."""
    small, larger = beside
    expected_s = max(larger.call_s, larger.plain_s) / larger.entries * np.size(pairs[-1][0])
    if wide_s > _WORTH_A_LOOK * expected_s:
        return pairs
    return pairs[:2] if larger.times > LONG / 2 or small.call_s > expected_s else ()


def _look_again(look: Callable[[], str]) -> str:
    """Return what the last of some looks finds, if each finds something; where time runs out, the last that ended."""
    reason = ""
    with suppress(StudentFault, Inconclusive):
        for _ in range(_LOOKS):
            reason = look()
            if not reason:
                break
    return reason


def _measure(student: Student, call: tuple[str, str], pair: Args, *, ask: Callable[..., Answer]) -> _Measured:
    report = observe(student, COMPARE_TIMES, (*call, pair), ask=ask)
    return _Measured(report["call_s"], report["plain_s"], report["waited_s"], np.size(pair[0]))


def _judge_counts(counted: dict[str, Any], entries: int, note: Note) -> str:
    """Return in words what shows that the function does more than it must, by counting; empty if nothing does."""
    steps = counted["steps"] / max(counted["plain_steps"], 1)
    turns, calls = counted["turns"] / entries, counted["calls"] / entries
    note.fact("steps_of_a_plain_loop", round(steps, 2))
    note.fact("turns_and_calls_for_each_element", [round(turns, 2), round(calls, 2)])
    if steps > MANY_STEPS:
        return f"takes {steps:.0f} times as many steps as a plain loop: is there a delay?"
    if turns > MANY_TURNS:
        return f"begins loops anew {turns:.0f} times for each element: is there a delay?"
    if calls > MANY_CALLS:
        return f"enters functions {calls:.0f} times for each element: is there a delay?"
    return ""


def _judge(measured: Iterator[_Measured], size: int) -> str:
    """Return in words what shows that a function waits, by processor time; empty if nothing does.

    `measured` are a small and a larger matrix, and perhaps one of the sheet's `size`; what decides is measured last.
    """
    small = next(measured)
    if small.call_s > TIMES_BEFORE * small.plain_s / small.entries * size:
        return f"computes for {small.call_s:.2g} s when the matrix is tiny: is there a delay before its loops?"
    larger = next(measured)
    longer = (larger.call_s - small.call_s) / max(larger.plain_s - small.plain_s, larger.plain_s / 2)
    if longer > LONG and larger.call_s > _GROWS * small.call_s:
        return f"computes {longer:.0f} times as long as a plain loop: is there a delay?"
    for large in measured:
        expected_s = small.call_s + max(longer, 1) * large.plain_s
        if large.call_s > TIMES_LARGER * expected_s:
            times = large.call_s / expected_s
            return f"computes {times:.0f} times as long for large matrices as for small ones: is there a delay?"
    return ""
