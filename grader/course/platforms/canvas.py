"""Canvas's "Download Submissions": `lastfirst_123_456_hw1.zip`, late ones `lastfirst_LATE_123_456_hw1.zip`.

The first number is the user's id, which the gradebook has in its column `ID`. The second is the file's own, and grows:
the files of one hand-in have different ones, and a file of a later attempt has a higher one. Canvas writes `-1`, `-2`
before the ending of a file that was handed in again under the same name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.course.platforms.entries import Entry
from grader.course.platforms.model import Student
from grader.course.platforms.uploads import Found, Upload, choose_files

_NAME = re.compile(r"(?P<name>.+?)_(?P<late>LATE_)?(?P<user>\d+)_(?P<number>\d+)_(?P<file>.+)", re.DOTALL)
_AGAIN = re.compile(r"-\d+(?=\.\w+$)")


def find(entries: Sequence[Entry]) -> Found | None:
    """Return the uploads, one per student; None if this is nothing of Canvas's."""
    groups: dict[str, dict[Entry, re.Match[str]]] = {}
    passed = []
    for entry in entries:
        match = _NAME.fullmatch(entry.name) if len(entry.parts) == 1 else None
        if match is None:
            passed.append("/".join(entry.parts))
        else:
            groups.setdefault(match["user"], {})[replace(entry, parts=(match["file"],))] = match
    if not groups or len(passed) > sum(map(len, groups.values())):
        return None
    uploads = tuple(_upload(user, group) for user, group in groups.items())
    return Found("canvas", uploads, tuple(f"passed over {name}, which is no submission of Canvas's" for name in passed))


def _upload(user: str, group: Mapping[Entry, re.Match[str]]) -> Upload:
    """Return what counts of a student's files: the newest archive, else the newest of each name."""

    def number(entry: Entry) -> int:
        return int(group[entry]["number"])

    chosen, partners, notes = choose_files("", sorted(group, key=number), number)
    newest = {_AGAIN.sub("", entry.name): entry for entry in chosen}
    last = group[max(newest.values() or group, key=number)]
    label = last[0].removesuffix(f"_{last['file']}")
    older = ", ".join(group[entry][0] for entry in chosen if entry not in newest.values())
    said = [f"{label}{note}" for note in notes]
    said += [f"{label} counts, and not the older {older}"] if older else []
    said += [f"{last['name']} ({user}) handed in late, says Canvas"] if last["late"] else []
    return Upload(
        label,
        tuple(replace(entry, parts=(name,)) for name, entry in newest.items()),
        (Student(user, last["name"]),),
        folder=label,
        at_from="Canvas's numbers of the files",
        number=int(last["number"]),
        partners=partners,
        notes=tuple(said),
    )
