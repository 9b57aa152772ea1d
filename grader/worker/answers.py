"""What a call of a worker came to: received, decoded, and told apart by whose fault it is."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from grader.errors import Inconclusive
from grader.worker import cudafaults, faults, wire
from grader.worker.process import Sent, WorkerDied, WorkerProcess, WorkerSilent
from grader.worker.runs import Compared, Run

SHOWN = 3
"""So many names are listed in a message."""


@dataclass(frozen=True, slots=True)
class Observed:
    """What was observed of a call."""

    _work: wire.Seen | None
    launches: tuple[wire.Launch, ...] = ()
    """Those of files as they were handed in only if they were to be recorded."""
    fully: bool = False
    """Whether single reads and writes were recorded, which takes time."""

    @property
    def work(self) -> wire.Seen:
        """What worked on arrays and numbers, which only a worker of slices observes.

        Raises:
            Inconclusive: nobody observed it.
        """
        if self._work is None:
            raise Inconclusive("A function was not observed. A TA should read it and give the points.")
        return self._work

    @property
    def tokens(self) -> set[str]:
        """Where the numbers of the answer, and those that kernels were given, come from; raises as `work`."""
        return {*self.work.label, *(token for launch in self.launches for token in launch.given)}


@dataclass(frozen=True, slots=True)
class Answer(Run[Any, Observed]):
    """What a call came to."""

    wall_s: float = 0.0
    """From the request until the value lay in shared memory."""
    inputs_changed: tuple[int, ...] = ()
    """Positions of array arguments that the callee overwrote; looked at only when asked for."""
    returned_s: float = 0.0
    """From the request until the function said that it had returned; 0 unless `timed`. The worker can forge it."""
    received_s: float = 0.0
    """From the request until the parent had copied the value out of the worker's reach."""


CheckedCall = Compared[Any, Observed]
"""An answer, compared: only of this can be asked what worked on its numbers, and what was launched."""


def receive_answer(worker: WorkerProcess, sent: Sent, limit_s: float, spent_s: float = 0.0) -> Answer:
    """Wait for the answer to `sent` and decode it; of `limit_s`, `spent_s` are over already.

    Raises:
        StudentRaised: the call raised; the worker is as good as before.
        StudentStopped: it took too long, died, or answered nonsense; the worker must be closed.
        KernelFailed, MachineError: CUDA failed, by the student's or by our fault, or the system ended the worker, which
            must be closed.
        Inconclusive: it needs a usual package that is not installed here, or what only a GPU has.
    """
    module, function = sent.request.module, sent.request.function
    doing = f"`{function}`" if function else f"the import of {module}.py"
    try:
        reply, returned_s = _receive_reply(worker, sent, limit_s, spent_s)
        wall_s = time.perf_counter() - sent.began_s
        value = wire.decode(reply.value, worker.outbound, copy=True) if reply.value is not None else None
        received_s = time.perf_counter() - sent.began_s
    except WorkerSilent as silent:
        raise faults.too_slow(doing, limit_s) from silent
    except WorkerDied as died:
        raise _explain_death(doing, died) from died
    except wire.WireError as error:
        raise faults.forged(doing, str(error)) from error
    if reply.raised is not None:
        unjudged = faults.missing_package(module, reply.raised)
        if unjudged := unjudged or faults.missing_on_cpu(doing, reply.raised):
            raise unjudged
        if worker.device == "gpu" and cudafaults.is_cuda_error(reply.raised.type_name):
            raise faults.cuda_failed(module, function, reply.phase, reply.raised)
        raise faults.raised(module, function, reply.phase, reply.raised)
    observed = Observed(reply.seen, reply.launches, sent.request.full)
    refused = ", ".join(reply.seen.refused[:SHOWN]) if reply.seen else ""
    doubt = f"{doing} uses {refused}" if refused else ""
    return Answer(doing, value, observed, doubt, wall_s=wall_s, returned_s=returned_s, received_s=received_s)


def _explain_death(doing: str, died: WorkerDied) -> Exception:
    if died.limit:
        return faults.over_limit(doing, died.limit)
    return faults.killed(doing) if "SIGKILL" in str(died) else faults.crashed(doing, str(died))


def _receive_reply(worker: WorkerProcess, sent: Sent, limit_s: float, spent_s: float) -> tuple[wire.Reply, float]:
    """Return the reply with the value, and after how many seconds the function had returned; 0 if nobody asked."""
    reply = worker.receive(sent.request.ticket, limit_s, spent_s)
    if not (sent.request.announce and reply.phase == wire.RETURNED):
        return reply, 0.0
    returned_s = time.perf_counter() - sent.began_s
    return worker.receive(sent.request.ticket, limit_s, spent_s + returned_s), returned_s
