"""Makes the roster of a folder or archive, and puts each hand-in where gradings can read it."""

import hashlib
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from grader.course.job import Unreadable, sha256_of
from grader.course.model import Store
from grader.course.owners import Counted, count, owned
from grader.course.people import Directory, Handin, Roster, fold
from grader.course.platforms import PLATFORMS
from grader.course.platforms.entries import Entry, pack, read_entries
from grader.course.platforms.platform import Found, Upload, is_archive
from grader.errors import GraderError, SubmissionRefused, UsageError
from grader.intake.archive import ZIP_ERRORS
from grader.intake.selection import is_litter, quote
from grader.model import printable
from grader.reports.story import listed

_KEY_CHARS = 60
_MOST_TWIN_MEMBERS = 5000


def find_handins(source: Path, store: Store, platform: str = "auto", course: Directory | None = None) -> Roster:
    """Return everything that was handed in, in the order of keys; entries of an archive are put into `store.handins`.

    Raises:
        UsageError: `source` cannot be read, or holds no submission, or none of the platform that was asked for.
        GraderError: the disk is full.
    """
    course = course or Directory()
    entries, links = read_entries(source)
    download = _recognise(entries, platform, source)
    platform_list = Directory(tuple(dict.fromkeys(who for upload in download.uploads for who in upload.students)))
    everything = [owned(upload, course, platform_list) for upload in download.uploads]
    counted, warnings = count([pair for pair in everything if pair.upload.files])
    empty = [pair for pair in everything if not pair.upload.files]
    notes = [f"passed over {link}, which is a link: put the file itself there" for link in links]
    handins = [_handin(item, store) for item in counted]
    problems = [f"{handin.key}: {handin.problem}" for handin in handins if handin.problem]
    present = {student.id for handin in handins for student in handin.students}
    expected = {student.id: student for pair in empty for student in pair.sure}
    expected |= {student.id: student for student in course.students}
    flagged = tuple(_with_twins(sorted(handins, key=lambda handin: handin.key)))
    notes += [f"{handin.key}: {flag}" for handin in flagged for flag in handin.flags]
    notes += [*(f"no file to grade in {pair.upload.label}" for pair in empty), *download.warnings]
    notes += _unused(download, course)
    for student in (student for handin in flagged for student in handin.students):
        if course.students and student not in course.students:
            notes.append(f"{student.label} handed in and is not in the course's list")
    return Roster(
        handins=flagged,
        missing=tuple(sorted(student for student in expected.values() if student.id not in present)),
        warnings=tuple(printable(text, 500) for text in (*problems, *warnings, *notes)),
        platform=download.platform,
    )


def key_of(ids: Sequence[str]) -> str:
    """Return the name of the folder for a hand-in of these students; it depends on nothing else.

    Letters outside ASCII, capitals and signs cannot stand in it; a digest then keeps it unique.
    """
    plain = "-".join(sorted(ids))
    slug = re.sub(r"[^a-z0-9._-]+", "-", plain.lower()).strip("-.")[:_KEY_CHARS]
    if slug == plain and slug and "--" not in slug:
        return slug
    digest = hashlib.sha256("\0".join(sorted(ids)).encode("utf-8", "replace")).hexdigest()[:8]
    return f"{slug}-{digest}" if slug else f"student-{digest}"


