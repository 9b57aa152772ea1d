"""One run of student code: its value, and what was observed, once the value was compared with the right one.

Judges of *how* take a `Compared`, and only a run makes one. So no check can count the messages of one run and compare
the value of another. `grader.authoring` shows how checks use both.

This module also receives and decodes the answers of workers, and decides whose fault a failure is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from grader.errors import Inconclusive, StudentFault, WorkerError
from grader.worker import faults, wire
from grader.worker.process import Sent, WorkerDied, WorkerProcess

Value = TypeVar("Value")
Seen_co = TypeVar("Seen_co", covariant=True)
SHOWN = 3  # how many names a message lists


class Known(Protocol):
    """What `compared` needs of a check's `Note`: which earlier checks have passed."""

    passed: Mapping[str, bool]


@dataclass(frozen=True, slots=True)
class Run(Generic[Value, Seen_co]):
    """What student code returned, once."""

    subject: str  # what ran, as messages say it: `` `add_gpu` ``
    value: Value
    _seen: Seen_co | None = field(default=None, repr=False)  # what was observed; None if the run was not observed
    doubt: str = ""  # why the grader cannot say how the value was computed; empty for a run observed and followed
    _as_whole: Callable[[], Run[Value, Seen_co]] | None = field(default=None, repr=False, compare=False)
    """Runs the whole files instead of the slices; None if the whole files have run."""

    def compared(self, compare: Callable[[Value], None], note: Known, *owners: str) -> Compared[Value, Seen_co]:
        """Compare the value, and return the compared run, which judges of *how* take.

        A wrong value costs the points of the check that owns it. If the owner is another check, and has failed, this
        check goes on: one mistake costs one check. If the owner has passed, the value is right only in runs that are
        not judged by *how*, and this check fails. But if the whole files give the right value, the points stay
        undecided: the cause may be how slices are cut.

        Args:
            compare: Raises `StudentFault` if the value that it is given is wrong.
            note: Knows which checks have passed.
            owners: Ids of the checks of which at least one owns a wrong value; none if this check owns it.

        Raises:
            StudentFault: the value is wrong, and this check owns it, or no owner is known to have failed.
            Inconclusive: the value is wrong, and the value of the whole files is right.
        """
        try:
            compare(self.value)
        except StudentFault as fault:
            if self._is_right_as_whole(compare):
                raise Inconclusive(f"{fault} But the whole file is right. A TA should read it.") from fault
            if owners and all(note.passed.get(owner) for owner in owners):
                passed = f"{', '.join(owners)} passed: the answer changes when this check looks how it is computed."
                finding = replace(fault.finding, message=f"{fault.finding.message} {passed}")
                raise StudentFault(finding) from fault
            if not any(note.passed.get(owner) is False for owner in owners):
                _, kind, where = self.doubt.partition("IndexError")
                if kind and not fault.finding.hint:
                    hint = f"Compiled code goes beyond an edge silently; with edges checked it raises {kind}{where}."
                    raise StudentFault(replace(fault.finding, hint=hint)) from fault
                raise
        return Compared(self.subject, self.value, self._seen, self.doubt)

    def _is_right_as_whole(self, compare: Callable[[Value], None]) -> bool:
        if self._as_whole is None:
            return False
        try:
            for _ in range(2):  # what the first call keeps may spoil the second, as it spoilt the slice
                compare(self._as_whole().value)
        except WorkerError:
            raise
        except Exception:  # noqa: BLE001 - whatever becomes of the whole files, it does not excuse the slices
            return False
        return True

    @property
    def is_of_slices(self) -> bool:
        """Whether slices ran, and not the whole files."""
        return self._as_whole is not None

    @property
    def is_observed(self) -> bool:
        """Whether what was observed can be relied on."""
        return self._seen is not None and not self.doubt

    @property
    def held_against(self) -> Seen_co | None:
        """What was observed, for judges that only raise doubts: it proves nothing, as nobody compared the value."""
        return self._seen


@dataclass(frozen=True, slots=True)
class Compared(Generic[Value, Seen_co]):
    """A run whose value is right, or wrong at the cost of another check; `Run.compared` makes it."""

    subject: str
    value: Value
    _seen: Seen_co | None = field(repr=False)
    doubt: str

    @property
    def seen(self) -> Seen_co:
        """What was observed of the run; `Inconclusive` if it was not observed, or could not be followed."""
        if self._seen is None or self.doubt:
            why = self.doubt or f"{self.subject} could not be followed"
            raise Inconclusive(f"{why}. A TA should read it and give the points.")
        return self._seen


