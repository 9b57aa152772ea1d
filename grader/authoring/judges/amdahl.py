"""How much faster could a program of the submission be, if the parts that can run in parallel did? Facts, no verdict.

    p       the share of the time on one core that lies in parts whose numbers can be computed at the same time
    s       the cores that share that work, each taken to be as fast as the one that was measured
    bound   1 / ((1 - p) + p / s)

Reports draw the parts, the bounds, and what was really measured.
"""

import math
import os
from collections.abc import Mapping
from typing import Any

from grader.authoring import Note, NotMeasured, Staff, WorkerError
from grader.timing.models import amdahl_bound


def find_cores(staff: Staff, device: str) -> dict[str, int]:
    """Return the cores at hand, what they are -> how many: those of the GPU if kernels run there, else the processor's.

    A GPU that does not say what it has counts for none.
    """
    if device != "gpu":
        return {"cores of this processor": os.cpu_count() or 1}
    try:
        figures = staff.call("grader.timing.physics", "describe_gpu", ()).value
    except (WorkerError, NotMeasured):  # the latter where the staff's programs are not, as in a kit
        return {}
    cores = figures.get("cores", 0)
    return {"cores of this GPU": cores} if cores else {}


def explain(timed: Any, cores: Mapping[str, int], measured: float | None, note: Note) -> None:
    """Note shares and bounds, and say them in a sentence.

    `timed` is what a scenario of the staff's returned: `total_s`, the seconds of a program, and `functions_s`, those of
    its functions that can run in parallel, called `part.function`. `cores` are what they are -> how many share the
    work; `measured` is how many times as fast the program was on a GPU, None where that was not measured.

    Raises:
        NotMeasured: these are no times.
    """
    total_s, functions_s = _read(timed)
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
    note.remark(_tell(shares, share, bounds, measured))


def _read(timed: Any) -> tuple[float, dict[str, float]]:
    """Return what a worker says of times, if that can be true."""
    times = timed if isinstance(timed, dict) else {}
    total_s, functions_s = times.get("total_s"), times.get("functions_s")
    if not isinstance(total_s, float) or not isinstance(functions_s, dict) or not functions_s:
        raise NotMeasured(_NO_TIMES)
    if not all(isinstance(seconds, float) and 0 < seconds < math.inf for seconds in functions_s.values()):
        raise NotMeasured(_NO_TIMES)
    if not sum(functions_s.values()) <= total_s < math.inf:
        raise NotMeasured(_NO_TIMES)
    return total_s, dict(sorted(functions_s.items()))


_NO_TIMES = "The program could not be timed part by part."


def _tell(shares: Mapping[str, float], share: float, bounds: Mapping[str, float], measured: float | None) -> str:
    parts = ", ".join(f"{part} {percent:.2f}" for part, percent in shares.items())
    most = ", ".join(f"{bound:.3g} times as fast on {what}" for what, bound in bounds.items())
    sentences = [
        f"{100 * share:.2f} % of the time lies in parts that can run in parallel: {parts}.",
        f"By Amdahl's law, 1 / ((1 - p) + p / s), that allows at most {most}." if most else "",
        f"Measured on the GPU: {measured:.3g} times as fast." if measured is not None else "",
    ]
    return " ".join(filter(None, sentences))
