"""Kernels whose threads all do the same work: each loops over the whole matrix, as a function on the CPU would.

Two threads of a launch show it, in less than a second: both write the same entries. Where all of them would take
minutes, the function is tried for a short while only, and the reason is told, not just that it took too long.
"""

from typing import Any

from grader.authoring import Finding, Inconclusive, Note, Setup, Student, StudentFault, StudentStopped
from grader.authoring.judges import slices
from grader.model import printable

LOOK_S = 6
"""What looking may take; a kernel that does not end is left to the call itself."""
TRY_S = 4
"""How long a call is tried of which two threads say that it would take much longer."""
HOPELESS_S = 60
"""A call that would take so long, by the time of two of its threads, is not waited for."""
_MINUTE_S, _HOUR_S = 60, 3600


def expect_shared_work(
    student: Student, call: tuple[str, str], small: tuple[Any, ...], wide: tuple[Any, ...], setup: Setup, note: Note
) -> None:
    """Fail, after a short try, if every thread does all the work and that would take too long; else remark on it.

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
        got = f"{report['threads']:,} threads, which would take {_in_words(report['predicted_s'])} one after the other"
        fault = StudentStopped(Finding(message, got=got, hint=hint))
        student.give_up(*call, fault)
        raise fault from stopped
    except StudentFault:
        return


def _in_words(seconds: float) -> str:
    if seconds < 2 * _HOUR_S:
        return f"{seconds / _MINUTE_S:.0f} minutes"
    return f"{seconds / _HOUR_S:,.0f} hours"
