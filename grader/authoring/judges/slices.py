"""What every judgement of a function begins with: can it be followed, and what was seen of its calls?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from grader.authoring import Answer, Inconclusive, Note, Seen, Student, StudentFault, StudentRaised

BY_THE_HOST = ("mixed: ", "compiled: ", "elements", "data")
"""How tokens begin that say of numbers that the host worked on them."""


def expect_closed(student: Student, module: str, functions: Iterable[str]) -> None:
    """Raise `Inconclusive` unless all that the functions can do is written where it can be read, and is what runs."""
    for function in functions:
        if why := student.why_open(module, function):
            raise Inconclusive(f"`{function}` could not be followed: {why}. A TA should read it and give the points.")


def doubt(student: Student, call: tuple[str, str], reason: str, note: Note) -> None:
    """Flag a function in this check, and in later ones that ask `flag_doubts`."""
    note.flag(reason)
    student.doubts_about.setdefault(call, []).append(reason)


def flag_doubts(student: Student, call: tuple[str, str], note: Note) -> None:
    """Flag what other checks doubted of a function: these points hang on it, too."""
    for reason in student.doubts_about.get(call, ()):
        note.flag(reason)


def flag_changes(student: Student, module: str, note: Note) -> None:
    """Look once more, at the end, whether a file still holds the functions that it had after its import."""
    try:
        changes = student.look_again().get(module, {})
    except StudentFault as fault:  # of whole files that nobody asked for: no check loses points by that
        note.flag(f"{module}.py could not be looked at again: {fault.finding.message}")
        return
    for name, words in changes.items():
        note.flag(f"{name} has changed since it was imported: {words}")


def flag_chance(student: Student, call: tuple[str, str], note: Note) -> None:
    """Flag a function that draws random numbers: what it was seen to do, it may not do in the next call."""
    if "random" in student.words_in(*call):
        note.flag(f"{call[1]} draws random numbers: does it do the same in each call?")


def expect_no_other_calls(student: Student, module: str, function: str) -> None:
    """Raise `Inconclusive` if NumPy worked on whole arrays in some calls, and not in those that were seen fully."""
    seen = student.seen_of(module, function)
    known = {name_of(mix) for call in seen if call.fully for mix in call.work.mixes}
    for call in seen:
        others = [name for mix in call.work.mixes if (name := name_of(mix)) not in known]
        if others:
            raise Inconclusive(f"`{function}` used {others[0]} in some calls and not in others. A TA should read it.")


def name_of(mix: str) -> str:
    """Return an operation without how often it was seen."""
    return mix.partition(" × ")[2]


def as_facts(seen: Seen) -> dict[str, Any]:
    """Return what reports keep of what was seen."""
    return {
        "numbers_come_from": list(seen.label),
        "numpy_on_arrays": list(seen.mixes[:5]),
        "elements_read": seen.reads,
        "elements_written": seen.writes,
        "compiled_calls": dict(seen.compiled),
    }


def observe(
    student: Student,
    observer: str,
    function: str,
    args: tuple[Any, ...],
    nothing: dict[str, Any],
    limit_s: float | None = None,
    *,
    ask: Callable[..., Answer] | None = None,
) -> dict[str, Any]:
    """Return what `grader.worker.<observer>` reports in the worker of slices: keys of `nothing`, values of its types.

    What comes out of a worker may be forged, so that nothing else is let through; None in `nothing` stands for any.
    `limit_s` is the wall time, by default the usual one; `ask` is a method of `student` that asks another worker, such
    as `ask_executor`.

    Raises:
        Inconclusive: the observer raised. The function itself came through its own calls, so that it may be ours.
    """
    try:
        answer = (ask or student.ask_slices)(f"grader.worker.{observer}", function, args, limit_s=limit_s).value
    except StudentRaised as fault:
        raise Inconclusive(
            f"A closer look at `{args[1]}` did not work: {fault.finding.message} A TA should read it."
        ) from fault
    seen = answer if isinstance(answer, dict) else {}
    fits = {
        key: key in seen and (default is None or type(seen[key]) is type(default)) for key, default in nothing.items()
    }
    return {key: seen[key] if fits[key] else default for key, default in nothing.items()}
