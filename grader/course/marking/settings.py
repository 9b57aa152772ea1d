"""How one TA marks: the TA's name, the share of the class, whether names are shown; and which requests are allowed.

Host        must be this server's own, because an attacker's domain can resolve to 127.0.0.1
token       in every address, compared in constant time. Cookies are not used, because a browser sends the cookies of
            127.0.0.1 to every port, also to servers of other users
Origin      a request that changes something must come from the marking page; so must any request with an Origin
answers     are not stored, not shown in frames, not sniffed, and not sent as a referrer to other origins
"""

import hashlib
import re
import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from grader.course.people import Handin, Roster, names_of


@dataclass(frozen=True, slots=True)
class Settings:
    """The options with which a TA started the marking view."""

    by: str
    share: tuple[int, int] = (1, 1)  # number of the part, and count of parts: `(2, 3)` is the second third of the class
    anonymous: bool = False
    secret: str = field(default_factory=lambda: secrets.token_hex(8))
    """The addresses of anonymous hand-ins are digests of this and the key."""


@dataclass(frozen=True, slots=True)
class Labels:
    """The labels of hand-ins on the pages and in the addresses."""

    names: Mapping[str, str]  # key -> students' names, or `Hand-in 12` if marking is anonymous; in the list's order
    addresses: Mapping[str, str]  # key of a hand-in, or id of a student -> what replaces it in addresses and forms
    hidden: Mapping[str, str] = field(default_factory=dict)
    """Text that must not be shown, in lower case unless it is one word -> the text that replaces it."""

    def key_at(self, address: str) -> str:
        """Return the key of the hand-in, or the id of the student, at `address`; empty if there is none."""
        return next((key for key, there in self.addresses.items() if there == address), "")

    def cleaned(self, text: str) -> str:
        """Return `text` with the hidden names, ids and addresses replaced; `Max` may be a name, `max` is a function."""
        if not self.hidden:
            return text
        longest = sorted(self.hidden, key=len, reverse=True)
        words = "|".join(re.escape(word) if word.isalpha() else f"(?i:{re.escape(word)})" for word in longest)
        found = re.compile(rf"(?<!\w)(?:{words})(?!\w)")
        return found.sub(lambda match: self.hidden.get(match[0]) or self.hidden.get(match[0].lower(), "Hand-in"), text)


def make_labels(roster: Roster, settings: Settings) -> Labels:
    """Return the labels of the hand-ins of `roster`."""
    ids = [student.id for handin in roster.handins for student in handin.students]
    if not settings.anonymous:
        names = names_of(roster)
        return Labels(names, {word: word for word in (*names, *ids)})
    numbered = {handin.key: f"Hand-in {number}" for number, handin in enumerate(_shuffled(roster), start=1)}
    addresses = {word: _digest(settings.secret + word)[:12] for word in (*numbered, *ids)}
    told = [(word, numbered[handin.key]) for handin in roster.handins for word in _words(handin)]
    return Labels(numbered, addresses, {word if word.isalpha() else word.lower(): label for word, label in told})


def share_of(roster: Roster, settings: Settings) -> frozenset[str]:
    """Return the keys of this TA's share. Shares are disjoint, and their sizes differ by at most one."""
    number, count = settings.share
    keys = [handin.key for handin in _shuffled(roster)]
    return frozenset(keys[(number - 1) * len(keys) // count : number * len(keys) // count])


def _shuffled(roster: Roster) -> list[Handin]:
    """Return the hand-ins in an order that does not follow names and is the same for every TA."""
    return sorted(roster.handins, key=lambda handin: _digest(handin.key))


def _words(handin: Handin) -> Iterator[str]:
    yield from filter(None, (handin.key, handin.platform_folder))
    for student in handin.students:
        yield from filter(None, (student.label, student.id, student.name, student.email))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


HOST = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Guard:
    """The secret and the name of one running server."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def origin(self) -> str:
        """The origin of the marking page."""
        return f"http://{HOST}:{self.port}"

    def allows(self, host: str, token: str) -> bool:
        """Return whether a request is allowed."""
        return host == f"{HOST}:{self.port}" and secrets.compare_digest(token.encode(), self.token.encode())


HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every answer. Not `no-referrer`: with it, browsers send forms without a usable Origin."""
POLICIES = {
    "report": "script-src 'none'; frame-ancestors 'none'; sandbox allow-popups",
    **dict.fromkeys(("show", "mark", "comments", "failures", "sheets"), "frame-ancestors 'none'"),
}
"""Endpoint -> policy of its answer; no answer is shown in a frame. The marking pages contain a further policy."""
NO_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"  # the policy of all other endpoints
