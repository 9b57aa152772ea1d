"""A class of 300 as Moodle's download has it, and what each student's numbers have to be in the end.

Fourteen kinds of hand-ins are graded for real, once each; the other hand-ins of a kind get its evidence, as theirs.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

import handins

from grader.course.job import named, run_job, write_result
from grader.course.model import Finished
from grader.reports.files import decode
from grader.scoring.score import score

SIZE = 300
DUE = datetime(2026, 1, 15, 23, 59)  # noqa: DTZ001 - the course's wall clock
FIRST = (
    *("נועה", "דנה", "Omer", "ג'ורג'", "Anna_Maria", "O'Brien"),
    *("=SUM(A1)", "<b>Tal", "יעל", "Jean-Luc", "Zoë", "Gil"),
)
MISTAKES = (
    *("utils.batches_without_the_last", "utils.function_misspelt", "utils.sigmoid_is_tanh", "utils.syntax_error"),
    *("max.gpu_off_by_one", "max.numba_without_njit", "matmul.gpu_many_blocks", "matmul.trivial_x_times_x"),
)
HANGS = "max.cpu_endless_loop"


@dataclass(frozen=True)
class Person:
    """One student, and what they do."""

    number: int
    """Of the participant, in Moodle."""
    id: str
    name: str
    email: str
    kind: str
    """What is handed in; empty for nothing."""
    partner: int = 0
    """The participant who hands in for this one; 0 for nobody."""
    days_late: int = 0
    extension: int = 0

    @property
    def folder(self) -> str:
        return f"{self.name.replace('_', ' ')}_{self.number}_assignsubmission_file_"

    @property
    def points(self) -> int:
        """What a TA gives for the explanation."""
        return self.number % 11

    @property
    def comment(self) -> str:
        return f"Read by a TA, number {self.number}: <i>ok</i>"


def make_class() -> list[Person]:
    """Return the class: every tenth hands in nothing or with a partner, every seventh is late."""
    kinds, people = list(make_kinds()), []
    for place in range(SIZE):
        number = 7000 + place
        name = f"{FIRST[place % len(FIRST)]} Family-{chr(97 + place // len(FIRST))}"
        kind = "" if place % 20 == 19 else kinds[place % len(kinds)]
        late = place % 4 if place % 7 == 0 else 0
        person = Person(number, f"{311000000 + 13 * place}", name, f"s{place}@example.org", kind, 0, late)
        if place % 10 == 9 and kind:
            before = people[-1]
            person = replace(person, kind=before.kind, partner=before.number, days_late=before.days_late)
        if place % 21 == 0:
            person = replace(person, extension=2)
        people.append(person)
    return people


def make_kinds() -> dict[str, dict[str, bytes]]:
    """Return kind -> files; `refused` has something that is no zip."""
    whole = handins.reference_files()
    found = {"right": whole, "template": handins.template_files()}
    found["no_pdf"] = {name: data for name, data in whole.items() if name != "hw1.pdf"}
    changes = {handins.id_of(change): change for change in handins.changes("mistakes")}
    for name in (*MISTAKES, HANGS):
        found[name] = whole | {changes[name].target: changes[name].applied()}
    found["file_misspelt"] = {name.replace("max_functions", "max_function"): data for name, data in whole.items()}
    found["refused"] = {}
    return found


def uploads(people: Sequence[Person]) -> dict[str, bytes]:
    """Return what lies in Moodle's archive: name -> bytes. No two hand-ins have the same content."""
    kinds, found = make_kinds(), {}
    partners = {one.partner: one for one in people if one.partner}
    for one in people:
        if not one.kind or one.partner:
            continue
        if one.kind == "refused":
            found[f"{one.folder}/hw1.rar"] = b"Rar!\x1a\x07\x00" + str(one.number).encode()
            continue
        files = dict(kinds[one.kind])
        if "utils.py" in files:
            files["utils.py"] += f"\n# handed in by {one.number}\n".encode()
        found[f"{one.folder}/hw1.zip"] = handins.packed(files)
        if other := partners.get(one.number):
            found[f"{one.folder}/students.txt"] = f"{one.id}\n{other.id}\n".encode()
    return found


def course_list(people: Sequence[Person]) -> bytes:
    return table([("student id", "name", "email"), *((one.id, one.name, one.email) for one in people)])


def worksheet(people: Sequence[Person]) -> bytes:
    """Return Moodle's grading worksheet; the time of a hand-in is that of whoever handed it in."""
    head = ("Identifier", "Full name", "ID number", "Email address", "Status", "Grade", "Maximum Grade")
    rows = [(*head, "Last modified (submission)", "Feedback comments")]
    for one in people:
        came = DUE + timedelta(days=one.days_late) if one.days_late else DUE - timedelta(hours=3)
        at = f"{came:%A, %d %B %Y, %I:%M %p}" if one.kind and not one.partner else "-"
        rows.append((f"Participant {one.number}", one.name, one.id, one.email, "", "", "100.00", at, ""))
    return table(rows)


def extensions(people: Sequence[Person]) -> bytes:
    return table([("student", "days"), *((one.id, str(one.extension)) for one in people if one.extension)])


def table(rows: Sequence[Sequence[str]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text).writerows(rows)
    return text.getvalue().encode()


class OnceForEachKind:
    """A backend that grades the first hand-in of each kind, and gives its evidence to the others."""

    def __init__(self, kinds: dict[str, str], rubric) -> None:
        self.kinds, self.rubric = kinds, rubric
        self.graded: dict[str, Path] = {}
        """Kind -> where the evidence of its first hand-in lies."""

    def run(self, jobs, store, announce) -> Iterator[Finished]:
        for job in jobs:
            kind = next(self.kinds[one.id] for one in job.handin.students if one.id in self.kinds)
            announce(job.handin.key, kind)
            if kind not in self.graded:
                run_job(store, job)
                self.graded[kind] = store.evidence(job.handin.key)
            else:
                evidence = decode(self.graded[kind].read_bytes())
                own = replace(evidence, submission=replace(evidence.submission, sha256=job.handin.sha256))
                report = replace(score(named(own, job.handin), self.rubric), students=job.handin.labels)
                write_result(store, job, report)
            yield Finished(job.handin.key)
