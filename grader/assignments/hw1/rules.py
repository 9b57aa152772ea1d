"""The sheet's rules for max_functions.py and matmul_functions.py, judged by what slices were seen to do."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from grader.authoring import Answer, Inconclusive, Note, Seen, Student, StudentFault, fail

SHOWN_LAUNCHES = 3
A_FEW = 8
"""So many operations of NumPy, or numbers taken from them, are for a message or an assertion."""
MANY_STEPS, LONG = 4.5, 20.0
"""Honest ways to visit every element need no more steps of Python, and no more time, than so many plain loops."""
GROWS = 1.5
"""Twice as many rows take longer by this factor at least, unless nearly all the time is the same for both."""
MOST_UNTOUCHED = 2000
"""A kernel that changes less than one of so many entries does none of the work."""
_MIXED, _COMPILED = "mixed: ", "compiled: "
_CHOOSING = frozenset(
    {
        *("maximum", "minimum", "fmax", "fmin", "max", "min", "amax", "amin", "where", "select", "choose", "clip"),
        *("greater", "less", "greater_equal", "less_equal"),
    }
)
"""NumPy's functions that pick the larger of two numbers, or say which one is."""
_ORDERING = frozenset({"sorted", "heapq", "merge", "nlargest", "Counter"})
_MULTIPLYING = frozenset({"dot", "multiply", "matmul", "inner", "vdot", "einsum", "tensordot", "sum", "prod"})


def expect_closed(student: Student, module: str, functions: Iterable[str]) -> None:
    """Raise `Inconclusive` unless all that the functions can do is written where it can be read, and is what runs."""
    for function in functions:
        if why := student.why_open(module, function):
            msg = f"`{function}` could not be followed: {why}. A TA should read it and give the points."
            raise Inconclusive(msg)


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
    for name, words in student.look_again().get(module, {}).items():
        note.flag(f"{name} has changed since it was imported: {words}")


