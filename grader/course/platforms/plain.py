"""No platform: a folder that a TA filled, an archive or folder per submission; ids stand in the names, if anywhere."""

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from grader.course.people import Student
from grader.course.platforms.entries import Entry
from grader.course.platforms.platform import (
    Found,
    Platform,
    Upload,
    by_first_folder,
    choose_files,
    is_archive,
    is_partners,
)

_ID = re.compile(r"(?<!\d)\d{5,9}(?!\d)")
"""Student numbers and identity numbers; shorter ones are years and exercise numbers."""
_DATE = re.compile(r"20\d{6}")
_LISTS = frozenset({".csv", ".ods", ".xlsx", ".txt", ".md", ".html", ".json", ".toml"})
"""A TA's own files, which may lie beside the hand-ins."""
_TIME = "the file's time"


class Plain(Platform):
    """Zips and folders without a platform."""

    name, title = "folder", "A folder"

    def find(self, entries: Sequence[Entry]) -> Found | None:
        """Return the uploads."""
        entries = _unwrapped(entries)
        top = [entry for entry in entries if len(entry.parts) == 1]
        # A lone `.py`, or half a download, is somebody's if its name has a student's id.
        named = [entry for entry in top if any(not _DATE.fullmatch(word) for word in ids_in(entry.name))]
        files = [entry for entry in top if is_archive(entry) or (entry in named and not _is_list(entry))]
        folders = tuple(by_first_folder(entries))
        passed = [entry.name for entry in top if entry not in files and not is_partners(entry)]
        uploads = (*_of_files(files, top), *_of_folders(folders))
        return Found(uploads, tuple(f"passed over {name}, which is no archive" for name in passed))


def ids_in(name: str) -> tuple[str, ...]:
    """Return the ids that a file's name holds, in its order."""
    return tuple(dict.fromkeys(_ID.findall(name)))


def _unwrapped(entries: Sequence[Entry]) -> Sequence[Entry]:
    """Return what lies in the only folder, where that holds several hand-ins and is not one itself."""
    tops = {entry.parts[0] for entry in entries if entry.name}
    inside = [entry.below(1) for entry in entries if entry.parts[0] in tops and len(entry.parts) > 1]
    if len(tops) != 1 or ids_in(min(tops)) or len(inside) < len(entries):
        return entries
    files = [entry for entry in inside if len(entry.parts) == 1 and not _is_list(entry)]
    names = {entry.parts[0] for entry in inside if entry.name and not (len(entry.parts) == 1 and _is_list(entry))}
    is_handin = any(entry.name and not is_archive(entry) for entry in files)
    return entries if is_handin or len(names) < 2 else [entry for entry in inside if entry.parts != ("",)]  # noqa: PLR2004 - several


def _is_list(entry: Entry) -> bool:
    return PurePath(entry.name).suffix.lower() in _LISTS


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
        archives = [entry for entry in group if len(entry.parts) == 1 and is_archive(entry)]
        if not ids_in(name) and len({ids_in(entry.name) for entry in archives} - {()}) > 1:
            yield from _of_files(archives, group)  # hand-ins that were put into a folder together
            continue
        files, partners, notes = choose_files(name, group)
        ids = ids_in(name) or (ids_in(PurePath(files[0].name).stem) if len(files) == 1 else ())
        at = max((entry.modified for entry in files), default=None)
        yield Upload(name, files, tuple(map(Student, ids)), name, at, _TIME, 0, partners, notes)
