"""The trivial way: plain loops over the entries, in Python, without delays; measured, not read."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from grader.authoring import Args, Inconclusive, Note, Seen, Shape, Solve, Student, StudentFault, expect, fail
from grader.authoring.judges.slices import as_facts, expect_closed, expect_seen, name_of, observe
from grader.slices.reading import INT_OF_DIGITS

_MIXED = "mixed: "
A_FEW = 8
"""So many operations of NumPy, or numbers taken from them, are for a message or an assertion."""
MANY_STEPS, LONG = 4.5, 20.0
"""Honest ways to visit every element need no more steps of Python, and no more time, than so many plain loops."""
MOST_READS, MOST_WRITES = 8, 3
"""For each entry of the answer: a comparison and a choice between two matrices take two to four reads and a write."""
WATCHED_LIMIT_S = 60
"""A call in which every entry that is read and written is recorded takes five times as long as another."""
TIMES_BEFORE = 2.0
"""A small matrix takes no longer than so many plain loops over one of the sheet's size, for which some make room."""
TIMES_LARGER = 4.0
"""An entry of a large matrix takes no longer than so many entries of small ones."""
_LOOKS = 3
"""What looks like a delay may be other programs' work: it has to be there so often, one look after the other."""
GROWS = 1.5
"""Twice as many rows take longer by this factor at least, unless nearly all the time is the same for both."""
_CHOOSING = frozenset(
    {
        *("maximum", "minimum", "fmax", "fmin", "max", "min", "amax", "amin", "where", "select", "choose", "clip"),
        *("greater", "less", "greater_equal", "less_equal"),
    }
)
"""NumPy's functions that pick the larger of two numbers, or say which one is."""
_ORDERING = frozenset(
    {"sorted", "sort", "heapq", "merge", "nlargest", "Counter", "insort", "insort_left", "insort_right"}
)
_MULTIPLYING = frozenset({"dot", "multiply", "matmul", "inner", "vdot", "einsum", "tensordot", "sum", "prod"})


