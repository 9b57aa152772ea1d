"""Whether plain loops in Python visit the entries: observed, not read. `delays` judges how long they take."""

import math
from collections.abc import Callable, Container, Iterable
from contextlib import suppress
from typing import Any

from grader.authoring import Args, CheckedCall, Note, Seen, Shape, Solve, Student, expect, fail
from grader.authoring.judges.slices import LOOK_IN, as_facts, doubt, expect_closed, name_of, observe
from grader.errors import Inconclusive, StudentFault
from grader.slices.policy import CREATING, LAYOUT, words
from grader.slices.reading import INT_OF_DIGITS

_MIXED = "mixed: "
A_FEW = 8  # up to so many numbers that are read from arrays, or compiled calls, may serve a message or an assertion
MOST_READS, MOST_WRITES = 8, 3
"""For each entry of the answer; to compare and choose between two matrices takes two to four reads and one write."""
WATCHED_LIMIT_S = 60  # a call whose single reads and writes are recorded takes five times as long as another
_CHOOSING = words("""
    maximum minimum fmax fmin max min amax amin where select choose clip greater less greater_equal less_equal
""")
"""NumPy's functions that choose the larger or smaller number, or say which number is larger."""
_SEVERAL = ".several"  # suffix for a function that got more than two numbers at a time, in an array without a label
_VISITING = words("vectorize frompyfunc")  # NumPy's functions that call a function for each entry
_ORDERING = words("sorted sort heapq merge nlargest Counter insort insort_left insort_right")
PRODUCTS = words("dot matmul inner vdot einsum tensordot correlate multi_dot matvec vecmat vecdot")
"""NumPy's functions that multiply and add."""
_COMPUTING = _CHOOSING | PRODUCTS | words("multiply sum prod")


