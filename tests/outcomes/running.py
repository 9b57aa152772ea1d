"""Cases graded two at a time, each in a process forked from a warm one, as `make batch` does it.

What a case came to is written to a file of its own with what it depends on. So whatever ends a run, the next one goes
on, and grades again only what has changed since.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

import handins

from grader.assignment import load_assignment
from grader.course.job import warm_up
from grader.course.model import GradingOptions, Job, Store, read_record, write_record
from grader.course.people import Handin
from grader.course.pool import LocalPool
from grader.course.running import common_parts
from grader.errors import UsageError
from grader.grading import Options, grade
from grader.intake.datasets import DIGITS
from outcomes.cases import Case
from outcomes.lines import Came, came_of

PROCESSES = 2


@dataclass(frozen=True)
class Done:
    """The file of a case: what its checks came to, and what that depends on."""

    fingerprint: dict[str, str]
    came: dict[str, Came] = field(default_factory=dict)


class Journal:
    """The files of all cases in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, case: Case) -> Path:
        """Where a case's file is."""
        return self.folder / "cases" / f"{case.key}.json"

    def read(self, case: Case, fingerprint: dict[str, str]) -> dict[str, Came] | None:
        """Return what a case came to; None if nobody knows, or what it depends on has changed."""
        try:
            done = read_record(self.path(case), Done)
        except UsageError:
            return None
        return done.came if done.fingerprint == fingerprint else None

    def write(self, case: Case, fingerprint: dict[str, str], came: dict[str, Came]) -> None:
        """Keep what a case came to."""
        write_record(self.path(case), Done(fingerprint, came))


def grade_all(
    cases: Sequence[Case], journal: Journal, tell: Callable[[str], None]
) -> tuple[dict[str, dict[str, Came]], list[str]]:
    """Return case -> check -> what it came to, and a sentence for each case that could not be graded."""
    came: dict[str, dict[str, Came]] = {}
    problems: list[str] = []
    for assignment, group in groupby(sorted(cases, key=lambda case: case.id), key=lambda case: case.assignment):
        how = GradingOptions(assignment, DIGITS, "cpu")
        shared = shared_parts(how)
        jobs = {case.key: (case, shared | {"case": case.digest()}) for case in group}
        left = [key for key, (case, needs) in jobs.items() if journal.read(case, needs) is None]
        tell(f"{assignment}: {len(jobs)} cases, {len(left)} of them to be graded")
        problems += _grade_some({key: jobs[key] for key in left}, how, journal, tell)
        read = {case.id: journal.read(case, needs) for case, needs in jobs.values()}
        came |= {case: checks for case, checks in read.items() if checks is not None}
    return came, problems


def shared_parts(how: GradingOptions) -> dict[str, str]:
    """Return what all cases of an assignment depend on: what a batch does, and the rubric."""
    assignment = load_assignment(how.assignment)
    return common_parts(assignment, how) | {"rubric": assignment.rubric.sha256, "seed": str(handins.SEED)}


def _grade_some(
    jobs: dict[str, tuple[Case, dict[str, str]]], how: GradingOptions, journal: Journal, tell: Callable[[str], None]
) -> Iterator[str]:
    """Grade what is left of one assignment; yield a sentence for each case that could not be graded."""
    if not jobs:
        return
    dataset = warm_up(load_assignment(how.assignment), how)
    store = Store(journal.folder)

    def work(_store: Store, job: Job, progress: Callable[[str], None]) -> None:
        case, needs = jobs[job.handin.key]
        options = Options(seed=handins.SEED, device="cpu", only=case.only, limits=case.limits, dataset=dataset)
        report = grade(job.handin.path, load_assignment(case.assignment), options, progress)
        journal.write(case, needs, came_of(report, case.only))

    tasks = [Job(Handin(key, (), _packed(case, journal.folder), ""), how=how) for key, (case, _) in jobs.items()]
    for number, finished in enumerate(LocalPool(PROCESSES, work).run(tasks, store, lambda _key, _what: None), 1):
        case, _ = jobs[finished.key]
        tell(f"{number}/{len(jobs)} {case.id}{finished.problem and f': {finished.problem}'}")
        if finished.problem:
            yield f"{case.id}: {finished.problem}; see {store.log(finished.key)}"


def _packed(case: Case, folder: Path) -> Path:
    """Write the zip of a case, and return where."""
    path = folder / "handins" / case.key / f"{case.assignment}.zip"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(handins.packed(case.files))
    return path
