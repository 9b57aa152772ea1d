"""Writes a bench as a table for the terminal and as CSV for spreadsheets; texts of students stay data in both.

Draws each comparison as an SVG picture for a report: times by number of cores, Amdahl's bound, the machine.
"""

import textwrap
from collections.abc import Iterator, Sequence

from grader.bench.model import NO_GPU_TIME, Bench, Chart, Scaling, Timing
from grader.intake.tables import csv_bytes, defused
from grader.model import printable
from grader.reports.figure import Axis, Drawing, Shape, dot, line, path, rows, whole_decades, words
from grader.reports.html import environment
from grader.reports.story import counted, seconds_text
from grader.timing.models import amdahl_bound, amdahl_limit

HEADS = ("cores", "", "best", "median", "middle half", "calls", "speed-up", "first call")
CSV_HEADS = (
    *("comparison", "row", "cores", "calls", "best_s", "median_s", "quartile1_s", "quartile3_s", "first_call_s"),
    *("speedup_over_first_row", "problem", "device", "gpu_time", "machine", "gpu"),
)


def render(bench: Bench) -> str:
    """Return the whole bench as text: per comparison a table and the gains from cores; then the machine."""
    shown = []
    for chart in bench.charts:
        table = _laid_out([HEADS, *(_line(chart, timing) for timing in chart.timings)])
        shown += [chart.title, *table, *_phases(chart), *gains(chart), ""]
    return "\n".join([*shown, f"Measured on {bench.caption}.", *bench.notes]) + "\n"


def gains(chart: Chart) -> Iterator[str]:
    """Yield a sentence for each row that gains from cores, or does not, by Amdahl's law."""
    for row in chart.rows:
        scaling = chart.scaling(row)
        if scaling is not None:
            yield f"  {row}: {_gain_text(scaling)}"


def _gain_text(scaling: Scaling) -> str:
    most = max(scaling.speedups)
    gain = f"{scaling.speedups[most]:.2f} times as fast on {most} cores as on 1"
    if scaling.is_on_one_core:
        return f"{gain}: it uses one core, of however many."
    limit = amdahl_limit(scaling.serial_fraction)
    bound = f"by Amdahl's law, at most {limit:.3g} times on any number of cores."
    return f"{gain}; fitted serial fraction {scaling.serial_fraction:.2f}: {bound}"


def to_csv(bench: Bench) -> bytes:
    """Return CSV with one line per timing, with the machine; no cell is a formula."""
    lines = (_csv_line(bench, chart, timing) for chart in bench.charts for timing in chart.timings)
    return csv_bytes([CSV_HEADS, *([defused(printable(cell, 300)) for cell in line] for line in lines)], bom=False)


def _phases(chart: Chart) -> list[str]:
    """Return a table with the times of the phases of each best call; empty if there are none."""
    timings = [timing for timing in chart.timings if timing.phases_s and not timing.problem]
    names = dict.fromkeys(name for timing in timings for name in timing.phases_s)
    lines = []
    for timing in timings:
        shown = {name: seconds_text(seconds) for name, seconds in timing.phases_s.items()}
        lines.append((str(timing.cores), timing.row, *(shown.get(name, "") for name in names)))
    return ["  phases of the best call:", *_laid_out([("cores", "", *names), *lines])] if lines else []


def _laid_out(lines: Sequence[Sequence[str]]) -> list[str]:
    tried = [line for line in lines if len(line) == len(lines[0])]
    widths = [max(len(line[column]) for line in tried) for column in range(len(lines[0]))]
    return [_aligned(line, widths) for line in lines]


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    """Return one line of the table; names and problems are aligned left, numbers right."""
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
    """Return the speed-up over the comparison's first row on the same number of cores, by medians."""
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


