"""Threads that write the same entries: data races, and kernels in which each thread does all the work.

On the executor threads take turns, so that a sum of many threads without an atomic comes out right here and wrong on a
GPU. Nobody loses points for that on a machine without a GPU; a TA is told. A kernel whose threads each loop over the
whole matrix would take minutes: it is tried for a short while only, and the reason is told, not just that it took long.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from grader.authoring import Finding, Inconclusive, Note, Setup, Student, StudentFault, StudentStopped
from grader.authoring.judges import slices
from grader.model import printable

MOST = 4096
"""So many accesses of each thread are followed: all of them on small arrays."""
LOOK_S = 6
"""What looking may take; a kernel that does not end is left to the call itself."""
TRY_S = 4
"""How long a call is tried of which two threads say that it would take much longer."""
HOPELESS_S = 60
"""A call that would take so long, by the time of two of its threads, is not waited for."""
_MINUTE_S, _HOUR_S = 60, 3600
_RACE = " race on "


@contextmanager
def explained(
    student: Student, call: tuple[str, str], args: tuple[Any, ...], setup: Setup, note: Note, wide: tuple[Any, ...] = ()
) -> Iterator[None]:
    """Give wrong numbers that nobody has explained yet a race of the kernels for a hint; flag one behind right numbers.

    Only the executor can follow every access, so that nothing is said where a real GPU runs the kernels. `args` are
    small enough to follow; `wide` ones have the sheet's size: for kernels that are made for it, and to make sure of a
    race.
    """
    try:
        yield
    except StudentFault as fault:
        is_wrong_number = type(fault) is StudentFault and not fault.finding.hint
        if not is_wrong_number or setup.device != "cpu" or not (race := _find_race(student, call, args, wide)):
            raise
        raise StudentFault(replace(fault.finding, hint=race)) from fault
    if setup.device == "cpu" and (race := _find_race(student, call, args, wide)):
        words = f"right on this processor, where threads take turns; on a GPU it may be wrong: {race}"
        slices.doubt(student, call, words, note)


def explain_kernels(student: Student, call: tuple[str, str], args: tuple[Any, ...], setup: Setup, note: Note) -> None:
    """Note, if this grading was asked to, what the kernels do to memory: counted, not timed, and races as remarks."""
    if not setup.options.explain or setup.device != "cpu":
        return
    student.load(call[0])
    report = slices.observe(student, slices.EXPLAIN_LAUNCHES, (*call, args))
    note.fact("counted_not_timed", [printable(str(sentence), 300) for sentence in report["counted"]])
    for sentence in report["found"]:
        note.remark(printable(str(sentence), 500))


def expect_shared_work(
    student: Student, call: tuple[str, str], small: tuple[Any, ...], wide: tuple[Any, ...], setup: Setup, note: Note
) -> None:
    """Fail, after a short try, if every thread does all the work and that would take too long; else remark on it.

    A TA is told if a thread has nothing to do: one alone may do all the work.

    Only the executor can run two threads alone, so that nothing is said where a real GPU runs the kernels. `small`
    arguments can be followed at every access; `wide` ones have the sheet's size.

    Raises:
        StudentFault: the call was stopped.
    """
    if setup.device != "cpu":
        return
    try:
        report = slices.observe(student, slices.FIND_REPEATED_WORK, (*call, small, wide), LOOK_S)
    except (StudentFault, Inconclusive):  # whatever is wrong, the call itself will say it
        return
    if report["is_idle"]:
        words = f"of two neighbouring threads that `{call[1]}` launches, one at least does next to nothing"
        slices.doubt(student, call, words, note)
    if not report["array"]:
        return
    array = printable(report["array"], 60)
    message = f"In `{call[1]}`, neighbouring threads do the same work: they write the same entries of {array}."
    hint = "Let each thread find its own entries from cuda.threadIdx.x and cuda.blockIdx.x, and write no others."
    if report["predicted_s"] < HOPELESS_S:
        note.remark(message, hint=f"{hint} No points depend on it.")
        return
    try:
        student.run(*call, wide, limit_s=TRY_S)
    except StudentStopped as stopped:
        seconds = report["predicted_s"]
        is_short = seconds < 2 * _HOUR_S
        takes = f"{seconds / _MINUTE_S:.0f} minutes" if is_short else f"{seconds / _HOUR_S:,.0f} hours"
        got = f"{report['threads']:,} threads, which would take {takes} one after the other"
        fault = StudentStopped(Finding(message, got=got, hint=hint))
        student.give_up(*call, fault)
        raise fault from stopped
    except StudentFault:
        return


def _find_race(student: Student, call: tuple[str, str], args: tuple[Any, ...], wide: tuple[Any, ...]) -> str:
    """Return a sentence on a race; empty if there is none.

    Small arrays are enough to find one. But a kernel may be made for the sheet's size: then it fails on others, or its
    threads get into each other's way only there.
    """
    races, complete = _look(student, call, args)
    if wide and (races or not complete):
        wide_races, complete = _look(student, call, wide)
        races = wide_races if complete else wide_races or races
    return printable(races[0], 500) if races else ""


def _look(student: Student, call: tuple[str, str], args: tuple[Any, ...]) -> tuple[list[str], bool]:
    """Return the races of a call, and whether all of it was followed."""
    try:
        report = slices.observe(student, slices.FIND_RACES, (*call, args, MOST))
    except (StudentFault, Inconclusive):
        return [], False
    return [str(sentence) for sentence in report["found"] if _RACE in str(sentence)], bool(report["complete"])