def expect_own_loops(seen: Seen, function: str, entries: int, needed: int, note: Note) -> None:
    """Fail if NumPy or compiled code, rather than Python, went through the entries of the answer of `function`.

    Args:
        seen: What was seen of the call, with single reads and writes.
        function: Its name.
        entries: How many entries the answer has.
        needed: How many entries of the arguments have to be read for it.
        note: Takes what was seen.

    Raises:
        StudentFault: whole rows or matrices were worked on at once, or it waited.
        Inconclusive: single numbers came out of what NumPy had worked on.
    """
    note.fact("observed", as_facts(seen))
    if seen.waited_s:
        fail(f"`{function}` waits: it sleeps for {seen.waited_s:.3g} s.", hint="Remove the delay.")
    mixed = [token.removeprefix(_MIXED) for token in seen.label if token.startswith(_MIXED)]
    if mixed or (seen.leaks >= entries // 2 and seen.mixed >= math.isqrt(entries)):
        fail(
            f"`{function}` works on many elements at once, with {(mixed or [name_of(seen.mixes[0])])[0]}.",
            hint="Visit every element in a loop of your own.",
        )
    kernels = [token.removeprefix("kernel: ") for token in seen.label if token.startswith("kernel: ")]
    for name in [*seen.compiled, *kernels][:1]:
        note.flag(
            f"{function} lets compiled code do the work ({name}); the sheet asks for the trivial way, in plain Python"
        )
    _expect_own_choice(seen, function, entries)
    if seen.reads < needed and not seen.compiled and not kernels:
        note.flag(f"{function} read {seen.reads} single elements, and there are {needed}: what does the work?")
    expect_no_leaks(seen, function, entries)


def watch(
    student: Student,
    call: tuple[str, str],
    draw: Callable[[Shape], Args],
    shapes: tuple[Shape, Shape],
    solve: Solve,
) -> tuple[Seen, int]:
    """Return what a call was seen to do, single reads and writes included, and how many entries its answer had.

    Where nothing but Python touched the entries of arguments of the sheet's size, small ones show the rest. Else, or
    for a function that is made for that size, the call is watched at that size.

    Args:
        student: The submission.
        call: Names of module and function.
        draw: Gives fresh arguments of a shape.
        shapes: The sheet's, and a small one.
        solve: What the right answer is, and how far each entry may be off.

    Raises:
        StudentFault: an answer is wrong.
        Inconclusive: nobody can follow the function.
    """
    large, small = shapes
    student.judged.add(call)
    if not student.answers(*call):  # by the check before, unless only this one was asked for
        _look(student, call, draw(large), solve)
    answers = student.answers(*call)
    expect_closed(student, call[0], [call[1]])
    if all(is_by_python_alone(expect_seen(answer, call[1]), math.prod(large)) for answer in answers):
        with suppress(StudentFault):
            return _look(student, call, draw(small), solve, full=True), math.prod(small)
    return _look(student, call, draw(large), solve, full=True, limit_s=WATCHED_LIMIT_S), math.prod(large)


def _look(student: Student, call: tuple[str, str], args: Args, solve: Solve, **options: Any) -> Seen:
    answer = student.call(*call, args, **options)
    right, tolerance = solve(*args)
    expect(f"`{call[1]}`", answer.value, right, atol=tolerance)
    expect_closed(student, call[0], [call[1]])
    return expect_seen(answer, call[1])


def expect_no_mixes(seen: Seen, function: str) -> None:
    """Raise `Inconclusive` if NumPy worked on whole arrays in a call whose single reads were not recorded."""
    if seen.mixes:
        what = f"`{function}` uses {name_of(seen.mixes[0])}, and nobody saw whether its answer does"
        msg = f"{what}. A TA should read it."
        raise Inconclusive(msg)


def is_by_python_alone(seen: Seen, entries: int) -> bool:
    """Return whether neither NumPy nor compiled code took part in a call, whose answer has so many entries.

    That much is seen of every call, also of one whose single reads and writes are not recorded.
    """
    parts = (seen.mixes, seen.compiled, seen.waited_s, seen.leaks, _choices(seen, entries))
    return not any(parts) and not any(token.startswith("kernel: ") for token in seen.label)


def _choices(seen: Seen, entries: int) -> list[str]:
    """Return NumPy's functions that computed entry by entry."""
    often = (name for name, count in seen.singles.items() if count >= entries // 2)
    return [name for name in often if name.partition(".")[0] in _CHOOSING | _MULTIPLYING]


def _expect_own_choice(seen: Seen, function: str, entries: int) -> None:
    if names := _choices(seen, entries):
        fail(
            f"`{function}` calls numpy.{names[0]} for each element.",
            hint="Compare and compute yourself: the sheet wants no existing functions.",
        )


def expect_no_leaks(seen: Seen, function: str, entries: int) -> None:
    """Raise `Inconclusive` if more numbers came out of NumPy's work on whole arrays than messages need."""
    if seen.leaks > max(A_FEW, 2 * math.isqrt(entries)):
        what = name_of(seen.mixes[0]) if seen.mixes else "its operations"
        taken = f"`{function}` takes {seen.leaks} numbers out of what NumPy made of whole arrays ({what})"
        msg = f"{taken}. A TA should read it."
        raise Inconclusive(msg)


def flag_ordering(student: Student, module: str, function: str, note: Note) -> None:
    """Flag functions of Python that compare many numbers by themselves."""
    if ordering := sorted(student.words_in(module, function) & _ORDERING):
        note.flag(f"{function} uses {ordering[0]}, which compares by itself: is this the trivial way?")
    if INT_OF_DIGITS in student.words_in(module, function):
        note.flag(f"{function} makes integers of digits: does one of them hold many elements?")


def flag_repetition(seen: Seen, function: str, entries: int, note: Note) -> None:
    """Flag a function that reads or writes each entry again and again, for an answer of so many entries."""
    reads, writes = seen.reads / entries, seen.writes / entries
    if reads > MOST_READS or writes > MOST_WRITES:
        note.flag(f"{function} reads {reads:.0f} and writes {writes:.0f} entries for each of its answer: to be slow?")


def flag_delays(
    student: Student,
    call: tuple[str, str],
    small: tuple[Any, ...],
    larger: tuple[Any, ...],
    wide: tuple[Any, ...],
    note: Note,
) -> None:
    """Flag a function that takes many more steps than a plain loop for an entry, or much longer.

    Delays before the loops, or for large matrices only, are flagged as well.

    Args:
        student: The submission.
        call: Names of module and function.
        small: Two matrices of short rows, in which what is done for each row shows.
        larger: Two matrices with more rows.
        wide: Two matrices of the sheet's size, which the calls that were not watched fully have had before.
        note: Takes what was measured.
    """
    nothing: dict[str, Any] = {"steps": 0, "plain_steps": 1, "call_s": 0.0, "plain_s": 1.0, "grows": 1.0}
    nothing |= {"small_s": 0.0}
    for _ in range(_LOOKS):
        try:
            seen = observe(student, "sliced.loops", "measure_steps", (*call, small, larger), nothing)
        except (StudentFault, Inconclusive):  # such as a function that is made for the sheet's size only
            return
        steps = seen["steps"] / max(seen["plain_steps"], 1)
        longer = seen["call_s"] / max(seen["plain_s"], 1e-9)
        plain_entry_s = seen["plain_s"] / (np.size(larger[0]) - np.size(small[0]))
        is_late = seen["small_s"] > TIMES_BEFORE * plain_entry_s * np.size(wide[0])
        if longer <= LONG and not is_late:
            break
    note.fact("steps_of_a_plain_loop", round(steps, 2))
    note.fact("times_of_a_plain_loop", round(longer, 2))
    if steps > MANY_STEPS:
        note.flag(f"{call[1]} takes {steps:.0f} times as many steps as a plain loop: is there a delay?")
    elif longer > LONG and seen["grows"] > GROWS:
        note.flag(f"{call[1]} takes {longer:.0f} times as long as a plain loop: is there a delay?")
    elif is_late:
        note.flag(f"{call[1]} takes {seen['small_s']:.2g} s for a tiny matrix: is there a delay before its loops?")
    else:
        entry_s = plain_entry_s * max(longer, 1)
        _flag_large(student, call, wide, seen["small_s"] + entry_s * np.size(wide[0]), note)


def _flag_large(student: Student, call: tuple[str, str], wide: tuple[Any, ...], expected_s: float, note: Note) -> None:
    """Flag a function that takes much longer for matrices of the sheet's size than small ones let expect."""
    shortest_s = min((answer.wall_s for answer in student.answers(*call) if not answer.seen_fully), default=0.0)
    if shortest_s <= TIMES_LARGER * expected_s:
        return
    with suppress(StudentFault):  # other programs may have slowed it down
        shortest_s = min(shortest_s, student.call(*call, wide).wall_s)
    if shortest_s > TIMES_LARGER * expected_s:
        times = shortest_s / max(expected_s, 1e-9)
        note.flag(f"{call[1]} takes {times:.0f} times as long for large matrices as for small ones: is there a delay?")


def expect_same_at_size(
    student: Student, call: tuple[str, str], args: tuple[Any, ...], known: Seen, limit_s: float
) -> None:
    """Look at a function for a moment while it works on arguments of the sheet's size, which would take too long.

    Raises:
        StudentFault: NumPy does for these what loops do for small ones.
    """
    nothing: dict[str, Any] = {"ended": False, "mixes": []}
    looked = observe(student, "sliced.loops", "look_in", (*call, args, limit_s), nothing)
    mine = {name_of(mix) for mix in known.mixes}
    others = [name for name in map(name_of, map(str, looked["mixes"])) if name not in mine]
    if others:
        fail(
            f"`{call[1]}` works on many elements at once when the matrix is large, with {others[0]}.",
            hint="Visit every element in a loop of your own, whatever the size.",
        )
