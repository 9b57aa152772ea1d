"""A folder that a TA filled: one archive, or one folder, per submission; ids stand in the names, if anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from grader.batch.finding.entries import Entry
from grader.batch.finding.uploads import Found, Upload, by_first_folder, choose_files, is_archive, is_partners
from grader.batch.model import Student

_ID = re.compile(r"(?<!\d)\d{5,9}(?!\d)")
"""Student numbers and identity numbers; shorter ones are years and exercise numbers."""
_TIME = "the file's time"


def find(entries: Sequence[Entry]) -> Found:
    """Return the uploads."""
    top = [entry for entry in entries if len(entry.parts) == 1]
    files = [entry for entry in top if is_archive(entry)]
    folders = tuple(by_first_folder(entries))
    passed = [entry.name for entry in top if not is_archive(entry) and not is_partners(entry)]
    warnings = (f"passed over {', '.join(passed[:5])}{' and more' if len(passed) > 5 else ''}: no archive",)  # noqa: PLR2004 - few enough to read
    uploads = (*_of_files(files, top), *_of_folders(folders))
    return Found("folder", uploads, warnings if passed else ())


def ids_in(name: str) -> tuple[str, ...]:
    """Return the ids that a file's name holds, in its order."""
    return tuple(dict.fromkeys(_ID.findall(name)))


def _of_files(files: Sequence[Entry], top: Sequence[Entry]) -> Iterator[Upload]:
    for entry in files:
        stem = PurePath(entry.name).stem
        beside = tuple(other for other in top if other.name.lower() == f"{stem.lower()}.students.txt")
        yield Upload(
            entry.name,
            (entry,),
            tuple(map(Student, ids_in(stem))),
            folder=stem,
            at=entry.modified,
            at_from=_TIME,
            partners=beside,
        )


def _of_folders(folders: Sequence[tuple[str, tuple[Entry, ...]]]) -> Iterator[Upload]:
    for name, group in folders:
        files, partners, notes = choose_files(name, group)
        if files:
            ids = ids_in(name) or (ids_in(PurePath(files[0].name).stem) if len(files) == 1 else ())
            at = max(entry.modified for entry in files)
            yield Upload(name, files, tuple(map(Student, ids)), name, at, _TIME, 0, partners, notes)
