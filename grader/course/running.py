"""A batch from beginning to end: find, plan, grade, write the sheets. A killed one is continued by the next run."""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from grader import machine
from grader.assignment import Assignment, load_assignment
from grader.authoring.plugin import OURS
from grader.course.job import Done, copy_result, read_done, write_result
from grader.course.model import Announce, Backend, Finished, GradingOptions, Job, Store, read_record, write_record
from grader.course.people import Roster, read_course_list
from grader.course.planning import Plan, RegradeRequest, Settings, begin_request, make_plan
from grader.course.roster import find_handins
from grader.errors import UsageError
from grader.intake.disk import expect_writable, take_lock, write_atomically
from grader.model import Evidence, Finding, Observation, Outcome, Run, Submission
from grader.scoring.rubric import expect_named, load_rubric
from grader.scoring.score import score

_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class BatchRequest:
    """What the command line asks for."""

    source: Path
    store: Store
    how: GradingOptions
    platform: str = "auto"
    students: Path | None = None
    rubric: Path | None = None
    seed: int | None = None
    regrade: RegradeRequest = field(default_factory=RegradeRequest)


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that is ready to run."""

    store: Store
    settings: Settings
    assignment: Assignment
    roster: Roster
    plan: Plan


def prepare(request: BatchRequest) -> Batch:
    """Find the hand-ins and plan what is to be graded; the plan, the roster and all tasks are on the disk afterwards.

    Raises:
        UsageError: the source, the course's list or an option is wrong; what was there before is untouched.
    """
    assignment = load_assignment(request.how.assignment, request.rubric)
    expect_named(request.regrade.checks, assignment.rubric)
    settings = _settings(request)
    course = read_course_list(request.students or (Path(settings.students) if settings.students else None))
    roster = find_handins(request.source, request.store, request.platform, course)
    if request.store.roster.is_file():
        roster = _after(read_record(request.store.roster, Roster), roster, request.store)
    plan = make_plan(request.store, roster, settings, assignment)
    if request.rubric is not None:
        write_atomically(request.store.rubric, request.rubric.read_bytes())
    elif request.store.rubric.is_file():
        load_rubric(request.store.rubric)
    write_record(request.store.roster, roster)
    write_record(request.store.settings, settings)
    for job in plan.jobs:
        write_record(request.store.task(job.handin.key), job)
    return Batch(request.store, settings, assignment, roster, plan)


def run(batch: Batch, backend: Backend, announce: Announce) -> Iterator[Finished]:
    """Grade what is planned; yield each hand-in as it ends. What failed has `error` evidence then.

    Raises:
        GraderError: the disk is full, or a cluster refuses. What is graded stays.
    """
    jobs = {job.handin.key: job for job in batch.plan.jobs}
    for job in (job for job in batch.plan.jobs if job.handin.problem):
        _write_problem(batch, job, job.handin.problem)
        yield Finished(job.handin.key, job.handin.problem)
    if readable := [job for job in batch.plan.jobs if not job.handin.problem]:
        with closing(backend.run(readable, batch.store, announce)) as ended:  # type: ignore[type-var]  # a generator, as the protocol says
            for finished in ended:
                if finished.problem:
                    _write_problem(batch, jobs[finished.key], finished.problem)
                yield finished
    write_record(batch.store.settings, replace(batch.settings, regrade=RegradeRequest()))


@contextmanager
def held(store: Store, source: Path) -> Iterator[None]:
    """Keep a second batch out of the folder; the kernel lets go of it when this process ends, however.

    Raises:
        UsageError: another one runs there, the folder cannot be made, or it would lie among the submissions.
        GraderError: its disk is full.
    """
    if store.root.resolve().is_relative_to(source.resolve()):
        raise UsageError(
            f"the batch would lie in the folder {source}, among the submissions: choose another one with --out"
        )
    expect_writable(store.root)
    store.root.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(store.root / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    if not take_lock(descriptor, waits=False, of_process=True):  # gradings are forked
        os.close(descriptor)
        raise UsageError(f"another batch is running in {store.root}: wait for it, or stop it first")
    try:
        yield
    finally:
        if [path.name for path in store.root.iterdir()] == [_LOCK]:  # nothing came of it
            shutil.rmtree(store.root)
        os.close(descriptor)


def _settings(request: BatchRequest) -> Settings:
    """Return what `batch.json` shall say.

    The seed and the course's list stay what they were, so that evidence and ids of before still hold.
    """
    source, name = str(request.source.absolute()), request.how.assignment
    if request.store.settings.is_file():
        before = read_record(request.store.settings, Settings)
        if before.assignment != name:
            raise UsageError(
                f"{request.store.root} is a batch of {before.assignment}: choose another folder with --out"
            )
    else:
        before = Settings(source, name, secrets.randbits(32), request.how)
    return Settings(
        source,
        name,
        seed=before.seed if request.seed is None else request.seed,
        how=request.how,
        platform=request.platform,
        students=str(request.students.absolute()) if request.students else before.students,
        regrade=begin_request(request.regrade, before.regrade),
    )


def _after(before: Roster, roster: Roster, store: Store) -> Roster:
    """Return `roster` with a warning for everybody whose file was there before and is not any more.

    A course's list, or a partner, changes whose a file is, and so its key: gradings count for the same files on.
    """
    graded = {handin.sha256: handin.key for handin in before.handins if handin.sha256}
    for handin in roster.handins:
        if handin.sha256 in graded and read_done(store, handin.key) is None:
            copy_result(store, graded[handin.sha256], handin)
    present = {student.id for handin in roster.handins for student in handin.students}
    files = {handin.sha256 for handin in roster.handins}
    lost = (who for handin in before.handins if handin.sha256 not in files for who in handin.students)
    gone = (f"{who.id} was in this batch before, and has no file any more" for who in lost if who.id not in present)
    return replace(roster, warnings=(*gone, *roster.warnings))


def _write_problem(batch: Batch, job: Job, why: str) -> None:
    """Write `error` evidence: the points stay open, and the next run of the batch grades the hand-in again.

    What an earlier grading saw of the same file is worth more, and stays.
    """
    before = read_done(batch.store, job.handin.key)
    if before is not None and not before.problem and before.fingerprint.get("submission") == job.handin.sha256:
        return
    sentence = f"The grading of this hand-in did not come to an end: {why}."
    observations = tuple(
        Observation(row.id, "", Outcome.ERROR, Finding(sentence, hint=OURS)) for row in batch.assignment.rubric.criteria
    )
    run = Run("cpu", "", "", job.seed, machine.describe_versions(), notes=(sentence,))
    evidence = Evidence(Submission(job.handin.key, job.handin.sha256), run, observations, batch.assignment.name)
    done = Done(job.fingerprint, job.regrade_id, problem=why)
    write_result(batch.store, job, score(evidence, batch.assignment.rubric), done)
