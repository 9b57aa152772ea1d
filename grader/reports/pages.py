"""What all pages share: one Jinja environment that escapes, and the policy that lets a browser run nothing else.

A page is one file. Its style, and its script where it has one, stand in it once, and the policy names their
hashes: whatever else got into the page, a browser would neither style nor run it, nor ask the network for anything.
"""

import base64
import hashlib
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from grader.model import printable
from grader.reports import story

OUTPUT_LIMIT = 20_000
TEMPLATES = Path(__file__).parent / "templates"
NOTHING: Mapping[str, str] = MappingProxyType({})


def render_page(
    template: str,
    context: dict[str, Any],
    styles: tuple[str, ...],
    script: str = "",
    allowed: Mapping[str, str] = NOTHING,
) -> str:
    """Return the page that `template` makes of `context`.

    Every text in `context` is cleaned, bounded and escaped where it is printed. `allowed` is what a page that a server
    hands out may do besides, by directive.
    """
    style = "\n".join(_source(name) for name in ("base.css", *styles))
    code = _source(script) if script else ""
    shared = {"style": Markup(style), "script": Markup(code), "policy": _policy(style, code, allowed)}  # noqa: S704 - our own files
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
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(seconds=story.seconds_text, long=_long, prose=_prose)
    return made


def _source(name: str) -> str:
    return (TEMPLATES / name).read_text("utf-8")


def _policy(style: str, script: str, allowed: Mapping[str, str]) -> str:
    """Return the Content-Security-Policy of a page that holds exactly this style and this script."""
    rules = {"default-src": "'none'", "style-src": _hash(style), "base-uri": "'none'", "form-action": "'none'"}
    rules |= {"script-src": _hash(script)} if script else {}
    return "; ".join(f"{name} {source}" for name, source in {**rules, **allowed}.items())


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _finalize(value: Any) -> Any:
    """Return a value as it may be shown; markup comes from our own templates only."""
    return value if isinstance(value, Markup) or not isinstance(value, str) else printable(value)


def _prose(text: str) -> Markup:
    """Return a sentence, escaped, with `names in backticks` set as code."""
    return Markup(story.CODE.sub(r"<code>\1</code>", str(escape(printable(text)))))  # noqa: S704 - escaped just before


def _long(text: str) -> Markup:
    """Return a text that may be longer than a finding, escaped."""
    return escape(printable(text, OUTPUT_LIMIT))
