"""Where an answer came from: the kernels that were launched, or something else that looks like it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import (
    Args,
    Array,
    CheckedCall,
    Inconclusive,
    Note,
    Observed,
    Seen,
    Solve,
    Student,
    fail,
)
from grader.authoring.comparison import as_array, matches
from grader.authoring.judges import launches, loops, slices

Draw = Callable[[], Args]
"""Returns arguments that nobody has seen before: memory may still hold the answer for others."""

LATER_CALLS = 4
ENTRIES_OF_A_NUMBER = 64
"""A number has room for a bit of so many entries: which of two is the larger one."""
FEW_TOLD = 4
"""Numbers for each row, such as its place and the sizes of the matrix, are for a launch of its own."""
MOST_UNTOUCHED = 2000
"""A kernel that changes less than one of so many entries does none of the work."""
PARTLY = 0.4
"""Of the entries that are not right at first, who makes this share does a large part of the work: symmetric halves."""


def expect_from_kernels(
    student: Student, call: tuple[str, str], answer: CheckedCall, draw: Draw, solve: Solve, note: Note
) -> None:
    """Fail if the answers of a function do not come from the kernels that it launches, in this call and in others.

    Args:
        student: The submission.
        call: Names of module and function.
        answer: What the function returned, which is right.
        draw: Gives arguments that the submission has never seen.
        solve: What the right answer is.
        note: Takes what was seen; doubts are flags.

    Raises:
        StudentFault: the host did the work, before the launch or after it, or later answers are wrong.
        Inconclusive: nobody can say who did, or nobody can follow the function.
    """
    student.judged.add(call)
    slices.expect_closed(student, call[0], [call[1]])
    expect_origin(student, call, answer, draw(), solve, note)
    _expect_same_later(student, call, answer, draw, solve, note)


def expect_origin(
    student: Student,
    call: tuple[str, str],
    answer: CheckedCall,
    args: Args,
    solve: Solve,
    note: Note,
    *,
    is_asked: bool = True,
) -> None:
    """Judge where the numbers of one answer come from; arguments and errors as of `expect_from_kernels`.

    Unless `is_asked`, by a check that knows what to expect, the work of the host beside kernels is left to a TA: the
    sheet may want it, as the last sum of a reduction.
    """
    seen = answer.seen.work
    note.fact("numbers_come_from", list(seen.label))
    given = _expect_given_data(call[1], answer.seen, is_asked=is_asked)
    after_host = {token for token in seen.label if token.startswith(slices.BY_THE_HOST)}
    certain = after_host if is_asked else after_host - {"elements"}
    if (words := _host_work(certain)) and not _names_kernel(seen):
        fail(
            f"The answer of `{call[1]}` does not come from its kernels, but from {words}.",
            hint="Return the array that the kernel wrote.",
        )
    if "data" in given or after_host or not _names_kernel(seen):
        _expect_right_arrays(student, call, args, solve, note, _host_work(after_host) or "Python objects", is_asked)
    loops.expect_no_leaks(seen, call[1], solve(*args)[0].size)
    _expect_few_told(seen, call[1], solve(*args)[0].size)
    if "data" in given:
        _expect_data_as_given(student, call, args)
    if words := slices.find_old_values(student, call, args):
        slices.doubt(student, call, f"`{call[1]}` is {words}", note)


def _expect_given_data(function: str, seen: Observed, *, is_asked: bool = True) -> set[str]:
    """Fail if kernels were given what the host had worked on; return what else is said of what they were given."""
    given = {token for launch in seen.launches for token in launch.given if token.startswith(slices.BY_THE_HOST)}
    if words := _host_work(given):
        message = f"`{function}` gives its kernels what the host has worked on: {words}."
        if not is_asked:
            raise Inconclusive(f"{message} A TA should read it.")
        fail(message, hint="Give the kernel the data, and let it compute.")
    return given


def _expect_few_told(seen: Seen, function: str, entries: int) -> None:
    """Raise `Inconclusive` if kernels get so many numbers outside of whole arrays that these may say the answer."""
    if seen.told > max(FEW_TOLD * math.isqrt(entries), entries // ENTRIES_OF_A_NUMBER):
        what = f"{seen.told} numbers one by one, or in small pieces"
        raise Inconclusive(
            f"`{function}` gives its kernels {what}, and nobody saw where they are from. A TA should read it."
        )


def tokens(seen: Observed) -> set[str]:
    """Return where an answer's numbers, and those that its kernels were given, come from."""
    return {*seen.work.label, *(token for launch in seen.launches for token in launch.given)}


