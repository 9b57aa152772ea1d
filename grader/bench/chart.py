"""One comparison as an SVG picture for a report: times on so many cores, Amdahl's bound beside them, the machine named.

Built as a tree of elements, so that every text, of whomever, is escaped when it is written.
"""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree as ET

from grader.bench.model import Bench, Chart
from grader.bench.tables import gains
from grader.model import printable
from grader.reports.figure import Axis
from grader.reports.story import counted, seconds_text
from grader.timing.models import amdahl_bound

WIDTH, HEIGHT = 760, 420
COLOURS = ("#1f5fa8", "#b8520a", "#2e7d43", "#7a3e9d")
MARKS = ("circle", "square", "diamond", "triangle")
_LEFT, _RIGHT, _TOP, _BOTTOM = 76, 190, 56, 96
_FONT = "system-ui, sans-serif"
_LINE = 15
_CAPTION_CHARACTERS = 115
_LEGEND_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class Axes:
    """Where a number of cores and a time lie in the picture; both axes are logarithmic."""

    across: Axis
    up: Axis


def draw(bench: Bench, chart: Chart) -> bytes:
    """Return the picture as a standalone SVG file."""
    svg = ET.Element("svg", xmlns="http://www.w3.org/2000/svg", width=str(WIDTH), height=str(HEIGHT))
    svg.set("viewBox", f"0 0 {WIDTH} {HEIGHT}")
    svg.set("font-family", _FONT)
    svg.set("role", "img")
    ET.SubElement(svg, "title").text = printable(f"{chart.title}: times on {chart.cores} cores", 200)
    ET.SubElement(svg, "rect", width="100%", height="100%", fill="white")
    _text(svg, _LEFT, 26, chart.title, size=16, weight="bold")
    _text(svg, _LEFT, 44, "median time of a call; bars span the middle half of all calls", fill="#555")
    axes = choose_axes(chart)
    if axes is None:
        _text(svg, _LEFT, 120, "Nothing could be measured.")
    else:
        _draw_grid(svg, axes, chart.cores)
    for number, row in enumerate(chart.rows):
        _draw_row(svg, axes, chart, row, number)
    _draw_caption(svg, bench, chart)
    text: str = ET.tostring(svg, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def choose_axes(chart: Chart) -> Axes | None:
    """Return axes that hold all times; None where nothing was measured."""
    times = [seconds for timing in chart.timings for seconds in timing.samples_s if seconds > 0]
    if not times:
        return None
    low, high = math.floor(math.log10(min(times))), math.ceil(math.log10(max(times)) + 1e-9)
    across = Axis(chart.cores[0], chart.cores[-1], _LEFT + 24, WIDTH - _RIGHT - 24, is_logarithmic=True)
    up = Axis(10.0**low, 10.0 ** max(high, low + 1), HEIGHT - _BOTTOM, _TOP, is_logarithmic=True)
    return Axes(across, up)


def wrap(text: str, characters: int = _CAPTION_CHARACTERS) -> list[str]:
    """Return `text` in lines of at most so many characters, broken between words."""
    return textwrap.wrap(text, characters, break_long_words=False, break_on_hyphens=False)


def _draw_grid(svg: ET.Element, axes: Axes, counts: Sequence[int]) -> None:
    for seconds in axes.up.decades():
        y = axes.up.at(seconds)
        _line(svg, (_LEFT, y), (WIDTH - _RIGHT, y), "#ddd")
        _text(svg, _LEFT - 8, y + 4, seconds_text(seconds), anchor="end")
    bottom = HEIGHT - _BOTTOM
    for cores in counts:
        _line(svg, (axes.across.at(cores), bottom), (axes.across.at(cores), bottom + 5), "#555")
        _text(svg, axes.across.at(cores), bottom + 19, counted(cores, "core"), anchor="middle")


def _draw_row(svg: ET.Element, axes: Axes | None, chart: Chart, row: str, number: int) -> None:
    """Draw one row's points, their line, Amdahl's bound, and its entry in the legend."""
    colour = COLOURS[number % len(COLOURS)]
    timings = [timing for timing in chart.timings if timing.row == row]
    measured = [timing for timing in timings if timing.samples_s]
    legend_y = _TOP + 16 + number * 62
    mark = MARKS[number % len(MARKS)]
    star = "*" if timings[0].kernels and chart.on_cpu else ""
    _mark(svg, mark, WIDTH - _RIGHT + 22, legend_y - 4, colour)
    _text(svg, WIDTH - _RIGHT + 34, legend_y, f"{row}{star}", weight="bold")
    if axes is None or not measured:
        for place, line in enumerate(wrap(timings[0].problem, _LEGEND_CHARACTERS)[:2]):
            _text(svg, WIDTH - _RIGHT + 34, legend_y + (1 + place) * _LINE, line[:_LEGEND_CHARACTERS], fill="#a00")
        return
    points = [(axes.across.at(timing.cores), axes.up.at(timing.median_s)) for timing in measured]
    for timing, (x, y) in zip(measured, points, strict=True):
        low, high = timing.middle_half_s
        _line(svg, (x, axes.up.at(low)), (x, axes.up.at(high)), colour, width=3)
        _mark(svg, mark, x, y, colour)
    _path(svg, points, colour)
    best = min(measured, key=lambda timing: timing.median_s)
    _text(svg, WIDTH - _RIGHT + 34, legend_y + _LINE, f"{seconds_text(best.median_s)} on {counted(best.cores, 'core')}")
    scaling = chart.scaling(row)
    if scaling is not None and not scaling.is_on_one_core:
        alone_s = chart.find(row, 1).median_s
        bounds = [(cores, alone_s / amdahl_bound(scaling.serial_fraction, cores)) for cores in chart.cores]
        inside = [(axes.across.at(cores), axes.up.at(max(seconds, axes.up.low))) for cores, seconds in bounds]
        _path(svg, inside, colour, dashes="4 4")
        _text(svg, WIDTH - _RIGHT + 34, legend_y + 2 * _LINE, f"- - Amdahl, s = {scaling.serial_fraction:.2f}")


def _draw_caption(svg: ET.Element, bench: Bench, chart: Chart) -> None:
    sentences = [f"{bench.caption}.", *bench.notes, *(line.strip() for line in gains(chart) if "peak" in line)]
    for number, line in enumerate([line for sentence in sentences for line in wrap(sentence)][:4]):
        _text(svg, 16, HEIGHT - _BOTTOM + 46 + number * _LINE, line, fill="#333")


def _text(
    svg: ET.Element,
    x: float,
    y: float,
    text: str,
    *,
    size: int = 12,
    anchor: str = "start",
    weight: str = "normal",
    fill: str = "#111",
) -> None:
    attributes = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font-size": str(size), "text-anchor": anchor}
    element = ET.SubElement(svg, "text", attributes | {"font-weight": weight, "fill": fill})
    element.text = printable(text, 200)


def _line(svg: ET.Element, start: tuple[float, float], end: tuple[float, float], colour: str, width: float = 1) -> None:
    places = {"x1": start[0], "y1": start[1], "x2": end[0], "y2": end[1]}
    shown = {name: f"{value:.1f}" for name, value in places.items()}
    ET.SubElement(svg, "line", shown | {"stroke": colour, "stroke-width": str(width)})


def _path(svg: ET.Element, points: Sequence[tuple[float, float]], colour: str, dashes: str = "") -> None:
    shown = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    line = ET.SubElement(svg, "polyline", points=shown, fill="none", stroke=colour)
    line.set("stroke-width", "1.5")
    if dashes:
        line.set("stroke-dasharray", dashes)


def _mark(svg: ET.Element, kind: str, x: float, y: float, colour: str) -> None:
    """Draw a point; its form tells rows apart where colours do not."""
    if kind == "circle":
        ET.SubElement(svg, "circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r="4.5", fill=colour)
        return
    corners = {
        "square": ((-4, -4), (4, -4), (4, 4), (-4, 4)),
        "diamond": ((0, -6), (6, 0), (0, 6), (-6, 0)),
        "triangle": ((0, -5), (5, 4), (-5, 4)),
    }[kind]
    places = " ".join(f"{x + right:.1f},{y + down:.1f}" for right, down in corners)
    ET.SubElement(svg, "polygon", points=places, fill=colour)
