"""One bench, end to end: wait for the machine, measure, say what disturbed it; and its files."""

import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from grader.bench.chart import draw
from grader.bench.comparisons import Comparison
from grader.bench.measure import Setting, measure
from grader.bench.model import Bench
from grader.bench.tables import to_csv
from grader.intake.disk import write_atomically
from grader.machine import available_cores, describe_hardware, describe_versions
from grader.timing.cores import Core, find_family, read_core, spent_cpu_s
from grader.timing.gpus import name_gpu
from grader.timing.health import MOST_FOREIGN, SHORTEST_S, disturbance, observe
from grader.timing.locks import hold, resources


def run_bench(
    comparisons: Sequence[Comparison],
    cores: Sequence[int],
    setting: Setting,
    device_name: str,
    progress: Callable[[str], None] = lambda _text: None,
) -> Bench:
    """Measure with GPU and cores held against other gradings on this machine, and return the results."""
    used = available_cores()[: max(cores)]
    with hold(resources(name_gpu() if setting.worker.device == "gpu" else "", used), progress):
        before, spent_before = observe(setting.worker.device), read_core_times(used)
        charts = measure(comparisons, cores, setting, progress)
        after, spent_after = observe(setting.worker.device), read_core_times(used)
    disturbed = disturbance(before, after) or others_used(spent_before, spent_after)
    note = f"Disturbed: {disturbed}. Measure again when the machine is quiet." if disturbed else ""
    hardware, versions = describe_hardware(""), describe_versions()
    packages = ", ".join(f"{name} {versions[name]}" for name in ("python", "numba", "numpy") if name in versions)
    machine = f"{hardware['cpu']}, {hardware['cores']} core(s), {packages}"
    return Bench(machine, setting.worker.device, device_name, charts, (note,) if note else ())


def read_core_times(used: Sequence[int]) -> Core | None:
    """Return what the cores `used` did until now, together, and our own processes on whatever core; None if unknown."""
    cores = [read_core(number, ()) for number in used]
    known = [core for core in cores if core is not None]
    if len(known) < len(cores):
        return None
    names = ("busy_s", "stolen_s", "total_s")
    busy_s, stolen_s, total_s = (math.fsum(getattr(core, name) for core in known) for name in names)
    return Core(used[0], busy_s, stolen_s, total_s, spent_cpu_s(find_family([os.getpid()])))


def others_used(before: Core | None, after: Core | None) -> str:
    """Return one sentence on what others took of the cores between two readings; empty if that was little."""
    if before is None or after is None or after.total_s - before.total_s < SHORTEST_S:
        return ""
    total_s = after.total_s - before.total_s
    ours_s = max(after.ours_s - before.ours_s, 0.0)
    taken = (after.busy_s - before.busy_s - ours_s + after.stolen_s - before.stolen_s) / total_s
    return f"others took {taken:.0%} of the cores' time" if taken > MOST_FOREIGN else ""


def write_bench(bench: Bench, folder: Path) -> tuple[Path, ...]:
    """Write the table and a chart per comparison into `folder` and return the files, the table first.

    Raises:
        UsageError: the folder cannot be made.
    """
    files = {"bench.csv": to_csv(bench)}
    for chart in bench.charts:
        files[f"bench-{chart.id}.svg"] = draw(bench, chart)
    return tuple(write_atomically(folder / name, content) for name, content in files.items())
