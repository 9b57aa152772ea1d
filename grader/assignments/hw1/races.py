"""Why a kernel's numbers are wrong: data races, looked for on a small launch when a check has failed anyway."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from grader.assignments.hw1 import rules
from grader.authoring import Setup, Student, StudentFault
from grader.model import printable


@contextmanager
def explained(student: Student, call: tuple[str, str], args: tuple[Any, ...], setup: Setup) -> Iterator[None]:
    """Give wrong numbers that nobody has explained yet a race of the kernels for a hint, if there is one.

    Only the executor can follow every access, so that nothing is said where a real GPU runs the kernels.
    """
    try:
        yield
    except StudentFault as fault:
        is_wrong_number = type(fault) is StudentFault and not fault.finding.hint
        if not is_wrong_number or setup.device != "cpu" or not (race := _find_race(student, call, args)):
            raise
        raise StudentFault(replace(fault.finding, hint=race)) from fault


def _find_race(student: Student, call: tuple[str, str], args: tuple[Any, ...]) -> str:
    nothing: dict[str, Any] = {"found": [], "counted": []}
    try:
        seen = rules.observe(student, "explanation", "explain_launches", (*call, args), nothing)
    except StudentFault:  # such as a kernel that is made for the sheet's size only
        return ""
    races = [str(sentence) for sentence in seen["found"]]
    return printable(races[0], 500) if races else ""
