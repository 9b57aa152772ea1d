"""Classes of a submission, driven by scenarios: small functions of the staff that build, call and return data.

A scenario is a function of a module in the assignment's `staff/`. It imports what students wrote, makes objects, calls
methods, and returns a dict of arrays and numbers:

    from sums import Total

    def add_twice(A, B):
        total = Total(A.shape)
        total.add(A)
        total.add(B)
        return {"total": total.on_host()}

`run` calls it where the slices are, and observes it; where a slice is open, in the worker of the whole files, and then
nobody can say how the answer came about. Scenarios themselves compute nothing: their arithmetic would be observed, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import (
    Answer,
    Array,
    Compared,
    Inconclusive,
    Note,
    Run,
    Student,
    StudentFault,
    StudentRaised,
    fail,
)
from grader.authoring.comparison import as_array
from grader.authoring.judges import makers, slices
from grader.worker.answers import SHOWN
from grader.worker.student import Parts

_OBSERVER = "grader.worker.sliced.scenarios"
_SMALL = 16
"""Arrays of up to so many entries have no label: they are shapes and settings."""

_ENTRIES_OF_A_NUMBER = 4
"""So many entries of an answer, to the five digits that are looked at, a number of 64 bits has room for."""


@dataclass(frozen=True, slots=True)
class Launched:
    """One launch of a kernel, and the contents of its arrays."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    given: tuple[str, ...]
    """Where the numbers come from that it is given: those in its arrays, and those that its code knows."""
    before: tuple[Array, ...]
    after: tuple[Array, ...]
    numbers: tuple[float, ...] = ()
    """Single numbers that it is given, or that its code knows."""
    place: str = ""
    """File and line of the kernel, such as `sums.py:12`: two kernels may have one name."""
    constants: tuple[Array, ...] = ()
    """Arrays that its code knows."""
    constants_from: tuple[str, ...] = ()
    """Where their numbers come from."""

    def inputs(self) -> tuple[Array, ...]:
        """Return all arrays whose numbers it could read."""
        return (*self.before, *self.constants)

    def changed(self) -> list[Array]:
        """Return what the arrays hold that this launch changed."""
        pairs = zip(self.before, self.after, strict=True)
        return [new for old, new in pairs if not np.array_equal(old, new, equal_nan=True)]


@dataclass(frozen=True, slots=True)
class Scene:
    """What was observed of a scenario."""

    came_from: dict[str, frozenset[str]] = field(default_factory=dict)
    """Key of its dict -> where those numbers come from."""
    launches: tuple[Launched, ...] = ()
    copies: tuple[tuple[str, Array], ...] = ()
    """Direction and contents of each copy between host and device, in order."""
    mixed: int = 0
    """How often NumPy brought whole arrays together."""


SceneRun = Run[dict[str, Any], Scene]
"""What a scenario returned."""
Watched = Compared[dict[str, Any], Scene]
"""The same, compared: only of this can be asked what was launched and copied."""


def run(student: Student, scenario: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str) -> SceneRun:
    """Call a scenario of the staff; observed, if all that it uses can be followed.

    Args:
        student: The submission.
        scenario: Module and function of the staff.
        args: Data.
        uses: The graded classes and functions that it drives.
        subject: What it stands for in messages.

    Raises:
        StudentFault: a file cannot be imported, or what the scenario called raised, crashed or took too long.
        Inconclusive: a name is missing, and another may be meant by it.
    """
    for module, name in uses:
        student.load(module)
        student.expect_spelt(module, name)

    def as_slices() -> SceneRun:
        return _read(_call(student.ask_slices, (_OBSERVER, "watch"), (*scenario, args), subject), subject)

    def as_whole(limit_s: float | None) -> SceneRun:
        value = _call(partial(student.ask_whole, limit_s=limit_s), scenario, args, subject).value
        return Run(subject, value if isinstance(value, dict) else {})

    return student.run_slices(uses, as_slices, as_whole)


