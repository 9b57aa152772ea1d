"""Pages: `report.html` for students, `staff.html` for TAs, and the code that all other pages share with them.

One Jinja environment escapes all texts. A page is one file, with its style and perhaps one script. Its content security
policy names their hashes: a browser uses no other style or script that might have got into the page, and loads nothing
from the network.
"""

import base64
import hashlib
import os
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from grader import __version__
from grader.model import Report, printable
from grader.reports import cards, listing, story
from grader.reports.audience import for_students

OUTPUT_LIMIT = 20_000
TEMPLATES = Path(__file__).parent / "templates"


def render_page(
    template: str,
    context: dict[str, Any],
    styles: tuple[str, ...],
    script: str = "",
    allowed: Mapping[str, str] | None = None,
) -> str:
    """Return `template` rendered with `context`.

    Every text in `context` is cleaned, cut and escaped where it is printed. `allowed` maps directives of the policy ->
    further permissions, for pages of a server.
    """
    style = "\n".join((TEMPLATES / name).read_text("utf-8") for name in ("base.css", *styles))
    code = (TEMPLATES / script).read_text("utf-8") if script else ""
    rules = {"default-src": "'none'", "style-src": _hash(style), "base-uri": "'none'", "form-action": "'none'"}
    rules |= {"script-src": _hash(code)} if code else {}
    policy = "; ".join(f"{name} {source}" for name, source in {**rules, **(allowed or {})}.items())
    shared = {"style": Markup(style), "script": Markup(code), "policy": policy}  # noqa: S704 - our own files
    return str(environment().get_template(template).render({**context, **shared}))


def _bytecode_cache() -> FileSystemBytecodeCache | None:
    """Return a cache of compiled templates in `__pycache__` beside them; None if that folder cannot be written."""
    folder = TEMPLATES / "__pycache__"
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


@cache
def environment() -> Environment:
    """Return the environment of all templates: an undefined name is an error, and every text is escaped."""
    made = Environment(
        loader=PackageLoader("grader.reports"),
        bytecode_cache=_bytecode_cache(),
        autoescape=True,
        undefined=StrictUndefined,
        # Only our own templates make Markup.
        finalize=lambda value: printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(seconds=story.seconds_text)
    # A sentence, escaped first, with names in backticks as code elements.
    made.filters.update(prose=lambda text: Markup(story.CODE.sub(r"<code>\1</code>", str(escape(printable(text))))))  # noqa: S704
    made.filters.update(long=lambda text: escape(printable(text, OUTPUT_LIMIT)))  # for texts longer than a finding
    return made


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


_DEVICES = {"gpu": "gpu: a real GPU", "cpu": "cpu: CUDA kernels executed on the CPU"}


def render(report: Report) -> str:
    """Return the page for the student, without hidden checks, seed and tracebacks of the grader."""
    return render_page("report.html", _context(for_students(report), for_staff=False), ("report.css",))


def render_staff(report: Report) -> str:
    """Return the page for TAs, with all observations."""
    return render_page("report.html", _context(report, for_staff=True), ("report.css",))


def _context(report: Report, *, for_staff: bool) -> dict[str, Any]:
    sources, name = listing.listings(report), report.evidence.submission.name
    # In a batch the name is an id, which the line with the students may have already.
    return {
        "for_staff": for_staff,
        "report": report,
        "shown_name": "" if any(name == who or f"({name})" in who for who in report.students) else name,
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
        "device": _DEVICES.get(report.evidence.run.device, report.evidence.run.device),
        "version": __version__,
    }


def _sections(report: Report) -> list[tuple[story.Part, tuple[float, float], list[cards.Card]]]:
    """Return the parts, those with points first; none if the submission was refused: the page's top says why."""
    parts, same = () if report.evidence.refusal else story.parts(report), story.repeats(report)
    return [
        (
            part,
            _shares(part.points_low, part.points_high, part.points),
            [cards.card(result, report, same.get(result.criterion.id, "")) for result in part.results],
        )
        for part in sorted(parts, key=lambda part: not part.points)
    ]


def _shares(low: float, high: float, total: float) -> tuple[float, float]:
    """Return the earned and the undecided points, in percent of the total."""
    return (round(100 * low / total, 2), round(100 * (high - low) / total, 2)) if total else (0.0, 0.0)


def _tally(report: Report) -> list[tuple[story.OutcomeStyle, str]]:
    """Return how many checks have each outcome, the most urgent first."""
    if report.evidence.refusal:
        return []
    styles = Counter(story.style_of(result) for result in sorted(report.results, key=story.urgency))
    return [
        (style, story.counted(count, style.word) if style.kind in {"warning", "error"} else f"{count} {style.word}")
        for style, count in styles.items()
    ]
