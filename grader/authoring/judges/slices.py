"""What all judges need first: whether a function can be followed, and what observers see of its calls."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grader.authoring import Answer, Inconclusive, Note, Seen, Student, StudentRaised

_ROUND_OFF = 1e-5
_OLD_VALUE = 100
BY_THE_HOST = ("mixed: ", "compiled: ", "elements", "data")  # the beginnings of tokens for work of the host


def host_work(tokens: Iterable[str]) -> str:
    """Return, in words, the most telling work of the host among the tokens; empty if there is none."""
    words = {"elements": "a loop in Python", "data": "numbers of Python"}
    for kind in BY_THE_HOST:
        for token in sorted(tokens):
            if token.startswith(kind):
                return words.get(token, token.removeprefix("mixed: ").replace("compiled: ", "the compiled function "))
    return ""


def of_the_host(tokens: Iterable[str]) -> set[str]:
    """Return the tokens for work of the host."""
    return {token for token in tokens if token.startswith(BY_THE_HOST)}


def expect_closed(student: Student, module: str, functions: Iterable[str]) -> None:
    """Raise `Inconclusive` unless the slices of the functions are closed, and the whole file has the same functions."""
    for function in functions:
        if why := student.why_open(module, function):
            raise Inconclusive(f"`{function}` could not be followed: {why}. A TA should read it and give the points.")


def doubt(student: Student, call: tuple[str, str], reason: str, note: Note) -> None:
    """Flag a function in this check, and in later ones that call `flag_doubts`."""
    note.flag(reason)
    student.doubts_about.setdefault(call, []).append(reason)


def flag_doubts(student: Student, call: tuple[str, str], note: Note) -> None:
    """Flag the doubts of other checks about a function: the points of this check depend on it, too."""
    for reason in student.doubts_about.get(call, ()):
        note.flag(reason)


def is_same(first: Any, second: Any) -> bool:
    """Return whether two values that workers returned are the same, up to round-off."""
    if isinstance(first, dict) and isinstance(second, dict):
        return first.keys() == second.keys() and all(is_same(first[key], second[key]) for key in first)
    if isinstance(first, list | tuple) and isinstance(second, list | tuple):
        return len(first) == len(second) and all(map(is_same, first, second))
    if not isinstance(first, np.ndarray | float) or not isinstance(second, np.ndarray | float):
        return type(first) is type(second) and bool(first == second)
    left, right = np.asarray(first), np.asarray(second)
    if left.shape != right.shape or left.dtype.kind not in "fc" or right.dtype.kind not in "fc":
        return bool(np.array_equal(left, right))
    return bool(np.allclose(left, right, rtol=_ROUND_OFF, atol=_ROUND_OFF, equal_nan=True))


def flag_chance(student: Student, call: tuple[str, str], note: Note) -> None:
    """Flag a function that draws random numbers: in the next call, it may do something else."""
    if "random" in student.words_in(*call):
        note.flag(f"{call[1]} draws random numbers: does it do the same in each call?")


def find_old_values(student: Student, call: tuple[str, str], args: tuple[Any, ...], value: Any) -> str:
    """Return, in words, that an answer needs zeros in new memory, which only the executor gives; empty if not.

    `value` is what the call returned for these arguments.
    """
    report = observe(student, RUN_WITH_OLD_VALUES, (*call, args, _OLD_VALUE))
    if not report["tried"] or is_same(report["value"], value):
        return ""
    return "right only where new memory of a kernel holds zeros, as it does here; a GPU leaves old values in it"


def expect_no_other_calls(student: Student, module: str, function: str) -> None:
    """Raise `Inconclusive` if NumPy worked on whole arrays in some calls, but not in those that were fully recorded."""
    calls = student.seen_of(module, function)
    known = {name_of(mix) for call in calls if call.fully for mix in call.work.mixes}
    for call in calls:
        others = [name for mix in call.work.mixes if (name := name_of(mix)) not in known]
        if others:
            raise Inconclusive(f"`{function}` used {others[0]} in some calls and not in others. A TA should read it.")


def name_of(mix: str) -> str:
    """Return the name of an operation, without its count."""
    return mix.partition(" × ")[2]


def as_facts(work: Seen) -> dict[str, Any]:
    """Return the observations that reports keep."""
    return {
        "numbers_come_from": list(work.label),
        "numpy_on_arrays": list(work.mixes[:5]),
        "elements_read": work.reads,
        "elements_written": work.writes,
        "compiled_calls": dict(work.compiled),
    }


@dataclass(frozen=True, slots=True)
class Observer:
    """A function of `grader.worker.<module>` that observes calls of slices in the worker, and its empty report."""

    module: str
    function: str
    nothing: Mapping[str, Any]


RUN_WITHOUT = Observer("sliced.kernels", "run_without", {"value": None, "launches": []})
RUN_WITH_OLD_VALUES = Observer("sliced.kernels", "run_with_old_values", {"tried": False, "value": None})
COUNT_STEPS = Observer(
    "sliced.loops", "count_steps", {"steps": 0, "plain_steps": 1, "turns": 0, "calls": 0, "waited_s": 0.0}
)
COMPARE_TIMES = Observer("sliced.loops", "compare_times", {"call_s": 0.0, "plain_s": 1.0, "waited_s": 0.0})
LOOK_IN = Observer("sliced.loops", "look_in", {"ended": False, "mixes": []})
DESCRIBE_MACHINE_CODE = Observer(
    "sliced.machinecode",
    "describe",
    {"is_dispatcher": False, "nopython": [], "object_mode": [], "library": [], "singles": []},
)
COUNT_ACCESSES = Observer(
    "explanation", "count_accesses", {"kernels": [], "launches": [], "complete": False, "value": None}
)
EXPLAIN_LAUNCHES = Observer("explanation", "explain_launches", {"found": [], "counted": []})
FIND_RACES = Observer("explanation", "find_races", {"found": [], "complete": False})
FIND_REPEATED_WORK = Observer(
    "explanation", "find_repeated_work", {"array": "", "threads": 0, "predicted_s": 0.0, "is_idle": False}
)


def observe(
    student: Student,
    observer: Observer,
    args: tuple[Any, ...],
    limit_s: float | None = None,
    *,
    ask: Callable[..., Answer] | None = None,
) -> dict[str, Any]:
    """Return the report of an observer in the worker of slices, with the keys of `nothing`, and values of its types.

    A report may be forged: other keys are dropped, and values of a wrong type replaced; None in `nothing` allows any
    type. `limit_s` is the wall time; `ask` is a method of `student` for another worker, such as `ask_executor`.

    Raises:
        Inconclusive: the observer raised. The function's own calls did not, so this may be the grader's fault.
    """
    call = f"grader.worker.{observer.module}", observer.function, args
    try:
        answer = (ask or student.ask_slices)(*call, limit_s=limit_s).value
    except StudentRaised as fault:
        raise Inconclusive(
            f"A closer look at `{args[1]}` did not work: {fault.finding.message} A TA should read it."
        ) from fault
    report = answer if isinstance(answer, dict) else {}
    return {
        key: report[key] if key in report and (default is None or type(report[key]) is type(default)) else default
        for key, default in observer.nothing.items()
    }