def expect_seen(answer: Answer, function: str) -> Seen:
    """Return what was seen of a call; `Inconclusive` if the function wanted what no slice may have."""
    seen = answer.seen
    if seen is None:
        msg = f"`{function}` was not observed. A TA should read it and give the points."
        raise Inconclusive(msg)
    if seen.refused:
        msg = f"`{function}` uses {', '.join(seen.refused[:SHOWN_LAUNCHES])}. A TA should read it and give the points."
        raise Inconclusive(msg)
    return seen


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
    note.fact("observed", _as_facts(seen))
    if seen.waited_s:
        fail(f"`{function}` waits: it sleeps for {seen.waited_s:.3g} s.", hint="Remove the delay.")
    mixed = [token.removeprefix(_MIXED) for token in seen.label if token.startswith(_MIXED)]
    if mixed or (seen.leaks >= entries // 2 and seen.mixed >= math.isqrt(entries)):
        fail(
            f"`{function}` works on many elements at once, with {(mixed or [_name_of(seen.mixes[0])])[0]}.",
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


def expect_no_leaks(seen: Seen, function: str, entries: int) -> None:
    """Raise `Inconclusive` if more numbers came out of NumPy's work on whole arrays than messages need."""
    if seen.leaks > max(A_FEW, 2 * math.isqrt(entries)):
        what = _name_of(seen.mixes[0]) if seen.mixes else "its operations"
        taken = f"`{function}` takes {seen.leaks} numbers out of what NumPy made of whole arrays ({what})"
        msg = f"{taken}. A TA should read it."
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


def flag_ordering(student: Student, module: str, function: str, note: Note) -> None:
    """Flag functions of Python that compare many numbers by themselves."""
    if ordering := sorted(student.names_in(module, function) & _ORDERING):
        note.flag(f"{function} uses {ordering[0]}, which compares by itself: is this the trivial way?")


def flag_delays(
    student: Student, call: tuple[str, str], small: tuple[Any, ...], larger: tuple[Any, ...], note: Note
) -> None:
    """Flag a function that takes many more steps than a plain loop for an entry, or much longer.

    Args:
        student: The submission.
        call: Names of module and function.
        small: Two matrices of short rows, in which what is done for each row shows.
        larger: Two matrices with more rows.
        note: Takes what was measured.
    """
    nothing: dict[str, Any] = {"steps": 0, "plain_steps": 1, "call_s": 0.0, "plain_s": 1.0, "grows": 1.0}
    try:
        seen = observe(student, "sliced.loops", "measure_steps", (*call, small, larger), nothing)
    except StudentFault:  # such as a function that is made for the sheet's size only
        return
    steps = seen["steps"] / max(seen["plain_steps"], 1)
    longer = seen["call_s"] / max(seen["plain_s"], 1e-9)
    note.fact("steps_of_a_plain_loop", round(steps, 2))
    note.fact("times_of_a_plain_loop", round(longer, 2))
    if steps > MANY_STEPS:
        note.flag(f"{call[1]} takes {steps:.0f} times as many steps as a plain loop: is there a delay?")
    elif longer > LONG and seen["grows"] > GROWS:
        note.flag(f"{call[1]} takes {longer:.0f} times as long as a plain loop: is there a delay?")


def expect_no_other_calls(student: Student, module: str, function: str) -> None:
    """Raise `Inconclusive` if NumPy worked on whole arrays in some calls, and not in those that were seen fully."""
    answers = [answer for answer in student.answers(module, function) if answer.seen is not None]
    known = {_name_of(mix) for answer in answers if answer.seen_fully for mix in getattr(answer.seen, "mixes", ())}
    for answer in answers:
        others = [name for mix in getattr(answer.seen, "mixes", ()) if (name := _name_of(mix)) not in known]
        if others:
            msg = f"`{function}` used {others[0]} in some calls and not in others. A TA should read it."
            raise Inconclusive(msg)


def expect_same_at_size(
    student: Student, call: tuple[str, str], args: tuple[Any, ...], known: Seen, limit_s: float
) -> None:
    """Look at a function for a moment while it works on arguments of the sheet's size, which would take too long.

    Raises:
        StudentFault: NumPy does for these what loops do for small ones.
    """
    nothing: dict[str, Any] = {"ended": False, "mixes": []}
    looked = observe(student, "sliced.loops", "look_in", (*call, args, limit_s), nothing)
    mine = {_name_of(mix) for mix in known.mixes}
    others = [name for name in map(_name_of, map(str, looked["mixes"])) if name not in mine]
    if others:
        fail(
            f"`{call[1]}` works on many elements at once when the matrix is large, with {others[0]}.",
            hint="Visit every element in a loop of your own, whatever the size.",
        )


def _name_of(mix: str) -> str:
    """Return an operation without how often it was seen."""
    return mix.partition(" × ")[2]


def _as_facts(seen: Seen) -> dict[str, Any]:
    return {
        "numbers_come_from": list(seen.label),
        "numpy_on_arrays": list(seen.mixes[:5]),
        "elements_read": seen.reads,
        "elements_written": seen.writes,
        "compiled_calls": dict(seen.compiled),
    }


def expect_an_answer(answer: Answer, function: str) -> None:
    """Fail if a function that launched kernels returned None: most such students return what the launch gives."""
    if answer.value is None:
        fail(
            f"`{function}` returned None.",
            hint="A launch gives nothing back: return the array that the kernel wrote, copied to the host.",
        )


def expect_launches(answer: Answer, kernel: str, blocks: int, threads: int, note: Note) -> None:
    """Fail unless every launch of `kernel` has so many blocks of so many threads; how they are arranged is free."""
    note.fact("launches", [[launch.kernel, list(launch.grid), list(launch.block)] for launch in answer.launches[:20]])
    own = [launch for launch in answer.launches if launch.kernel == kernel]
    expected = f"{kernel}[{blocks}, {threads}]"
    if not own:
        names = ", ".join(sorted({launch.kernel for launch in answer.launches})[:SHOWN_LAUNCHES]) or "nothing"
        fail(f"`{kernel}` was not launched.", expected=expected, got=names, hint=f"Call {expected}(...).")
    wrong = [launch for launch in own if (math.prod(launch.grid), math.prod(launch.block)) != (blocks, threads)]
    if not wrong:
        return
    got = "; ".join(f"grid {launch.grid}, block {launch.block}" for launch in wrong[:SHOWN_LAUNCHES])
    swapped = blocks != threads and (math.prod(wrong[0].grid), math.prod(wrong[0].block)) == (threads, blocks)
    hint = "Blocks come first: kernel[blocks, threads per block]." if swapped else _ask_for(blocks, threads)
    fail(f"`{kernel}` was launched with other counts than the sheet's.", expected=expected, got=got, hint=hint)


def _ask_for(blocks: int, threads: int) -> str:
    many = "block" if blocks == 1 else "blocks"
    return f"The values may be right; the sheet also asks for {blocks} {many} of {threads} threads."


def observe(
    student: Student, observer: str, function: str, args: tuple[Any, ...], nothing: dict[str, Any]
) -> dict[str, Any]:
    """Return what `grader.worker.<observer>` reports in the worker of slices: keys of `nothing`, values of its types.

    What comes out of a worker may be forged, so that nothing else is let through; None in `nothing` stands for any.
    """
    answer = student.ask_slices(f"grader.worker.{observer}", function, args).value
    seen = answer if isinstance(answer, dict) else {}
    fits = {
        key: key in seen and (default is None or type(seen[key]) is type(default)) for key, default in nothing.items()
    }
    return {key: seen[key] if fits[key] else default for key, default in nothing.items()}


def expect_compiled(
    student: Student,
    call: tuple[str, str],
    args: tuple[Any, ...],
    is_right: Callable[[Any], bool],
    note: Note,
) -> None:
    """Fail unless machine code that Numba made of own loops computes the answer of a function.

    Args:
        student: The submission.
        call: Names of module and function.
        args: What to call it with; never seen by the submission.
        is_right: Whether a value is the right answer for `args`.
        note: Takes what was seen.
    """
    function = call[1]
    nothing: dict[str, Any] = {"is_dispatcher": False, "nopython": [], "object_mode": [], "library": []}
    made = observe(student, "sliced.machinecode", "describe", (*call, args), nothing)
    note.fact("compiled", {key: made[key] for key in ("is_dispatcher", "nopython", "object_mode")})
    if made["object_mode"]:
        names = ", ".join(map(str, made["object_mode"][:3]))
        fail(f"Numba fell back to Python objects in {names}.", hint="Use @njit, and only what Numba can compile.")
    if not made["nopython"]:
        fail(f"`{function}` is not compiled by Numba.", expected="@njit", hint="Decorate the function with @njit.")
    if made["library"]:
        fail(
            f"`{function}` is compiled, but a library does the work: {made['library'][0]}.",
            hint="Write the loops yourself.",
        )
    answer = student.call(*call, args, full=True)
    seen = expect_seen(answer, function)
    note.fact("observed", _as_facts(seen))
    if not is_right(answer.value):
        msg = f"`{function}` was right before, and is not when it is called again. A TA should read it."
        raise Inconclusive(msg)
    _expect_machine_work(seen, function, note)


def _expect_machine_work(seen: Seen, function: str, note: Note) -> None:
    """Judge where the numbers of a compiled function's answer come from."""
    mixed = [token.removeprefix(_MIXED) for token in (*seen.label, *seen.given_to_compiled) if token.startswith(_MIXED)]
    if mixed:
        fail(
            f"The answer of `{function}` is NumPy's work, not that of compiled code: {mixed[0]}.",
            hint="Return what the compiled function computes.",
        )
    if {"data", "elements"} & {*seen.given_to_compiled}:
        msg = f"The compiled code of `{function}` is given numbers that Python computed. A TA should read it."
        raise Inconclusive(msg)
    if seen.leaks > A_FEW or not any(token.startswith(_COMPILED) for token in seen.label):
        msg = f"The answer of `{function}` was not seen to come from compiled code. A TA should read it."
        raise Inconclusive(msg)
    calls = sum(seen.compiled.values())
    if calls > A_FEW:
        note.flag(f"{function} calls compiled code {calls} times, from a loop in plain Python")
