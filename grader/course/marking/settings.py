"""How one TA marks: under which name, which share of the class, and whether names are shown."""

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
