"""One comparison as an SVG picture for a report: times on so many cores, Amdahl's bound beside them, the machine."""

import textwrap
from collections.abc import Iterator, Sequence

from grader.bench.model import Bench, Chart
from grader.bench.tables import gains
from grader.reports.figure import Axis, Drawing, Shape, dot, line, path, rows, whole_decades, words
from grader.reports.html import environment
from grader.reports.story import counted, seconds_text
from grader.timing.models import amdahl_bound

WIDTH, HEIGHT = 760, 420
MARKS = (
    (),
    ((-4, -4), (4, -4), (4, 4), (-4, 4)),
    ((0, -6), (6, 0), (0, 6), (-6, 0)),
    ((0, -5), (5, 4), (-5, 4)),
)
"""Corners of each row's points; none for a dot."""
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 190, 56, 96
_LINE = 15
_CAPTION_CHARACTERS = 115
_LEGEND_CHARACTERS = 24


def draw(bench: Bench, chart: Chart) -> bytes:
    """Return the picture as a standalone SVG file."""
    axes = choose_axes(chart)
    sentences = [f"{bench.caption}.", *bench.notes, *(line.strip() for line in gains(chart) if "peak" in line)]
    caption = [text for sentence in sentences for text in wrap(sentence)]
    shapes = [
        words("title", _LEFT, 26, chart.title),
        words("quiet", _LEFT, 44, "median time of a call; bars span the middle half of all calls"),
        *(_draw_grid(*axes, chart.cores) if axes else [words("", _LEFT, 120, "Nothing could be measured.")]),
        *(shape for number, row in enumerate(chart.rows) for shape in _draw_row(axes, chart, row, number)),
        *(words("quiet", 16, HEIGHT - _BOTTOM + 46 + number * _LINE, text) for number, text in enumerate(caption[:4])),
    ]
    described = f"{chart.title}: times on {chart.cores} cores"
    drawing = Drawing(chart.title, HEIGHT, tuple(shapes), described, width=WIDTH)
    return environment().get_template("chart.svg").render(plot=drawing).encode()


def choose_axes(chart: Chart) -> tuple[Axis, Axis] | None:
    """Return where numbers of cores lie, and times, both logarithmic; None where nothing was measured."""
    times = [seconds for timing in chart.timings for seconds in timing.samples_s if seconds > 0]
    if not times:
        return None
    across = Axis(chart.cores[0], chart.cores[-1], _LEFT + 24, WIDTH - _RIGHT - 24, is_logarithmic=True)
    decades = whole_decades(min(times), max(times), room=0)
    return across, Axis(*decades, HEIGHT - _BOTTOM, _TOP, is_logarithmic=True)


def wrap(text: str, characters: int = _CAPTION_CHARACTERS) -> list[str]:
    """Return `text` in lines of at most so many characters, broken between words."""
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
    """Return a point of a row; its form tells rows apart where colours do not."""
    corners = MARKS[number % len(MARKS)]
    if not corners:
        return dot(f"{kind} mark", x, y, 4.5)
    return path(f"{kind} mark", [(x + right, y + down) for right, down in corners], "polygon")
