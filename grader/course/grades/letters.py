"""One text for each student, from a template: files for a mail program, and a table for a mail merge. Nothing is sent.

The first line of a template may be `Subject: ...`. `$name` and the other `FIELDS` are replaced by a student's values.
A text with neither is no template: perhaps a table of the whole class, which must not reach students.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from string import Template

from grader.course.grades.graded import MISSING, BatchResults, Row, load_batch, said_by_people, sheet_rows
from grader.course.model import Store
from grader.course.people import Student
from grader.course.roster import key_of
from grader.errors import GraderError, UsageError
from grader.intake.disk import write_atomically
from grader.intake.tables import csv_bytes, defused
from grader.model import printable
from grader.reports import html
from grader.reports.audience import for_students
from grader.reports.story import first_step_text, open_sentences, plain

FIELDS = ("name", "id", "email", "title", "score", "status", "late", "comments", "open", "first_step")
_HEAD = ("student", "name", "email", "subject", "text", "file")
_TEXT_LIMIT = 20_000
_SUBJECT = "Subject:"


@dataclass(frozen=True, slots=True)
class Letters:
    """The files that were written."""

    table: Path
    files: tuple[Path, ...]
    without_address: tuple[str, ...]  # labels of students without a valid address; their texts are only in the table


def write_letters(store: Store, template: str, *, attach: bool = False) -> Letters:
    """Write `mail/<student>.eml` for each student of the batch with an address, and `mail/mail.csv` for all.

    `template` may contain `$name` and the other `FIELDS`; `$$` is a dollar sign. `attach` attaches the report.

    Raises:
        UsageError: the template has an unknown field or a single `$`, or is none, or this is no batch.
        GraderError: the disk refuses.
    """
    results = load_batch(store)
    letters = [(row, *_filled(template, fields_of(row, results))) for row in sheet_rows(results)]
    folder = store.root / "mail"
    try:
        for old in folder.glob("*.eml"):  # so that nobody sends old letters again by mistake
            old.unlink()
    except OSError as error:
        raise GraderError(f"{folder} cannot be written ({error.strerror}): check its permissions.") from error
    rows, files, without = [], [], []
    for row, subject, text in letters:
        page = html.render(row.report) if attach and row.report else ""
        if mail := make_mail(row.student, subject, text, page):
            files.append(write_atomically(folder / f"{key_of([row.student.id])}.eml", mail.as_bytes()))
        else:
            without.append(row.student.label)
        file = files[-1].name if mail else ""
        rows.append([row.student.id, row.student.name, row.student.email, subject, text, file])
    cells = ([defused(printable(cell, _TEXT_LIMIT)) for cell in row] for row in rows)
    table = write_atomically(folder / "mail.csv", csv_bytes([_HEAD, *cells], bom=True))
    return Letters(table, tuple(files), tuple(without))


def make_mail(student: Student, subject: str, text: str, page: str = "") -> EmailMessage | None:
    """Return an unsent mail to `student`; None if the address is invalid. `page` is a report to attach, or empty."""
    mail = EmailMessage(policy=SMTP)
    try:
        mail["To"] = Address(_line(student.name), addr_spec=student.email)
    except (ValueError, IndexError, MessageError):  # the standard library's errors for invalid addresses
        return None
    mail["Subject"] = _line(subject)
    mail["X-Unsent"] = "1"  # mail programs open it as a draft
    mail.set_content(printable(text, _TEXT_LIMIT))
    if page:
        mail.add_attachment(page.encode(), maintype="text", subtype="html", filename="report.html")
    return mail


def fields_of(row: Row, results: BatchResults) -> dict[str, str]:
    """Return the value of each of the `FIELDS`, without what is hidden from students."""
    fields = {
        "name": _line(row.student.name or row.student.id),
        "id": _line(row.student.id),
        "email": _line(row.student.email),
        "title": results.rubric.title,
        "status": row.status,
        "late": f"{row.days:.3g}" if row.days else "0",
    }
    if row.report is None:
        step = "" if row.status == MISSING else row.status
        return {**fields, "score": row.status, "comments": "", "open": "", "first_step": step}
    report = for_students(row.report)
    return {
        **fields,
        "score": report.score_text,
        "comments": plain("\n".join((*said_by_people(report), *(entry.text for entry in report.adjustments)))),
        "open": "\n".join(open_sentences(report)),
        "first_step": plain(first_step_text(report)),
    }


def _filled(template: str, fields: Mapping[str, str]) -> tuple[str, str]:
    """Return subject and text. A `$` in a value is not replaced again."""
    template = template.lstrip("\ufeff\n")
    first, _newline, rest = template.partition("\n")
    has_subject = first.startswith(_SUBJECT)
    if not has_subject and "$" not in template:
        raise UsageError(f"the template has neither a first line `{_SUBJECT} ...` nor a field: is it the right file?")
    parts: Sequence[str] = (first.removeprefix(_SUBJECT), rest.lstrip("\n")) if has_subject else ("$title", template)
    try:
        subject, text = (Template(part).substitute(fields) for part in parts)
    except KeyError as error:
        raise UsageError(
            f"the template has ${error.args[0]}, and there is no such field: use ${', $'.join(FIELDS)}, or $$."
        ) from error
    except ValueError as error:
        raise UsageError(f"the template has a $ that begins no field ({error}): write $$ for a dollar sign.") from error
    return _line(subject), text


def _line(text: str) -> str:
    return " ".join(printable(text, 300).split())
