"""One check as a page shows it: what happened in a line, the rest on demand, and plots of what was measured."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grader.model import Outcome, Report, Result, printable
from grader.reports import plots, scalingplots, story
from grader.reports.figure import Drawing

_FACT_LIMIT = 400
_HEADLINE_LIMIT = 240
_TEXT_FACT_LIMIT = 4000
_LIST_LIMIT = 40
_OPEN_AT_MOST = 6
_UNITS = {"_percent": "%", "_s": "s", "_ms": "ms", "_bytes": "bytes"}


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that was measured: one text, or a list of sentences."""

    name: str
    text: str = ""
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One check as the page shows it."""

    result: Result
    style: story.OutcomeStyle
    points: str
    headline: str
    """First line of what happened, shown while the card is closed."""
    facts: tuple[Fact, ...]
    is_open: bool
    same_as: str = ""
    """The check above whose finding is the same, and is told there."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The plots of one check, in the order in which a page shows them."""

    check: str
    drawings: tuple[Drawing, ...]


def card(result: Result, report: Report, same_as: str = "") -> Card:
    """Return the card of `result`, which points to that of the check `same_as` where the finding is the same."""
    headline = f"The same as {same_as}." if same_as else ""
    if result.finding and result.outcome is not Outcome.PASSED and not same_as:
        headline = printable(result.finding.message.partition("\n")[0], _HEADLINE_LIMIT)
    return Card(
        result=result,
        style=story.style_of(result),
        points=story.points_text(result),
        headline=headline,
        facts=_facts(result),
        is_open=not same_as and _needs_attention(result, report),
        same_as=same_as,
    )


def figures(report: Report) -> tuple[Figure, ...]:
    """Return the plots of all checks that measured something."""
    made = (Figure(result.criterion.id, tuple(_drawings(result))) for result in report.results)
    return tuple(figure for figure in made if figure.drawings)


def _drawings(result: Result) -> Iterator[Drawing]:
    """Yield what is drawn of a check; what one call of a GPU is made of stands beside its samples only."""
    curve, strips = plots.curve(result), plots.strips(result)
    drawn = (
        *(scalingplots.space_time(result), curve, None if curve else plots.interval(result), strips),
        *(plots.split(result) if strips else None, plots.bars(result), scalingplots.efficiency(result)),
        *(scalingplots.simulation(result), scalingplots.amdahl(result), scalingplots.bounds(result)),
    )
    yield from filter(None, drawn)


def _needs_attention(result: Result, report: Report) -> bool:
    """Return whether the card starts open: our errors, and failures unless there are so many that the first counts."""
    if result.outcome is Outcome.ERROR:
        return True
    failures = sum(other.outcome is Outcome.FAILED for other in report.results)
    first = story.first_step(report)
    return result.outcome is Outcome.FAILED and (failures <= _OPEN_AT_MOST or result is first)


_PLOTTED: Mapping[str, Callable[[Result], object]] = {
    plots.CURVE_FACT: plots.curve,
    plots.BARS_FACT: plots.bars,
    plots.SAMPLES_FACT: plots.strips,
    plots.FIRST_FACT: plots.split,
    scalingplots.SHARES_FACT: scalingplots.amdahl,
    scalingplots.BOUNDS_FACT: scalingplots.amdahl,
    scalingplots.MEASURED_FACT: scalingplots.amdahl,
    scalingplots.CALLS_FACT: scalingplots.space_time,
    scalingplots.EFFICIENCY_FACT: scalingplots.efficiency,
    scalingplots.SIMULATION_FACT: scalingplots.simulation,
}
"""Fact -> what draws it: a fact that can be drawn is not told in words as well."""


def _facts(result: Result) -> tuple[Fact, ...]:
    """Return the facts that no plot shows already, by name."""
    facts = {str(name): value for name, value in result.observation.facts.items()}
    plotted = {name for name, draw in _PLOTTED.items() if name in facts and draw(result)}
    if plots.SAMPLES_FACT in plotted:  # and so are those of a verdict, block by block
        plotted |= {name for name in facts if name.endswith("_samples")}
    shown = []
    for name in sorted(facts.keys() - plotted):
        value = facts[name]
        if isinstance(value, list | tuple) and value and all(isinstance(item, str) for item in value):
            shown.append(Fact(_fact_name(name), items=tuple(value[:_LIST_LIMIT])))
        else:
            shown.append(Fact(_fact_name(name), _fact_text(value)))
    return tuple(shown)


def _fact_name(name: str) -> str:
    for suffix, unit in _UNITS.items():
        if name.endswith(suffix):
            return f"{name.removesuffix(suffix).replace('_', ' ')} ({unit})"
    return name.replace("_", " ")


def _fact_text(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, str):
        return value[-_TEXT_FACT_LIMIT:]
    return printable(json.dumps(value, ensure_ascii=False, default=str), _FACT_LIMIT)
