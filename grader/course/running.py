"""A batch until all evidence is written: find hand-ins, plan, grade. The next run continues a killed batch.

A hand-in is graded if it has no evidence, if its evidence is out of date, or if a regrade request names it. Evidence is
up to date while each part of its fingerprint is unchanged. The rubric is not such a part: when it changes, the same
evidence is scored again.
"""

import hashlib
import secrets
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import grader
from grader.assignment import Assignment, load_assignment
from grader.authoring.plugin import OURS
from grader.course.job import Done, copy_result, read_done, write_result
from grader.course.model import Announce, Backend, Finished, GradingOptions, Job, Store, read_record, write_record
from grader.course.people import Roster, find_handin, read_course_list
from grader.course.roster import find_handins
from grader.errors import UsageError
from grader.intake.datasets import describe_dataset
from grader.intake.disk import digest_of, expect_writable, take_lock, write_atomically
from grader.machine import describe_versions
from grader.model import Evidence, Finding, Observation, Outcome, Rubric, Run, Submission, is_named
from grader.scoring.rubric import expect_named, load_rubric
from grader.scoring.score import score

NEVER = "not graded yet"
AGAIN = "the grader failed on it last time"
ASKED = "asked for"


@dataclass(frozen=True, slots=True)
class RegradeRequest:
    """A request to grade hand-ins again; it is kept until it is done, even if the batch is killed in between."""

    force: bool = False
    students: tuple[str, ...] = ()  # ids of students, or keys of hand-ins: only these are graded
    checks: tuple[str, ...] = ()  # ids of checks, or first words: only these run, and join what was observed before
    id: str = ""

    @property
    def is_none(self) -> bool:
        """Whether this requests nothing."""
        return not (self.force or self.students or self.checks)


@dataclass(frozen=True, slots=True)
class Settings:
    """`batch.json`: the options of the batch."""

    source: str
    seed: int | None  # None means the batch's earlier seed, or a fresh one; `batch.json` never has None
    how: GradingOptions
    platform: str = "auto"
    students: str = ""  # path of the course's list; empty if there is none
    regrade: RegradeRequest = field(default_factory=RegradeRequest)


@dataclass(frozen=True, slots=True)
class Plan:
    """The jobs, in the order of keys, and the reason for each."""

    jobs: tuple[Job, ...]
    reasons: Mapping[str, str]  # key -> why it is graded
    kept: int  # how many hand-ins keep their results

    def describe(self) -> str:
        """Return the plan as one sentence."""
        counts = Counter(self.reasons.values())
        parts = [f"{number} {'because ' if why not in {NEVER, ASKED} else ''}{why}" for why, number in counts.items()]
        kept = f"{self.kept} {'stays' if self.kept == 1 else 'stay'} as graded before"
        to_do = f"{len(self.jobs)} to grade ({'; '.join(parts)})" if self.jobs else "nothing to grade"
        return f"{to_do}, {kept}." if self.kept else f"{to_do}."


def begin_request(asked: RegradeRequest, before: RegradeRequest) -> RegradeRequest:
    """Return the request to carry out: the unfinished `before` if it is the same, else `asked` with a new id."""
    if asked.is_none:
        return asked
    if replace(before, id="") == replace(asked, id=""):
        return before
    return replace(asked, id=secrets.token_hex(4))


def make_plan(store: Store, roster: Roster, settings: Settings, assignment: Assignment) -> Plan:
    """Return the plan; `UsageError` if a student of the request is not in the batch, or handed in nothing."""
    parts = common_parts(assignment, settings.how)
    chosen = [find_handin(roster, word) for word in settings.regrade.students]
    jobs, reasons = [], {}
    for handin in roster.handins:
        if chosen and handin not in chosen:
            continue
        seed = hashlib.sha256(f"{settings.seed}:{handin.sha256}".encode()).digest()[:4]  # its own seed for each file
        fingerprint = {"submission": handin.sha256, **parts, "seed": str(settings.seed)}
        job = Job(handin, fingerprint, settings.how, int.from_bytes(seed))
        done = read_done(store, handin.key)
        if why := _why(job, done, settings.regrade):
            reasons[handin.key] = why
            jobs.append(_with_request(job, done, settings.regrade, assignment.rubric))
    return Plan(tuple(jobs), reasons, len(roster.handins) - len(jobs))


