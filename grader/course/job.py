"""Grades one hand-in of a batch, in a process of the local pool or a task of a cluster.

Writes `submissions/<key>/` and its `job.json` last. A second process that grades the same job does no harm: every file
appears whole, and both write the same.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader.assignment import load_assignment
from grader.course.model import Job, Store, read_record, write_record
from grader.course.people import Handin
from grader.errors import GraderError
from grader.grading import Options, grade
from grader.intake.datasets import Dataset
from grader.intake.disk import write_atomically
from grader.model import Evidence, Report
from grader.reports.files import decode, encode, write_reports
from grader.scoring.score import score


@dataclass(frozen=True, slots=True)
class Done:
    """`job.json`: what the evidence beside it was made from."""

    fingerprint: dict[str, str] = field(default_factory=dict)
    regrade_id: str = ""
    problem: str = ""
    """Why the grading failed on our side; such a hand-in is graded again by the next run of the batch."""
    wall_s: float = 0.0


def read_done(store: Store, key: str) -> Done | None:
    """Return what the evidence of `key` was made from; None if there is no whole result."""
    try:
        return read_record(store.job(key), Done) if store.evidence(key).is_file() else None
    except GraderError:
        return None


def is_done(store: Store, job: Job) -> bool:
    """Return whether the batch holds a whole result of just this job, and no failure."""
    done = read_done(store, job.handin.key)
    if done is None or done.problem:
        return False
    return (done.fingerprint, done.regrade_id) == (job.fingerprint, job.regrade_id)


def run_job(
    store: Store, job: Job, progress: Callable[[str], None] = lambda _check: None, dataset: Dataset | None = None
) -> Report:
    """Grade `job` and write what comes of it; `dataset` is the one of `job.how.data`, if it has been loaded already.

    Raises:
        GraderError: the hand-in has changed since it was found, or something of ours failed; nothing was written.
    """
    began = time.perf_counter()
    handin = job.handin
    if handin.path.is_file() and sha256_of(handin.path) != handin.sha256:
        raise GraderError(f"{handin.path} has changed since the batch began: run the batch again")
    assignment = load_assignment(job.how.assignment, store.rubric if store.rubric.is_file() else None)
    how = job.how
    options = Options(
        data=how.folder,
        seed=job.seed,
        device=how.device,
        sandbox=how.sandbox,
        only=how.only,
        explain=how.explain,
        dataset=dataset,
    )
    report = grade(handin.path, assignment, options, progress)
    evidence = named(report.evidence, handin)
    if job.joins:
        evidence = joined(decode(store.evidence(handin.key).read_bytes()), evidence)
    report = replace(score(evidence, assignment.rubric), students=handin.labels)
    write_result(
        store, job, report, Done(job.fingerprint, job.regrade_id, wall_s=round(time.perf_counter() - began, 3))
    )
    return report


def write_result(store: Store, job: Job, report: Report, done: Done) -> None:
    """Write the reports and then `job.json`, without which they do not count."""
    write_reports(report, store.folder(job.handin.key))
    write_record(store.job(job.handin.key), done)


def copy_result(store: Store, key: str, handin: Handin) -> None:
    """Copy the grading of `key` to `handin`, the same file under another key; do nothing if it is not whole."""
    done = read_done(store, key)
    if done is None or done.problem or done.fingerprint.get("submission") != handin.sha256:
        return
    try:
        evidence = named(decode(store.evidence(key).read_bytes()), handin)
        job = replace(read_record(store.task(key), Job), handin=handin)
    except (OSError, GraderError):
        return
    write_record(store.task(handin.key), job)
    write_atomically(store.evidence(handin.key), encode(evidence))
    write_record(store.job(handin.key), done)


def named(evidence: Evidence, handin: Handin) -> Evidence:
    """Return `evidence` under the batch's name for it: a platform calls every file `hw1`."""
    return replace(evidence, submission=replace(evidence.submission, name=handin.key))


def joined(before: Evidence, now: Evidence) -> Evidence:
    """Return `before` with the observations of `now` in the place of those of the same checks."""
    fresh = now.by_check
    kept = tuple(fresh.pop(observation.check, observation) for observation in before.observations)
    return replace(before, observations=(*kept, *fresh.values()), run=now.run, refusal=now.refusal)


class Unreadable(GraderError):  # noqa: N818 - a state of a file, told as a sentence
    """A hand-in's file cannot be read here."""


def sha256_of(path: Path) -> str:
    """Return the digest of a file's bytes; `Unreadable` if it cannot be read."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise Unreadable(f"{path} cannot be read ({error.strerror})") from error
