"""One check as a page shows it: a headline, details that the reader can open, and plots of measured values."""

import json
from dataclasses import dataclass
from typing import Any

from grader.model import Outcome, Report, Result, printable
from grader.reports import plots, story
from grader.reports.figure import Drawing

_FACT_LIMIT, _HEADLINE_LIMIT, _TEXT_FACT_LIMIT, _LIST_LIMIT, _OPEN_AT_MOST = 400, 240, 4000, 40, 6
_UNITS = {"_percent": "%", "_s": "s", "_ms": "ms", "_bytes": "bytes"}


@dataclass(frozen=True, slots=True)
class Fact:
    """A measured value as text, or a list of sentences."""

    name: str
    text: str = ""
    items: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Card:
    """One check as the page shows it."""

    result: Result
    style: story.OutcomeStyle
    points: str
    headline: str  # first line of the finding, shown while the card is closed
    facts: tuple[Fact, ...]
    is_open: bool
    same_as: str = ""  # the earlier check with the same finding, which is shown only there; empty if there is none


def card(result: Result, report: Report, same_as: str = "") -> Card:
    """Return the card of `result`; with `same_as`, the card refers to the card of that check, which has the finding."""
    headline = f"The same as {same_as}." if same_as else ""
    if result.finding and result.outcome is not Outcome.PASSED and not same_as:
        headline = printable(result.finding.message.partition("\n")[0], _HEADLINE_LIMIT)
    failures = sum(other.outcome is Outcome.FAILED for other in report.results)  # if many, only the first is opened
    opens = result.outcome is Outcome.FAILED and (failures <= _OPEN_AT_MOST or result is story.first_step(report))
    return Card(
        result=result,
        style=story.style_of(result),
        points=story.points_text(result),
        headline=headline,
        facts=_facts(result),
        is_open=not same_as and (opens or result.outcome is Outcome.ERROR),
        same_as=same_as,
    )


def figures(report: Report) -> dict[str, tuple[Drawing, ...]]:
    """Return check -> its plots, in the order of the page, for all checks that have plots."""
    made = {row.criterion.id: tuple(filter(None, (draw(row) for draw in plots.PLOTS))) for row in report.results}
    return {check: drawings for check, drawings in made.items() if drawings}


def _facts(result: Result) -> tuple[Fact, ...]:
    """Return the facts that no plot shows, sorted by name."""
    facts = {str(name): value for name, value in result.observation.facts.items()}
    plotted = {name for draw, names in plots.PLOTS.items() if facts.keys() & names and draw(result) for name in names}
    if plots.SAMPLES_FACT in plotted:  # the plot also shows the samples of a speed verdict
        plotted |= {name for name in facts if name.endswith("_samples")}
    shown = []
    for name in sorted(facts.keys() - plotted):
        value = facts[name]
        is_list = isinstance(value, list | tuple) and value and all(isinstance(item, str) for item in value)
        items = tuple(value[:_LIST_LIMIT]) if is_list else ()
        shown.append(Fact(_fact_name(name), "" if items else _fact_text(value), items))
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
