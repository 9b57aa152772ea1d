"""Pages about a batch for the staff: one file each, no script, no network. Every text is data and is escaped."""

from __future__ import annotations

from functools import cache
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from grader.model import printable

_TEXT_LIMIT = 2000


def render_page(template: str, **context: Any) -> str:
    """Return the page that `template` makes of `context`."""
    return str(_environment().get_template(template).render(context))


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("grader.batch.grades"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _finalize(value: Any) -> Any:
    """Return a value as it may be shown; markup comes from our own templates only."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else printable(value, _TEXT_LIMIT)