@dataclass(frozen=True, slots=True)
class Drive:
    """How scenarios run: with parts of the submission, and the staff's in place of those that were found wrong."""

    student: Student
    replaced: tuple[str, ...] = ()
    """Those that were found wrong, as module and name."""
    instead: tuple[str, str] = ("stand_ins", "call")
    """Module and function of the staff that calls a scenario with theirs: it gets their names, the scenario, `args`."""

    def wrapped(self, scenario: tuple[str, str], args: tuple[Any, ...]) -> tuple[tuple[str, str], tuple[Any, ...]]:
        """Return the function of the staff that is called, and with what."""
        return (self.instead, (list(self.replaced), *scenario, *args)) if self.replaced else (scenario, args)

    def followed(self, uses: Parts) -> Parts:
        """Return those parts of the submission that take part."""
        return [(module, name) for module, name in uses if f"{module}.{name}" not in self.replaced]

    def run(self, scenario: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str) -> SceneRun:
        """Return what a scenario came to, as `run` does."""
        return run(self.student, *self.wrapped(scenario, args), self.followed(uses), subject)

    def remark(self, note: Note) -> None:
        """Say whose parts took part."""
        if self.replaced:
            note.fact("replaced_by_the_staffs", list(self.replaced))
            names = ", ".join(f"`{name}`" for name in self.replaced)
            note.remark(f"{names}: lost points of their own; when staff grade, theirs stand in for them here.")


def run_unobserved(
    student: Student, scenario: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str, **options: Any
) -> Answer:
    """Call a scenario where nothing is observed, for times; arguments and errors as of `run`.

    `options` are those of `WorkerClient.call`.
    """
    ask = partial(student.run_unobserved, uses, **options)
    return _call(ask, scenario, args, subject)


def _call(ask: Callable[..., Answer], call: tuple[str, str], args: tuple[Any, ...], subject: str) -> Answer:
    """Return the answer to a call of ours; a fault speaks of what the student wrote."""
    try:
        return ask(*call, args)
    except StudentFault as fault:
        raise _named(fault, call, subject) from fault


def _named(fault: StudentFault, scenario: tuple[str, str], subject: str) -> StudentFault:
    """Return a fault that speaks of what the student wrote: nobody knows our modules and functions."""
    module, function = scenario
    text = fault.finding.message.replace(f"`{function}`", subject, 1).replace(f"Importing {module}.py", subject, 1)
    finding = replace(fault.finding, message=text)
    return StudentRaised(finding, fault.type_name) if isinstance(fault, StudentRaised) else type(fault)(finding)


def _read(answer: Answer, subject: str) -> SceneRun:
    """Return what the worker reported; what has another form was forged, and proves nothing."""
    seen = answer.value
    try:
        arrays = [*map(np.asarray, seen["arrays"]), np.zeros(0)]  # the last one for those without room
        launched = tuple(_read_launch(one, arrays) for one in seen["launches"])
        came_from = {str(key): frozenset(map(str, label)) for key, label in seen["came_from"].items()}
        copies = tuple((str(direction), arrays[place]) for direction, place in seen["copies"])
        doubt = f"it uses {', '.join(map(str, seen['refused'][:SHOWN]))}" if seen["refused"] else ""
        if not (doubt or seen["is_complete"]):
            doubt = f"its {len(launched):,} launches are more than a record has room for"
        scene = Scene(came_from, launched, copies, int(seen["mixed"]))
        return Run(subject, seen["value"], scene, doubt and f"{subject} could not be followed: {doubt}")
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        raise Inconclusive(f"{subject} could not be observed. A TA should read it and give the points.") from error


def _read_launch(one: Any, arrays: Sequence[Array]) -> Launched:
    """Return what the worker reported of a launch, whose arrays are named by their places."""

    def held(key: str) -> tuple[Array, ...]:
        return tuple(arrays[place] for place in one[key])

    return Launched(
        str(one["kernel"]),
        tuple(map(int, one["grid"])),  # type: ignore[arg-type] # three of them
        tuple(map(int, one["block"])),  # type: ignore[arg-type]
        tuple(map(str, one["given"])),
        held("before"),
        held("after"),
        tuple(map(float, one["numbers"])),
        str(one["place"]),
        held("constants"),
        tuple(map(str, one["constants_from"])),
    )


def expect_made_by_kernels(run: Watched, keys: Iterable[str], known: Sequence[Array], note: Note) -> None:
    """Fail unless the named parts of an answer, which are right, were computed by kernels and not by the host.

    Args:
        run: The run, compared.
        keys: Parts of its value.
        known: The arrays that the scenario was given: kernels may be handed these in whatever way.
        note: Takes what was seen.

    Raises:
        StudentFault: the host computed one of them.
        Inconclusive: the run was not observed.
    """
    seen, subject = run.seen, run.subject
    note.fact("launches", [[launch.kernel, list(launch.grid), list(launch.block)] for launch in seen.launches])
    for key in keys:
        right = as_array(run.value.get(key))
        if not isinstance(right, np.ndarray):
            fail(f"{subject}: {key} {right.message}")
        made_by = makers.find_makers(seen.launches, right)
        if not made_by:
            by = _host_work(seen.came_from.get(key, frozenset())) or "the host"
            fail(
                f"{subject}: no kernel computes {key}, but {by}.",
                hint="Let a kernel compute it, and return what the kernel wrote.",
            )
        _expect_few_numbers(run, key, right, made_by, known)
        for maker in made_by:
            for launch in _chain(seen, maker):
                _expect_no_host_work(run, key, launch, known)


