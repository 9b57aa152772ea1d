"""Makes the roster of a folder or archive, and writes each hand-in to a file that gradings can read.

It finds the students of each upload, and the upload of each student that counts: the newest. Uploads that do not count
are reported. The course's list and the platform are trusted. `students.txt` is written by a student: it can add a
partner, but it never replaces a file that the partner handed in under their own name.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePath

from grader.course.job import Unreadable, sha256_of
from grader.course.model import Store, write_if_changed
from grader.course.people import Directory, Handin, Roster, Student, fold
from grader.course.platforms import PLATFORMS
from grader.course.platforms.entries import Entry, read_entries
from grader.course.platforms.platform import Found, Upload, ids_in, is_archive
from grader.errors import SubmissionRefused, UsageError
from grader.intake.archive import ZIP_ERRORS, are_parts, pack
from grader.intake.selection import is_litter, quote
from grader.model import printable
from grader.reports.story import listed

_KEY_CHARS, _MOST_TWIN_MEMBERS = 60, 5000


def find_handins(source: Path, store: Store, platform: str = "auto", course: Directory | None = None) -> Roster:
    """Return all hand-ins, in the order of keys; files from an archive, and loose files, are put into `store.handins`.

    Raises as `read_entries`, and `UsageError` if there is no submission, or none of the requested platform.
    """
    course = course or Directory()
    entries, links = read_entries(source)
    recognised, download = _recognise(entries, platform, source)
    platform_list = Directory(tuple(dict.fromkeys(who for upload in download.uploads for who in upload.students)))
    has_own_ids = PLATFORMS[recognised].has_own_ids
    everything = [owned(upload, course, platform_list, has_own_ids) for upload in download.uploads]
    counted, warnings = count([upload for upload in everything if upload.files])
    empty = [upload for upload in everything if not upload.files]
    notes = [f"passed over {link}, which is a link: put the file itself there" for link in links]
    handins = [_handin(upload, store) for upload in counted]
    problems = [f"{handin.key}: {handin.problem}" for handin in handins if handin.problem]
    present = {student.id for handin in handins for student in handin.students}
    expected = {student.id: student for upload in empty for student in upload.students}
    expected |= {student.id: student for student in course.students}
    flagged = tuple(_with_twins(sorted(handins, key=lambda handin: handin.key)))
    notes += [f"{handin.key}: {flag}" for handin in flagged for flag in handin.flags]
    notes += [*(f"no file to grade in {upload.label}" for upload in empty), *download.warnings]
    notes += _unused(download, course)
    for handin, student in ((each, who) for each in flagged for who in each.students):
        if course.students and student not in course.students:
            file = handin.platform_folder or handin.path.name
            how = f"if it has two of that name, or writes it otherwise, write {file} into the right row's column `file`"
            notes.append(f"{student.label} handed in and is not in the course's list; {how}")
    return Roster(
        handins=flagged,
        missing=tuple(sorted(student for student in expected.values() if student.id not in present)),
        warnings=tuple(printable(text, 500) for text in (*problems, *warnings, *notes)),
        platform=recognised,
    )


def key_of(ids: Sequence[str]) -> str:
    """Return the name of the folder for a hand-in of the students with these ids; it depends on the ids only.

    Letters outside ASCII, capitals and most signs are replaced; a digest then makes the name unique.
    """
    plain = "-".join(sorted(ids))
    slug = re.sub(r"[^a-z0-9._-]+", "-", plain.lower()).strip("-.")[:_KEY_CHARS]
    if slug == plain and slug and slug.count("-") == len(ids) - 1:  # `a-b` is either a pair or a student
        return slug
    digest = hashlib.sha256("\0".join(sorted(ids)).encode("utf-8", "replace")).hexdigest()[:8]
    return f"{slug}-{digest}" if slug else f"student-{digest}"


def _recognise(entries: tuple[Entry, ...], platform: str, source: Path) -> tuple[str, Found]:
    """Return the first platform that recognises these names, and its uploads; a single outer folder may be skipped."""
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
                return candidate.name, download
    what = "submission" if tried[-1].name == takes_all else f"submission of {tried[-1].title}'s"
    contents = ", ".join(quote("/".join(entry.parts)) for entry in entries[:3]) or "nothing"
    raise UsageError(
        f"{source} holds no {what} but {contents}: name a folder of zips, or what Moodle, Canvas or Gradescope gave you"
    )


def _handin(upload: Upload, store: Store) -> Handin:
    """Write the upload to a file that gradings can read, and return the hand-in; `GraderError` if the disk is full."""
    key = key_of([student.id for student in upload.students])
    archive = upload.files[0] if is_archive(upload.files[0]) else None
    loose = _lacking(archive, upload.files[1:]) if archive else upload.files
    lies = archive.path if archive and not loose else None
    path = lies or store.handins / f"{key}.zip"
    digest = problem = ""
    try:
        if lies is None:  # an archive inside the download is copied unchanged; loose files are packed, or added to it
            before = archive.read() if archive else b""
            files = (("/".join(entry.parts), entry.read()) for entry in loose)
            write_if_changed(path, pack(files, onto=before) if loose else before)
        digest = sha256_of(path)
    except (SubmissionRefused, Unreadable) as error:
        problem = f"{error}: change its permissions or download it again, then run the batch again"
    added = f"graded with what is beside the archive: {listed([entry.name for entry in loose])}"
    notes = (*upload.notes, added) if archive and loose else upload.notes
    flags = tuple(printable(text, 300) for text in notes)
    return Handin(key, upload.students, path.absolute(), digest, upload.folder, upload.at, flags, problem)


def _lacking(archive: Entry, beside: Sequence[Entry]) -> list[Entry]:
    """Return the files that a zip archive lacks; none if it is damaged, which is reported when it is graded."""
    if not beside:
        return []
    try:
        with archive.open() as file, zipfile.ZipFile(file) as opened:
            names = {fold(name) for name in opened.namelist()}
    except (*ZIP_ERRORS, NotImplementedError, SubmissionRefused):
        return []
    return [entry for entry in beside if fold(entry.name) not in names]


def _with_twins(handins: Sequence[Handin]) -> Iterator[Handin]:
    """Yield the hand-ins; those with the same files as others get a flag."""
    same: dict[str, list[str]] = {}
    contents = {handin.key: _content(handin) for handin in handins}
    for key, content in contents.items():
        same.setdefault(content, []).append(key)
    for handin in handins:
        others = [key for key in same[contents[handin.key]] if key != handin.key]
        flag = (f"the same content as {listed(others)}",) if others else ()
        yield replace(handin, flags=(*handin.flags, *flag))


def _content(handin: Handin) -> str:
    """Return a text that is equal for archives of the same files, even if compression and folders differ."""
    try:
        with zipfile.ZipFile(handin.path) as archive:
            infos = (info for info in archive.infolist()[:_MOST_TWIN_MEMBERS] if not info.is_dir())
            named = ((info.filename.split("/"), info) for info in infos)
            files = sorted(f"{parts[-1]} {info.CRC} {info.file_size}" for parts, info in named if not is_litter(parts))
    except (*ZIP_ERRORS, NotImplementedError):
        return handin.sha256 or handin.key
    return "\n".join(files) or handin.sha256


def _unused(download: Found, course: Directory) -> Iterator[str]:
    """Yield a sentence for each file that the course's list names and nobody handed in."""
    names = {name for upload in download.uploads for name in (upload.label, *(entry.name for entry in upload.files))}
    folded = {fold(each) for name in names for each in (name, name.rsplit(".", 1)[0])}
    for file, students in course.files.items():
        if file not in folded:
            yield f"the course's list has the file {file} for {students[0].id}, and there is none"