def _why(job: Job, done: Done | None, request: RegradeRequest) -> str:
    """Return why `job` must be graded; empty if it need not be."""
    if not request.is_none and (done is None or done.regrade_id != request.id):
        return ASKED
    if done is None:
        return NEVER
    if done.problem:
        return AGAIN if request.is_none else ""
    skipped = "only" if request.checks else ""  # the request has run single checks
    return describe_changes(done.fingerprint, {part: now for part, now in job.fingerprint.items() if part != skipped})


def _with_request(job: Job, done: Done | None, request: RegradeRequest, rubric: Rubric) -> Job:
    """Return the job with the request's id and checks, and checks that need these; results join the old evidence."""
    if not request.checks:
        return replace(job, regrade_id=request.id)
    joins = done is not None and not done.problem and done.fingerprint.get("submission") == job.handin.sha256
    before = done.fingerprint.get("only", "") if done is not None and joins else "nothing"
    only = "" if not before else " ".join(sorted({*request.checks, *(before.split() if joins else ())}))
    return replace(
        job,
        how=replace(job.how, only=with_dependents(request.checks, rubric)),
        fingerprint={**job.fingerprint, "only": only},
        regrade_id=request.id,
        joins=joins,
    )


def with_dependents(checks: Sequence[str], rubric: Rubric) -> tuple[str, ...]:
    """Return `checks` (ids, or their first words) and the ids of all rows that need one of them, also indirectly."""
    chosen = {row.id for row in rubric.criteria if is_named(row.id, checks)}
    wanted = set(checks)
    while more := {row.id for row in rubric.criteria if chosen.intersection(row.needs)} - chosen:
        chosen |= more
        wanted |= more
    return tuple(sorted(wanted))


_PACKAGE = Path(grader.__file__).parent
_AFTERWARDS = ("bench", "commands", "course", "kit", "reports")
"""Packages that do not affect observations: a change in their code does not make evidence out of date."""
WORDS = {
    "submission": "another file was handed in",
    "checks": "the assignment's checks or staff files changed",
    "grader": "the grader's own code changed",
    "environment": "another Python or library",
    "data": "another data set",
    "options": "other options",
    "only": "only some checks were run",
    "seed": "another seed",
}


def common_parts(assignment: Assignment, how: GradingOptions) -> dict[str, str]:
    """Return the parts of the fingerprint that all hand-ins of a batch share."""
    sources = filter(_decides, _PACKAGE.rglob("*"))
    afterwards = ("assignments/", *(f"{room}/" for room in _AFTERWARDS))
    code = (file for file in sources if not file.relative_to(_PACKAGE).as_posix().startswith(afterwards))
    return {
        "checks": digest_of(filter(_decides, assignment.own_files()), assignment.folder),
        "grader": digest_of(code, _PACKAGE),
        "environment": " ".join(f"{name} {version}" for name, version in sorted(describe_versions().items())),
        "data": describe_dataset(how.folder)[0] if assignment.learns else "none",
        "options": f"device {how.device}, sandbox {how.sandbox}, explain {how.explain}",
        "only": " ".join(sorted(how.only)),
    }