def _expect_no_host_work(run: Watched, key: str, launch: Launched, known: Sequence[Array]) -> None:
    """Fail if one of the launches that lead to a result is given what the host made of the data, or knows it."""
    given, earlier = _host_work(frozenset(launch.given)), run.seen.launches[: _place(run.seen, launch)]
    if given and not all(_is_known(array, known, earlier) for array in launch.inputs()):
        fail(
            f"{run.subject}: `{launch.kernel}`, which writes {key}, is given what the host worked on: {given}.",
            hint="Give the kernel the data, and let it compute.",
        )
    if any(token.startswith("argument ") for token in launch.constants_from):
        fail(
            f"{run.subject}: `{launch.kernel}`, which writes {key}, was compiled with the data of one call in it.",
            hint="Give the kernel the data as arguments, and compile it once.",
        )


def find_host_work(run: Watched) -> str:
    """Return in words what the host made of several arrays before any kernel was given it; empty for nothing."""
    given = {token for launch in run.seen.launches for token in launch.given}
    return _host_work(frozenset(given - {"elements", "data"}))  # which may be how numbers came into a matrix


def _expect_few_numbers(
    run: Watched, key: str, right: Array, made_by: Sequence[Launched], known: Sequence[Array]
) -> None:
    """Fail if kernels are told so many numbers one by one, or the device a few at a time, that it may be the answer."""
    seen = run.seen
    chain = [launch for maker in made_by for launch in _chain(seen, maker)]
    small = [array.ravel() for way, array in seen.copies if way == "to device" and array.size <= _SMALL]
    copied = np.unique(np.concatenate([np.zeros(0), *small]))
    told = {one for launch in chain if copied.size for array in launch.before for one in copied[np.isin(copied, array)]}
    told.update(*(launch.numbers for launch in chain))
    sizes = {*range(2 * max((length for array in (*known, right) for length in array.shape), default=0) + 1)}
    digits = sum(max(0, len(launch.numbers) - _SMALL) for launch in chain)
    if len(told - sizes) + digits > max(_SMALL, right.size // _ENTRIES_OF_A_NUMBER):
        kernel, many = made_by[0].kernel, len(told - sizes) + digits
        fail(
            f"{run.subject}: `{kernel}`, which writes {key}, is told {many} numbers one by one.",
            hint="Give the kernel the data as arrays, and let it compute.",
        )


def _chain(seen: Scene, maker: Launched) -> list[Launched]:
    """Return a launch, and before it those whose results it was given, and so on."""
    chain: list[Launched] = []
    for launch in reversed(seen.launches[: _place(seen, maker) + 1]):
        given = [array for later in chain for array in later.inputs()]
        if launch is maker or any(
            np.array_equal(new, old, equal_nan=True) for new in launch.changed() for old in given
        ):
            chain.append(launch)
    return chain


def _place(seen: Scene, wanted: Launched) -> int:
    """Return how many launches came before one."""
    return next(at for at, one in enumerate(seen.launches) if one is wanted)


def _is_known(array: Array, known: Sequence[Array], earlier: Sequence[Launched]) -> bool:
    """Return whether an array holds what a scenario was given, nothing, or what a kernel wrote before."""
    if not array.size or np.array_equal(array, np.broadcast_to(array.flat[:1], array.shape), equal_nan=True):
        return True
    return any(makers.holds(array, one) for one in known) or any(
        np.array_equal(array, one, equal_nan=True) for launch in earlier for one in launch.changed()
    )


def _host_work(label: frozenset[str]) -> str:
    """Return in words what the host did to numbers, the most telling first; empty for nothing that is certain."""
    for kind in slices.BY_THE_HOST:
        for token in sorted(label):
            if token.startswith(kind):
                return {"elements": "a loop in Python", "data": "numbers of Python"}.get(
                    token, token.removeprefix(kind)
                )
    return ""
