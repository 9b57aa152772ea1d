"""Gradescope: "Export Submissions" with folders `submission_123/` of files, and `submission_metadata.yml`.

The metadata are YAML with Ruby's symbols as keys. They say who handed in what and when, and contain all results of
autograders, also earlier ones. Without the metadata, the folder's name is used as the student's id.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import yaml

from grader.course.people import Handin, Student
from grader.course.platforms.entries import Entry
from grader.course.platforms.platform import Found, Platform, Upload, by_first_folder, choose_files, safe_name
from grader.errors import SubmissionRefused

_FOLDER = re.compile(r"submission_(\d+)")
_MOST_BYTES = 256 << 20
_NULL = "tag:yaml.org,2002:null"


class _Texts(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc] # the faster one, where it is built
    """Reads YAML as texts, lists and mappings only; tags are ignored."""


_Texts.add_implicit_resolver(_NULL, re.compile(r"(~|null|)\Z"), ["~", "n", ""])
_Texts.add_constructor(_NULL, lambda _loader, _node: "")


class Gradescope(Platform):
    """Gradescope's programming assignments."""

    name, title, tells_time = "gradescope", "Gradescope", True
    export = "submission_metadata.yml"
    advice = (
        "if it graded these uploads itself, join its results with these:\n"
        "  make merge BATCH={batch} PROVISIONAL=<its export>"
    )

    def find(self, entries: Sequence[Entry]) -> Found | None:
        """Return the uploads; None if this is no download from Gradescope."""
        groups = {name: group for name, group in by_first_folder(entries) if _FOLDER.fullmatch(name)}
        metadata = next((entry for entry in entries if entry.parts == (self.export,)), None)
        if not groups:
            return None
        known, warnings = self._read(metadata)
        uploads = tuple(_upload(name, group, _mapping(known.get(name))) for name, group in groups.items())
        unknown = [name for name in groups if name not in known]
        if unknown and known:
            warnings = (*warnings, f"{self.export} does not say who handed in {', '.join(unknown[:5])}")
        return Found(uploads, warnings)

    def results_folder(self, handin: Handin, student: str) -> str:  # noqa: ARG002 - partners have one
        """Return the submission's own folder."""
        return safe_name(handin.platform_folder)

    def parse(self, raw: bytes) -> Any:
        """Return the metadata as texts, lists and mappings; numbers and dates stay texts. `ValueError` if not YAML."""
        try:
            return yaml.load(raw, Loader=_Texts)  # noqa: S506 - it makes texts only
        except (yaml.YAMLError, RecursionError) as error:
            raise ValueError(error) from error

    def _read(self, metadata: Entry | None) -> tuple[Mapping[str, Any], tuple[str, ...]]:
        """Return folder -> its metadata, and sentences for the TA."""
        by_number = "submissions go by their numbers"
        if metadata is None:
            return {}, (f"there is no {self.export}: {by_number}, unless --students says whose they are",)
        try:
            return _mapping(self.parse(metadata.head(_MOST_BYTES))), ()
        except (SubmissionRefused, ValueError) as error:
            why = " ".join(str(error).split())[:200]
            return {}, (f"{self.export} cannot be read ({why}): {by_number}",)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _upload(name: str, group: Sequence[Entry], known: Mapping[str, Any]) -> Upload:
    files, partners, notes = choose_files(name, group)
    people, students = known.get(":submitters"), []
    for person in map(_mapping, people if isinstance(people, list) else ()):
        sid, email, full_name = (_text(person, key) for key in (":sid", ":email", ":name"))
        if sid or email or full_name:
            students.append(Student(sid or email or full_name, full_name, email))
    return Upload(
        name,
        files,
        tuple(students) or (Student(name),),
        folder=name,
        at=_time(_text(known, ":created_at")),
        at_from="Gradescope's time",
        number=int(name.split("_")[1]),
        partners=partners,
        notes=notes,
    )


def _text(known: Mapping[str, Any], key: str) -> str:
    value = known.get(key, "")
    return value.strip() if isinstance(value, str) else ""


def _time(text: str) -> datetime | None:
    try:
        time = datetime.fromisoformat(text.replace(" UTC", "+00:00").replace(" Z", "+00:00"))
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)
