"""Asked of graded functions without a check's asking for it: does each work as assignment.toml says?

    python      loops in Python went through the entries, not NumPy, and nothing that is compiled
    compiled    machine code that Numba made of own loops computes the answer
    gpu         kernels that it launches compute the answer

The check has passed, so that the last answer of each function counts as right. A judge that the check itself called for
a function knows more than this one, and is enough.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import Answer, Array, Inconclusive, Note, Student
from grader.authoring.comparison import as_array
from grader.authoring.judges import compiled, kernels, loops, makers, scenarios, slices

SAME = 1e-5
"""Of the largest entry: so far apart two answers to the same arguments may be, as sums in another order are."""
_ANOTHER = "`{}` gives another answer when it is called again with the same arguments."


def expect_as_declared(student: Student, graded: Mapping[tuple[str, str], str], note: Note) -> None:
    """Raise unless the functions that this check has called, and not judged, work as they are declared to.

    `graded` has module and name of each graded function -> one of `grader.assignment.WAYS`.

    Raises:
        StudentFault: something else does the work.
        Inconclusive: nobody can say what does, or nobody can follow the function.
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
    checked = answer.compared(lambda _value: None, note)  # the check has passed that got this answer
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
    """Return the answer that the check took for right, as an array, and how far another one may be off."""
    array = as_array(answer.value)
    if not isinstance(array, np.ndarray) or not array.size:
        raise Inconclusive(f"`{call[1]}` returned no array, so that nobody saw what computed it. A TA should read it.")
    return np.atleast_1d(array), SAME * float(np.abs(array.astype(float)).max())
