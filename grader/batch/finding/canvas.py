"""Canvas's "Download Submissions": `lastfirst_123_456_hw1.zip`, late ones `lastfirst_LATE_123_456_hw1.zip`.

The first number is the user's id, which the gradebook has in its column `ID`; the second is the attempt's, which grows.
Canvas writes `-1`, `-2` before the ending of a file that was handed in again under the same name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from grader.batch.finding.entries import Entry
from grader.batch.finding.uploads import Found, Upload, choose_files
from grader.batch.model import Student

_NAME = re.compile(r"(?P<name>.+?)_(?P<late>LATE_)?(?P<user>\d+)_(?P<attempt>\d+)_(?P<file>.+)", re.DOTALL)


def find(entries: Sequence[Entry]) -> Found | None:
    """Return the uploads; None if this is nothing of Canvas's."""
    groups: dict[tuple[str, str, str, bool], list[Entry]] = {}
    passed = []
    for entry in entries:
        match = _NAME.fullmatch(entry.name) if len(entry.parts) == 1 else None
        if match is None:
            passed.append("/".join(entry.parts))
            continue
        renamed = Entry((match["file"],), entry.size_bytes, entry.modified, entry.open, entry.path)
        groups.setdefault((match["name"], match["user"], match["attempt"], bool(match["late"])), []).append(renamed)
    if not groups or len(passed) > sum(map(len, groups.values())):
        return None
    uploads = tuple(_upload(*who, group) for who, group in groups.items())
    return Found("canvas", uploads, tuple(f"passed over {name}, which is no submission of Canvas's" for name in passed))


def _upload(name: str, user: str, attempt: str, is_late: bool, group: Sequence[Entry]) -> Upload:
    label = f"{name}_{'LATE_' if is_late else ''}{user}_{attempt}"
    files, partners, notes = choose_files(label, group)
    late = (f"{name} ({user}) handed in late, says Canvas",) if is_late else ()
    return Upload(
        label,
        files,
        (Student(user, name),),
        folder=label,
        at_from="Canvas's number of the attempt",
        number=int(attempt),
        partners=partners,
        notes=(*notes, *late),
    )
