"""The same chart as PNG, where matplotlib is installed."""

from __future__ import annotations

import io
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from grader.bench.chart import COLOURS, wrap
from grader.bench.model import Bench, Chart
from grader.bench.tables import gains
from grader.timing import amdahl

_MARKS = "osD^"


def is_available() -> bool:
    """Return whether matplotlib is here."""
    return find_spec("matplotlib") is not None


def draw_png(bench: Bench, chart: Chart) -> bytes:
    """Return the picture as PNG; `ModuleNotFoundError` without matplotlib."""
    figure_kind: Any = import_module("matplotlib.figure").Figure
    figure = figure_kind(figsize=(7.6, 4.2), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    for number, row in enumerate(chart.rows):
        _draw_row(axes, chart, row, COLOURS[number % len(COLOURS)], _MARKS[number % len(_MARKS)])
    axes.set_title(_plain(chart.title), fontsize=11)
    axes.set_xscale("log", base=2)
    axes.set_xticks(chart.cores, [str(cores) for cores in chart.cores])
    axes.minorticks_off()
    axes.set_xlabel("cores")
    axes.set_ylabel("median time of a call in s")
    axes.grid(visible=True, color="#ddd")
    if any(timing.samples_s for timing in chart.timings):
        axes.set_yscale("log")
    else:
        axes.set_title(f"{_plain(chart.title)}: nothing could be measured", fontsize=11)
    if chart.timings:
        axes.legend(fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    sentences = [f"{bench.caption}.", *bench.notes, *(line.strip() for line in gains(chart) if "peak" in line)]
    lines = [line for sentence in sentences for line in wrap(sentence)]
    figure.supxlabel(_plain("\n".join(lines)), fontsize=7, x=0.01, ha="left")
    written = io.BytesIO()
    figure.savefig(written, format="png", metadata={"Software": None})
    return written.getvalue()


def _draw_row(axes: Any, chart: Chart, row: str, colour: str, mark: str) -> None:
    timings = [timing for timing in chart.timings if timing.row == row]
    measured = [timing for timing in timings if timing.samples_s]
    star = "*" if timings[0].kernels and chart.on_cpu else ""
    if not measured:
        axes.plot([], [], mark, color=colour, label=_plain(f"{row}{star}: {timings[0].problem}"))
        return
    cores = [timing.cores for timing in measured]
    medians = [timing.median_s for timing in measured]
    halves = [timing.middle_half_s for timing in measured]
    below = [max(median - low, 0.0) for median, (low, _high) in zip(medians, halves, strict=True)]
    above = [max(high - median, 0.0) for median, (_low, high) in zip(medians, halves, strict=True)]
    axes.errorbar(cores, medians, yerr=(below, above), fmt=f"{mark}-", color=colour, label=_plain(f"{row}{star}"))
    scaling = chart.scaling(row)
    if scaling is not None and not scaling.is_on_one_core:
        bounds = [chart.find(row, 1).median_s / amdahl.bound(scaling.serial_fraction, count) for count in chart.cores]
        axes.plot(chart.cores, bounds, "--", color=colour, label=f"Amdahl, s = {scaling.serial_fraction:.2f}")


def _plain(text: str) -> str:
    """Return `text` without the dollar signs between which matplotlib reads formulas."""
    return text.replace("$", r"\$")
