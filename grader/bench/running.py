"""One bench, end to end: wait for the machine, measure, say what disturbed it; and its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from grader.bench import picture
from grader.bench.chart import draw
from grader.bench.measure import Setting, available_cores, measure
from grader.bench.model import Bench
from grader.bench.sheet import Comparison
from grader.bench.tables import to_csv
from grader.errors import UsageError
from grader.machine import describe_hardware, describe_versions
from grader.reports.atomic import write_atomically
from grader.timing.health import disturbance, observe
from grader.timing.locks import hold, resources


def run_bench(
    comparisons: Sequence[Comparison],
    cores: Sequence[int],
    setting: Setting,
    names: tuple[str, str],
    progress: Callable[[str], None] = lambda _text: None,
) -> Bench:
    """Measure with GPU and cores held against other gradings on this machine, and return what came of it.

    Args:
        comparisons: What to compare.
        cores: The numbers of cores.
        setting: Where and how.
        names: Of the submission and of the device.
        progress: Told what is being done.
    """
    before = observe(setting.device)
    uuid = before.gpu.uuid if before.gpu is not None else ""
    used = available_cores()[: max(cores)]
    with hold(resources(uuid, used), progress):
        before_each = [observe(setting.device, core=core) for core in used]
        charts, _peak = measure(comparisons, cores, setting, progress)
        after_each = [observe(setting.device, core=core) for core in used]
    disturbed = next(filter(None, map(disturbance, before_each, after_each)), "")
    submission, device_name = names
    note = f"Disturbed: {disturbed}. Measure again when the machine is quiet." if disturbed else ""
    return Bench(submission, _describe_machine(), setting.device, device_name, charts, tuple(filter(None, [note])))


def write_bench(bench: Bench, folder: Path) -> tuple[Path, ...]:
    """Write the table and a chart per comparison into `folder` and return the files, the table first.

    PNG files come beside the SVG files where matplotlib is installed.

    Raises:
        UsageError: the folder cannot be made.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"no folder can be made at {folder} ({error.strerror}): name another with --out"
        raise UsageError(msg) from error
    files = {"bench.csv": to_csv(bench)}
    for chart in bench.charts:
        files[f"bench-{chart.id}.svg"] = draw(bench, chart)
        if picture.is_available():
            files[f"bench-{chart.id}.png"] = picture.draw_png(bench, chart)
    return tuple(write_atomically(folder / name, content) for name, content in files.items())


def _describe_machine() -> str:
    """Return processor, cores and versions in one line."""
    hardware, versions = describe_hardware(""), describe_versions()
    packages = ", ".join(f"{name} {versions[name]}" for name in ("python", "numba", "numpy") if name in versions)
    return f"{hardware['cpu']}, {hardware['cores']} core(s), {packages}"
