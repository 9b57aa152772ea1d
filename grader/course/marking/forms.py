"""What a TA sends, read from the fields of a form: a mark, a reusable comment, one for a group. The sheets follow."""

import threading
from collections.abc import Mapping
from contextlib import suppress

from grader.course.grades.comments import Comment, group_findings, mark_group, remove_comment, store_comment
from grader.course.grades.graded import load_batch
from grader.course.grades.marks import Marks, give_mark, withdraw_mark
from grader.course.grades.sheets import Sheets, write_grades, write_sheets
from grader.course.marking.viewmodel import Task
from grader.course.model import Store
from grader.errors import GraderError, UsageError
from grader.model import Mark
from grader.reports.story import counted, listed
from grader.scoring.marks import ADJUSTMENT, line_in

_SHOWN = 80


def store_form(store: Store, form: Mapping[str, str], task: Task, by: str) -> Marks:
    """Store what `form` gives for a check of `task`, signed `by`, and return the new history.

    Raises:
        MarkConflict: somebody else has marked this check since the page was shown.
        UsageError: no number, no such check or student, or points that cannot be given.
    """
    version = _version(form)
    student, check = _student(form, task), _check(form, task)
    if "withdraw" in form:
        return withdraw_mark(store, student, check, by, expected_version=version)
    mark = Mark(student, check, _points(form), form.get("comment", ""), by)
    return give_mark(store, mark, expected_version=version)


def store_comment_form(store: Store, form: Mapping[str, str], by: str) -> str:
    """Add, change or remove the reusable comment of `form`, and return what was done as a sentence.

    Raises:
        UsageError: it cannot be; the text says why.
    """
    check, was = form.get("check", ""), form.get("was", "")
    if "remove" in form:
        remove_comment(store, check, was)
        return "The comment is not offered any more; marks that have it keep it."
    marks, kept = store_comment(store, Comment(check, form.get("text", ""), _points(form)), was, by)
    sentence = f"Stored, and written into {counted(marks, 'mark')}." if marks else "Stored."
    if kept:
        sentence += f" {listed(kept)}: the points were given otherwise, and stay."
    return sentence


def store_group_form(store: Store, form: Mapping[str, str], by: str) -> str:
    """Give all hand-ins of one group the mark of `form`, and return what was done as a sentence; raises as above."""
    group = next((group for group in group_findings(load_batch(store)) if group.id == form.get("group", "")), None)
    if group is None:
        raise UsageError("this group has changed since the page was shown: look at it again.")
    mark_group(store, group, _points(form), form.get("comment", ""), by, _version(form))
    return f"Stored for {counted(len(group.members), 'hand-in')}: {group.criterion.id}."


def _version(form: Mapping[str, str]) -> int:
    text = form.get("version", "")
    if not (text.isascii() and text.isdecimal() and len(text) < _SHOWN):
        raise UsageError("that form is not one of this page's: load it again.")
    return int(text)


def _student(form: Mapping[str, str], task: Task) -> str:
    """Return whom the mark is given to: by default the first, and partners share it; adjustments are personal."""
    ids = [student.id for student in task.graded.handin.students]
    wanted = form.get("student", "") or ids[0]
    if wanted not in ids:
        raise UsageError(f"{wanted[:_SHOWN]!r} did not hand this in: load the page again.")
    return wanted


def _check(form: Mapping[str, str], task: Task) -> str:
    check = form.get("check", "")
    is_line = line_in(check, task.graded.evidence.submission.files)
    if check != ADJUSTMENT and check not in task.may_mark and not is_line:
        raise UsageError(f"{check[:_SHOWN]!r} is not to be marked here: load the page again.")
    return check


def _points(form: Mapping[str, str]) -> float:
    text = form.get("points", "")
    try:
        return float(text.replace(",", "."))
    except ValueError as error:
        raise UsageError(f"{text[:_SHOWN]!r} are no points: give a number.") from error


PAUSE_S = 2.0
"""Without a further mark for so long, what takes longer than the grades is written."""


class SheetWriter:
    """Writes the sheets of one batch, one writing at a time; all but the grades a moment later, if it `follows`."""

    def __init__(self, store: Store, *, follows: bool = False) -> None:
        self._store, self._follows = store, follows
        self._writing, self._later = threading.Lock(), threading.Timer(PAUSE_S, self._follow)

    def write_grades(self) -> None:
        """Write the grade sheets; afterwards every mark is in them."""
        with self._writing:
            self._later.cancel()
            write_grades(self._store)
            if self._follows:
                self._later = threading.Timer(PAUSE_S, self._follow)
                self._later.start()

    def write_everything(self) -> Sheets:
        """Write all sheets and reports now; raises as `write_sheets`."""
        with self._writing:
            self._later.cancel()
            return write_sheets(self._store)

    def _follow(self) -> None:
        with suppress(GraderError):  # such as a full disk: said where somebody asks for the sheets, and at the end
            self.write_everything()
