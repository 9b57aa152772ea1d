"""Files by name, on the disk or inside a zip archive. Names in an archive are never used as paths on this disk."""

from __future__ import annotations

import os
import stat
import zipfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import IO

from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import MAX_ARCHIVE_BYTES, METHODS, ZIP_ERRORS, count_disks
from grader.intake.selection import is_litter, quote

MAX_ENTRIES = 200_000
_UTF8 = 0x800
_NO_TIME = datetime(1980, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Entry:
    """One regular file; `parts` are the components of its path below the given folder or archive.

    A folder can be an entry too, with an empty last component: a student may have a folder without files.
    """

    parts: tuple[str, ...]
    size_bytes: int
    modified: datetime
    open: Callable[[], AbstractContextManager[IO[bytes]]]
    path: Path | None = None  # its path on the disk; None inside an archive

    @property
    def name(self) -> str:
        """The last component."""
        return self.parts[-1]

    def below(self, depth: int) -> Entry:
        """Return the entry without its first `depth` folders."""
        return replace(self, parts=self.parts[depth:])

    def head(self, most_bytes: int) -> bytes:
        """Return the first bytes; `SubmissionRefused` if they cannot be read."""
        try:
            with self.open() as file:
                return file.read(most_bytes)
        except (*ZIP_ERRORS, RuntimeError, NotImplementedError) as error:  # RuntimeError: encrypted
            raise SubmissionRefused(f"{quote(self.name)} cannot be read ({error})") from error

    def read(self) -> bytes:
        """Return the contents; `SubmissionRefused` if they cannot be read, are too large or have another size."""
        content = self.head(MAX_ARCHIVE_BYTES + 1)
        if len(content) > MAX_ARCHIVE_BYTES:
            raise SubmissionRefused(f"{quote(self.name)} is larger than {MAX_ARCHIVE_BYTES >> 20} MiB")
        if len(content) != self.size_bytes:
            raise SubmissionRefused(
                f"{quote(self.name)} does not have the {self.size_bytes} bytes that the archive declares"
            )
        return content


def read_entries(source: Path) -> tuple[tuple[Entry, ...], tuple[str, ...]]:
    """Return all files in the folder or zip archive `source`, sorted by name, and a folder's links, never followed.

    Litter is left out. Empty folders on the disk are entries, and all folders that an archive lists.

    Raises:
        UsageError: `source` cannot be read, is neither folder nor zip archive, or has too many files.
    """
    try:
        mode = source.stat().st_mode
        if stat.S_ISDIR(mode):
            next(source.iterdir(), None)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", "") or "the name is not valid"
        raise UsageError(
            f"cannot read {quote(str(source))} ({reason}): name a folder of submissions, or the archive of a platform"
        ) from error
    links: list[str] = []
    every = _in_folder(source, links) if stat.S_ISDIR(mode) else _in_archive(source)
    entries = list(islice(every, MAX_ENTRIES + 1))
    if len(entries) > MAX_ENTRIES:
        raise UsageError(f"{source} holds more than {MAX_ENTRIES} files: name the folder of submissions only")
    return tuple(sorted(entries, key=lambda entry: entry.parts)), tuple(sorted(links))


def _in_folder(root: Path, links: list[str]) -> Iterator[Entry]:
    def refuse(error: OSError) -> None:
        raise UsageError(
            f"cannot read {quote(str(error.filename))} ({error.strerror}): change its permissions"
        ) from error

    for folder, subfolders, names in os.walk(root, onerror=refuse):
        subfolders[:] = sorted(name for name in subfolders if not is_litter((name,)))
        is_empty = all(Path(folder, name).is_symlink() for name in subfolders)
        for name in (*subfolders, *names):
            path = Path(folder, name)
            status, parts = path.lstat(), tuple(map(_valid, path.relative_to(root).parts))
            if stat.S_ISLNK(status.st_mode) and not is_litter(parts):
                links.append("/".join(parts))
            elif stat.S_ISREG(status.st_mode) and not is_litter(parts):
                modified = datetime.fromtimestamp(status.st_mtime, UTC)
                yield Entry(parts, status.st_size, modified, partial(_open_file, path), path)
                is_empty = False
        if is_empty and folder != os.fspath(root):
            parts = tuple(map(_valid, Path(folder).relative_to(root).parts))
            yield Entry((*parts, ""), 0, _NO_TIME, partial(_open_file, Path(folder)))


def _in_archive(path: Path) -> Iterator[Entry]:
    try:
        with path.open("rb") as file:
            parts_there = count_disks(file)
        archive = zipfile.ZipFile(path)
    except (*ZIP_ERRORS, NotImplementedError) as error:
        raise UsageError(
            f"{path} is neither a folder nor a readable zip archive ({error}): download it again"
        ) from error
    if parts_there > 1:
        archive.close()
        raise UsageError(f"{path} is only the last of {parts_there} parts of a split archive: join them, or unpack all")
    if min((info.header_offset for info in archive.infolist()), default=0):  # a zip within what is left
        archive.close()
        raise UsageError(f"{path} is incomplete: download it again")
    for info in archive.infolist():
        names = _decoded(info).replace("\\", "/").split("/")
        parts = tuple(part for part in names if part not in {"", ".", ".."})  # never used as a path on this disk
        kind = stat.S_IFMT(info.external_attr >> 16)
        if parts and info.is_dir() and not is_litter(parts):
            yield Entry((*parts, ""), 0, _NO_TIME, partial(_open_member, archive, info))
        elif parts and not info.is_dir() and kind in {0, stat.S_IFREG} and not is_litter(parts):
            yield Entry(parts, info.file_size, _entry_time(info), partial(_open_member, archive, info))


def _decoded(info: zipfile.ZipInfo) -> str:
    """Return a member's name; many programs write UTF-8 without its flag, and `zipfile` then reads code page 437."""
    if info.flag_bits & _UTF8:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _valid(name: str) -> str:
    """Return a file's name as text; bytes that are not UTF-8 become question marks."""
    return name.encode("utf-8", "replace").decode()


def _open_file(path: Path) -> IO[bytes]:
    # If a link or pipe has replaced the file meanwhile, do not follow it and do not wait for it.
    return os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb")


def _open_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> IO[bytes]:
    if info.compress_type not in METHODS:
        raise SubmissionRefused(
            f"{quote(info.filename)} is packed by method {info.compress_type}: make an ordinary zip archive"
        )
    return archive.open(info)


def _entry_time(info: zipfile.ZipInfo) -> datetime:
    """Return the time of a member, as UTC; archives have no time zone, and the order of files needs none."""
    try:
        return datetime(*info.date_time, tzinfo=UTC)
    except ValueError:
        return _NO_TIME
