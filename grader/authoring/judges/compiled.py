"""Whether machine code that Numba made of the submission's own loops computes the answer."""

from typing import Any

from grader.authoring import Args, Array, Inconclusive, Note, Seen, Student, StudentTooSlow, fail
from grader.authoring.judges.loops import A_FEW, flag_choice, flag_reads
from grader.authoring.judges.makers import is_right
from grader.authoring.judges.slices import DESCRIBE_MACHINE_CODE, as_facts, expect_closed, flag_chance, observe

_MIXED, _COMPILED = "mixed: ", "compiled: "


def expect_compiled(
    student: Student, call: tuple[str, str], args: Args, right: tuple[Array, Array | float], note: Note
) -> None:
    """Fail unless machine code that Numba made of the submission's own loops computes the answer of a function.

    `right` is the answer for `args`, and how far each entry may be off.

    Raises:
        StudentFault: the function is not compiled, or NumPy does the work before, in or after the compiled code.
        Inconclusive: it was not observed what does the work, or the function cannot be followed.
    """
    module, function = call
    student.judged.add(call)
    student.load(module)
    expect_closed(student, module, [function])
    try:
        made = observe(student, DESCRIBE_MACHINE_CODE, (*call, args))
    except StudentTooSlow:  # it was right before, so it is compiled by now or not at all
        fail(
            f"`{function}` takes too long for compiled code.",
            expected="@njit",
            hint="Decorate the function with @njit.",
        )
    flag_chance(student, call, note)
    note.fact("compiled", {key: made[key] for key in ("is_dispatcher", "nopython", "object_mode")})
    if made["object_mode"]:
        names = ", ".join(map(str, made["object_mode"][:3]))
        fail(f"Numba did not fully compile {names}.", hint="Write @njit, without forceobj or objmode.")
    if not made["nopython"]:
        fail(f"`{function}` is not compiled by Numba.", expected="@njit", hint="Decorate the function with @njit.")
    if made["library"]:
        fail(
            f"`{function}` is compiled, but not your own loop: {made['library'][0]}.", hint="Write the loops yourself."
        )
    flag_choice(function, map(str, made["singles"]), note)
    answer = student.run(*call, args, full=True)

    def compare(value: Any) -> None:
        if not is_right(value, *right):
            again = f"`{function}` was right before, and is not when it is called again. A TA should read it."
            raise Inconclusive(again)

    work = answer.compared(compare, note).seen.work
    flag_reads(student, call, work, right[0].size, note)
    note.fact("observed", as_facts(work))
    _expect_machine_work(work, function, note)


def _expect_machine_work(work: Seen, function: str, note: Note) -> None:
    """Judge where the numbers of a compiled function's answer come from."""
    mixed = [token.removeprefix(_MIXED) for token in (*work.label, *work.given_to_compiled) if token.startswith(_MIXED)]
    if mixed:
        fail(
            f"The answer of `{function}` is NumPy's work, not that of compiled code: {mixed[0]}.",
            hint="Return what the compiled function computes.",
        )
    if {"data", "elements"} & {*work.given_to_compiled}:
        raise Inconclusive(
            f"The compiled code of `{function}` is given numbers that Python computed. A TA should read it."
        )
    if {"data", "elements"} & {*work.label}:
        raise Inconclusive(
            f"Python wrote numbers into the answer of `{function}`, beside compiled code. A TA should read it."
        )
    if work.leaks > A_FEW or not any(token.startswith(_COMPILED) for token in work.label):
        raise Inconclusive(f"The answer of `{function}` was not seen to come from compiled code. A TA should read it.")
    calls = sum(work.compiled.values())
    if calls > A_FEW:
        note.flag(f"{function} calls compiled code {calls} times, from a loop in plain Python")
