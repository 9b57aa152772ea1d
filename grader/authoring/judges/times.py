"""Times of the submission's functions, by the parent's clock, around calls whose results are not judged here."""

from collections.abc import Mapping, Sequence
from typing import Any

from grader.authoring import Note, Setup, Student
from grader.authoring.judges import slices
from grader.model import printable

LONG_S = 0.5


def measure_best(
    student: Student, module: str, functions: Mapping[str, str], inputs_: Sequence[tuple[Any, ...]], note: Note
) -> None:
    """Note the fact `best_times_s`, name -> shortest of one call per input; the first call may have to compile.

    What takes long is called less often: it varies less.
    """
    best = {}
    for name, function in functions.items():
        times_s: list[float] = []
        for args in inputs_:
            if sum(times_s) < LONG_S:
                times_s.append(student.run(module, function, args).wall_s)
        best[name] = min(times_s)
    note.fact("best_times_s", best)


def explain_kernels(
    student: Student, module: str, function: str, args: tuple[Any, ...], setup: Setup, note: Note
) -> None:
    """Note, if this grading was asked to, what the kernels do to memory: counted, not timed, and races as remarks."""
    if not setup.options.explain or setup.device != "cpu":
        return
    student.load(module)
    report = slices.observe(student, slices.EXPLAIN_LAUNCHES, (module, function, args))
    note.fact("counted_not_timed", [printable(str(sentence), 300) for sentence in report["counted"]])
    for sentence in report["found"]:
        note.remark(printable(str(sentence), 500))