def expect_own_loops(call: CheckedCall, function: str, entries: int, needed: int, note: Note) -> None:
    """Fail if NumPy, and not Python, visited the entries of the answer of `function`; flag compiled code.

    Single reads and writes of the call were recorded. Its answer has `entries` entries, and `needed` entries of the
    arguments must be read for it.

    Raises:
        StudentFault: NumPy worked on whole rows or matrices at once, or the function slept.
        Inconclusive: many single numbers were read from arrays that NumPy had computed.
    """
    work = call.seen.work
    note.fact("observed", as_facts(work))
    expect_awake(work.waited_s, function)
    mixed = [token.removeprefix(_MIXED) for token in work.label if token.startswith(_MIXED)]
    if mixed or (work.leaks >= entries // 2 and work.mixed >= math.isqrt(entries)):
        fail(
            f"`{function}` works on many elements at once, with {(mixed or [name_of(work.mixes[0])])[0]}.",
            hint="Visit every element in a loop of your own.",
        )
    kernels = [token.removeprefix("kernel: ") for token in work.label if token.startswith("kernel: ")]
    if machine_code := [*work.compiled, *kernels]:
        what = f"{function} lets compiled code do the work ({machine_code[0]})"
        note.flag(f"{what}; the sheet asks for the trivial way, in plain Python")
    choices = _often(work, entries, _COMPUTING)
    if several := [name.removesuffix(_SEVERAL) for name in choices if name.endswith(_SEVERAL)]:
        fail(
            f"`{function}` lets numpy.{several[0]} work on several elements at once.",
            hint="Visit every element in a loop of your own.",
        )
    flag_choice(function, choices, note)
    if several := [name.removesuffix(_SEVERAL) for name in _often(work, entries) if name.endswith(_SEVERAL)]:
        note.flag(f"{function} lets numpy.{several[0]} work on several elements at once: is this the trivial way?")
    _expect_own_visits(work, function, entries, needed, note)
    if work.reads < needed and not work.compiled and not kernels:
        note.flag(f"{function} read {work.reads} single elements, and there are {needed}: what does the work?")
    expect_no_leaks(work, function, entries)


def expect_awake(waited_s: float, function: str) -> None:
    """Raise `StudentFault` if a function asked to sleep."""
    if waited_s:
        fail(f"`{function}` waits: it sleeps for {waited_s:.3g} s.", hint="Remove the delay.")


def watch(
    student: Student,
    call: tuple[str, str],
    draw: Callable[[Shape], Args],
    shapes: tuple[Shape, Shape],
    solve: Solve,
    note: Note,
) -> tuple[CheckedCall, int]:
    """Return a call whose single reads and writes were recorded, and how many entries its answer had.

    If only Python touched the entries in all calls with arguments of the sheet's size, a call with small arguments is
    recorded. Else, or if the function fails for small arguments, a call of the sheet's size is recorded. `shapes` are
    the sheet's shape, and a small one.

    Raises:
        StudentFault: an answer is wrong.
        Inconclusive: the function cannot be followed.
    """
    large, small = shapes
    student.judged.add(call)
    if not student.seen_of(*call):  # an earlier check called it, unless only this check was selected
        _look(student, call, draw(large), solve, note)
    expect_closed(student, call[0], [call[1]])
    if all(is_by_python_alone(observed.work, math.prod(large)) for observed in student.seen_of(*call)):
        with suppress(StudentFault):
            return _look(student, call, draw(small), solve, note, full=True), math.prod(small)
    return _look(student, call, draw(large), solve, note, full=True, limit_s=WATCHED_LIMIT_S), math.prod(large)


def _look(student: Student, call: tuple[str, str], args: Args, solve: Solve, note: Note, **options: Any) -> CheckedCall:
    answer = student.run(*call, args, **options)
    right, tolerance = solve(*args)
    return answer.compared(lambda value: expect(f"`{call[1]}`", value, right, atol=tolerance), note)


def expect_no_mixes(call: CheckedCall, function: str) -> None:
    """Raise `Inconclusive` if NumPy worked on whole arrays in a call whose single reads were not recorded."""
    work = call.seen.work
    if work.mixes:
        what = f"`{function}` uses {name_of(work.mixes[0])}, and nobody saw whether its answer does"
        raise Inconclusive(f"{what}. A TA should read it.")


def is_by_python_alone(work: Seen, entries: int) -> bool:
    """Return whether neither NumPy nor compiled code took part in a call whose answer has so many entries.

    This is observed in every call, even if single reads and writes are not recorded.
    """
    parts = (work.mixes, work.compiled, work.waited_s, work.leaks, _often(work, entries, _COMPUTING | _VISITING))
    return not any(parts) and not any(token.startswith("kernel: ") for token in work.label)


def _often(work: Seen, entries: int, among: Container[str] | None = None) -> list[str]:
    """Return NumPy's functions that got single numbers for half of the entries or more, without layout functions.

    `among` has the functions that count; None stands for all.
    """
    often = (name for name, count in work.singles.items() if count >= max(entries // 2, 1))
    kept = ((name, name.partition(".")[0]) for name in often)
    return [name for name, own in kept if own not in LAYOUT | CREATING and (among is None or own in among)]


def _expect_own_visits(work: Seen, function: str, entries: int, needed: int, note: Note) -> None:
    """Fail if only NumPy went through the entries, even if it called a function of the hand-in for each entry."""
    if not (names := _often(work, entries, _VISITING)):
        return
    if work.reads < needed:
        fail(
            f"`{function}` lets numpy.{names[0]} go through the elements; the sheet asks for loops.",
            hint="Visit every element in a loop of your own.",
        )
    note.flag(f"{function} lets numpy.{names[0]} go through {entries} elements, beside loops of its own: what for?")


def flag_choice(function: str, names: Iterable[str], note: Note) -> None:
    """Flag NumPy's functions that choose or compute single entries inside the submission's own loops."""
    if computing := sorted(name for name in names if name.partition(".")[0] in _COMPUTING):
        note.flag(
            f"{function} calls numpy.{computing[0]} for each element, in loops of its own; the sheet wants no existing "
            "functions: a TA decides whether that costs points"
        )


def are_many(taken: int, entries: int) -> bool:
    """Return whether more numbers were read than messages and assertions need, for an answer of so many entries."""
    return taken > max(A_FEW, 2 * math.isqrt(entries))


def expect_no_leaks(work: Seen, function: str, entries: int) -> None:
    """Raise `Inconclusive` if more numbers were read from arrays that NumPy computed than messages need."""
    if are_many(work.leaks, entries):
        what = name_of(work.mixes[0]) if work.mixes else "its operations"
        taken = f"`{function}` takes {work.leaks} numbers out of what NumPy made of whole arrays ({what})"
        raise Inconclusive(f"{taken}. A TA should read it.")


def flag_reads(student: Student, call: tuple[str, str], work: Seen, entries: int, note: Note) -> None:
    """Flag a function whose answer kernels or machine code compute, if Python reads many numbers from arrays."""
    visits = sum(count for name, count in work.singles.items() if name.partition(".")[0] in _VISITING)
    if are_many(taken := work.reads + visits, entries):
        words = f"`{call[1]}` takes {taken} numbers out of arrays, one by one: what does Python do with them?"
        doubt(student, call, words, note)


def find_products(student: Student, module: str, function: str) -> list[str]:
    """Return the names in a function that can add up products."""
    return sorted(student.words_in(module, function) & {"hypot", *(f".{name}" for name in PRODUCTS)})


def flag_products(student: Student, module: str, function: str, note: Note) -> None:
    """Flag a function of plain loops that names a matrix product: it may use it in calls that nobody observed."""
    if named := find_products(student, module, function):
        words = named[0].removeprefix(".").replace("matmul", "`@` or matmul")
        note.flag(f"`{function}` has {words}, which adds up products: where is it used?")


def flag_ordering(student: Student, module: str, function: str, note: Note) -> None:
    """Flag a function that uses Python's functions for sorting, or makes integers of digits."""
    if ordering := sorted(student.words_in(module, function) & _ORDERING):
        note.flag(f"{function} uses {ordering[0]}, which compares by itself: is this the trivial way?")
    if INT_OF_DIGITS in student.words_in(module, function):
        note.flag(f"{function} makes integers of digits: does one of them hold many elements?")


def flag_repetition(call: CheckedCall, function: str, entries: int, note: Note) -> None:
    """Flag a function that reads or writes too many entries for an answer of so many entries."""
    work = call.seen.work
    reads, writes = work.reads / entries, work.writes / entries
    if reads > MOST_READS or writes > MOST_WRITES:
        note.flag(f"{function} reads {reads:.0f} and writes {writes:.0f} entries for each one of its answer: why?")


def expect_same_at_size(
    student: Student, call: tuple[str, str], args: tuple[Any, ...], known: CheckedCall, limit_s: float
) -> None:
    """Observe the start of a call with arguments of the sheet's size; the whole call would take too long.

    The call ends after `limit_s` seconds of processor time; waiting for a processor does not count.

    Raises:
        StudentFault: NumPy works on many elements at once here, and did not with small arguments.
    """
    looked = observe(student, LOOK_IN, (*call, args, limit_s))
    mine = {name_of(mix) for mix in known.seen.work.mixes}
    others = [name for name in map(name_of, map(str, looked["mixes"])) if name not in mine]
    if others:
        fail(
            f"`{call[1]}` works on many elements at once when the matrix is large, with {others[0]}.",
            hint="Visit every element in a loop of your own, whatever the size.",
        )
