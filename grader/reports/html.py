"""`report.html`: one page that needs nothing else, no network, no script and no second file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from operator import itemgetter
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from grader import __version__
from grader.model import Outcome, Report, Result
from grader.reports import plots, story

_OUTPUT_LIMIT = 20_000
_FACT_LIMIT = 400
_HEADLINE_LIMIT = 240
_TEXT_FACT_LIMIT = 4000
_CODE = re.compile(r"`([^`\n]+)`")
_OPEN_AT_MOST = 6
_UNITS = {"_percent": "%", "_s": "s", "_ms": "ms", "_bytes": "bytes"}
_DEVICES = {"gpu": "gpu: a real GPU", "cpu": "cpu: CUDA kernels executed on the CPU"}


@dataclass(frozen=True, slots=True)
class _Card:
    """One check as the page shows it."""

    result: Result
    look: story.Look
    points: str
    headline: str
    """First line of what happened, shown while the card is closed."""
    facts: tuple[tuple[str, str], ...]
    curve: plots.Curve | None
    bars: plots.Bars | None
    is_open: bool


def render(report: Report) -> str:
    """Return the page. Every text is escaped, and bounded, where it enters the template."""
    return str(_environment().get_template("report.html").render(_context(report)))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("grader.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(seconds=plots.seconds_text, long=_long, prose=_prose)
    return environment


def _finalize(value: Any) -> Any:
    """Return a value as it may be shown; markup comes from our own templates only."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else story.clean(value)


def _prose(text: str) -> Markup:
    """Return a sentence, escaped, with `names in backticks` set as code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(story.clean(text)))))  # noqa: S704 - escaped just before


def _long(text: str) -> Markup:
    """Return a text that may be longer than a finding, escaped."""
    return escape(story.clean(text, _OUTPUT_LIMIT))


def _context(report: Report) -> dict[str, Any]:
    evidence = report.evidence
    return {
        "report": report,
        "rubric": report.rubric,
        "submission": evidence.submission,
        "run": evidence.run,
        "evidence": evidence,
        "sections": [(part, _bar(part), [_card(result, report) for result in part.results]) for part in _parts(report)],
        "ring": _shares(report.score_low, report.score_high, report.rubric.total),
        "score": story.range_text(report.score_low, report.score_high),
        "tally": _tally(report),
        "selection": story.selection_text(report),
        "open_sentences": story.open_sentences(report),
        "first": story.first_step(report),
        "first_text": story.first_step_text(report),
        "device": _DEVICES.get(evidence.run.device, evidence.run.device),
        "version": __version__,
    }


def _parts(report: Report) -> tuple[story.Part, ...]:
    """Return the parts, none for a submission that was never opened: its one reason stands at the top."""
    return () if report.evidence.refusal else story.parts(report)


def _bar(part: story.Part) -> tuple[float, float]:
    return _shares(part.points_low, part.points_high, part.points)


def _shares(low: float, high: float, total: float) -> tuple[float, float]:
    """Return what is earned and what is open, in percent of the total."""
    return (round(100 * low / total, 2), round(100 * (high - low) / total, 2)) if total else (0.0, 0.0)


def _tally(report: Report) -> list[tuple[story.Look, str]]:
    """Return how many checks ended in which way, the most urgent first."""
    if report.evidence.refusal:
        return []
    looks = Counter(story.look(result) for result in sorted(report.results, key=story.urgency))
    return [(look, _counted(count, look)) for look, count in looks.items()]


def _counted(count: int, look: story.Look) -> str:
    is_noun = look.kind in {"warning", "error"}
    return f"{count} {look.word}{'s' if is_noun and count > 1 else ''}"


def _card(result: Result, report: Report) -> _Card:
    finding = result.finding if result.outcome is not Outcome.PASSED else None
    curve, bars = plots.curve(result), plots.bars(result)
    return _Card(
        result=result,
        look=story.look(result),
        points=story.points_text(result),
        headline=story.clean(finding.message.partition("\n")[0], _HEADLINE_LIMIT) if finding else "",
        facts=_facts(result, {plots.CURVE_FACT: curve, plots.BARS_FACT: bars}),
        curve=curve,
        bars=bars,
        is_open=_needs_attention(result, report) or curve is not None or bars is not None,
    )


def _needs_attention(result: Result, report: Report) -> bool:
    """Return whether the card starts open: our errors, and failures unless there are so many that the first counts."""
    if result.outcome is Outcome.ERROR:
        return True
    failures = sum(other.outcome is Outcome.FAILED for other in report.results)
    first = story.first_step(report)
    return result.outcome is Outcome.FAILED and (failures <= _OPEN_AT_MOST or result is first)


def _facts(result: Result, plotted: Mapping[str, object]) -> tuple[tuple[str, str], ...]:
    """Return names and values of the facts that no plot shows already."""
    rows = sorted(
        ((str(name), value) for name, value in result.observation.facts.items() if not plotted.get(name)),
        key=itemgetter(0),
    )
    return tuple((_fact_name(name), _fact_text(value)) for name, value in rows)


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
    return story.clean(json.dumps(value, ensure_ascii=False, default=str), _FACT_LIMIT)
