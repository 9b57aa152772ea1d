"""Whether each graded function works as assignment.toml says; the plugin asks this after a check has passed.

    python      loops in Python visit the entries, and not NumPy; compiled code is flagged
    compiled    machine code that Numba made of the submission's own loops computes the answer
    gpu         kernels that the function launches compute the answer

Because the check has passed, the last answer of each function counts as right. Functions that the check has judged by
another judge are not judged here: that judge knows more.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import Answer, Array, Inconclusive, Note, Student
from grader.authoring.comparison import as_array
from grader.authoring.judges import compiled, kernels, loops, makers, scenarios, slices

SAME = 1e-5  # how far answers to the same arguments may differ, as sums in another order do; share of the largest entry
_ANOTHER = "`{}` gives another answer when it is called again with the same arguments."


def expect_as_declared(student: Student, graded: Mapping[tuple[str, str], str], note: Note) -> None:
    """Raise unless the functions that this check has called, and not judged, work as declared.

    `graded` maps module and name of each graded function to one of `grader.assignment.WAYS`.

    Raises:
        StudentFault: something else does the work.
        Inconclusive: it was not observed what does the work, or a function cannot be followed.
    """
    for call, way in graded.items():
        if call not in student.called or call in student.judged:
            continue
        args, answer = student.called[call]
        if way == "python":
            _expect_loops(student, call, args, answer, note)
        elif way == "compiled":
            compiled.expect_compiled(student, call, args, _right(call, answer), note)
        elif way == "gpu":
            _expect_kernels(student, call, args, answer, note)


def _expect_loops(student: Student, call: tuple[str, str], args: tuple[Any, ...], answer: Answer, note: Note) -> None:
    slices.expect_closed(student, call[0], [call[1]])
    checked = answer.compared(lambda _value: None, note)  # the check that got this answer has passed
    entries = max(np.size(value) for value in (0, answer.value, *args) if isinstance(value, np.ndarray | list | int))
    if loops.is_by_python_alone(checked.seen.work, entries):
        return
    if not checked.seen.fully:
        again = student.run(*call, args, full=True, limit_s=loops.WATCHED_LIMIT_S)
        checked = again.compared(partial(makers.expect_right, _right(call, answer), _ANOTHER.format(call[1])), note)
    loops.expect_own_loops(checked, call[1], entries, 0, note)


def _expect_kernels(student: Student, call: tuple[str, str], args: tuple[Any, ...], answer: Answer, note: Note) -> None:
    slices.expect_closed(student, call[0], [call[1]])
    right = _right(call, answer)
    compare = partial(makers.expect_right, right, _ANOTHER.format(call[1]))
    again = scenarios.watch(student, call, args).compared(compare, note)
    kernels.expect_launched(again, call[1], "kernel[blocks, threads](A, B, C)")
    for observed in student.seen_of(*call):
        kernels.expect_no_host_work(call[1], observed, again.seen)
    kernels.expect_origin(student, call, args, again, right, note, is_asked=False)


def _right(call: tuple[str, str], answer: Answer) -> tuple[Array, float]:
    """Return the answer that the check accepted, as an array, and how far another answer may be off."""
    array = as_array(answer.value)
    if not isinstance(array, np.ndarray) or not array.size:
        raise Inconclusive(f"`{call[1]}` returned no array, so that nobody saw what computed it. A TA should read it.")
    return np.atleast_1d(array), SAME * float(np.abs(array.astype(float)).max())
