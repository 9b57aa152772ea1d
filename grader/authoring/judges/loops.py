"""The trivial way: plain loops over the entries, in Python; seen, not read. `delays` judges how long they take."""

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
A_FEW = 8
"""So many operations of NumPy, or numbers taken from them, are for a message or an assertion."""
MOST_READS, MOST_WRITES = 8, 3
"""For each entry of the answer: a comparison and a choice between two matrices take two to four reads and a write."""
WATCHED_LIMIT_S = 60
"""A call in which every entry that is read and written is recorded takes five times as long as another."""
_CHOOSING = words("""
    maximum minimum fmax fmin max min amax amin where select choose clip greater less greater_equal less_equal
""")
"""NumPy's functions that pick the larger of two numbers, or say which one is."""
_SEVERAL = ".several"
"""What is added to the name of a function that got more than two numbers at a time, in an array without a label."""
_VISITING = words("vectorize frompyfunc")
"""NumPy's functions that go through the entries, and call a function for each."""
_ORDERING = words("sorted sort heapq merge nlargest Counter insort insort_left insort_right")
_PRODUCTS = words("dot matmul inner vdot einsum tensordot")
_COMPUTING = _CHOOSING | _PRODUCTS | words("multiply sum prod")


def expect_own_loops(call: CheckedCall, function: str, entries: int, needed: int, note: Note) -> None:
    """Fail if NumPy or compiled code, rather than Python, went through the entries of the answer of `function`.

    Single reads and writes of the call were seen. Its answer has so many `entries`, for which so many of the arguments'
    are `needed`.

    Raises:
        StudentFault: whole rows or matrices were worked on at once, or it waited.
        Inconclusive: single numbers came out of what NumPy had worked on.
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
    """Return a call that was watched, single reads and writes included, and how many entries its answer had.

    Where nothing but Python touched the entries of arguments of the sheet's size, small ones show the rest. Else, or
    for a function that is made for that size, the call is watched at that size. `shapes` are the sheet's, and a small
    one.

    Raises:
        StudentFault: an answer is wrong.
        Inconclusive: nobody can follow the function.
    """
    large, small = shapes
    student.judged.add(call)
    if not student.seen_of(*call):  # by the check before, unless only this one was asked for
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
    """Return whether neither NumPy nor compiled code took part in a call, whose answer has so many entries.

    That much is seen of every call, also of one whose single reads and writes are not recorded.
    """
    by_numpy = _often(work, entries, _COMPUTING | _VISITING)
    parts = (work.mixes, work.compiled, work.waited_s, work.leaks, by_numpy)
    return not any(parts) and not any(token.startswith("kernel: ") for token in work.label)


def _often(work: Seen, entries: int, among: Container[str] | None = None) -> list[str]:
    """Return NumPy's functions that were given as many numbers as half of the entries; none that lays them out.

    `among` has those that are asked for; None stands for all.
    """
    often = (name for name, count in work.singles.items() if count >= max(entries // 2, 1))
    kept = ((name, name.partition(".")[0]) for name in often)
    return [name for name, own in kept if own not in LAYOUT | CREATING and (among is None or own in among)]


def _expect_own_visits(work: Seen, function: str, entries: int, needed: int, note: Note) -> None:
    """Fail if nothing but NumPy went through the entries, also if it calls a function of the hand-in for each."""
    if not (names := _often(work, entries, _VISITING)):
        return
    if work.reads < needed:
        fail(
            f"`{function}` lets numpy.{names[0]} go through the elements; the sheet asks for loops.",
            hint="Visit every element in a loop of your own.",
        )
    note.flag(f"{function} lets numpy.{names[0]} go through {entries} elements, beside loops of its own: what for?")


def flag_choice(function: str, names: Iterable[str], note: Note) -> None:
    """Flag NumPy's functions that choose or compute single entries; the loops are a submission's own all the same."""
    if computing := sorted(name for name in names if name.partition(".")[0] in _COMPUTING):
        note.flag(
            f"{function} calls numpy.{computing[0]} for each element, in loops of its own; the sheet wants no existing "
            "functions: a TA decides whether that costs points"
        )


def are_many(taken: int, entries: int) -> bool:
    """Return whether more numbers were taken, for an answer of so many entries, than messages and assertions need."""
    return taken > max(A_FEW, 2 * math.isqrt(entries))


def expect_no_leaks(work: Seen, function: str, entries: int) -> None:
    """Raise `Inconclusive` if more numbers came out of NumPy's work on whole arrays than messages need."""
    if are_many(work.leaks, entries):
        what = name_of(work.mixes[0]) if work.mixes else "its operations"
        taken = f"`{function}` takes {work.leaks} numbers out of what NumPy made of whole arrays ({what})"
        raise Inconclusive(f"{taken}. A TA should read it.")


def doubt_reads(student: Student, call: tuple[str, str], work: Seen, entries: int, note: Note) -> None:
    """Flag a function whose answer kernels or machine code compute, if Python takes many numbers out of arrays."""
    visits = sum(count for name, count in work.singles.items() if name.partition(".")[0] in _VISITING)
    if are_many(taken := work.reads + visits, entries):
        words = f"`{call[1]}` takes {taken} numbers out of arrays, one by one: what does Python do with them?"
        doubt(student, call, words, note)


def find_products(student: Student, module: str, function: str) -> list[str]:
    """Return what multiplies matrices, of all that a function names."""
    return sorted(student.words_in(module, function) & {"hypot", *(f".{name}" for name in _PRODUCTS)})


def flag_products(student: Student, module: str, function: str, note: Note) -> None:
    """Flag functions of plain loops that name what multiplies matrices: perhaps it does so where nobody looked."""
    if named := find_products(student, module, function):
        words = named[0].removeprefix(".").replace("matmul", "`@` or matmul")
        note.flag(f"`{function}` has {words}, which adds up products: where is it used?")


def flag_ordering(student: Student, module: str, function: str, note: Note) -> None:
    """Flag functions of Python that compare many numbers by themselves."""
    if ordering := sorted(student.words_in(module, function) & _ORDERING):
        note.flag(f"{function} uses {ordering[0]}, which compares by itself: is this the trivial way?")
    if INT_OF_DIGITS in student.words_in(module, function):
        note.flag(f"{function} makes integers of digits: does one of them hold many elements?")


def flag_repetition(call: CheckedCall, function: str, entries: int, note: Note) -> None:
    """Flag a function that reads or writes each entry again and again, for an answer of so many entries."""
    work = call.seen.work
    reads, writes = work.reads / entries, work.writes / entries
    if reads > MOST_READS or writes > MOST_WRITES:
        note.flag(f"{function} reads {reads:.0f} and writes {writes:.0f} entries for each one of its answer: why?")


def expect_same_at_size(
    student: Student, call: tuple[str, str], args: tuple[Any, ...], known: CheckedCall, limit_s: float
) -> None:
    """Look at a function for a moment while it works on arguments of the sheet's size, which would take too long.

    The moment ends when it has computed for `limit_s`; what a busy machine takes from it does not count.

    Raises:
        StudentFault: NumPy does for these what loops do for small ones.
    """
    looked = observe(student, LOOK_IN, (*call, args, limit_s))
    mine = {name_of(mix) for mix in known.seen.work.mixes}
    others = [name for name in map(name_of, map(str, looked["mixes"])) if name not in mine]
    if others:
        fail(
            f"`{call[1]}` works on many elements at once when the matrix is large, with {others[0]}.",
            hint="Visit every element in a loop of your own, whatever the size.",
        )