def expect_no_host_work(function: str, seen: Observed, known: Collection[str] = ()) -> None:
    """Raise `Inconclusive` if, in this call, the host did what kernels are there for, and what is not `known` of it."""
    if words := _host_work(tokens(seen) - {*known}):
        raise Inconclusive(f"In one of its calls `{function}` let the host do the work: {words}. A TA should read it.")


def _expect_same_later(
    student: Student, call: tuple[str, str], first: CheckedCall, draw: Draw, solve: Solve, note: Note
) -> None:
    """Raise unless further calls are right, and the kernels' work as in the first: a function may count its calls."""
    for _ in range(LATER_CALLS):
        args = draw()
        answer = student.run(*call, args, record_launches=True, full=True)
        words = f"`{call[1]}` is right at first, and wrong when it is called again with other numbers."
        again = answer.compared(partial(_expect_right, solve(*args), words), note)
        expect_no_host_work(call[1], again.seen, tokens(first.seen))


def _expect_right(right: tuple[Array, Array | float], words: str, value: Any) -> None:
    """Fail with these words unless an answer is right."""
    if not is_right(value, *right):
        fail(words)


def _names_kernel(seen: Seen) -> bool:
    return any(token.startswith("kernel: ") for token in seen.label)


def _host_work(found: set[str]) -> str:
    """Return in words what the host did to numbers; empty for nothing that is certain."""
    for token in sorted(found):
        if token.startswith("mixed: "):
            return token.removeprefix("mixed: ")
        if token.startswith("compiled: "):
            return f"the compiled function {token.removeprefix('compiled: ')}"
        if token == "elements":  # noqa: S105 - a label
            return "a loop in Python"
    return ""


def _expect_right_arrays(
    student: Student, call: tuple[str, str], args: Args, solve: Solve, note: Note, by: str, is_asked: bool
) -> None:
    """Judge an answer that came by another way than straight from a kernel by what its kernels left in their arrays."""
    found = slices.observe(student, slices.LOOK_AROUND, (*call, args, ""))
    share = max((_share_right(array, *solve(*args)) for array in found["after"]), default=0.0)
    note.fact("kernels_alone_right_percent", round(100 * share, 1))
    if share == 1:
        return
    if share < _partly(args, solve):
        message = f"The answer of `{call[1]}` does not come from its kernels, but from {by}."
        if not is_asked:
            raise Inconclusive(f"{message} A TA should read it.")
        fail(message, hint="Return the array that the kernel wrote.")
    note.flag(f"the kernels of `{call[1]}` alone get {100 * share:.0f} % right; the host does the rest ({by})")


def _expect_data_as_given(student: Student, call: tuple[str, str], args: Args) -> None:
    """Raise `Inconclusive` unless numbers that went to kernels by way of Python are still those of the arguments."""
    found = slices.observe(student, slices.LOOK_AROUND, (*call, args, ""))
    if not all(_is_given(array, args) for array in found["before"]):
        raise Inconclusive(f"`{call[1]}` gives its kernels numbers that Python computed. A TA should read it.")


def expect_launch(
    student: Student,
    call: tuple[str, str],
    kernel: str,
    counts: tuple[int, int],
    draw: Draw,
    solve: Solve,
    note: Note,
    owner: str,
) -> None:
    """Fail unless a function launches `kernel` as the sheet asks, and these launches make its answer.

    Half of the answer is enough, where symmetry leaves no more.

    Args:
        student: The submission.
        call: Names of module and function.
        kernel: Name of the kernel that the sheet asks for.
        counts: Blocks of a launch, and threads in each of them.
        draw: Gives arguments that the submission has never seen.
        solve: What the right answer is.
        note: Takes the launches, and doubts from `expect_from_kernels` as flags.
        owner: Id of the check that a wrong answer belongs to.

    Raises:
        StudentFault: other counts; other kernels do the work, or this one does nothing, or the host does it.
        Inconclusive: several kernels share it in a way that only a person can weigh, or nobody can follow them.
    """
    student.judged.add(call)
    args = draw()
    run = student.run(*call, args, record_launches=True, full=True)
    answer = run.compared(partial(_expect_right, solve(*args), f"`{call[1]}` is wrong."), note, owner)
    launches.expect_launches(answer, kernel, *counts, note)
    slices.expect_closed(student, call[0], [call[1], kernel])
    _expect_kernel_works(student, call, kernel, answer, draw, solve)
    slices.flag_doubts(student, call, note)