@dataclass(frozen=True, slots=True)
class Observed:
    """What was observed of a call."""

    _work: wire.Seen | None
    launches: tuple[wire.Launch, ...] = ()  # all launches, of whole files only if the request asked to record them
    fully: bool = False  # whether single reads and writes were recorded, which takes time

    @property
    def work(self) -> wire.Seen:
        """What worked on arrays and numbers; `Inconclusive` outside a worker of slices, which alone observes it."""
        if self._work is None:
            raise Inconclusive("A function was not observed. A TA should read it and give the points.")
        return self._work

    @property
    def tokens(self) -> set[str]:
        """Where the numbers of the answer, and those that kernels were given, come from; raises as `work`."""
        return {*self.work.label, *(token for launch in self.launches for token in launch.given)}


@dataclass(frozen=True, slots=True)
class Answer(Run[Any, Observed]):
    """The run of one call, with its times."""

    wall_s: float = 0.0  # from the request until the value lay in shared memory
    inputs_changed: tuple[int, ...] = ()  # positions of array arguments that the callee overwrote; only if asked for
    returned_s: float = 0.0
    """From the request until the function said that it had returned; 0 unless `timed`. The worker can forge it."""
    received_s: float = 0.0  # from the request until the parent had copied the value out of the worker's reach


CheckedCall = Compared[Any, Observed]
"""A compared answer: only this says what worked on its numbers, and what was launched."""


def receive_answer(worker: WorkerProcess, sent: Sent, limit_s: float, spent_s: float = 0.0) -> Answer:
    """Wait for the answer to `sent` and decode it; of `limit_s`, `spent_s` are over already.

    Raises:
        StudentRaised: the call raised; the worker can be used further.
        StudentStopped: it took too long, died, or answered nonsense; the worker must be closed.
        KernelFailed, MachineError: CUDA failed, by the student's or the machine's fault, or the system ended the
            worker, which must be closed.
        Inconclusive: it needs a usual package that is not installed here, or what only a GPU has.
    """
    module, function = sent.request.module, sent.request.function
    doing = f"`{function}`" if function else f"the import of {module}.py"
    try:
        reply, returned_s = _receive_reply(worker, sent, limit_s, spent_s)
        wall_s = time.perf_counter() - sent.began_s
        value = wire.decode(reply.value, worker.outbound, copy=True) if reply.value is not None else None
        received_s = time.perf_counter() - sent.began_s
    except TimeoutError as silent:
        raise faults.too_slow(doing, limit_s) from silent
    except WorkerDied as died:
        if died.limit:
            raise faults.over_limit(doing, died.limit) from died
        raise faults.killed(doing) if "SIGKILL" in str(died) else faults.crashed(doing, str(died)) from died
    except wire.WireError as error:
        raise faults.forged(doing, str(error)) from error
    if reply.raised is not None:
        unjudged = faults.missing_package(module, reply.raised) or faults.newer_python(doing, reply.raised)
        if unjudged := unjudged or faults.missing_on_cpu(doing, reply.raised):
            raise unjudged
        if worker.device == "gpu" and faults.is_cuda_error(reply.raised.type_name):
            raise faults.cuda_failed(module, function, reply.phase, reply.raised)
        raise faults.raised(module, function, reply.phase, reply.raised)
    observed = Observed(reply.seen, reply.launches, sent.request.full)
    refused = ", ".join(reply.seen.refused[:SHOWN]) if reply.seen else ""
    doubt = f"{doing} uses {refused}" if refused else ""
    return Answer(doing, value, observed, doubt, wall_s=wall_s, returned_s=returned_s, received_s=received_s)


def _receive_reply(worker: WorkerProcess, sent: Sent, limit_s: float, spent_s: float) -> tuple[wire.Reply, float]:
    """Return the reply with the value, and after how many seconds the function had returned; 0 if nobody asked."""
    reply = worker.receive(sent.request.ticket, limit_s, spent_s)
    if not (sent.request.announce and reply.phase == wire.RETURNED):
        return reply, 0.0
    returned_s = time.perf_counter() - sent.began_s
    return worker.receive(sent.request.ticket, limit_s, spent_s + returned_s), returned_s
