"""Grades one hand-in of a batch: `python -m grader.batch.job ROOT KEY`. The same code runs in a pool's processes.

Reads `tasks/<key>.json`, writes `submissions/<key>/` and its `job.json` last. A second process that grades the same
job does no harm: every file appears whole, and both write the same. Exit codes: 0 the result is on the disk, 3 trouble.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from threadpoolctl import threadpool_limits

from grader.assignment import load_assignment
from grader.batch.files import read_record, read_task, write_record
from grader.batch.model import Handin, Job
from grader.batch.store import Store
from grader.datasets import Dataset
from grader.errors import GraderError
from grader.grading import Options, grade
from grader.model import Evidence, Report
from grader.reports import evidence as evidence_file
from grader.reports.files import write_reports
from grader.scoring import score
from grader.worker.launcher import Limits

OK, TROUBLE = 0, 3
_CHUNK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Done:
    """`job.json`: what the evidence beside it was made from."""

    fingerprint: dict[str, str] = field(default_factory=dict)
    errand: str = ""
    trouble: str = ""
    """Why the grading failed on our side; such a hand-in is graded again by the next run of the batch."""
    wall_s: float = 0.0


def read_done(store: Store, key: str) -> Done | None:
    """Return what the evidence of `key` was made from; None if there is no whole result."""
    try:
        return read_record(store.job(key), Done) if store.evidence(key).is_file() else None
    except GraderError:
        return None


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
        msg = f"{handin.path} has changed since the batch began: run the batch again"
        raise GraderError(msg)
    assignment = load_assignment(job.how.assignment, store.rubric if store.rubric.is_file() else None)
    # The judge's own products are small: threads for them would only spin, and take the cores from the submissions.
    with threadpool_limits(1):
        report = grade(handin.path, assignment, replace(options_of(job), dataset=dataset), progress)
    evidence = named(report.evidence, handin)
    if job.joins:
        evidence = joined(evidence_file.decode(store.evidence(handin.key).read_bytes()), evidence)
    report = score(evidence, assignment.rubric)
    write_result(store, job, report, Done(job.fingerprint, job.errand, wall_s=round(time.perf_counter() - began, 3)))
    return report


def write_result(store: Store, job: Job, report: Report, done: Done) -> None:
    """Write the reports and then `job.json`, without which they do not count."""
    write_reports(report, store.folder(job.handin.key))
    write_record(store.job(job.handin.key), done)


def options_of(job: Job) -> Options:
    """Return the options of one grading."""
    how = job.how
    limits = Limits(load_s=how.limit_s, call_s=how.limit_s) if how.limit_s else Limits()
    return Options(
        data=Path(how.data),
        seed=job.seed,
        device=how.device,
        sandbox=how.sandbox,
        only=how.only,
        explain=how.explain,
        limits=limits,
    )


def named(evidence: Evidence, handin: Handin) -> Evidence:
    """Return `evidence` under the batch's name for it: a platform calls every file `hw1`."""
    return replace(evidence, submission=replace(evidence.submission, name=handin.key))


def joined(before: Evidence, now: Evidence) -> Evidence:
    """Return `before` with the observations of `now` in the place of those of the same checks."""
    fresh = {seen.check: seen for seen in now.observations}
    kept = tuple(fresh.pop(seen.check, seen) for seen in before.observations)
    return replace(before, observations=(*kept, *fresh.values()), run=now.run, refusal=now.refusal)


def sha256_of(path: Path) -> str:
    """Return the digest of a file's bytes; `GraderError` if it cannot be read."""
    digest = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK_BYTES):
                digest.update(chunk)
    except OSError as error:
        msg = f"{path} cannot be read ({error.strerror}): check its permissions and run the batch again"
        raise GraderError(msg) from error
    return digest.hexdigest()


def main(arguments: Sequence[str]) -> int:
    """Grade the hand-in that the command line names; return the exit code."""
    if len(arguments) != 2:  # noqa: PLR2004 - as the sentence says
        sys.stderr.write("usage: python -m grader.batch.job ROOT KEY\n")
        return TROUBLE
    store = Store(Path(arguments[0]))
    try:
        run_job(store, read_task(store, arguments[1]), _say)
    except GraderError as error:
        sys.stderr.write(f"grader: {error}\n")
        return TROUBLE
    return OK


def _say(check: str) -> None:
    sys.stderr.write(f"{check}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
