"""Data races of kernels, looked for on a small launch: why numbers are wrong, or right by luck.

On the executor threads take turns, so that a sum of many threads without an atomic comes out right here and wrong on a
GPU. Nobody loses points for that on a machine without a GPU; a TA is told. Following every access takes a second or
two, so that right numbers are looked into only where a kernel accumulates in an array that it was given.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from grader.assignments.hw1 import rules
from grader.authoring import Note, Setup, Student, StudentFault
from grader.model import printable

_RACE = " race on "


@contextmanager
def explained(
    student: Student, call: tuple[str, str], args: tuple[Any, ...], setup: Setup, note: Note, source: bytes
) -> Iterator[None]:
    """Give wrong numbers that nobody has explained yet a race of the kernels for a hint; flag one behind right numbers.

    Only the executor can follow every access, so that nothing is said where a real GPU runs the kernels.

    Args:
        student: Whose function it is.
        call: The names of its module and its own.
        args: Arguments that are small enough to follow.
        setup: Says what runs the kernels.
        note: Takes the flag.
        source: The module's file.
    """
    try:
        yield
    except StudentFault as fault:
        is_wrong_number = type(fault) is StudentFault and not fault.finding.hint
        if not is_wrong_number or setup.device != "cpu" or not (race := _find_race(student, call, args)):
            raise
        raise StudentFault(replace(fault.finding, hint=race)) from fault
    if setup.device == "cpu" and _accumulates(source) and (race := _find_race(student, call, args)):
        note.flag(f"right here, where threads take turns; on a GPU, where they do not, it may be wrong: {race}")


def _find_race(student: Student, call: tuple[str, str], args: tuple[Any, ...]) -> str:
    nothing: dict[str, Any] = {"found": []}
    try:
        seen = rules.observe(student, "explanation", "find_races", (*call, args), nothing)
    except StudentFault:  # such as a kernel that is made for the sheet's size only
        return ""
    races = [str(sentence) for sentence in seen["found"] if _RACE in str(sentence)]
    return printable(races[0], 500) if races else ""


def _accumulates(source: bytes) -> bool:
    """Return whether a kernel reads and writes an array that it was given in one statement, as in `C[i, j] += x`."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    kernels = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and _is_kernel(node))
    return any(_updates(node, {arg.arg for arg in kernel.args.args}) for kernel in kernels for node in ast.walk(kernel))


def _is_kernel(function: ast.FunctionDef) -> bool:
    decorators = " ".join(ast.unparse(decorator) for decorator in function.decorator_list)
    return "jit" in decorators and "device" not in decorators


def _updates(node: ast.AST, arrays: set[str]) -> bool:
    if isinstance(node, ast.AugAssign):
        return _array_of(node.target) in arrays
    if not isinstance(node, ast.Assign):
        return False
    written = {_array_of(target) for target in node.targets} & arrays
    return any(_array_of(part) in written for part in ast.walk(node.value))


def _array_of(node: ast.AST) -> str:
    """Return the name of the array of which `node` is an entry, as in `C[i, j]` or `C[i][j]`; empty for all else."""
    if not isinstance(node, ast.Subscript):
        return ""
    return node.value.id if isinstance(node.value, ast.Name) else _array_of(node.value)
