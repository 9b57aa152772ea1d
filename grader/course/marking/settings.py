"""How one TA marks: under which name, which share of the class, and whether names are shown; and who may ask.

Host        must be this server's own, or a page elsewhere could point a name of its own at 127.0.0.1
token       part of every address, compared in constant time, another one for PDFs; no cookie, because a browser sends
            those of 127.0.0.1 to every port of it, whoever listens there
Origin      of whatever changes something must be the page itself; where one is named at all, it must be
answers     are never stored, never framed by others, never sniffed, never sent on as a referrer
"""

import hashlib
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.course.people import Handin, Roster


@dataclass(frozen=True, slots=True)
class Settings:
    """What a TA said when starting the marking view."""

    by: str
    share: tuple[int, int] = (1, 1)
    """Which part of how many: `(2, 3)` is the second third of the class."""
    anonymous: bool = False
    secret: str = field(default_factory=lambda: secrets.token_hex(8))
    """From which the addresses of anonymous hand-ins are made."""


@dataclass(frozen=True, slots=True)
class Labels:
    """What hand-ins are called on the pages and in the addresses."""

    names: Mapping[str, str]
    """Key -> the students' names, or `Hand-in 12` where marking is anonymous. In the order of the list."""
    addresses: Mapping[str, str]
    """Key -> what stands for it in addresses."""
    hidden: Mapping[str, str] = field(default_factory=dict)
    """What must not be shown -> what stands for it."""

    def key_at(self, address: str) -> str:
        """Return the key of the hand-in at `address`; empty if there is none."""
        return next((key for key, there in self.addresses.items() if there == address), "")

    def cleaned(self, text: str) -> str:
        """Return `text` without the names, ids and addresses that are hidden."""
        if not self.hidden:
            return text
        words = "|".join(re.escape(word) for word in sorted(self.hidden, key=len, reverse=True))
        return re.sub(rf"(?<!\w)(?:{words})(?!\w)", lambda match: self.hidden[match[0]], text)


def make_labels(roster: Roster, settings: Settings) -> Labels:
    """Return what the hand-ins of `roster` are called."""
    if not settings.anonymous:
        names = {handin.key: handin.names for handin in roster.handins}
        return Labels(names, {key: key for key in names})
    numbered = {handin.key: f"Hand-in {number}" for number, handin in enumerate(_shuffled(roster), start=1)}
    addresses = {key: _digest(settings.secret + key)[:12] for key in numbered}
    hidden = {word: numbered[handin.key] for handin in roster.handins for word in _words(handin)}
    return Labels(numbered, addresses, hidden)


def share_of(roster: Roster, settings: Settings) -> frozenset[str]:
    """Return the keys that are this TA's; the shares are disjoint, and equal but for one hand-in."""
    number, count = settings.share
    keys = [handin.key for handin in _shuffled(roster)]
    return frozenset(keys[(number - 1) * len(keys) // count : number * len(keys) // count])


def _shuffled(roster: Roster) -> list[Handin]:
    """Return the hand-ins in an order that has nothing to do with names, the same for everybody."""
    return sorted(roster.handins, key=lambda handin: _digest(handin.key))


def _words(handin: Handin) -> Iterator[str]:
    yield from filter(None, (handin.key, handin.platform_folder))
    for student in handin.students:
        yield from filter(None, (student.label, student.id, student.name, student.email))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


PAGE_HOST, PDF_HOST = "127.0.0.1", "localhost"


@dataclass(frozen=True, slots=True)
class Guard:
    """The secrets and names of one running server."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    pdf_token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """Of PDFs, whose origin must not learn the page's."""

    @property
    def origin(self) -> str:
        """Where the marking page lives."""
        return f"http://{PAGE_HOST}:{self.port}"

    @property
    def pdf_origin(self) -> str:
        """Where PDFs live as they are: the same server, but another origin to a browser."""
        return f"http://{PDF_HOST}:{self.port}"

    def allows(self, endpoint: str | None, host: str, token: str) -> bool:
        """Return whether a request may be answered; PDFs have a host and a token of their own."""
        name, right = (PDF_HOST, self.pdf_token) if endpoint == "pdf" else (PAGE_HOST, self.token)
        return host == f"{name}:{self.port}" and secrets.compare_digest(token.encode(), right.encode())


HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Of every answer. Browsers send no usable Origin with forms under `no-referrer`."""
POLICIES = {
    "report": "script-src 'none'; frame-ancestors 'none'; sandbox allow-popups",
    **dict.fromkeys(("show", "mark", "comments", "failures", "sheets", "pdf"), "frame-ancestors 'none'"),
}
"""Endpoint -> what its answer may do; the marking page says in itself what else. None is shown in a frame.

A browser's PDF viewer shows nothing under a policy that restricts its contents, so that a PDF has only this.
"""
NO_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
"""Of all other endpoints."""