_MOST_BYTES, _MOST_PARTNERS, _MOST_MEMBERS = 4096, 8, 5000
_MOST_ARCHIVE_BYTES = 64 << 20
_EARLY = datetime(1970, 1, 1, tzinfo=UTC)
_EMAIL = re.compile(r"[^\s,;<>]+@[^\s,;<>]+")


def owned(upload: Upload, course: Directory, platform: Directory, has_own_ids: bool) -> Upload:
    """Return `upload` with all its students; claimed partners are also looked up in `platform`, its uploaders."""
    single = upload.files[0].name if not upload.students and len(upload.files) == 1 else ""  # names repeat on platforms
    by_label = course.owners(upload.label) or (course.owners(single) if single else ())
    words = re.split(r"[\s_]+", re.sub(r"\.\w+$", "", upload.label).casefold())  # a word may be a user name
    in_label = tuple(student for student in course.students if student.id.casefold() in words)
    by_name = tuple(course.known(student, has_own_id=has_own_ids) for student in upload.students)
    sure = by_label or by_name or in_label
    claims = []
    for claim in _claims(upload):  # students.txt has the student's number, Moodle a participant number
        listed = course.known(claim)
        claims.append(listed if listed != claim else course.known(platform.known(claim)))
    if not sure and claims:
        sure, claims = tuple(claims), []  # only students.txt names the students
    if not sure:
        sure = (course.known(Student(printable(upload.folder or upload.label, 100))),)
    return replace(upload, students=_plain(sure), claimed=_plain(student for student in claims if student not in sure))


def parse_partners(text: str) -> tuple[Student, ...]:
    """Return the students of a `students.txt`: per line an id or a name, or both, and perhaps an e-mail address."""
    students = []
    for line in printable(text, _MOST_BYTES).lstrip("\ufeff\N{REPLACEMENT CHARACTER}").splitlines():
        email = _EMAIL.search(line)
        rest = _EMAIL.sub(" ", line)
        ids = ids_in(rest)
        name = " ".join(re.sub(r"[\d,;<>\t]+", " ", rest).split())
        address = email[0] if email else ""
        if ids or name or address:
            students.append(Student(ids[0] if ids else name or address, name, address))
    return tuple(dict.fromkeys(students))[:_MOST_PARTNERS]


