"""`report.html` for students and `staff.html` for TAs: one page each, no network, no script, no second file."""

from collections import Counter
from typing import Any

from grader import __version__
from grader.model import Report
from grader.reports import cards, listing, story
from grader.reports.audience import for_students
from grader.reports.pages import render_page

_DEVICES = {"gpu": "gpu: a real GPU", "cpu": "cpu: CUDA kernels executed on the CPU"}


def render(report: Report) -> str:
    """Return the page for the student: nothing of hidden checks, no seed, no traceback of ours."""
    return render_page("report.html", _context(for_students(report), for_staff=False), ("report.css",))


def render_staff(report: Report) -> str:
    """Return the page for TAs, with everything that was observed."""
    return render_page("report.html", _context(report, for_staff=True), ("report.css",))


def _context(report: Report, *, for_staff: bool) -> dict[str, Any]:
    evidence, sources = report.evidence, listing.listings(report)
    name = evidence.submission.name  # a batch names it by an id: the line above, which says whose it is, may hold that
    return {
        "for_staff": for_staff,
        "report": report,
        "rubric": report.rubric,
        "submission": evidence.submission,
        "shown_name": "" if any(name == who or f"({name})" in who for who in report.students) else name,
        "run": evidence.run,
        "evidence": evidence,
        "sections": _sections(report),
        "figures": cards.figures(report),
        "sources": sources,
        "places": listing.places(sources),
        "ring": _shares(report.score_low, report.score_high, report.rubric.total),
        "score": story.range_text(report.score_low, report.score_high),
        "tally": _tally(report),
        "data_text": story.data_text([report]),
        "selection": story.selection_text(report),
        "open_sentences": story.open_sentences(report),
        "first": story.first_step(report),
        "first_text": story.first_step_text(report),
        "device": _DEVICES.get(evidence.run.device, evidence.run.device),
        "version": __version__,
    }


def _sections(report: Report) -> list[tuple[story.Part, tuple[float, float], list[cards.Card]]]:
    """Return the parts, none for a submission that was never opened: its one reason stands at the top."""
    parts, same = () if report.evidence.refusal else story.parts(report), story.repeats(report)
    return [
        (
            part,
            _shares(part.points_low, part.points_high, part.points),
            [cards.card(result, report, same.get(result.criterion.id, "")) for result in part.results],
        )
        for part in parts
    ]


def _shares(low: float, high: float, total: float) -> tuple[float, float]:
    """Return what is earned and what is open, in percent of the total."""
    return (round(100 * low / total, 2), round(100 * (high - low) / total, 2)) if total else (0.0, 0.0)


def _tally(report: Report) -> list[tuple[story.OutcomeStyle, str]]:
    """Return how many checks ended in which way, the most urgent first."""
    if report.evidence.refusal:
        return []
    styles = Counter(story.style_of(result) for result in sorted(report.results, key=story.urgency))
    return [
        (style, story.counted(count, style.word) if style.kind in {"warning", "error"} else f"{count} {style.word}")
        for style, count in styles.items()
    ]