def _recognise(entries: tuple[Entry, ...], platform: str, source: Path) -> Found:
    """Return what the first platform finds that recognises these names, also below a single wrapping folder."""
    takes_all = Roster(()).platform
    tried = sorted(PLATFORMS.values(), key=lambda candidate: candidate.name == takes_all)
    tried = tried if platform == "auto" else [PLATFORMS[platform]]
    tops = {entry.parts[0] for entry in entries if entry.name}
    is_wrapped = len(tops) == 1 and all(len(entry.parts) > 1 for entry in entries)
    inside = tuple(entry.below(1) for entry in entries if entry.parts[0] in tops and entry.parts[1:] != ("",))
    layers = (entries, inside) if is_wrapped else (entries,)
    for candidate in tried:
        for layer in layers[:1] if candidate.name == takes_all else layers:
            download = candidate.find(layer)
            if download is not None and any(upload.files for upload in download.uploads):
                return download
    what = "submission" if tried[-1].name == takes_all else f"submission of {tried[-1].title}'s"
    contents = ", ".join(quote("/".join(entry.parts)) for entry in entries[:3]) or "nothing"
    raise UsageError(
        f"{source} holds no {what} but {contents}: name a folder of zips, or what Moodle, Canvas or Gradescope gave you"
    )


def _handin(counted: Counted, store: Store) -> Handin:
    upload = counted.owned.upload
    key = key_of([student.id for student in counted.students])
    lies = upload.files[0].path if _is_one_archive(upload) else None
    path = lies or store.handins / f"{key}.zip"
    digest = problem = ""
    try:
        if lies is None:
            _put(upload, path)
        digest = sha256_of(path)
    except (SubmissionRefused, Unreadable) as error:
        problem = f"{error}: change its permissions or download it again, then run the batch again"
    flags = tuple(printable(text, 300) for text in (*counted.flags, *upload.notes))
    return Handin(key, counted.students, path.absolute(), digest, upload.folder, upload.at, flags, problem)


def _is_one_archive(upload: Upload) -> bool:
    return len(upload.files) == 1 and is_archive(upload.files[0])


def _put(upload: Upload, target: Path) -> None:
    """Write what was handed in to a file of ours: an archive as it is, loose files packed as one.

    Raises:
        SubmissionRefused: it cannot be read, or is not what its archive declares.
        GraderError: the disk is full.
    """
    part = target.with_name(f".{target.stem}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            if _is_one_archive(upload):
                upload.files[0].copy_to(file)
            else:
                pack(upload.files, file)
        if not target.exists() or sha256_of(part) != sha256_of(target):
            part.replace(target)
    except OSError as error:
        raise GraderError(
            f"{target} cannot be written ({error.strerror}): free some space or choose another folder with --out"
        ) from error
    finally:
        part.unlink(missing_ok=True)


def _with_twins(handins: Sequence[Handin]) -> Iterator[Handin]:
    """Yield the hand-ins, with a flag where others hold the same files."""
    same: dict[str, list[str]] = {}
    contents = {handin.key: _content(handin) for handin in handins}
    for key, content in contents.items():
        same.setdefault(content, []).append(key)
    for handin in handins:
        others = [key for key in same[contents[handin.key]] if key != handin.key]
        flag = (f"the same content as {listed(others)}",) if others else ()
        yield replace(handin, flags=(*handin.flags, *flag))


def _content(handin: Handin) -> str:
    """Return what is the same for two archives of the same files, however and in whatever folder they were packed."""
    try:
        with zipfile.ZipFile(handin.path) as archive:
            infos = [info for info in archive.infolist()[:_MOST_TWIN_MEMBERS] if not info.is_dir()]
            files = sorted(
                f"{info.filename.rsplit('/', 1)[-1]} {info.CRC} {info.file_size}"
                for info in infos
                if not is_litter(tuple(info.filename.split("/")))
            )
    except (*ZIP_ERRORS, NotImplementedError):
        return handin.sha256 or handin.key
    return "\n".join(files) or handin.sha256


def _unused(download: Found, course: Directory) -> Iterator[str]:
    """Yield files that the course's list names and nobody handed in."""
    names = {name for upload in download.uploads for name in (upload.label, *(entry.name for entry in upload.files))}
    folded = {fold(each) for name in names for each in (name, name.rsplit(".", 1)[0])}
    for file, students in course.files.items():
        if file not in folded:
            yield f"the course's list has the file {file} for {students[0].id}, and there is none"
