"""Whether other programs disturbed a timed section: the machine before and after it.

    before = observe("gpu", used=[3], ours=[worker_pid])
    ...                                                     # the timed section
    after = observe("gpu", used=[3], ours=[worker_pid])
    if reason := disturbance(before, after): ...            # "another process used the GPU: pid 123"

A disturbed section says nothing about the submission: it is discarded and repeated. A process that only has a context
on the GPU disturbs nothing. Nor does what cannot be known (no NVML, MIG, a GeForce whose driver does not tell which
processes compute, a container that hides processes): `find_unknown` reports it, and a TA judges.
"""

import os
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import psutil
import pynvml

from grader.errors import WorkerError
from grader.timing import cores
from grader.timing.cores import CoreTimes
from grader.timing.gpus import SLOWDOWNS, Gpu, observe_gpu

Came = TypeVar("Came")
_REPEATS = 2  # how often a section that was disturbed is repeated
_MOST_FOREIGN = 0.1
"""The share of the used cores' time that others may take: the clock ticks of /proc are coarse, and the kernel works
for all processes. Smaller shares hardly change a median."""
MOST_BUSY_PERCENT = 50
"""How busy a GPU may be before a section, when only the baseline ran; earlier kernels of ours may count a little."""
_SHORTEST_S = 0.5  # below this many seconds of a core, a share of 100 Hz ticks says little


@dataclass(frozen=True, slots=True)
class Health:
    """What was known of this machine at one moment."""

    gpu: Gpu | None
    gpu_unknown: str = ""  # why nothing is known about a GPU
    used: CoreTimes | None = None  # times of the cores to which the timed section is pinned, if it is
    load_1min: float | None = None
    runnable: int | None = None  # tasks that ran or could have run; those of this grading count, too
    cores: int = 1
    strangers: tuple[int, ...] = ()  # processes with a context on the GPU that are visible here and are not ours
    unseen: tuple[int, ...] = ()
    """Processes with a context on the GPU that this machine's /proc does not show, as from within a container."""


def observe(
    device: str,
    *,
    used: Collection[int] = (),
    ours: Iterable[int] | None = None,
    nvml: Any = pynvml,
    environment: Mapping[str, str] = os.environ,
) -> Health:
    """Return what is known of this machine at this moment; it takes some milliseconds, so keep it out of timed calls.

    NVML is asked only for the device `gpu`. `used` are the cores to which the section is pinned, if it is. `ours` are
    processes of this grading, by default this one; their descendants are ours, too.
    """
    roots = tuple(ours) if ours is not None else (os.getpid(),)
    answer = observe_gpu(nvml, environment) if device == "gpu" else "CUDA kernels are executed on the CPU"
    load_1min, runnable = cores.read_load()
    gpu = None if isinstance(answer, str) else answer
    foreign = set(gpu.pids) - cores.find_family([*roots, _find_batch()]) if gpu is not None and gpu.pids else set()
    visible = foreign.intersection(psutil.pids()) if foreign else set()
    return Health(
        gpu=gpu,
        gpu_unknown=answer if isinstance(answer, str) else "",
        used=cores.read_times(used, roots),
        load_1min=load_1min,
        runnable=runnable,
        cores=os.cpu_count() or 1,
        strangers=tuple(sorted(visible)),
        unseen=tuple(sorted(foreign - visible)),
    )


def disturbance(before: Health, after: Health) -> str:
    """Return a sentence why the section between two observations must not count, or an empty text."""
    return _of_gpu(before, after) or _of_cores(before.used, after.used) or _of_machine(before, after)


def find_unknown(health: Health) -> str:
    """Return a sentence on what others may do unseen on the GPU, or an empty text."""
    gpu = health.gpu
    if gpu is None:
        return f"Whether others use the GPU meanwhile is not known here ({health.gpu_unknown})."
    if gpu.mig:
        return "The GPU is cut into instances (MIG), and what others do on theirs cannot be seen."
    if gpu.pids is None:
        return "The GPU's driver does not say which processes use it."
    if gpu.last_active_us is None and health.strangers:
        named = ", ".join(map(str, health.strangers))
        return f"Others have a context on the GPU, and its driver does not say whether they compute: pid {named}."
    if health.unseen:
        return "The GPU's processes cannot be seen from in here, as in a container: ours are not told from others'."
    return ""


