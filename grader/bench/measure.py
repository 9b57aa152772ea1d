"""Measures the comparisons: student code runs in one worker, staff code in another, both on the same number of cores.

On each number of cores the rows take turns in random order, each call with fresh inputs, and a call counts only if its
result is right. The parent measures the time of a request, which includes passing the arrays through shared memory:
microseconds. Rows with `phases` measure themselves. `run_bench` waits for the machine, and reports disturbances.
"""

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from grader.bench.model import Bench, Chart, Comparison, Row, Timing
from grader.bench.tables import draw, to_csv
from grader.errors import Inconclusive, StudentFault, StudentRaised
from grader.intake.disk import write_atomically
from grader.machine import available_cores, describe_hardware, describe_versions
from grader.model import Submission, printable
from grader.reports.story import counted
from grader.timing.gpus import name_gpu
from grader.timing.health import disturbance, observe
from grader.timing.locks import hold, resources
from grader.worker.client import WorkerClient
from grader.worker.process import Launcher, Settings, WorkerProcess

CORES = (1, 2, 4, 8)
BENCH_LIMIT_S = 3600.0  # for all calls on one number of cores
_FEW_WORDS = 60


@dataclass(frozen=True, slots=True)
class Setting:
    """The settings with which the rows run."""

    worker: Settings  # the settings of the submission's worker
    missing: tuple[str, ...]
    launcher: Launcher
    seed: int
    baselines: Path | None = None  # the folder with the staff's modules for rows with `staff = true`; it need not exist


def measure(
    comparisons: Sequence[Comparison],
    cores: Sequence[int],
    setting: Setting,
    progress: Callable[[str], None] = lambda _text: None,
) -> tuple[Chart, ...]:
    """Return a chart per comparison."""
    launches = any(row.kernels for comparison in comparisons for row in comparison.rows)
    setting = replace(setting, worker=replace(setting.worker, imports_numba=launches))
    timings: dict[str, list[Timing]] = {comparison.id: [] for comparison in comparisons}
    for count in cores:
        progress(f"on {counted(count, 'core')}")
        with pinned(available_cores()[:count]), workers(setting, count) as students:
            for comparison in comparisons:
                timings[comparison.id] += measure_rows(comparison, count, students, setting.seed, progress)
    on_cpu = setting.worker.device == "cpu"
    return tuple(Chart(each.id, each.title, tuple(timings[each.id]), on_cpu) for each in comparisons)


@contextmanager
def pinned(cores: Sequence[int]) -> Iterator[None]:
    """Let this process and its child processes run on `cores` only; on systems other than Linux nothing changes."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


@contextmanager
def workers(setting: Setting, threads: int) -> Iterator[tuple[WorkerClient, WorkerClient]]:
    """Yield clients for the submission and for the staff's baselines; each worker has `threads` threads."""
    limits = replace(setting.worker.limits, threads=threads)
    theirs = replace(setting.worker, limits=limits)
    ours = replace(theirs, submission=_staff_folder(setting))
    handed_in = Submission("", "", missing=setting.missing)
    student = WorkerClient(partial(WorkerProcess, theirs, setting.launcher), limits, handed_in)
    staff = WorkerClient(partial(WorkerProcess, ours, setting.launcher), limits)
    with closing(student), closing(staff):
        yield student, staff


def measure_rows(
    comparison: Comparison,
    cores: int,
    students: tuple[WorkerClient, WorkerClient],
    seed: int,
    progress: Callable[[str], None] = lambda _text: None,
) -> list[Timing]:
    """Return one timing per row of `comparison`; a row that fails has a `problem`, and the others go on."""
    rng = np.random.default_rng([seed, cores])
    for student in students:
        student.begin_check()
    timings = {}
    for row in comparison.rows:
        progress(f"on {counted(cores, 'core')}: {comparison.id}, {row.name}")
        timing = Timing(comparison.id, row.name, cores, kernels=row.kernels)
        first = _time_once(comparison, row, timing, students[row.staff], rng)  # the first call includes compilation
        timings[row.name] = replace(first, samples_s=(), first_s=first.samples_s[0] if first.samples_s else None)
    for turn in range(max(row.calls for row in comparison.rows)):
        waiting = [row for row in comparison.rows if turn < row.calls and not timings[row.name].problem]
        for place in rng.permutation(len(waiting)):
            row = waiting[place]
            timings[row.name] = _time_once(comparison, row, timings[row.name], students[row.staff], rng)
    return list(timings.values())


def _time_once(
    comparison: Comparison, row: Row, timing: Timing, student: WorkerClient, rng: np.random.Generator
) -> Timing:
    work, shape = comparison.work, row.measured or comparison.shape
    inputs = work.draw(rng, shape)
    module, _dot, function = row.function.rpartition(".")
    try:
        answer = student.call(module, function, inputs)
    except (StudentFault, Inconclusive) as fault:
        return replace(timing, samples_s=(), problem=in_few_words(fault))
    result = answer.value if row.phases else {"value": answer.value, "seconds": {"whole": answer.wall_s}}
    if not work.is_right(inputs, result["value"]):
        return replace(timing, samples_s=(), problem="wrong result")
    scale = work.operations(comparison.shape) / work.operations(shape)
    whole_s, phases_s = scale * result["seconds"].pop("whole"), timing.phases_s
    if whole_s <= min(timing.samples_s, default=whole_s):
        phases_s = result["seconds"]
    return replace(timing, samples_s=(*timing.samples_s, whole_s), phases_s=phases_s)


def in_few_words(fault: StudentFault | Inconclusive) -> str:
    """Return the reason why a call failed, short enough for a cell of a table."""
    if isinstance(fault, StudentRaised):
        return printable(f"raised {fault.type_name}", _FEW_WORDS)
    return printable(str(fault).split("\n", 1)[0].replace("`", ""), _FEW_WORDS)


def _staff_folder(setting: Setting) -> Path:
    """Make a folder beside the submission's with copies of the staff's modules, and return it."""
    folder = setting.worker.submission.parent / "baselines"
    folder.mkdir(exist_ok=True)
    for module in setting.baselines.glob("*.py") if setting.baselines is not None else ():
        shutil.copy(module, folder)
    return folder


def run_bench(
    comparisons: Sequence[Comparison],
    cores: Sequence[int],
    setting: Setting,
    device_name: str,
    progress: Callable[[str], None] = lambda _text: None,
) -> Bench:
    """Lock the GPU and the cores against other gradings on this machine, measure, and return the results."""
    used = available_cores()[: max(cores)]
    device = setting.worker.device
    with hold(resources(name_gpu() if device == "gpu" else "", used), progress), pinned(used):
        before = observe(device, used=used)
        charts = measure(comparisons, cores, setting, progress)
        disturbed = disturbance(before, observe(device, used=used))
    note = f"Disturbed: {disturbed}. Measure again when the machine is quiet." if disturbed else ""
    hardware, versions = describe_hardware(""), describe_versions()
    packages = ", ".join(f"{name} {versions[name]}" for name in ("python", "numba", "numpy") if name in versions)
    machine = f"{hardware['cpu']}, {hardware['cores']} core(s), {packages}"
    return Bench(machine, device, device_name, charts, (note,) if note else ())


def write_bench(bench: Bench, folder: Path) -> tuple[Path, ...]:
    """Write the table and a chart per comparison into `folder` and return their paths, the table first.

    Raises:
        UsageError: the folder cannot be made.
    """
    files = {"bench.csv": to_csv(bench)}
    for chart in bench.charts:
        files[f"bench-{chart.id}.svg"] = draw(bench, chart)
    return tuple(write_atomically(folder / name, content) for name, content in files.items())
