"""The sheet's rules for max_functions.py and matmul_functions.py: by reading the source, and by what was observed."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from grader.authoring import Answer, Finding, Inconclusive, Note, Sources, Student, StudentFault, fail
from grader.source_rules import Reading, Remark, njit_missing, reaching, read_function, read_source

SHOWN_LAUNCHES = 3
PYTHON_FILES = ("utils.py", "max_functions.py", "matmul_functions.py")
BESIDE = ("utils", "max_functions", "matmul_functions", "network", "main", "collect")
"""Modules of the handout, which may import each other."""


def expect_own_work(sources: Sources, file: str, function: str, note: Note) -> Reading:
    """Fail if a library certainly does the work of `function`; what is only suspicious is flagged for a TA."""
    source = read_source(file, sources.data(file))
    if isinstance(source, Finding):
        raise StudentFault(source)
    reading = read_function(source, function)
    for remark in reading.remarks:
        if remark.certain and remark.rule in {"library", "delay"}:
            raise StudentFault(remark.finding)
    for remark in reading.remarks:
        note.flag(f"{remark.finding.location}: {remark.finding.message}")
    return reading


def expect_ordinary_code(sources: Sources, files: tuple[str, ...] = PYTHON_FILES) -> None:
    """Raise `Inconclusive` if a file can change what is observed of it, such as launches and compiled functions.

    The submission shares a process with what observes it. Homework needs no frames, no other modules' attributes and
    no module table; where it has them, a person reads what for, and the points stay open until then.
    """
    for file in files:
        remarks = () if file in sources.missing else _find_reaching(file, sources.data(file))
        if remarks:
            line = remarks[0].finding
            msg = (
                f"{line.location}: {line.message}, by which a program can change what is observed of it. "
                "A TA should read it and give the points."
            )
            raise Inconclusive(msg)


@lru_cache(maxsize=len(PYTHON_FILES))
def _find_reaching(file: str, data: bytes) -> tuple[Remark, ...]:
    """Return what `reaching` says; many checks ask about the same files, and reading takes 10 ms each time."""
    source = read_source(file, data)
    return () if isinstance(source, Finding) else reaching(source, BESIDE)


def expect_own_loops(
    sources: Sources, file: str, function: str, note: Note, *, loops: int, seen_elsewhere: bool = False
) -> None:
    """Fail unless `function` does its own work in at least `loops` loops inside each other, without delays.

    Raises:
        Inconclusive: the source cannot be followed to the loops, and they are not `seen_elsewhere`, by running them.
    """
    reading = expect_own_work(sources, file, function, note)
    note.fact("nested_loops", reading.loop_depth)
    if reading.compiler:
        note.flag(f"{function} is compiled by {reading.compiler}; the sheet asks for the trivial way, in plain Python")
    if reading.loop_depth >= loops:
        return
    if 0 < loops - 1 <= reading.loop_depth and not reading.remarks:
        note.flag(f"{function} has {reading.loop_depth} nested loops; the sheet asks for {loops}. The work is its own")
        return
    if any(remark.rule == "dynamic" for remark in reading.remarks):
        if not seen_elsewhere:
            msg = f"`{function}` could not be followed to its {loops} nested loops. A TA should read it."
            raise Inconclusive(msg)
        note.flag(f"{function} could not be followed to its {loops} nested loops")
        return
    fail(
        f"`{function}` has {reading.loop_depth} nested loops where the sheet asks for {loops}.",
        expected=f"{loops} loops inside each other",
        got=reading.loop_depth,
        location=file,
    )


def flag_odd_compilation(sources: Sources, file: str, function: str, note: Note) -> None:
    """Flag what reading says against `njit`, where the machine code that was observed says otherwise."""
    source = read_source(file, sources.data(file))
    for remark in () if isinstance(source, Finding) else njit_missing(source, function):
        note.flag(f"{remark.finding.location}: {remark.finding.message}")


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
    """Return what an observer inside the worker reports: the keys of `nothing`, with values of its types or its own.

    What comes out of the worker may be forged, so that nothing else is let through; None in `nothing` stands for any.
    """
    answer = student.call(f"grader.worker.{observer}", function, args).value
    seen = answer if isinstance(answer, dict) else {}
    fits = {
        key: key in seen and (default is None or type(seen[key]) is type(default)) for key, default in nothing.items()
    }
    return {key: seen[key] if fits[key] else default for key, default in nothing.items()}


def expect_compiled(student: Student, module: str, function: str, args: tuple[Any, ...], note: Note) -> None:
    """Fail unless `function` is or calls a function that Numba compiled for data in nopython mode."""
    nothing = {"is_dispatcher": False, "is_function": False, "nopython": [], "object_mode": []}
    seen = observe(student, "inspection", "describe_compiled", (module, function, args), nothing)
    note.fact("compiled", seen)
    if seen["object_mode"]:
        names = ", ".join(map(str, seen["object_mode"][:3]))
        fail(f"Numba fell back to Python objects in {names}.", hint="Use @njit, and only what Numba can compile.")
    if not seen["nopython"]:
        fail(f"`{function}` is not compiled by Numba.", expected="@njit", hint="Decorate the function with @njit.")
    if not (seen["is_dispatcher"] or seen["is_function"]):
        msg = f"`{function}` is neither a function nor what njit makes of one. A TA should read it and give the points."
        raise Inconclusive(msg)


def expect_compiled_work(
    student: Student, module: str, function: str, args: tuple[Any, ...], is_right: Callable[[Any], bool], note: Note
) -> None:
    """Fail if a Python function is right although the compiled functions that it calls gave zeros for answers."""
    if note.facts["compiled"]["is_dispatcher"]:
        return
    nothing = {"value": None, "raised": "", "replaced": 0}
    seen = observe(student, "inspection", "call_without_compiled", (module, function, args), nothing)
    if seen["replaced"] and is_right(seen["value"]):
        fail(
            f"`{function}` is right even when the functions that Numba compiled give zeros: they do not do the work.",
            hint="Return what the compiled function computes.",
        )
    if not seen["replaced"]:
        note.flag(f"{function} is a Python function, and was not seen to call a compiled one")
