"""Find delays in a function of plain Python: by counting where that is possible, else by processor time.

A function that takes hardly any time for large matrices is found, too: something else than loops does its work there.

Other programs on a busy machine change neither. Counts do not depend on the machine, and waiting for a processor takes
no processor time. A slow processor also slows down the grader's own plain loop, which takes turns with the function.
Sleeping is recorded when a function asks for it.
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

MANY_STEPS = 4.5  # honest functions that visit every element execute at most so many times a plain loop's instructions
MANY_TURNS, MANY_CALLS = 8.0, 12.0
"""How often, for each element, loops may jump back and functions be entered. Honest functions: 1 to 5, and 0 to 6."""
LONG = 6.0
"""Honest functions take at most so many times as long as a plain loop; the slowest known one, with two objects of a
class for each element, takes 5 times as long."""
TIMES_BEFORE = 2.0
"""How many plain loops over the sheet's size a small matrix may take: some functions always allocate that size."""
TIMES_LARGER = 2.5  # how many times as long as an entry of a small matrix an entry of a large one may take
SHORT = 12.0
"""How many times as fast as a plain loop a call may be; comprehensions over lists are 4 to 8 times as fast."""
_GROWS = 1.5
"""Three times as many rows take at least so many times as long, unless nearly all the time does not depend on rows."""
_LOOKS = 3  # how many measurements in a row must show a delay
_WORTH_A_LOOK = 2.0
"""A call so many times slower than expected is measured again without observers, which make functions slower."""


@dataclass(frozen=True, slots=True)
class _Measured:
    """Mean processor times of the function and of a plain loop, for one pair of matrices."""

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

    Two `small` matrices with short rows show the work for each row; two `larger` ones have more rows; two `wide` ones
    have the sheet's size, as in the earlier calls whose single reads were not recorded.

    Raises:
        StudentFault: the function sleeps.
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
        plain_s = beside[1].plain_s / beside[1].entries * np.size(wide[0])
        if not reason and 0 < wide_s < 2 * _WORTH_A_LOOK / SHORT * plain_s:
            with suppress(StudentFault, Inconclusive):
                reason = _judge_speed([_measure(student, call, wide, ask=student.ask_slices) for _ in range(_LOOKS)])
    idle = [word.removeprefix(IDLE_IN_LINE) for word in student.words_in(*call) if word.startswith(IDLE_IN_LINE)]
    if idle and not reason:  # found by reading: it may be too short to be measured
        reason = f"does work in line {idle[0]} that nothing depends on: is there a delay?"
    if reason:
        note.flag(f"{call[1]} {reason}")


def _judge_speed(measured: list[_Measured]) -> str:
    """Return, in words, that the shortest call took too little time for loops of Python; empty if it did not."""
    times = min(one.plain_s for one in measured) / max(min(one.call_s for one in measured), 1e-9)
    return f"is {times:.0f} times as fast as a plain loop for large matrices: what does the work?" * (times > SHORT)


def _find_odd(beside: list[_Measured], wide_s: float, pairs: tuple[Args, ...]) -> tuple[Args, ...]:
    """Return the pairs of matrices to measure again without observers: none, two of them, or all."""
    small, larger = beside
    expected_s = max(larger.call_s, larger.plain_s) / larger.entries * np.size(pairs[-1][0])
    if wide_s > _WORTH_A_LOOK * expected_s:
        return pairs
    return pairs[:2] if larger.times > LONG / 2 or small.call_s > expected_s else ()


def _look_again(look: Callable[[], str]) -> str:
    """Return the reason of the last of three looks, if each gives one; if a look fails, that of the one before."""
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
    """Return, in words, how the counts show needless work; empty if they show none."""
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
    """Return, in words, how the processor times show a delay; empty if they show none.

    `measured` yields small and larger matrices, and perhaps those of the sheet's `size`, each measured when needed.
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