def _claims(upload: Upload) -> Iterator[Student]:
    for entry in upload.partners:
        try:
            yield from parse_partners(_decoded(entry.head(_MOST_BYTES)))
        except SubmissionRefused:
            continue  # an unreadable students.txt does not matter; the submission still counts
    for entry in upload.files[:1]:
        if entry.name.lower().endswith(".zip") and entry.size_bytes <= _MOST_ARCHIVE_BYTES:
            yield from parse_partners(_partners_inside(entry))


def _partners_inside(entry: Entry) -> str:
    """Return the text of a `students.txt` in the archive; empty if there is none or the archive is damaged."""
    try:
        with entry.open() as file, zipfile.ZipFile(file) as archive:
            for info in archive.infolist()[:_MOST_MEMBERS]:
                parts = info.filename.split("/")
                if len(parts) <= 2 and parts[-1].lower() == "students.txt":  # noqa: PLR2004 - at the top or a folder below
                    with archive.open(info) as member:
                        return _decoded(member.read(_MOST_BYTES))
    except (*ZIP_ERRORS, RuntimeError, NotImplementedError, SubmissionRefused):
        return ""
    return ""


def _decoded(raw: bytes) -> str:
    return raw.decode("utf-16" if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8", "replace")


def _plain(students: Iterable[Student]) -> tuple[Student, ...]:
    """Return the students with short, printable names, because file names and lists may contain any text."""
    bounded = (Student(printable(one.id, 100), printable(one.name, 200), printable(one.email, 200)) for one in students)
    return tuple(dict.fromkeys(bounded))


def count(everything: Sequence[Upload]) -> tuple[tuple[Upload, ...], tuple[str, ...]]:
    """Return the uploads that count, each with only the students for whom it counts, and sentences for the TA."""
    of_student = _best(everything, claims=False)
    standing = [one for one in everything if not one.students or any(best is one for best in of_student.values())]
    claimed = {who: best for who, best in _best(standing, claims=True).items() if who not in of_student}
    names = {student.id: student for upload in everything for student in (*upload.claimed, *upload.students)}
    counted = []
    for upload in everything:
        own = [names[who] for who, best in of_student.items() if best is upload]
        added = [names[who] for who, best in claimed.items() if best is upload]
        flags = tuple(f"{student.id} is a partner by students.txt only, not by the platform" for student in added)
        if own or (added and not upload.students):
            counted.append(replace(upload, students=tuple(sorted((*own, *added))), notes=(*flags, *upload.notes)))
    return tuple(counted), (*_older(everything, of_student), *_overruled(everything, of_student))


def _best(everything: Sequence[Upload], *, claims: bool) -> dict[str, Upload]:
    best: dict[str, Upload] = {}
    for upload in everything:
        for student in upload.claimed if claims else upload.students:
            if student.id not in best or _age(best[student.id]) < _age(upload):
                best[student.id] = upload
    return best


def _age(upload: Upload) -> tuple[int, datetime, list[tuple[int, str]]]:
    """Return a sort key, larger for newer uploads: the number if there is no time, else the time; then the name."""
    words = re.findall(r"(\d{1,18})|(\D+)", PurePath(upload.label).stem)
    name = [(int(number or 0), word) for number, word in words]  # `v10` is newer than `v2`
    return (upload.number if upload.at is None else 0, upload.at or _EARLY, name)


def _older(everything: Sequence[Upload], best: dict[str, Upload]) -> Iterator[str]:
    parts: dict[Student, list[str]] = {}
    for older in everything:
        for student in older.students:
            newest = best[student.id]
            if newest is not older and are_parts(newest.label, older.label):
                parts.setdefault(student, [newest.label]).append(older.label)
            elif newest is not older:
                why = newest.at_from if _age(newest)[:2] != _age(older)[:2] else "its name"
                how = f" by {why}" if why else ""
                counts = f"{newest.label} counts, being newer{how}"
                yield f"{student.label} handed in twice: {counts}, and {older.label} does not"
    for student, labels in parts.items():
        yield f"{student.label} handed in an archive that is split into parts: {', '.join(sorted(labels))}"


def _overruled(everything: Sequence[Upload], best: dict[str, Upload]) -> Iterator[str]:
    for claiming in everything:
        for student in claiming.claimed:
            if student.id in best and best[student.id] is not claiming:
                partner = f"{student.label} as a partner in students.txt, who handed in {best[student.id].label}"
                yield f"{claiming.label} names {partner}: that one counts for them"
