"""A bench as text: a table for the terminal, CSV for spreadsheets. What students wrote is data in both."""

from collections.abc import Iterator, Sequence

from grader.bench.model import NO_GPU_TIME, Bench, Chart, Scaling, Timing
from grader.intake.tables import csv_bytes, defused
from grader.model import printable
from grader.reports.story import seconds_text
from grader.timing.models import amdahl_limit

HEADS = ("cores", "", "best", "median", "middle half", "calls", "speed-up", "first call")
CSV_HEADS = (
    *("comparison", "row", "cores", "calls", "best_s", "median_s", "quartile1_s", "quartile3_s", "first_call_s"),
    *("speedup_over_first_row", "problem", "device", "gpu_time", "machine", "gpu"),
)


def render(bench: Bench) -> str:
    """Return everything as text: a table per comparison, what more cores gain, and where it was measured."""
    shown = []
    for chart in bench.charts:
        table = _laid_out([HEADS, *(_line(chart, timing) for timing in chart.timings)])
        shown += [chart.title, *table, *_phases(chart), *gains(chart), ""]
    return "\n".join([*shown, f"Measured on {bench.caption}.", *bench.notes]) + "\n"


def gains(chart: Chart) -> Iterator[str]:
    """Yield what more cores gain each row, by Amdahl's law, and what share of its peak the one-block kernel reaches."""
    for row in chart.rows:
        scaling = chart.scaling(row)
        if scaling is not None:
            yield f"  {row}: {_gain_text(scaling)}"
    if chart.has_one_block:
        yield _peak_sentence(chart)


def _gain_text(scaling: Scaling) -> str:
    most = max(scaling.speedups)
    if scaling.is_on_one_core:
        return f"{scaling.speedups[most]:.2f} times as fast on {most} cores as on 1: it uses one core, of however many."
    measured = f"{scaling.speedups[most]:.2f} times as fast on {most} cores as on 1; fitted serial fraction "
    limit = amdahl_limit(scaling.serial_fraction)
    return (
        f"{measured}{scaling.serial_fraction:.2f}: by Amdahl's law, at most {limit:.3g} times on any number of cores."
    )


def to_csv(bench: Bench) -> bytes:
    """Return one line per timing, with the machine; no cell is a formula."""
    lines = (_csv_line(bench, chart, timing) for chart in bench.charts for timing in chart.timings)
    return csv_bytes([CSV_HEADS, *([defused(printable(cell, 300)) for cell in line] for line in lines)], bom=False)


def _phases(chart: Chart) -> list[str]:
    """Return a table of what the phases of each best call took, empty if there are none."""
    timings = [timing for timing in chart.timings if timing.phases_s and not timing.problem]
    names = dict.fromkeys(name for timing in timings for name in timing.phases_s)
    lines = [
        (
            str(timing.cores),
            timing.row,
            *(seconds_text(timing.phases_s[name]) if name in timing.phases_s else "" for name in names),
        )
        for timing in timings
    ]
    return ["  phases of the best call:", *_laid_out([("cores", "", *names), *lines])] if lines else []


def _laid_out(lines: Sequence[Sequence[str]]) -> list[str]:
    tried = [line for line in lines if len(line) == len(lines[0])]
    widths = [max(len(line[column]) for line in tried) for column in range(len(lines[0]))]
    return [_aligned(line, widths) for line in lines]


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    """Return one line of the table; the row's name and reasons stand left, numbers right."""
    cells = [
        cell.ljust(width) if column == 1 or len(line) < len(widths) else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(line, widths, strict=False))
    ]
    cells[0] = line[0].rjust(widths[0])
    return ("  " + "  ".join(cells)).rstrip()


def _line(chart: Chart, timing: Timing) -> tuple[str, ...]:
    star = "*" if timing.kernels and chart.on_cpu else ""
    name = f"{timing.row}{star}"
    if timing.problem:
        return str(timing.cores), name, timing.problem
    low, high = timing.middle_half_s
    speedup = _speedup(chart, timing)
    return (
        str(timing.cores),
        name,
        seconds_text(timing.best_s),
        seconds_text(timing.median_s),
        f"{seconds_text(low)} to {seconds_text(high)}",
        str(len(timing.samples_s)),
        "" if speedup is None or timing.row == chart.rows[0] else f"{speedup:.3g} x{star}",
        seconds_text(timing.first_s) if timing.first_s is not None else "",
    )


def _speedup(chart: Chart, timing: Timing) -> float | None:
    """Return how many times faster than the sheet's first row, by medians, on as many cores."""
    first = chart.find(chart.rows[0], timing.cores)
    return first.median_s / timing.median_s if first.samples_s and timing.samples_s else None


def _csv_line(bench: Bench, chart: Chart, timing: Timing) -> list[str]:
    numbers = ["", "", "", ""]
    if timing.samples_s:
        numbers = [f"{value:.9g}" for value in (timing.best_s, timing.median_s, *timing.middle_half_s)]
    speedup = _speedup(chart, timing)
    return [
        chart.id,
        timing.row,
        str(timing.cores),
        str(len(timing.samples_s)),
        *numbers,
        "" if timing.first_s is None else f"{timing.first_s:.9g}",
        "" if speedup is None else f"{speedup:.6g}",
        timing.problem,
        bench.device,
        ("yes" if bench.device == "gpu" else "no") if timing.kernels else "",
        bench.machine,
        bench.device_name if bench.device == "gpu" else NO_GPU_TIME,
    ]


def _peak_sentence(chart: Chart) -> str:
    if chart.peak_share is None:
        return "  Share of one multiprocessor's peak that the one block reaches: needs a GPU."
    counted_as = f", counted as {chart.counted_as} operations" if chart.counted_as else ""
    return (
        f"  The one block's best call reaches {chart.peak_share:.0%} of one multiprocessor's peak in double precision, "
        f"copies included{counted_as}."
    )
