"""Gradescope's "Export Submissions": folders `submission_123/` with the files, and `submission_metadata.yml`.

Of the metadata, only who handed in what and when is read, line by line: the file is YAML with Ruby's symbols as keys,
and holds whole results of other graders besides. Without it, the submission's number stands for the student.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from grader.course.platforms.entries import Entry
from grader.course.platforms.model import Student
from grader.course.platforms.uploads import Found, Upload, by_first_folder, choose_files
from grader.errors import SubmissionRefused

METADATA = "submission_metadata.yml"
_FOLDER = re.compile(r"submission_(\d+)")
_KEY = re.compile(r"(?P<indent> *)(?P<dash>- )?:(?P<key>\w+):(?: (?P<value>.*))?")
_MOST_BYTES = 256 << 20


@dataclass(slots=True)
class Metadata:
    """What the metadata say about one submission."""

    people: list[dict[str, str]] = field(default_factory=list)
    created_at: str = ""

    @property
    def students(self) -> tuple[Student, ...]:
        """Who handed in; keyed by the student id, or by the e-mail address where there is none."""
        known = [person for person in self.people if person.get("sid") or person.get("email") or person.get("name")]
        return tuple(
            Student(
                next(filter(None, (person.get(key, "") for key in ("sid", "email", "name")))),
                person.get("name", ""),
                person.get("email", ""),
            )
            for person in known
        )

    @property
    def at(self) -> datetime | None:
        """When it was handed in."""
        try:
            text = re.sub(r"\.(\d{6})\d*", r".\1", self.created_at).replace(" UTC", "+00:00").replace(" Z", "+00:00")
            found = datetime.fromisoformat(text)
        except ValueError:
            return None
        return found if found.tzinfo else found.replace(tzinfo=UTC)


def find(entries: Sequence[Entry]) -> Found | None:
    """Return the uploads; None if this is nothing of Gradescope's."""
    groups = {name: group for name, group in by_first_folder(entries) if _FOLDER.fullmatch(name)}
    sheet = next((entry for entry in entries if entry.parts == (METADATA,)), None)
    if not groups:
        return None
    known, warnings = _read(sheet)
    uploads = tuple(_upload(name, group, known.get(name)) for name, group in groups.items())
    unknown = [name for name in groups if name not in known]
    if unknown and sheet is not None:
        warnings = (*warnings, f"{METADATA} does not say who handed in {', '.join(unknown[:5])}")
    return Found("gradescope", uploads, warnings)


def read_metadata(text: str) -> dict[str, Metadata]:
    """Return folder -> what `submission_metadata.yml` says about it."""
    found: dict[str, Metadata] = {}
    current, depth, in_people = Metadata(), -1, False
    for line in text.splitlines():
        if match := re.fullmatch(r"(submission_\d+):\s*", line):
            current, depth, in_people = found.setdefault(match[1], Metadata()), -1, False
            continue
        key = _KEY.fullmatch(line)
        if key is None or not found:
            continue
        indent, value = len(key["indent"]), _plain(key["value"] or "")
        depth = indent if depth < 0 else depth
        if indent == depth and not key["dash"]:
            in_people = key["key"] == "submitters"
            current.created_at = value if key["key"] == "created_at" else current.created_at
        elif in_people:
            if key["dash"]:
                current.people.append({})
            if current.people:
                current.people[-1][key["key"]] = value
    return found


def _plain(value: str) -> str:
    """Return a scalar of the kinds that names, numbers and dates are written in."""
    value = value.strip()
    if value.startswith('"'):
        try:
            return str(json.loads(value))  # Ruby escapes as JSON does, for what names hold
        except ValueError:
            return value.strip('"')
    if value.startswith("'"):
        return value.strip("'").replace("''", "'")
    return "" if value in {"null", "~"} else value


def _read(sheet: Entry | None) -> tuple[dict[str, Metadata], tuple[str, ...]]:
    if sheet is None:
        return {}, (f"there is no {METADATA}: submissions go by their numbers, unless --students says whose they are",)
    try:
        return read_metadata(sheet.head(_MOST_BYTES).decode("utf-8", "replace")), ()
    except SubmissionRefused as refused:
        return {}, (f"{refused}: submissions go by their numbers",)


def _upload(name: str, group: Sequence[Entry], known: Metadata | None) -> Upload:
    files, partners, notes = choose_files(name, group)
    students = known.students if known else ()
    return Upload(
        name,
        files,
        students or (Student(name),),
        folder=name,
        at=known.at if known else None,
        at_from="Gradescope's time",
        number=int(name.split("_")[1]),
        partners=partners,
        notes=notes,
    )
