"""Pages: `report.html` for students, `staff.html` for TAs, and what all other pages share with them.

One Jinja environment escapes, and a policy lets a browser run nothing else. A page is one file. Its style, and its
script where it has one, stand in it once, and the policy names their hashes: whatever else got into the page, a browser
would neither style nor run it, nor ask the network for anything.
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
    """Return the page that `template` makes of `context`.

    Every text in `context` is cleaned, bounded and escaped where it is printed. `allowed` is what a page that a server
    hands out may do besides, by directive.
    """
    style = "\n".join((TEMPLATES / name).read_text("utf-8") for name in ("base.css", *styles))
    code = (TEMPLATES / script).read_text("utf-8") if script else ""
    rules = {"default-src": "'none'", "style-src": _hash(style), "base-uri": "'none'", "form-action": "'none'"}
    rules |= {"script-src": _hash(code)} if code else {}
    policy = "; ".join(f"{name} {source}" for name, source in {**rules, **(allowed or {})}.items())
    shared = {"style": Markup(style), "script": Markup(code), "policy": policy}  # noqa: S704 - our own files
    return str(environment().get_template(template).render({**context, **shared}))


def _bytecode_cache() -> FileSystemBytecodeCache | None:
    """Keep compiled templates where Python keeps compiled modules, beside them; nowhere if that cannot be written."""
    folder = TEMPLATES / "__pycache__"
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return None
    return FileSystemBytecodeCache(str(folder)) if os.access(folder, os.W_OK) else None


@cache
def environment() -> Environment:
    """Return the environment of all templates: what is undefined is an error, what is a text is escaped."""
    made = Environment(
        loader=PackageLoader("grader.reports"),
        bytecode_cache=_bytecode_cache(),
        autoescape=True,
        undefined=StrictUndefined,
        # Markup comes from our own templates only.
        finalize=lambda value: printable(value) if isinstance(value, str) and not isinstance(value, Markup) else value,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(seconds=story.seconds_text, prose=_prose)
    made.filters.update(long=lambda text: escape(printable(text, OUTPUT_LIMIT)))  # may be longer than a finding
    return made


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _prose(text: str) -> Markup:
    """Return a sentence, escaped, with `names in backticks` set as code."""
    return Markup(story.CODE.sub(r"<code>\1</code>", str(escape(printable(text)))))  # noqa: S704 - escaped just before


_DEVICES = {"gpu": "gpu: a real GPU", "cpu": "cpu: CUDA kernels executed on the CPU"}


def render(report: Report) -> str:
    """Return the page for the student: nothing of hidden checks, no seed, no traceback of ours."""
    return render_page("report.html", _context(for_students(report), for_staff=False), ("report.css",))


def render_staff(report: Report) -> str:
    """Return the page for TAs, with everything that was observed."""
    return render_page("report.html", _context(report, for_staff=True), ("report.css",))


def _context(report: Report, *, for_staff: bool) -> dict[str, Any]:
    sources, name = listing.listings(report), report.evidence.submission.name
    # A batch names it by an id, which the line that says whose it is may hold already.
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
