"""Moodle's "Download all submissions": `Full Name_12345_assignsubmission_file_/hw1.zip`, or the same without folders.

The number is the participant's identifier in the assignment, the one that the grading worksheet calls `Participant
12345`. Names may be in any script, and are `Participant` while marking is anonymous.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from grader.course.platforms.entries import Entry
from grader.course.platforms.model import Student
from grader.course.platforms.uploads import Found, Upload, by_first_folder, choose_files

_FOLDER = re.compile(r"(?P<name>.*)_(?P<id>\d+)_assignsubmission_file_?")
_FLAT = re.compile(rf"{_FOLDER.pattern}_(?P<file>[^_].*)", re.DOTALL)
_OTHER = re.compile(r"(?P<name>.*)_(?P<id>\d+)_assignsubmission_(?!file)\w+(\.\w+)?")
_NO_TIME = "the file's time in the archive, because Moodle tells no time"


def find(entries: Sequence[Entry]) -> Found | None:
    """Return the uploads; None if this is nothing of Moodle's."""
    uploads = (*_in_folders(entries), *_flat(entries))
    if not uploads:
        return None
    taken = {upload.folder for upload in uploads}
    others = sorted({entry.parts[0] for entry in entries} - taken - _flat_names(entries))
    passed = [name for name in others if not _OTHER.fullmatch(name)]
    typed = tuple(_typed(others, {student.id for upload in uploads for student in upload.students}))
    warnings = tuple(f"passed over {name}, which is no submission of Moodle's" for name in passed)
    return Found("moodle", (*uploads, *typed), warnings)


def _typed(names: Sequence[str], present: Collection[str]) -> Iterator[Upload]:
    """Yield an upload without files for everybody who typed a text into Moodle and handed in no file."""
    for name in names:
        if (match := _OTHER.fullmatch(name)) and match["id"] not in present:
            yield Upload(name, (), (Student(match["id"], match["name"]),), number=int(match["id"]))


def _in_folders(entries: Sequence[Entry]) -> Iterator[Upload]:
    for folder, group in by_first_folder(entries):
        if match := _FOLDER.fullmatch(folder):
            yield _upload(match, folder, group)


def _flat(entries: Sequence[Entry]) -> Iterator[Upload]:
    groups: dict[str, list[Entry]] = {}
    for entry in entries:
        if len(entry.parts) == 1 and (match := _FLAT.fullmatch(entry.name)):
            renamed = Entry((match["file"],), entry.size_bytes, entry.modified, entry.open)
            groups.setdefault(f"{match['name']}_{match['id']}_assignsubmission_file_", []).append(renamed)
    for folder, group in groups.items():
        if match := _FOLDER.fullmatch(folder):
            yield _upload(match, folder, group)


def _flat_names(entries: Sequence[Entry]) -> set[str]:
    return {entry.name for entry in entries if len(entry.parts) == 1 and _FLAT.fullmatch(entry.name)}


def _upload(match: re.Match[str], folder: str, group: Sequence[Entry]) -> Upload:
    files, partners, notes = choose_files(folder, group)
    at = max((entry.modified for entry in files), default=None)
    student = Student(match["id"], match["name"])
    return Upload(folder, files, (student,), folder, at, _NO_TIME, int(match["id"]), partners, notes)
