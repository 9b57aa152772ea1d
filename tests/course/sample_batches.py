"""Batches on the disk for tests, made of sample reports: no zip is opened and no student code runs."""

import csv
import io
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "reports"))  # sample_reports lives there

from dataclasses import replace

from sample_reports import full_marks, mixed, one_mistake, refused

from grader.course.job import write_result
from grader.course.model import Finished, Job, Store, write_record
from grader.course.people import Handin, Roster, Student
from grader.course.platforms.platform import safe_name
from grader.reports.files import encode

RUBRIC_FILE = Path(__file__).parents[2] / "grader" / "assignments" / "hw1" / "rubric.toml"
DANA = Student("012345678", "דנה כהן", "dana@example.org")
OMER = Student("023456789", "Omer Levi", "omer@example.org")
PAIR = (Student("034567890", '=HYPERLINK("http://evil")', "noa@example.org"), Student("045678901", "Noa Bar", ""))
RAR = Student("056789012", "Gil Or", "gil@example.org")
ABSENT = Student("067890123", "Absent One", "absent@example.org")

HANDINS = (
    ((DANA,), one_mistake, "דנה כהן_101_assignsubmission_file_"),
    ((OMER,), full_marks, "Omer Levi_102_assignsubmission_file_"),
    (PAIR, mixed, "Noa Bar_103_assignsubmission_file_"),
    ((RAR,), refused, "Gil Or_104_assignsubmission_file_"),
)


def handin(students, folder):
    key = safe_name(f"hw1_{students[0].id}")
    return Handin(key, students, Path(f"/nowhere/{key}.zip"), key[-2:] * 32, folder)


def make_batch(root, handins=HANDINS, missing=(ABSENT,), platform="moodle"):
    """Write a batch of finished gradings into `root` and return its store."""
    store = Store(root)
    found = tuple(handin(students, folder) for students, _make, folder in handins)
    write_record(store.roster, Roster(found, missing, platform=platform))
    for one, (_students, make, _folder) in zip(found, handins, strict=True):
        add_evidence(store, one, make().evidence)
    return store


def add_evidence(store, one, evidence):
    """Write what one grading leaves behind."""
    write_record(store.task(one.key), Job(one))
    store.folder(one.key).mkdir(parents=True, exist_ok=True)
    named = replace(evidence, submission=replace(evidence.submission, name=one.key))
    store.evidence(one.key).write_bytes(encode(named))


def graded_of(results, student):
    """Return the graded hand-in of the student with this id."""
    return next(graded for graded in results.graded if student in graded.reports)


def contents(store):
    """Return what lies in a batch, but locks: path -> bytes."""
    paths = (path for path in store.root.rglob("*") if path.is_file() and path.suffix != ".lock")
    return {path.relative_to(store.root): path.read_bytes() for path in paths}


def read_sheet(raw):
    """Return the rows of a sheet in CSV, cell by cell; `raw` is its file, or its bytes."""
    text = (raw.read_bytes() if isinstance(raw, Path) else raw).decode("utf-8-sig")
    return list(csv.reader(io.StringIO(text, newline="")))


def read_rows(raw):
    """Return the rows of a sheet below its head, each as column -> cell."""
    head, *rows = read_sheet(raw)
    return [dict(zip(head, row, strict=True)) for row in rows]


def read_grades(store):
    """Return the sheet of grades: student -> column -> cell."""
    return {row["student"]: row for row in read_rows(store.root / "grades.csv")}


class Gradings:
    """Stands for the pool of this machine: each job ends with the next of these reports."""

    def __init__(self):
        self.next, self.asked = [], []

    def run(self, jobs, store, _announce):
        for job in jobs:
            self.asked.append(job)
            write_result(store, job, self.next.pop(0))
            yield Finished(job.handin.key)
