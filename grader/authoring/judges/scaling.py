"""The speed-up of a training on more cores: measured, by Amdahl's law, and by the α-β model. Only facts.

`explain` is for ranks. It measures

    one rank       the time of the training there: the part that ranks share, and the rest
    the trace      how many calls each step makes, how many bytes they get, and what tracing a call costs
    a ping-pong    the latency and the time per byte of the MPI library's messages

With fewer free cores than ranks, the speed-up is not measured, and the report draws the rest without it.

`explain_parts` is for the share of the time on one core that lies in parts that can run in parallel:

    p       that share
    s       the cores that share that work, each as fast as the measured one
    bound   1 / ((1 - p) + p / s)
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from grader.authoring import Note, NotMeasured, Staff, WorkerError, expect
from grader.machine import available_cores, count_cores
from grader.timing.cores import read_idle_s
from grader.timing.models import Link, Step, amdahl_bound, fit_link, step_s

if TYPE_CHECKING:  # else kits of assignments without ranks would need `grader.mpi`
    from grader.authoring.judges.ranks import Calls, RanksRun

EFFICIENCY_FACT = "efficiency_percent"
SIZES = (1, 2, 4, 8)
_LOOK_S = 0.4
_SAME = 1e-9  # relative tolerance of costs: far more than another order of summation changes
_NEARLY = 0.25  # the share of a core that the grading itself and the system may use


@dataclass(frozen=True, slots=True)
class Training:
    """A training that is timed."""

    run: Callable[[int, int], RanksRun]
    """Number of ranks and of steps -> the run; each rank returns its `seconds`, and the `costs` before each step."""
    steps: int

    def measure(self, size: int, steps: int, repeats: int = 2) -> float:
        """Return the shortest time of some runs; the time of a run is that of its slowest rank.

        Raises:
            NotMeasured: a rank did not return its time.
        """
        slowest_s = []
        for _ in range(repeats):
            said = [value.get("seconds") for value in self.run(size, steps).value]
            times_s = [time_s for time_s in said if isinstance(time_s, float) and 0 < time_s < math.inf]
            if len(times_s) < len(said):
                raise NotMeasured(_NO_TIMES)
            slowest_s.append(max(times_s))
        return min(slowest_s)


def count_free_cores() -> int:
    """Return how many of the cores of this process are idle; takes 0.4 s."""
    mine = available_cores()
    idle_s, began_s = read_idle_s(mine), time.monotonic()
    time.sleep(_LOOK_S)
    return int((read_idle_s(mine) - idle_s) / (time.monotonic() - began_s) + _NEARLY)


def explain(training: Training, messages: Mapping[str, Any], note: Note) -> None:
    """Keep the efficiency on several ranks, and its predictions by two models.

    `messages` has `library`: pairs of bytes and seconds of a message; and `traced_s`: the seconds of a short traced
    collective call on two ranks, nearly all of them for the trace.

    Raises:
        NotMeasured: a time is missing or impossible, or fewer than two cores are free.
    """
    link, traced_s = _read_messages(messages)
    few_s, alone_s = (training.measure(1, steps) for steps in (1, training.steps))
    computing_s = (alone_s - few_s) / (training.steps - 1)
    if not 0 < computing_s < 2 * alone_s / training.steps:
        raise NotMeasured(_NO_TIMES)
    few, many = (_given(_count(training, steps, note)) for steps in (1, 3))  # runs on two ranks
    calls, size_bytes = ((b - a) / 2 for a, b in zip(few, many, strict=True))
    step = Step(computing_s, max(calls, 1.0), max(size_bytes, 8.0))
    serial = max(alone_s - training.steps * computing_s, 0.0) / alone_s
    needed = {size: step_s(size, step, link) + step.calls * traced_s * (size - 1) for size in SIZES}
    predicted = {
        "Amdahl's law": {size: amdahl_bound(serial, size) for size in SIZES},
        "α-β model": {size: alone_s / (serial * alone_s + training.steps * one_s) for size, one_s in needed.items()},
    }
    times_s, why = _measure_more(training, alone_s)
    measured = {"measured": {size: alone_s / one_s for size, one_s in times_s.items()}} if len(times_s) > 1 else {}
    curves = {  # speed-up over ranks, in percent
        name: [round(100 * speedups[size] / size, 1) if size in speedups else None for size in SIZES]
        for name, speedups in {**measured, **predicted}.items()
    }
    note.fact(EFFICIENCY_FACT, {"ranks": list(SIZES), **curves})
    note.fact("traced_call_us", round(1e6 * traced_s, 1))
    note.fact("latency_us", round(1e6 * link.latency_s, 2))
    note.fact("gigabytes_per_s", round(1e-9 / link.byte_s, 2) if link.byte_s else 0.0)
    note.fact("serial_percent", round(100 * serial, 2))
    if why:
        raise NotMeasured(why)
    note.fact("speedup", round(max(measured["measured"].values()), 3))


_NO_TIMES = "The training on one rank could not be timed: its time does not grow with the number of steps."


def _read_messages(messages: Mapping[str, Any]) -> tuple[Link, float]:
    """Return α and β, and the seconds that tracing a call costs for each rank.

    Raises:
        NotMeasured: `messages` does not have these times.
    """
    try:
        times_s = {int(size): float(seconds) for size, seconds in messages["library"]}
        traced_s = float(messages["traced_s"]) / 2
    except (KeyError, TypeError, ValueError, OverflowError):
        times_s, traced_s = {}, 0.0
    link = fit_link(times_s) if all(map(math.isfinite, (*times_s.values(), traced_s))) else None
    if link is None:
        raise NotMeasured("Messages between two ranks could not be timed.")
    return link, traced_s


def _count(training: Training, steps: int, note: Note) -> Calls:
    """Return the calls of a training on two ranks, whose costs must be those of one rank."""
    alone, run = (training.run(size, steps) for size in (1, 2))
    costs = alone.value[0].get("costs")
    two = run.compared(lambda values: expect("The costs on 2 ranks", values[0].get("costs"), costs, rtol=_SAME), note)
    return two.seen.calls


def _given(calls: Calls) -> tuple[int, int]:
    """Return the number of calls of the rank that makes most, and how many bytes it gives to them."""
    counts = (len(calls.select(rank=rank, kind="send") + calls.select(rank=rank, kind="collective")) for rank in (0, 1))
    return max((count, calls.given_bytes(rank)) for rank, count in enumerate(counts))


def _measure_more(training: Training, alone_s: float) -> tuple[dict[int, float], str]:
    """Return number of ranks -> seconds, as far as cores are free; and the reason if they are too few for two ranks."""
    times_s, free = {1: alone_s}, count_free_cores()
    for size in SIZES[1:]:
        if free < size:
            break
        seconds = training.measure(size, training.steps)
        free = min(free, count_free_cores())
        if free >= size:
            times_s[size] = seconds
    few = f"Speed-up needs as many free cores as ranks; free here: {free} of {count_cores()} cores."
    return times_s, few if len(times_s) == 1 else ""


def find_cores(staff: Staff, device: str) -> dict[str, int]:
    """Return a name -> the number of cores: those of the GPU if kernels run there, else those of the processor.

    Empty if the number of the GPU's cores is unknown.
    """
    if device != "gpu":
        return {"cores of this processor": count_cores()}
    try:
        figures = staff.call("grader.timing.physics", "describe_gpu", ()).value
    except (WorkerError, NotMeasured):  # the latter without the staff's programs, as in a kit
        return {}
    cores = figures.get("cores", 0)
    return {"cores of this GPU": cores} if cores else {}


def explain_parts(timed: Any, cores: Mapping[str, int], measured: float | None, note: Note) -> None:
    """Keep shares and bounds as facts, and say them in a remark.

    `timed` is the result of a staff scenario: `total_s`, the seconds of a program, and `functions_s`, those of its
    functions that can run in parallel, by names such as `part.function`. `cores` is a result of `find_cores`.
    `measured` is how many times as fast the program was on a GPU, None if that was not measured.

    Raises:
        NotMeasured: the times are missing or impossible.
    """
    total_s, functions_s = _read_parts(timed)
    shares: dict[str, float] = {}
    for name, seconds in functions_s.items():
        part = name.partition(".")[0]
        shares[part] = shares.get(part, 0.0) + 100 * seconds / total_s
    share = sum(shares.values()) / 100
    bounds = {f"{count} {what}": amdahl_bound(1 - share, count) for what, count in cores.items()}
    note.fact("functions_percent", {name: round(100 * one_s / total_s, 2) for name, one_s in functions_s.items()})
    note.fact("parallel_parts_percent", {part: round(percent, 2) for part, percent in shares.items()})
    note.fact("parallel_percent", round(100 * share, 2))
    note.fact("speedup_bounds", {what: round(most, 2) for what, most in bounds.items()})
    if measured is not None:
        note.fact("speedup_measured", round(measured, 2))
    note.remark(_tell_parts(shares, share, bounds, measured))


def _read_parts(timed: Any) -> tuple[float, dict[str, float]]:
    """Return the times that a worker reports, if they are possible."""
    times = timed if isinstance(timed, dict) else {}
    total_s, functions_s = times.get("total_s"), times.get("functions_s")
    if not isinstance(total_s, float) or not isinstance(functions_s, dict) or not functions_s:
        raise NotMeasured(_NO_PARTS)
    if not all(isinstance(seconds, float) and 0 < seconds < math.inf for seconds in functions_s.values()):
        raise NotMeasured(_NO_PARTS)
    if not sum(functions_s.values()) <= total_s < math.inf:
        raise NotMeasured(_NO_PARTS)
    return total_s, dict(sorted(functions_s.items()))


_NO_PARTS = "The program could not be timed part by part."


def _tell_parts(shares: Mapping[str, float], share: float, bounds: Mapping[str, float], measured: float | None) -> str:
    parts = ", ".join(f"{part} {percent:.2f}" for part, percent in shares.items())
    most = ", ".join(f"{bound:.3g} times as fast on {what}" for what, bound in bounds.items())
    sentences = [
        f"{100 * share:.2f} % of the time lies in parts that can run in parallel: {parts}.",
        f"By Amdahl's law, 1 / ((1 - p) + p / s), that allows at most {most}." if most else "",
        f"Measured on the GPU: {measured:.3g} times as fast." if measured is not None else "",
    ]
    return " ".join(filter(None, sentences))
