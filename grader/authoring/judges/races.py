"""Threads that write the same entries: data races, and kernels in which each thread does all the work.

On the executor, threads take turns, so a sum of many threads without an atomic is right here and wrong on a GPU. On a
machine without a GPU, this costs no points, but is flagged. A kernel whose threads each loop over the whole matrix
would take minutes: it runs for a few seconds only, and the message gives the reason, not just that it took too long.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from grader.authoring import Finding, Inconclusive, Note, Setup, Student, StudentFault, StudentStopped
from grader.authoring.judges import slices
from grader.model import printable

MOST = 4096  # how many accesses of each thread are followed; on small arrays, these are all
LOOK_S = 6  # time limit for the search for repeated work; if a kernel does not end, the ordinary call reports that
TRY_S = 4  # how long a call may run if the time of two threads predicts that it would take much longer
HOPELESS_S = 60  # if the time of two threads predicts that a call takes so long, it gets only `TRY_S`
_MINUTE_S, _HOUR_S = 60, 3600
_RACE = " race on "


@contextmanager
def explained(
    student: Student, call: tuple[str, str], args: tuple[Any, ...], setup: Setup, note: Note, wide: tuple[Any, ...] = ()
) -> Iterator[None]:
    """If numbers are wrong and have no hint, give a race of the kernels as the hint; if they are right, flag a race.

    Only the executor can follow every access: if a real GPU runs the kernels, nothing is reported. `args` are small
    enough to be followed; `wide` arguments have the sheet's size, for kernels that work only for it, and to confirm a
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
    """With the option `explain`, keep counts of what the kernels do to memory as a fact, and races as remarks."""
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
    """Fail if threads do the same work, and the call would take a minute and does not end in a short try.

    If the call would take less, this is a remark. A thread with next to no work is flagged: another may do all of it.

    Only the executor can run two threads alone: if a real GPU runs the kernels, nothing is reported. Every access can
    be followed with the `small` arguments; `wide` ones have the sheet's size.

    Raises:
        StudentFault: the call was stopped.
    """
    if setup.device != "cpu":
        return
    try:
        report = slices.observe(student, slices.FIND_REPEATED_WORK, (*call, small, wide), LOOK_S)
    except (StudentFault, Inconclusive):  # the ordinary call reports what is wrong
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
        takes = f"{seconds / _HOUR_S:,.0f} hours" if seconds > 2 * _HOUR_S else f"{seconds / _MINUTE_S:.0f} minutes"
        got = f"{report['threads']:,} threads, which would take {takes} one after the other"
        fault = StudentStopped(Finding(message, got=got, hint=hint))
        student.give_up(*call, fault)
        raise fault from stopped
    except StudentFault:
        return


def _find_race(student: Student, call: tuple[str, str], args: tuple[Any, ...], wide: tuple[Any, ...]) -> str:
    """Return a sentence on a race; empty if there is none.

    Small arrays are enough to find one. But a kernel may be made for the sheet's size: then it may fail on small
    arrays, or have a race only on these.
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
