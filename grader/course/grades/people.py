"""Finds the student or hand-in that a typed word names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches

from grader.course.platforms.model import Handin, Roster, Student
from grader.errors import UsageError
from grader.reports.story import listed

_PARTICIPANT = re.compile(r"_(\d+)_assignsubmission_", re.IGNORECASE)
_SHOWN = 5


def all_students(roster: Roster) -> tuple[Student, ...]:
    """Return everybody, those who handed in nothing included, sorted by id."""
    return tuple(sorted({*(student for handin in roster.handins for student in handin.students), *roster.missing}))


def label_of(roster: Roster, student: str) -> str:
    """Return name and id of the student with this id, and the id alone if nobody here has it."""
    return next((one.label for one in all_students(roster) if one.id == student), student)


def find_student(roster: Roster, word: str) -> Student:
    """Return the student with the id, email or name `word`; spreadsheets eat leading zeros, so ids match without them.

    Raises:
        UsageError: nobody is called so, or several are.
    """
    students = all_students(roster)
    for matches in _readings(word.strip()):
        found = [student for student in students if matches(student)]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"{word!r} may be {listed([one.label for one in found], _SHOWN)}: name the student by id.")
    if near := _near(students, word):
        raise UsageError(f"there is no student {word[:80]!r} in this batch: do you mean {listed(near, _SHOWN)}?")
    some = ", ".join(student.id for student in students[:_SHOWN]) + (", ..." if len(students) > _SHOWN else "")
    raise UsageError(f"there is no student {word[:80]!r} in this batch: its ids are {some or 'none'}.")


def find_handin(roster: Roster, word: str) -> Handin:
    """Return the hand-in with the key `word`, or that of the student `word`.

    Raises:
        UsageError: neither exists, or the student handed in nothing.
    """
    for handin in roster.handins:
        if handin.key == word:
            return handin
    student = find_student(roster, word)
    for handin in roster.handins:
        if student in handin.students:
            return handin
    raise UsageError(f"{student.id} handed in nothing: there is nothing to look at.")


def participant_number(handin: Handin) -> str:
    """Return Moodle's number of the participant, from the folder that it made; empty if there is none."""
    found = _PARTICIPANT.search(handin.platform_folder)
    return found[1] if found else ""


def _near(students: Iterable[Student], word: str) -> list[str]:
    """Return who has all parts of `word` in id, name or address, and else whose name is written nearly so."""
    parts = word.casefold().split()
    found = [one.label for one in students if parts and all(part in _words(one) for part in parts)]
    if found:
        return found
    names = {one.name.casefold(): one.label for one in students if one.name}
    return [names[name] for name in get_close_matches(" ".join(parts), names, _SHOWN)]


def _words(student: Student) -> str:
    return f"{student.id} {student.name} {student.email}".casefold()


def _readings(word: str) -> Iterator[Callable[[Student], bool]]:
    yield lambda student: student.id == word
    yield lambda student: bool(word.lstrip("0")) and student.id.lstrip("0") == word.lstrip("0") and word.isdigit()
    yield lambda student: bool(word) and student.email.casefold() == word.casefold()
    yield lambda student: bool(word) and " ".join(student.name.split()).casefold() == " ".join(word.split()).casefold()
