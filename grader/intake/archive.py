"""Intake: turns a possibly hostile archive into a folder with exactly the files that the sheet asks for.

All checks come before the first write: each wanted file is decompressed in memory under a limit and compared with its
declared size and checksum. Names in the archive are never used as names on this disk: each file that is written has
the name from the sheet, is a regular file and has mode 0644.

    refused    archives that could harm a reader, or in which it is unclear which file is meant: `..`, absolute and
               drive names, links, devices, control characters, encrypted or damaged wanted files, two files of
               the same wanted name side by side, sizes far beyond any homework
    warned of  usual disorder: outer folders, files of systems and tools, other letter case, extra files (they are
               never unpacked), backslashes as separators; Windows line ends are read without a warning
"""

import copy
import errno
import hashlib
import io
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO

from grader.errors import SubmissionRefused, UsageError
from grader.intake.disk import digest_contents
from grader.intake.selection import (
    LITTER,
    MAX_FILE_BYTES,
    Member,
    clean_parts,
    describe_large,
    find_spare,
    is_litter,
    quote,
    select_files,
)
from grader.model import File, Submission, printable

MAX_ARCHIVE_BYTES = 200 << 20
MAX_MEMBERS = 20_000
MAX_TOTAL_BYTES = 1 << 30
MAX_RATIO = 200  # declared bytes per packed byte; source code and PDF stay below 20
RATIO_MATTERS_BYTES = 64 << 20
MAX_TEXT = 100_000  # characters of a source file that are kept in the evidence; homework has a tenth of that
MAX_HEADERS = 200_000
"""Directory headers anywhere in the file: `zipfile` makes an object for each when it opens the file."""