def describe_changes(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return in a few words why evidence with the fingerprint `old` is out of date; empty if it is not."""
    return " and ".join(WORDS.get(part, part) for part in new if old.get(part) != new[part])


def _decides(file: Path) -> bool:
    """Return whether a file can change observations: Python and TOML files can, except `rubric.toml`."""
    return file.suffix in {".py", ".toml"} and file.name != "rubric.toml"


_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch that is ready to run."""

    store: Store
    settings: Settings
    assignment: Assignment
    roster: Roster
    plan: Plan


def prepare(source: Path, store: Store, asked: Settings, rubric: Path | None = None) -> Batch:
    """Find the hand-ins and plan what must be graded; write the settings, the roster and a task for each job.

    Raises:
        UsageError: the source, the course's list or an option is wrong; the old roster and settings are unchanged.
    """
    assignment = load_assignment(asked.how.assignment, rubric)
    expect_named(asked.regrade.checks, assignment.rubric)
    settings = _with_those_before(asked, store)
    course = read_course_list(Path(settings.students) if settings.students else None)
    roster = find_handins(source, store, settings.platform, course)
    if store.roster.is_file():
        roster = _after(read_record(store.roster, Roster), roster, store)
    plan = make_plan(store, roster, settings, assignment)
    if rubric is not None:
        write_atomically(store.rubric, rubric.read_bytes())
    elif store.rubric.is_file():
        load_rubric(store.rubric)
    write_record(store.roster, roster)
    write_record(store.settings, settings)
    for job in plan.jobs:
        write_record(store.task(job.handin.key), job)
    return Batch(store, settings, assignment, roster, plan)


def run(batch: Batch, backend: Backend, announce: Announce) -> Iterator[Finished]:
    """Run the planned jobs and yield each as it ends; a job that failed gets `error` evidence, unless older is better.

    Raises:
        GraderError: the disk is full, or a cluster refuses. Finished results stay.
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
    """Lock the folder so that no second batch runs in it; the kernel releases the lock when this process ends.

    Raises:
        UsageError: another batch runs there, the folder cannot be made, or it would be inside the submissions' folder.
        GraderError: its disk is full.
    """
    if store.root.resolve().is_relative_to(source.resolve()):
        raise UsageError(f"the batch would lie in the folder {source}, among the submissions: choose another --out")
    expect_writable(store.root)
    store.root.mkdir(parents=True, exist_ok=True)
    with (store.root / _LOCK).open("ab") as lock:
        if not take_lock(lock.fileno(), waits=False, of_process=True):  # gradings are forked
            raise UsageError(f"another batch is running in {store.root}: wait for it, or stop it first")
        try:
            yield
        finally:
            if [path.name for path in store.root.iterdir()] == [_LOCK]:  # the batch has written nothing
                shutil.rmtree(store.root)


def _with_those_before(asked: Settings, store: Store) -> Settings:
    """Return the new content of `batch.json`.

    Unless `asked` names others, seed and course list stay the same, so that old evidence and ids stay valid.
    """
    before = Settings("", secrets.randbits(32), asked.how)
    if store.settings.is_file():
        before = read_record(store.settings, Settings)
        if before.how.assignment != asked.how.assignment:
            raise UsageError(f"{store.root} is a batch of {before.how.assignment}: choose another folder with --out")
    return replace(
        asked,
        seed=before.seed if asked.seed is None else asked.seed,
        students=asked.students or before.students,
        regrade=begin_request(asked.regrade, before.regrade),
    )


def _after(before: Roster, roster: Roster, store: Store) -> Roster:
    """Return `roster` with a warning for each student whose file was there before and is now missing.

    A new course list or partner can change a file's students, and so its key: its result is copied to the new key.
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
    """Write `error` evidence: the points stay undecided, and the next run of the batch grades the hand-in again.

    If there is evidence from an earlier grading of the same file, it stays instead.
    """
    before = read_done(batch.store, job.handin.key)
    if before is not None and not before.problem and before.fingerprint.get("submission") == job.handin.sha256:
        return
    sentence = f"The grading of this hand-in did not come to an end: {why}."
    finding, rubric = Finding(sentence, hint=OURS), batch.assignment.rubric
    observations = tuple(Observation(row.id, "", Outcome.ERROR, finding) for row in rubric.criteria)
    run = Run("cpu", "", "", job.seed, describe_versions(), notes=(sentence,))
    evidence = Evidence(Submission(job.handin.key, job.handin.sha256), run, observations, batch.assignment.name)
    write_result(batch.store, job, score(evidence, rubric), why)