WIDTH, HEIGHT = 760, 420
MARKS = ((), ((-4, -4), (4, -4), (4, 4), (-4, 4)), ((0, -6), (6, 0), (0, 6), (-6, 0)), ((0, -5), (5, 4), (-5, 4)))
"""Corners of the mark of each row's points; empty for a dot."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 190, 56, 96
_LINE = 15
_CAPTION_CHARACTERS = 115
_LEGEND_CHARACTERS = 24


def draw(bench: Bench, chart: Chart) -> bytes:
    """Return the picture as a standalone SVG file."""
    axes = choose_axes(chart)
    caption = [text for sentence in (f"{bench.caption}.", *bench.notes) for text in wrap(sentence)]
    shapes = [
        words("title", _LEFT, 26, chart.title),
        words("quiet", _LEFT, 44, "median time of a call; bars span the middle half of all calls"),
        *(_draw_grid(*axes, chart.cores) if axes else [words("", _LEFT, 120, "Nothing could be measured.")]),
        *(shape for number, row in enumerate(chart.rows) for shape in _draw_row(axes, chart, row, number)),
        *(words("quiet", 16, HEIGHT - _BOTTOM + 46 + number * _LINE, text) for number, text in enumerate(caption[:4])),
    ]
    drawing = Drawing(chart.title, HEIGHT, tuple(shapes), f"{chart.title}: times on {chart.cores} cores", width=WIDTH)
    return environment().get_template("chart.svg").render(plot=drawing).encode()


def choose_axes(chart: Chart) -> tuple[Axis, Axis] | None:
    """Return the axis of the numbers of cores and that of times, both logarithmic; None if nothing was measured."""
    times = [seconds for timing in chart.timings for seconds in timing.samples_s if seconds > 0]
    if not times:
        return None
    across = Axis(chart.cores[0], chart.cores[-1], _LEFT + 24, WIDTH - _RIGHT - 24, is_logarithmic=True)
    return across, Axis(*whole_decades(min(times), max(times), room=0), HEIGHT - _BOTTOM, _TOP, is_logarithmic=True)


def wrap(text: str, characters: int = _CAPTION_CHARACTERS) -> list[str]:
    """Return `text` in lines of at most `characters` characters, broken between words."""
    return textwrap.wrap(text, characters, break_long_words=False, break_on_hyphens=False)


def _draw_grid(across: Axis, up: Axis, counts: Sequence[int]) -> Iterator[Shape]:
    yield from rows(up, up.decades(), seconds_text, _LEFT, WIDTH - _RIGHT)
    bottom = HEIGHT - _BOTTOM
    for cores in counts:
        x = across.at(cores)
        yield line("tick", (x, bottom), (x, bottom + 5))
        yield words("", x, bottom + 19, counted(cores, "core"), "middle")


def _draw_row(axes: tuple[Axis, Axis] | None, chart: Chart, row: str, number: int) -> Iterator[Shape]:
    """Yield one row's points, their line, Amdahl's bound, and its entry in the legend."""
    kind = f"row-{number % len(MARKS)}"
    timings = [timing for timing in chart.timings if timing.row == row]
    measured = [timing for timing in timings if timing.samples_s]
    x, y = WIDTH - _RIGHT + 34, _TOP + 16 + number * 62
    star = "*" if timings[0].kernels and chart.on_cpu else ""
    yield _mark(kind, number, x - 12, y - 4)
    yield words("name", x, y, f"{row}{star}")
    if axes is None or not measured:
        for place, text in enumerate(wrap(timings[0].problem, _LEGEND_CHARACTERS)[:2]):
            yield words("problem", x, y + (1 + place) * _LINE, text[:_LEGEND_CHARACTERS])
        return
    across, up = axes
    points = [(across.at(timing.cores), up.at(timing.median_s)) for timing in measured]
    for timing, point in zip(measured, points, strict=True):
        low, high = timing.middle_half_s
        yield line(f"{kind} half", (point[0], up.at(low)), (point[0], up.at(high)))
        yield _mark(kind, number, *point)
    yield path(f"{kind} curve", points)
    best = min(measured, key=lambda timing: timing.median_s)
    yield words("", x, y + _LINE, f"{seconds_text(best.median_s)} on {counted(best.cores, 'core')}")
    scaling = chart.scaling(row)
    if scaling is not None and not scaling.is_on_one_core:
        alone_s = chart.find(row, 1).median_s
        bounds = [(cores, alone_s / amdahl_bound(scaling.serial_fraction, cores)) for cores in chart.cores]
        yield path(f"{kind} curve bound", [(across.at(cores), up.at(seconds)) for cores, seconds in bounds])
        yield words("", x, y + 2 * _LINE, f"- - Amdahl, s = {scaling.serial_fraction:.2f}")


def _mark(kind: str, number: int, x: float, y: float) -> Shape:
    """Return the mark of a row's point; its shape distinguishes rows also without colours."""
    corners = MARKS[number % len(MARKS)]
    if not corners:
        return dot(f"{kind} mark", x, y, 4.5)
    return path(f"{kind} mark", [(x + right, y + down) for right, down in corners], "polygon")