METHODS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2})
"""LZMA is left out: its header can ask for 4 GiB of memory."""
ZIP_ERRORS = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, OSError, IndexError)
"""Exceptions of `zipfile` for damaged bytes; `ValueError` covers names that cannot be decoded."""
KINDS = (
    (0, b"rar!\x1a\x07", "a RAR archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (0, b"\x1f\x8b", "a gzip file (.gz or .tar.gz)"),
    (0, b"bzh", "a bzip2 file (.bz2 or .tar.bz2)"),
    (0, b"\xfd7zxz\x00", "an xz file (.xz or .tar.xz)"),
    (257, b"ustar", "a tar archive"),
    (0, b"%pdf", "a PDF document"),
    (0, b"<!doctype", "a web page, perhaps the login page of the download"),
    (0, b"<html", "a web page, perhaps the login page of the download"),
)
"""Offset, bytes in lower case at this offset, and the kind of file that they mean."""
_WHOLE = "make one zip archive of the files of the sheet, not split into parts, and hand that in"
_PART_NAME = re.compile(r"\.z[0-9]{2}$|\.(zip|7z)\.[0-9]{3}$|\.part[0-9]+\.rar$|\.r[0-9]{2}$")
_LAST_PART_NAME = re.compile(r"\.(zip|rar)$")
_ENCRYPTED = 0x1
_DIRECTORY_HEADER = b"PK\x01\x02"
_END, _END_BYTES = b"PK\x05\x06", 22
_MOST_END_BYTES = _END_BYTES + (1 << 16)  # length of the end of the directory with the longest possible comment
_IN_ZIP64 = 0xFFFF  # means that the number is in the ZIP64 record; `zipfile` itself refuses split ZIP64 archives
_PART = b"PK\x07\x08"  # first bytes of the first part of a split archive
_CHUNK_BYTES = 1 << 20


def read_submission(path: Path, into: Path, files: Sequence[str]) -> Submission:
    """Examine the zip or folder at `path` and write the wanted `files` into the folder `into`.

    Args:
        path: A zip archive, or a folder with the files.
        into: Created if it does not exist; must be empty. Nothing is written unless all files passed the checks.
        files: The canonical names that the sheet asks for, without folders.

    Returns:
        The submission: `name` is the name of `path` without `.zip`; `sha256` is of the archive's bytes or, for a
        folder, of the wanted names and contents; `files` and `missing` are in the order of `files`.

    Raises:
        SubmissionRefused: The content is dangerous, ambiguous or no archive; the text names the problem.
        UsageError: There is no readable file or folder at `path`, or `into` is not empty.
    """
    if into.exists() and (not into.is_dir() or any(into.iterdir())):
        raise UsageError(f"the folder {into} is not empty: name a new one")
    mode = _file_mode(path)
    if stat.S_ISDIR(mode):
        name = path.resolve().name
        contents, warnings, spare = _read_folder(path, files)
        sha256 = digest_contents(sorted(contents.items()))
    elif stat.S_ISREG(mode):
        name = path.stem if path.suffix.lower() == ".zip" else path.name
        contents, warnings, spare, sha256 = _read_zip(path, files)
    else:
        raise UsageError(f"{path} is neither a file nor a folder: name a zip archive")
    _write(contents, into)
    return Submission(
        name=printable(name, 200),
        sha256=sha256,
        files=tuple(_describe(n, data) for n, data in contents.items()),
        missing=tuple(n for n in files if n not in contents),
        warnings=tuple(warnings),
        spare=spare,
    )


def _describe(name: str, data: bytes) -> File:
    """Return the description of a file for reports; code is kept as text, so that reports need the zip no more."""
    text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n") if name.endswith(".py") else ""
    return File(name, len(data), hashlib.sha256(data).hexdigest(), printable(text, MAX_TEXT))


def _file_mode(path: Path) -> int:
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the name is not valid"
        raise UsageError(f"cannot read {quote(str(path))} ({reason}): name a zip archive or a folder") from error
    if not os.access(path, os.R_OK):
        raise UsageError(f"cannot read {quote(str(path))} (permission denied): change its permissions")
    return mode


def _write(contents: dict[str, bytes], into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    for name, data in contents.items():
        target = into / name
        with target.open("xb") as file:
            file.write(data)
        target.chmod(0o644)


def _read_zip(path: Path, files: Sequence[str]) -> tuple[dict[str, bytes], list[str], tuple[str, ...], str]:
    with path.open("rb") as file:
        sha256 = _survey(file)
        if (parts := count_disks(file)) > 1:
            raise SubmissionRefused(
                f"{quote(path.name)} is only the last of {parts} parts of a split archive: {_WHOLE}"
            )
        try:
            archive = zipfile.ZipFile(file)
        except (*ZIP_ERRORS, NotImplementedError) as error:
            raise SubmissionRefused(_describe_unopened(path.name, file, error)) from error
        with archive:
            infos = archive.infolist()
            _check_sizes(infos)
            members = list(_zip_members(archive, infos))
            contents, warnings = select_files(members, files)
            if any("\\" in info.filename for info in infos):
                warnings.append("the archive separates folders by backslashes: they were read as folders")
            return contents, warnings, find_spare(members, files), sha256


def count_disks(file: IO[bytes]) -> int:
    """Return the number of parts of the split zip archive in `file`, from its end; 1 if the end says nothing.

    `zipfile` reads the last part of a split archive as if it were the whole: see APPNOTE.TXT of PKWARE, 4.3.16 and 8.
    """
    file.seek(0, os.SEEK_END)
    file.seek(max(file.tell() - _MOST_END_BYTES, 0))
    _before, marker, end = file.read().rpartition(_END)
    numbers = struct.unpack("<HH", end[:4]) if marker and len(end) >= _END_BYTES - len(_END) else (0, 0)
    return 1 + max(number for number in numbers if number != _IN_ZIP64) if set(numbers) != {_IN_ZIP64} else 1


def are_parts(first: str, second: str) -> bool:
    """Return whether two files have names of parts of one split archive, such as hw1.z01 and hw1.zip."""
    names = first.lower(), second.lower()
    stems = {_LAST_PART_NAME.sub("", _PART_NAME.sub("", name)) for name in names}
    return len(stems) == 1 and any(map(_PART_NAME.search, names))


def _survey(file: IO[bytes]) -> str:
    """Return the SHA-256 of `file`; refuse a file that is too large or has too many headers to be opened."""
    digest, headers, size_bytes, tail = hashlib.sha256(), 0, 0, b""
    while chunk := file.read(_CHUNK_BYTES):
        digest.update(chunk)
        size_bytes += len(chunk)
        headers += (tail + chunk).count(_DIRECTORY_HEADER)
        tail = chunk[-len(_DIRECTORY_HEADER) + 1 :]
        if size_bytes > MAX_ARCHIVE_BYTES or headers > MAX_HEADERS:
            raise SubmissionRefused(
                f"the archive is larger than {MAX_ARCHIVE_BYTES >> 20} MiB or lists more than {MAX_HEADERS} files:"
                " hand in the files of the sheet only"
            )
    return digest.hexdigest()


def _describe_unopened(name: str, file: IO[bytes], error: Exception) -> str:
    file.seek(0)
    head = file.read(512)
    again = "make a zip archive of the files of the sheet and hand that in"
    if head.startswith(_PART) or _PART_NAME.search(name.lower()) or "multiple disks" in str(error):
        return f"{quote(name)} is only a part of a split archive: {_WHOLE}"
    for offset, magic, kind in KINDS:
        if head[offset:].lower().startswith(magic):
            return f"this is {kind}, not a zip archive: {again}"
    if not head:
        return f"the file is empty: {again}"
    if isinstance(error, UnicodeDecodeError):
        return f"a name in the archive is marked as UTF-8 and is not: rename the files, then {again}"
    if head.startswith(b"PK"):
        return f"the zip archive is damaged or cut off ({printable(str(error), 100)}): {again}"
    return f"this is not a zip archive: {again}"


def _check_sizes(infos: Sequence[zipfile.ZipInfo]) -> None:
    if not infos:
        raise SubmissionRefused("the zip archive is empty: put the files of the sheet into it")
    if len(infos) > MAX_MEMBERS:
        raise SubmissionRefused(
            f"the archive holds {len(infos)} files, more than {MAX_MEMBERS}: hand in the files of the sheet only"
        )
    largest = max(infos, key=lambda info: info.file_size)
    total_bytes = sum(info.file_size for info in infos)
    packed_bytes = sum(info.compress_size for info in infos)
    is_bomb = total_bytes > RATIO_MATTERS_BYTES and total_bytes > MAX_RATIO * packed_bytes
    if total_bytes > MAX_TOTAL_BYTES or is_bomb:
        raise SubmissionRefused(
            f"the archive would unpack {packed_bytes} bytes to {total_bytes}, most of them in"
            f" {quote(largest.filename)}: hand in the files of the sheet only"
        )


def _zip_members(archive: zipfile.ZipFile, infos: Sequence[zipfile.ZipInfo]) -> Iterator[Member]:
    for info in infos:
        parts = clean_parts(info.orig_filename)
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in {0, stat.S_IFREG, stat.S_IFDIR} and not is_litter(parts):
            what = "a link" if kind == stat.S_IFLNK else "a device or pipe"
            raise SubmissionRefused(
                f"the archive holds {quote(info.filename)}, which is {what}: put the file itself into the archive"
            )
        if parts and not info.orig_filename.endswith(("/", "\\")) and kind != stat.S_IFDIR:
            yield Member(parts, info.file_size, lambda info=info: _inflate(archive, info))  # type: ignore[misc]  # mypy cannot infer a lambda with a default


def _inflate(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """Return the bytes of a member; refuse it if it is damaged, encrypted, or not as large as declared."""
    name = quote(info.filename)
    if info.flag_bits & _ENCRYPTED:
        raise SubmissionRefused(f"{name} is encrypted: make the zip archive without a password")
    if info.compress_type not in METHODS:
        raise SubmissionRefused(
            f"{name} is packed by method {info.compress_type}: make an ordinary zip archive (method 'deflate')"
        )
    # zipfile silently stops at the declared size. With one byte more, extra data is detected.
    roomy = copy.copy(info)
    roomy.file_size += 1
    try:
        with archive.open(roomy) as member:
            data = member.read(info.file_size + 1)
    except (*ZIP_ERRORS, RuntimeError) as error:  # RuntimeError: the local header says encrypted or unknown method
        raise SubmissionRefused(
            f"{name} is damaged in the archive ({printable(str(error), 100)}): make the zip archive again"
        ) from error
    if len(data) != info.file_size:
        raise SubmissionRefused(
            f"{name} does not have the {info.file_size} bytes that the archive declares: make the zip archive again"
        )
    return data


def _read_folder(path: Path, files: Sequence[str]) -> tuple[dict[str, bytes], list[str], tuple[str, ...]]:
    members = list(_folder_members(path))
    if not members:
        raise SubmissionRefused(f"the folder {quote(path.name)} is empty: hand in the files of the sheet")
    return *select_files(members, files, is_folder=True), find_spare(members, files)


def _folder_members(root: Path) -> Iterator[Member]:
    real_root, count = root.resolve(), 0
    for folder, subfolders, names in os.walk(root):
        subfolders[:] = sorted(name for name in subfolders if name.lower() not in LITTER)
        for name in sorted(names):
            count += 1
            if count > MAX_MEMBERS:
                raise SubmissionRefused(
                    f"the folder holds more than {MAX_MEMBERS} files: keep only the files of the sheet in it"
                )
            file = Path(folder, name)
            parts = file.relative_to(root).parts
            yield Member(parts, _size_bytes(file), lambda file=file: _read_regular(file, real_root))  # type: ignore[misc]  # mypy cannot infer a lambda with a default


def _size_bytes(file: Path) -> int:
    """Return the size of a file or link; refuse devices and pipes."""
    status = file.lstat()
    if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
        raise SubmissionRefused(f"{quote(file.name)} in the folder is a device, pipe or socket: remove it")
    return status.st_size


def _read_regular(file: Path, root: Path) -> bytes:
    name = quote(file.name)
    real = Path(os.path.realpath(file))  # unlike Path.resolve, silent about loops of links
    if not real.is_relative_to(root):
        raise SubmissionRefused(f"{name} is a link that leads out of the folder: put the file itself there")
    try:
        # The file may have been replaced since by a link, or by a pipe that never answers.
        descriptor = os.open(real, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        what = "a broken link" if error.errno in {errno.ENOENT, errno.ELOOP} else error.strerror
        raise SubmissionRefused(f"cannot read {name} ({what}): check the file") from error
    with os.fdopen(descriptor, "rb") as opened:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise SubmissionRefused(f"{name} is not a regular file: put the file itself there")
        data = opened.read(MAX_FILE_BYTES + 1)
    if len(data) > MAX_FILE_BYTES:
        raise SubmissionRefused(describe_large(name))
    return data


_MODE, _UNIX = 0o644 << 16, 3


def pack(contents: Iterable[tuple[str, bytes]], method: int = zipfile.ZIP_DEFLATED, onto: bytes = b"") -> bytes:
    """Return the zip `onto` with `contents`, names and bytes in this order, without folders, dates or owners.

    A zip that goes into another zip should be made with `zipfile.ZIP_STORED`: the outer zip compresses it as a whole.
    """
    buffer = io.BytesIO(onto)
    with zipfile.ZipFile(buffer, "a", zipfile.ZIP_DEFLATED) as archive:
        for name, data in contents:
            info = zipfile.ZipInfo(name)  # its date is in 1980
            info.compress_type, info.external_attr, info.create_system = method, _MODE, _UNIX
            archive.writestr(info, data, compresslevel=9)
    return buffer.getvalue()
