"""Times of the submission's functions, by the parent's clock, around calls whose results are not judged here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy import stats

from grader.assignments.hw1 import inputs, recipe, rules
from grader.authoring import Note, Setup, Student, expect
from grader.model import printable

CPU_CALLS, GPU_CALLS = 7, 21


def measure_best(
    student: Student, module: str, functions: Mapping[str, str], inputs_: Sequence[tuple[Any, ...]], note: Note
) -> None:
    """Note the fact `best_times_s`, name -> shortest of one call per input; the first call may have to compile."""
    best = {}
    for name, function in functions.items():
        best[name] = min(student.call(module, function, args).wall_s for args in inputs_)
    note.fact("best_times_s", best)


def explain_kernels(
    student: Student, module: str, function: str, args: tuple[Any, ...], setup: Setup, note: Note
) -> None:
    """Note, if this grading was asked to, what the kernels do to memory: counted, not timed, and races as remarks."""
    if not setup.explain or setup.device != "cpu":
        return
    student.load(module)
    nothing: dict[str, Any] = {"found": [], "counted": []}
    seen = rules.observe(student, "explanation", "explain_launches", (module, function, args), nothing)
    note.fact("counted_not_timed", [printable(str(sentence), 300) for sentence in seen["counted"]])
    for sentence in seen["found"]:
        note.remark(printable(str(sentence), 500))


def measure_speedup(student: Student, rng: np.random.Generator, note: Note) -> None:
    """Note the fact `speedup`: the 95 % interval of the ratio of median times, CPU over GPU.

    Calls of both kinds take turns, each with fresh inputs and a verified result. The interval is a bootstrap of
    the two medians (percentile method; Efron and Tibshirani, An Introduction to the Bootstrap, ch. 13).
    """
    times: dict[str, list[float]] = {"max_cpu": [], "max_gpu": []}
    _timed_call(student, "max_gpu", rng)
    for _ in range(CPU_CALLS):
        times["max_cpu"].append(_timed_call(student, "max_cpu", rng))
        times["max_gpu"] += [_timed_call(student, "max_gpu", rng) for _ in range(GPU_CALLS // CPU_CALLS)]
    interval = stats.bootstrap(
        (times["max_cpu"], times["max_gpu"]),
        lambda cpu, gpu, axis=-1: np.median(cpu, axis=axis) / np.median(gpu, axis=axis),
        method="percentile",
        rng=rng,
    ).confidence_interval
    note.fact("speedup", [float(interval.low), float(interval.high)])
    note.fact("times_s", times)


def _timed_call(student: Student, function: str, rng: np.random.Generator) -> float:
    first, second = inputs.integer_pair(rng, recipe.MAX_SHAPE)
    answer = student.call("max_functions", function, (first, second))
    expect(f"`{function}(A, B)`, while it was timed,", answer.value, np.maximum(first, second))
    return answer.wall_s