def _find_batch() -> int:
    """Return the batch that forked this process, because its other workers are ours, too; else this process."""
    with suppress(psutil.Error):
        mine = psutil.Process()
        parent = mine.parent()
        if parent is not None and parent.cmdline() == mine.cmdline():  # a fork that runs the same program
            return int(parent.pid)
    return os.getpid()


def _of_gpu(before: Health, after: Health) -> str:
    old, new = before.gpu, after.gpu
    if old is None or new is None:
        lost = old is not None
        return f"the GPU {old.uuid if old else ''} was lost: {after.gpu_unknown}" if lost else ""
    if old.uuid != new.uuid:
        return f"another GPU was observed after ({new.uuid}) than before ({old.uuid})"
    if old.mig != new.mig:
        return "the GPU's MIG mode was changed"
    if (new.uncorrected_errors or 0) > (old.uncorrected_errors or 0):
        return f"the GPU's memory had uncorrectable ECC errors ({new.uncorrected_errors} since its driver was loaded)"
    if slow := [*(new.slowdowns or ()), *(old.slowdowns or ())]:
        heat = "" if new.temperature_c is None else f", at {new.temperature_c} °C"
        return f"the GPU was slowed down: {SLOWDOWNS[slow[0]]}{heat}"
    return _of_others(before, after, old.sampled_us, new)


def _of_others(before: Health, after: Health, since_us: int, gpu: Gpu) -> str:
    """Report another process that used the GPU, or began to; an idle context does not count."""
    for pid in sorted({*before.strangers, *after.strangers}):
        if gpu.was_used_by(pid, since_us):
            return f"another process used the GPU: pid {pid}"
    return _of_contexts(before, after, is_silent=gpu.last_active_us is None)


def _of_contexts(before: Health, after: Health, *, is_silent: bool) -> str:
    """Report a new context, or an old one if the GPU was busy while we did not use it.

    Only contexts count that may compute unseen: all of others if the driver does not tell which processes compute, and
    those of another container.
    """
    silent_before, silent_after = (set(health.strangers) if is_silent else set() for health in (before, after))
    if came := sorted(silent_after - silent_before):
        return f"another process began to use the GPU: pid {came[0]}"
    if len(after.unseen) > len(before.unseen):  # an equal number may be a worker of ours that was replaced
        came = sorted(set(after.unseen) - set(before.unseen))
        return f"another process, which cannot be seen from here, began to use the GPU: pid {came[0]} of the host"
    busy_percent = (before.gpu.utilisation_percent if before.gpu else None) or 0
    if busy_percent > MOST_BUSY_PERCENT and (silent_before or before.unseen):
        return f"the GPU was busy for {busy_percent} % of the time before, and others have a context on it"
    return ""


def _of_cores(before: CoreTimes | None, after: CoreTimes | None) -> str:
    """Report the time that others took of the used cores."""
    if before is None or after is None or after.total_s - before.total_s < _SHORTEST_S:
        return ""
    total_s = after.total_s - before.total_s
    which = f"{'core' if len(after.numbers) == 1 else 'cores'} {', '.join(map(str, after.numbers))}"
    stolen = (after.stolen_s - before.stolen_s) / total_s
    if stolen > _MOST_FOREIGN:
        return f"this virtual machine did not get {which} for {stolen:.0%} of the time"
    foreign = (after.busy_s - before.busy_s - max(after.ours_s - before.ours_s, 0.0)) / total_s
    return f"others used {which} for {foreign:.0%} of the time" if foreign > _MOST_FOREIGN else ""


def _of_machine(before: Health, after: Health) -> str:
    """Report, for a section without cores of its own, more runnable tasks than cores both before and after it."""
    if after.used is not None or before.runnable is None or after.runnable is None:
        return ""
    least = min(before.runnable, after.runnable)
    return f"{least} tasks wanted to run on {after.cores} cores" if least > after.cores else ""


def undisturbed(
    take: Callable[[], Came], observe: Callable[[], Health], find: Callable[[Health, Health], str] = disturbance
) -> tuple[Came, Health, tuple[str, ...]]:
    """Return the result of `take`, the machine's health after it, and what disturbed the attempts before.

    Raises:
        WorkerError: every attempt was disturbed; the text says by what. Nobody loses a point for that.
    """
    reasons: list[str] = []
    while len(reasons) <= _REPEATS:
        before = observe()
        came, after = take(), observe()
        reason = find(before, after)
        if not reason:
            return came, after, tuple(reasons)
        reasons.append(reason)
    raise WorkerError(f"the measurement was disturbed {len(reasons)} times, last because {reasons[-1]}: grade again")
