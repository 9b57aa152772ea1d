"""What a comparison of the class found, as the batch keeps it, and the flags that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.course.files import read_record
from grader.course.people import Handin, Roster
from grader.course.similarity import Likeness
from grader.course.store import Store
from grader.errors import UsageError
from grader.reports.story import listed


def read_likeness(store: Store) -> Likeness | None:
    """Return what was found last, `None` if nothing was compared or the record is damaged: it can be made again."""
    try:
        return read_record(store.likeness, Likeness) if store.likeness.is_file() else None
    except UsageError:
        return None


def flagged(roster: Roster, likeness: Likeness | None) -> Roster:
    """Return `roster` with a flag at each hand-in that has the same code as others."""
    if likeness is None or not likeness.equal:
        return roster
    labels = {one.key: " and ".join(one.labels) for one in roster.handins}
    handins = (replace(one, flags=(*one.flags, *_flags(one, likeness, labels))) for one in roster.handins)
    return replace(roster, handins=tuple(handins))


def _flags(handin: Handin, likeness: Likeness, labels: dict[str, str]) -> Iterator[str]:
    shared: dict[tuple[str, ...], list[str]] = {}
    for equal in likeness.equal:
        if handin.key in equal.keys:
            others = tuple(labels[key] for key in equal.keys if key != handin.key and key in labels)
            shared.setdefault(others, []).append(equal.name)
    for others, names in shared.items():
        if others:
            yield f"{listed(names)}: the same code as {listed(others)}, but for layout and comments"