def _expect_kernel_works(
    student: Student, call: tuple[str, str], kernel: str, answer: CheckedCall, draw: Draw, solve: Solve
) -> None:
    """Judge whether the launches of `kernel` make the answer, or at least the half that symmetry leaves."""
    args = draw()
    right, partly = solve(*args), _partly(args, solve)
    found = slices.observe(student, slices.LOOK_AROUND, (*call, args, kernel))
    if found["wrote"] * MOST_UNTOUCHED < right[0].size:
        fail(
            f"`{kernel}` is launched by `{call[1]}`, but changes none of the arrays that it is given, or hardly any "
            "entry.",
            hint="Each thread writes its part of the result into the kernel's last argument.",
        )
    _expect_given_data(call[1], answer.seen)
    seen = answer.seen.work
    loops.expect_no_leaks(seen, call[1], right[0].size)
    _expect_few_told(seen, call[1], right[0].size)
    by_host = {token for token in seen.label if token.startswith(slices.BY_THE_HOST)} or not _names_kernel(seen)
    best = max((_share_right(array, *right) for array in found["after"]), default=0.0)
    if by_host and is_right(found["value"], *right) and best < partly:
        fail(
            f"`{kernel}` does not make the answer of `{call[1]}`: the host does.",
            hint=f"Let `{kernel}` compute the answer, and return what it wrote.",
        )
    if {launch.kernel for launch in answer.seen.launches} != {kernel}:
        _expect_own_share(student, call, kernel, found["before"], (args, draw(), draw()), solve)


def _expect_own_share(
    student: Student,
    call: tuple[str, str],
    kernel: str,
    before: list[Any],
    draws: tuple[Args, Args, Args],
    solve: Solve,
) -> None:
    """Judge what `kernel` does of the work where others are launched; `before`: what it was given for `draws[0]`."""
    others = f"`{call[1]}` also launches other kernels, and `{kernel}` needs what these write. A TA should read it."
    partly = _partly(draws[0], solve)
    if any(_share_right(array, *solve(*draws[0])) >= partly for array in before):
        fail(f"The answer is there before `{kernel}` runs: other kernels make it.", hint=f"Let `{kernel}` compute it.")
    without = slices.observe(student, slices.RUN_WITHOUT, (*call, draws[1], kernel, False))
    if _share_right(without["value"], *solve(*draws[1])) > max(1 - PARTLY, partly):
        fail(
            f"The launches of `{kernel}` do not make the answer of `{call[1]}`: other kernels do.",
            hint=f"Let `{kernel}` compute the answer.",
        )
    if all(_is_given(array, draws[0]) for array in before):
        return
    alone = slices.observe(student, slices.RUN_WITHOUT, (*call, draws[2], kernel, True))
    if _share_right(alone["value"], *solve(*draws[2])) < partly:
        raise Inconclusive(others)


def _partly(args: Args, solve: Solve) -> float:
    """Return from which share of right entries on something is a part of the work: the arguments hold some already."""
    at_first = max(_share_right(arg, *solve(*args)) for arg in args)
    return at_first + PARTLY * (1 - at_first)


def _is_given(array: Any, args: Args) -> bool:
    """Return whether an array holds one of the arguments, in whatever order, padded or as other numbers, or no data."""
    held = np.asarray(array)
    if held.size == 0 or bool((held == held.flat[0]).all()):
        return True
    return any(_share_right(held, one.astype(held.dtype), 0.0) == 1 for arg in args for one in (arg, arg.T))


def is_right(got: Any, right: Array, tolerance: Array | float) -> bool:
    """Return whether `got` holds the right numbers, in one of the usual layouts."""
    return _share_right(got, right, tolerance) == 1


def _share_right(got: Any, right: Array, tolerance: Array | float) -> float:
    """Return the share of right entries, of the best of the usual layouts: as it is, transposed, flat or padded."""
    array = as_array(got)
    if not isinstance(array, np.ndarray) or array.size < right.size:
        return 0.0
    flat = [array.reshape(right.shape)] if array.size == right.size else []
    corner = [array[tuple(map(slice, right.shape))]] if array.ndim == right.ndim else []
    layouts = [layout for layout in (*flat, *corner) if layout.shape == right.shape]
    turned = [layout.T for layout in layouts if layout.T.shape == right.shape]
    shares = [float(matches(layout, right, atol=tolerance).mean()) for layout in (*layouts, *turned)]
    return max(shares, default=0.0)
