"""Data races of kernels, looked for on a small launch: why numbers are wrong, or right by luck.

On the executor threads take turns, so that a sum of many threads without an atomic comes out right here and wrong on a
GPU. Nobody loses points for that on a machine without a GPU; a TA is told.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from grader.authoring import Inconclusive, Note, Setup, Student, StudentFault
from grader.authoring.judges import slices
from grader.model import printable

MOST = 4096
"""So many accesses of each thread are followed: all of them on small arrays."""
_RACE = " race on "


@contextmanager
def explained(
    student: Student,
    call: tuple[str, str],
    args: tuple[Any, ...],
    setup: Setup,
    note: Note,
    wide: tuple[Any, ...] = (),
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
        words = f"right here, where threads take turns; on a GPU, where they do not, it may be wrong: {race}"
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
