"""What is to be graded now: what was never graded, what does not hold any more, and what somebody asks for again.

Evidence holds while all that it depends on is the same, part by part. The rubric is not among the parts: points are
given anew from the same evidence.
"""

import hashlib
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import grader
from grader.assignment import Assignment
from grader.course.job import Done, read_done
from grader.course.model import GradingOptions, Job, Store
from grader.course.people import Roster, find_handin
from grader.intake.datasets import describe_dataset
from grader.intake.disk import digest_of
from grader.machine import describe_versions
from grader.model import Rubric, is_named

NEVER = "not graded yet"
AGAIN = "the grader failed on it last time"
ASKED = "asked for"


@dataclass(frozen=True, slots=True)
class RegradeRequest:
    """A request to grade again what has been graded; it is kept until it is done, however often the batch is killed."""

    force: bool = False
    students: tuple[str, ...] = ()
    """Ids of students, or keys of hand-ins: only these are graded."""
    checks: tuple[str, ...] = ()
    """Ids of checks, or their first words: only these run, and join what was observed before."""
    id: str = ""

    @property
    def is_none(self) -> bool:
        """Whether nothing is asked for."""
        return not (self.force or self.students or self.checks)


@dataclass(frozen=True, slots=True)
class Settings:
    """`batch.json`: what was asked for."""

    source: str
    assignment: str
    seed: int
    how: GradingOptions
    platform: str = "auto"
    students: str = ""
    """The course's list."""
    regrade: RegradeRequest = field(default_factory=RegradeRequest)


@dataclass(frozen=True, slots=True)
class Plan:
    """The jobs, in the order of keys, and why each is one."""

    jobs: tuple[Job, ...]
    reasons: Mapping[str, str]
    """Key -> why it is graded."""
    kept: int
    """How many hand-ins stay as they are."""

    def describe(self) -> str:
        """Return the plan as one sentence."""
        counts = Counter(self.reasons.values())
        parts = [f"{number} {'because ' if why not in {NEVER, ASKED} else ''}{why}" for why, number in counts.items()]
        kept = f"{self.kept} {'stays' if self.kept == 1 else 'stay'} as graded before"
        to_do = f"{len(self.jobs)} to grade ({'; '.join(parts)})" if self.jobs else "nothing to grade"
        return f"{to_do}, {kept}." if self.kept else f"{to_do}."


def begin_request(asked: RegradeRequest, before: RegradeRequest) -> RegradeRequest:
    """Return the request to carry out: the unfinished one `before` if it is the same, else `asked` with a new id."""
    if asked.is_none:
        return asked
    if replace(before, id="") == replace(asked, id=""):
        return before
    return replace(asked, id=secrets.token_hex(4))


def make_plan(store: Store, roster: Roster, settings: Settings, assignment: Assignment) -> Plan:
    """Return what is to be graded; `UsageError` if a student of the request is not in the batch."""
    parts = common_parts(assignment, settings.how)
    chosen = [find_handin(roster, word) for word in settings.regrade.students]
    jobs, reasons = [], {}
    for handin in roster.handins:
        if chosen and handin not in chosen:
            continue
        seed = seed_of(settings.seed, handin.sha256)
        job = Job(handin, {"submission": handin.sha256, **parts, "seed": str(settings.seed)}, settings.how, seed)
        done = read_done(store, handin.key)
        if why := _why(job, done, settings.regrade):
            reasons[handin.key] = why
            jobs.append(_with_request(job, done, settings.regrade, assignment.rubric))
    return Plan(tuple(jobs), reasons, len(roster.handins) - len(jobs))


def seed_of(batch_seed: int, sha256: str) -> int:
    """Return the seed of one hand-in: the same whenever it is graded in this batch, and unlike the others'."""
    return int.from_bytes(hashlib.sha256(f"{batch_seed}:{sha256}".encode()).digest()[:4])


def _why(job: Job, done: Done | None, request: RegradeRequest) -> str:
    """Return why `job` is to be graded, empty if it is not."""
    if not request.is_none and (done is None or done.regrade_id != request.id):
        return ASKED
    if done is None:
        return NEVER
    if done.problem:
        return AGAIN if request.is_none else ""
    skipped = "only" if request.checks else ""  # the request has run single checks
    return describe_changes(done.fingerprint, {part: now for part, now in job.fingerprint.items() if part != skipped})


def _with_request(job: Job, done: Done | None, request: RegradeRequest, rubric: Rubric) -> Job:
    """Return the job as the request wants it: some checks, and those that need them, which join the old evidence."""
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
    """Return `checks` (ids, or their first words) with the ids of all rows that need one of them, by whatever way."""
    chosen = {row.id for row in rubric.criteria if is_named(row.id, checks)}
    wanted = set(checks)
    while more := {row.id for row in rubric.criteria if chosen.intersection(row.needs)} - chosen:
        chosen |= more
        wanted |= more
    return tuple(sorted(wanted))


_PACKAGE = Path(grader.__file__).parent
_AFTERWARDS = ("bench", "commands", "course", "kit", "reports")
"""Packages whose code only reads finished evidence, so that a change in them changes no observation."""
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
    """Return the parts that all hand-ins of a batch share."""
    sources = filter(_decides, _PACKAGE.rglob("*"))
    afterwards = ("assignments/", *(f"{room}/" for room in _AFTERWARDS))
    code = (file for file in sources if not file.relative_to(_PACKAGE).as_posix().startswith(afterwards))
    versions = describe_versions()
    return {
        "checks": digest_of(filter(_decides, assignment.own_files()), assignment.folder),
        "grader": digest_of(code, _PACKAGE),
        "environment": " ".join(f"{name} {version}" for name, version in sorted(versions.items())),
        "data": describe_dataset(how.folder)[0] if assignment.learns else "none",
        "options": f"device {how.device}, sandbox {how.sandbox}, explain {how.explain}, limit {how.limit_s:g} s",
        "only": " ".join(sorted(how.only)),
    }


def describe_changes(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Return in a few words why evidence with the fingerprint `old` does not hold any more; empty if it does."""
    return " and ".join(WORDS.get(part, part) for part in new if old.get(part) != new[part])


def _decides(file: Path) -> bool:
    """Return whether a file decides what happens: code, and an assignment's sheet; the rubric does not."""
    return file.suffix in {".py", ".toml"} and file.name != "rubric.toml"
