"""Which upload counts for whom: of each student's, the newest. Everything that does not count is reported."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from grader.course.platforms.model import Student
from grader.course.platforms.owners import Owned
from grader.intake.archive import are_parts

_EARLY = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Counted:
    """An upload that counts for somebody."""

    owned: Owned
    students: tuple[Student, ...]
    flags: tuple[str, ...] = ()


def count(found: Sequence[Owned]) -> tuple[tuple[Counted, ...], tuple[str, ...]]:
    """Return the uploads that count, each with the students for whom it does, and what the TA should know."""
    of_student = _best(found, claims=False)
    claimed = {who: it for who, it in _best(found, claims=True).items() if who not in of_student}
    names = {student.id: student for one in found for student in (*one.claimed, *one.sure)}
    counted = []
    for one in found:
        own = [names[who] for who, best in of_student.items() if best is one]
        added = [names[who] for who, best in claimed.items() if best is one]
        flags = tuple(f"{student.id} is a partner by students.txt only, not by the platform" for student in added)
        if own or (added and not one.sure):
            counted.append(Counted(one, tuple(sorted((*own, *added))), flags))
    return tuple(counted), (*_older(found, of_student), *_overruled(found, of_student))


def _best(found: Sequence[Owned], *, claims: bool) -> dict[str, Owned]:
    best: dict[str, Owned] = {}
    for one in found:
        for student in one.claimed if claims else one.sure:
            if student.id not in best or _age(best[student.id]) < _age(one):
                best[student.id] = one
    return best


def _age(one: Owned) -> tuple[int, datetime, str]:
    """Return what grows with time: by number where the platform tells no time, else by time, then by name."""
    upload = one.upload
    return (upload.number if upload.at is None else 0, upload.at or _EARLY, upload.label)


def _older(found: Sequence[Owned], best: dict[str, Owned]) -> Iterator[str]:
    parts: dict[Student, list[str]] = {}
    for one in found:
        for student in one.sure:
            newest = best[student.id]
            if newest is not one and are_parts(newest.upload.label, one.upload.label):
                parts.setdefault(student, [newest.upload.label]).append(one.upload.label)
            elif newest is not one:
                how = f" by {newest.upload.at_from}" if newest.upload.at_from else ""
                yield (
                    f"{_name(student)} handed in twice: {newest.upload.label} counts, being newer{how},"
                    f" and {one.upload.label} does not"
                )
    for student, labels in parts.items():
        yield f"{_name(student)} handed in an archive that is split into parts: {', '.join(sorted(labels))}"


def _overruled(found: Sequence[Owned], best: dict[str, Owned]) -> Iterator[str]:
    for one in found:
        for student in one.claimed:
            if student.id in best and best[student.id] is not one:
                yield (
                    f"{one.upload.label} names {_name(student)} as a partner in students.txt, who handed in"
                    f" {best[student.id].upload.label}: that one counts for them"
                )


def _name(student: Student) -> str:
    return f"{student.name} ({student.id})" if student.name and student.name != student.id else student.id
