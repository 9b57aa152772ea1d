"""Run graded functions and scenarios, and record their launches with the contents of the arrays.

Scenarios are small staff functions that use the classes of a submission.

A scenario is a function of a module in the assignment's `staff/`. It imports what students wrote, makes objects, calls
methods, and returns a dict of arrays and numbers:

    from sums import Total

    def add_twice(A, B):
        total = Total(A.shape)
        total.add(A)
        total.add(B)
        return {"total": total.on_host()}

`run` calls it in the worker of slices, and observes it. If a slice is open, the whole files run, and the grader cannot
say how the answer was computed. Scenarios must compute nothing: their own arithmetic would be observed, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import msgspec
import numpy as np

from grader.authoring import Answer, Array, Compared, Inconclusive, Observed, Run, Student, StudentFault, fail
from grader.worker import faults, wire
from grader.worker.runs import SHOWN
from grader.worker.student import Parts

_OBSERVER = "grader.worker.sliced.kernels"


class Launched(wire.Launch, frozen=True, kw_only=True):
    """One launch of a kernel, and the contents of its arrays."""

    before: tuple[Array, ...]
    after: tuple[Array, ...]
    old: tuple[Array, ...] = ()
    """Arrays of `before` that earlier calls left, and only kernels wrote: these had nothing of this call's data."""
    numbers: tuple[float, ...] = ()
    """Single numbers that it gets, or that its code contains; also its bytes of shared memory, and unusual strides."""
    place: str = ""  # file and line of the kernel, such as `sums.py:12`: two kernels may have one name
    functions: tuple[str, ...] = ()  # file and line of each function that it calls
    constants: tuple[Array, ...] = ()  # arrays that its code contains
    constants_from: tuple[str, ...] = ()  # tokens that say where the numbers of these come from

    @property
    def code(self) -> str:
        """Places of its kernel and of the functions that this calls: a kernel that is made twice may call others."""
        return " with ".join((self.place, *self.functions))

    def inputs(self) -> tuple[Array, ...]:
        """Return all arrays whose numbers it could read."""
        return (*self.before, *self.constants)

    def changed(self) -> list[Array]:
        """Return the new contents of the arrays that this launch changed."""
        pairs = zip(self.before, self.after, strict=True)
        return [new for old, new in pairs if not np.array_equal(old, new, equal_nan=True)]

    def count_changed(self) -> int:
        """Return how many entries it changed in the array in which it changed most; NaN equals NaN."""
        counts = [0]
        for old, new in zip(self.before, self.after, strict=True):
            if old.shape != new.shape:  # the record had no room for one of them
                counts.append(max(old.size, new.size))
            elif old is not new:
                different = old != new
                if old.dtype.kind == "f":
                    different &= ~(np.isnan(old) & np.isnan(new))
                counts.append(int(np.count_nonzero(different)))
        return max(counts)


@dataclass(frozen=True, slots=True)
class Scene(Observed):
    """What was observed of a run whose launches were recorded with the contents of their arrays."""

    launches: tuple[Launched, ...] = ()
    came_from: dict[str, frozenset[str]] = field(default_factory=dict)
    """Key of a scenario's dict -> tokens that say where its numbers come from."""
    copies: tuple[tuple[str, Array], ...] = ()  # direction and contents of each copy between host and device, in order
    is_thinned: bool = False  # whether it lacks arrays that a kernel left for its next launch, and nothing else used


SceneRun = Run[dict[str, Any], Scene]  # a run of a scenario
Watched = Compared[Any, Scene]  # a compared run: only this one gives access to launches and copies


def run(student: Student, scenario: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str) -> SceneRun:
    """Call a scenario, and observe it if all parts that it uses can be followed.

    Raises:
        StudentFault: a file cannot be imported, or what the scenario called raised, crashed or took too long.
        Inconclusive: a name is missing, and another may be meant by it.
    """
    scene_run = watch(student, scenario, args, uses, subject)
    return scene_run if isinstance(scene_run.value, dict) else replace(scene_run, value={})


def watch(
    student: Student, call: tuple[str, str], args: tuple[Any, ...], uses: Parts | None = None, subject: str = ""
) -> Run[Any, Scene]:
    """Call a graded function, which may return anything, as `run` calls a scenario."""
    uses = [call] if uses is None else uses  # empty if all parts that a scenario uses are replaced
    subject = subject or f"`{call[1]}`"
    for module, name in uses:
        student.load(module)
        student.expect_spelt(module, name)

    def as_slices() -> Run[Any, Scene]:
        return _read(_call(student.ask_slices, (_OBSERVER, "watch"), (*call, args), subject), subject)

    def as_whole(limit_s: float | None) -> Run[Any, Scene]:
        return Run(subject, _call(partial(student.ask_whole, limit_s=limit_s), call, args, subject).value)

    return student.run_slices(uses, as_slices, as_whole)


def run_unobserved(
    student: Student, scenario: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str, **options: Any
) -> Answer:
    """Call a scenario without observers, to time it; arguments as of `run`.

    `options` are those of `WorkerClient.call`.
    """
    return _call(partial(student.run_unobserved, uses, **options), scenario, args, subject)


def expect_refusals(raised_by: Mapping[str, str], hint: str) -> None:
    """Fail unless all attempts raised ValueError; `raised_by` is attempt -> the exception's name, empty for none."""
    for words, raised in raised_by.items():
        if raised != "ValueError":
            got = f"it raised {raised}" if raised else "nothing was raised"
            fail(f"{words}: {got}.", expected="ValueError", got=raised or "no exception", hint=hint)


def _call(ask: Callable[..., Answer], call: tuple[str, str], args: tuple[Any, ...], subject: str) -> Answer:
    """Return the answer to a call of a staff function; the message of a fault names `subject` instead of it."""
    try:
        return ask(*call, args)
    except StudentFault as fault:
        raise faults.speak_of(subject, fault, *call) from fault


def _read(answer: Answer, subject: str) -> SceneRun:
    """Return the run that the worker reported; a report of another form was forged, and proves nothing."""
    report = answer.value
    try:
        arrays = [*(array[...] for array in report["arrays"]), np.zeros(0)]  # only arrays can be indexed so
        work = msgspec.convert(report["work"], wire.Seen)
        launched = tuple(_read_launch(launch, arrays) for launch in report["launches"])
        came_from = {str(key): frozenset(map(str, label)) for key, label in report["came_from"].items()}
        copies = tuple((str(direction), arrays[place]) for direction, place in report["copies"])
        doubt = f"it uses {', '.join(work.refused[:SHOWN])}" if work.refused else ""
        if not (doubt or report["is_complete"]):
            doubt = f"its {len(launched):,} launches are more than a record has room for"
        is_thinned = bool(report["is_thinned"])
        scene = Scene(work, launched, fully=True, came_from=came_from, copies=copies, is_thinned=is_thinned)
        return Run(subject, report["value"], scene, doubt and f"{subject} could not be followed: {doubt}")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, msgspec.MsgspecError) as error:
        raise Inconclusive(f"{subject} could not be observed. A TA should read it and give the points.") from error


def _read_launch(report: Any, arrays: Sequence[Array]) -> Launched:
    """Return a launch as reported, with arrays instead of indices; the last one stands for arrays without room."""
    whole = {"old": (), "functions": (), **report}  # recordings of earlier answers lack these two
    told = {key: whole[key] for key in Launched.__struct_fields__}  # each other one has to be there
    held = {key: [arrays[place] for place in told[key]] for key in ("before", "after", "old", "constants")}
    return msgspec.convert({**told, **held}, Launched)
