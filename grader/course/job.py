"""Grades one hand-in of a batch, in a process of the local pool or a task of a cluster.

Writes `submissions/<key>/`, with `job.json` as the last file. A second process that grades the same job does no harm:
every file is written atomically, and both processes write the same.

The pool forks the process from a batch that has imported everything: this takes milliseconds instead of a second.

    batch --fork--> grading (its own session; ends with the batch) --> supervisors --> workers with student code

Imports, data set and a tried sandbox are ready before the fork. The process writes to a pipe which check runs; when the
pipe closes, the process has ended. The kernel kills the process when the batch dies, for whatever reason. Then the
supervisors end the workers, so that no process is left.
"""

import contextlib
import ctypes
import gc
import hashlib
import importlib
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import FrameType

from threadpoolctl import threadpool_limits

from grader import timing
from grader.assignment import Assignment, find_imports, load_assignment
from grader.authoring import judges
from grader.authoring.session import collect_checks
from grader.course.model import GradingOptions, Job, Store, read_record, write_record
from grader.course.people import Handin
from grader.errors import GraderError, describe_shortage
from grader.grading import Options, grade
from grader.intake.datasets import Dataset, load_dataset
from grader.intake.disk import describe_unwritable, write_atomically
from grader.machine import choose_device
from grader.model import Evidence, File, Report, Run, Submission
from grader.reports.files import RENDERERS, decode, encode, write_reports
from grader.sandbox.levels import choose_launcher
from grader.scoring.score import score


@dataclass(frozen=True, slots=True)
class Done:
    """`job.json`: the inputs from which the evidence in the same folder was made."""

    fingerprint: dict[str, str] = field(default_factory=dict)
    regrade_id: str = ""
    problem: str = ""  # why the grader failed; the next run of the batch grades this hand-in again


def read_done(store: Store, key: str) -> Done | None:
    """Return the `job.json` of `key`; None if the result is incomplete or `job.json` cannot be read."""
    try:
        return read_record(store.job(key), Done) if store.evidence(key).is_file() else None
    except GraderError:
        return None


def is_done(store: Store, job: Job) -> bool:
    """Return whether the batch has a complete result of exactly this job, without a failure of the grader."""
    done = read_done(store, job.handin.key)
    if done is None or done.problem:
        return False
    return (done.fingerprint, done.regrade_id) == (job.fingerprint, job.regrade_id)


def run_job(
    store: Store, job: Job, progress: Callable[[str], None] = lambda _check: None, dataset: Dataset | None = None
) -> Report:
    """Grade `job`, write the result and return the report; `dataset` is that of `job.how.data` if it is loaded already.

    Raises:
        GraderError: the hand-in has changed since it was found, or the grader failed; `job.json` was not written.
    """
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
    write_result(store, job, report)
    return report


def write_result(store: Store, job: Job, report: Report, problem: str = "") -> None:
    """Write the reports and then `job.json`; without `job.json` the reports do not count."""
    write_reports(report, store.folder(job.handin.key))
    write_record(store.job(job.handin.key), Done(job.fingerprint, job.regrade_id, problem))


def copy_result(store: Store, key: str, handin: Handin) -> None:
    """Copy the result of `key` to `handin`, the same file under another key; do nothing if the result is incomplete."""
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
    """Return `evidence` with the hand-in's key as its name, because a platform may call every file `hw1`."""
    return replace(evidence, submission=replace(evidence.submission, name=handin.key))


def joined(before: Evidence, now: Evidence) -> Evidence:
    """Return `before`, in which the observations of `now` replace those of the same checks; new checks are added."""
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


Work = Callable[[Callable[[str], None]], object]  # what the process does; its argument reports progress

ENDS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)  # signals that end a program
_PR_SET_PDEATHSIG = 1
_MOST_BYTES = 1 << 16
_MOST_LOG_CHARS = 2000
_TROUBLE = 3
_STOPS_S = 5.0  # how long a grading may take to end its workers and remove its folders after SIGTERM


class Forked:
    """A running grading, seen from the batch."""

    def __init__(self, work: Work, log: Path) -> None:
        self.began_s = time.monotonic()
        self.log = log
        self._unread = b""
        try:
            log.parent.mkdir(parents=True, exist_ok=True)
            prints = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        except OSError as error:
            raise describe_unwritable(log.parent, error) from error
        self.channel, inside = os.pipe()
        os.set_blocking(self.channel, False)
        sys.stdout.flush()
        sys.stderr.flush()
        batch = os.getpid()
        self.pid = os.fork()
        if self.pid == 0:
            _run_grading(work, batch, inside, prints)
        os.close(inside)
        os.close(prints)

    def read_checks(self) -> list[str] | None:
        """Return the lines written since the last call; None if the process has ended."""
        try:
            chunk = os.read(self.channel, _MOST_BYTES)
        except BlockingIOError:
            return []
        *lines, self._unread = (self._unread + chunk).split(b"\n")
        return [line.decode("utf-8", "replace") for line in lines] if chunk else None

    def collect(self) -> str:
        """Wait for the process, which has ended or is about to; return why it failed, empty if it did not fail."""
        os.close(self.channel)
        _pid, status = os.waitpid(self.pid, 0)
        if os.WIFSIGNALED(status):
            return f"the grading's process was ended by {signal.Signals(os.WTERMSIG(status)).name}"
        if code := os.WEXITSTATUS(status):
            return self._last_words() or f"the grading's process ended with exit code {code}"
        return ""

    def end(self) -> None:
        """Send SIGTERM so that the process cleans up, then kill it; its supervisors then end the workers."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
            deadline_s = time.monotonic() + _STOPS_S
            while self.read_checks() is not None and time.monotonic() < deadline_s:
                time.sleep(0.01)
            os.kill(self.pid, signal.SIGKILL)
        self.collect()

    def _last_words(self) -> str:
        try:
            lines = self.log.read_text("utf-8", "replace")[-_MOST_LOG_CHARS:].strip().splitlines()
        except OSError:
            return ""
        return lines[-1].removeprefix("grader: ") if lines else ""


def _run_grading(work: Work, batch: int, channel: int, prints: int) -> None:
    """Do `work` in this forked process, then end the process: none of the batch's own code may run here."""
    code = _TROUBLE

    def tell(text: str) -> None:
        line = text.replace("\n", " ").encode()[:200] + b"\n"
        os.write(channel, line)  # if the batch has died, the pipe is broken, and the error ends this process

    try:
        _end_with(batch)
        os.setsid()  # Ctrl-C in the terminal is for the batch, which then ends its gradings
        for source, target in ((os.open(os.devnull, os.O_RDONLY), 0), (prints, 1), (prints, 2)):
            os.dup2(source, target)  # the terminal is the batch's
        work(tell)
        code = 0
    except KeyboardInterrupt:
        pass  # the batch ended this process and needs no message
    except GraderError as error:
        _print(f"grader: {error}")
    except BaseException as error:  # noqa: BLE001 - no exception may reach the frames of the batch
        _print(f"{traceback.format_exc()}{describe_shortage(error)}")
    finally:
        os._exit(code)


def _end_with(batch: int) -> None:
    """Let the kernel kill this process when the batch dies; on other systems the pipe breaks at the next check."""
    for number in ENDS:
        signal.signal(number, signal.default_int_handler)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != batch:
        os._exit(_TROUBLE)


def _print(text: str) -> None:
    os.write(2, text.encode("utf-8", "replace") + b"\n")


ALWAYS = ("pytest_timeout", "jinja2", "junitparser", "pygments.lexers.python")


def warm_up(assignment: Assignment, how: GradingOptions) -> Dataset:
    """Import what checks and reports import, try device and sandbox, and return the data set.

    From here on, BLAS uses one thread: the grader's own matrices are small, and each forked process would start new
    BLAS threads, which spin for a fifth of a second on cores that the submissions need.

    Raises:
        UsageError: the requested device, data or sandbox is not available here.
    """
    device, _name = choose_device(how.device)
    choose_launcher(how.sandbox, device)
    dataset = load_dataset(how.folder, wanted=bool(assignment.learns))
    rooms = (assignment.folder, assignment.checks, Path(judges.__file__).parent, Path(timing.__file__).parent)
    names = {name for room in rooms for file in room.glob("*.py") for name in find_imports(file.read_bytes())}
    for name in (*ALWAYS, *sorted(names)):  # all imports of the assignment, of judges and of timing
        with contextlib.suppress(Exception):  # code that needs the module fails later, and that error is reported
            importlib.import_module(name)
    collect_checks(assignment.checks)
    submission = Submission("", "", (File("-.py", 0, "", "pass"),))
    nothing = Evidence(submission, Run("cpu", "", "", 0), (), assignment.name, refusal="-")
    for render in RENDERERS.values():  # renders once, so that templates, style sheets and the lexer are compiled
        render(score(nothing, assignment.rubric))
    threadpool_limits(1)
    gc.collect()
    gc.freeze()  # the collector of a forked process does not touch these objects, so their pages are not copied
    return dataset


@contextlib.contextmanager
def held_back() -> Iterator[None]:
    """Delay Ctrl-C, SIGTERM and SIGHUP until the block ends; only the main thread may call this.

    A signal mask is not enough: if another thread runs, such as a thread of NumPy, the kernel gives the signal to that
    thread, and Python still interrupts the main thread.
    """
    came: list[signal.Signals] = []

    def note(number: int, _frame: FrameType | None) -> None:
        came.append(signal.Signals(number))

    try:
        with contextlib.ExitStack() as usual:
            for number in ENDS:
                usual.callback(signal.signal, number, signal.signal(number, note) or signal.SIG_DFL)
            yield
    finally:
        for first in came[:1]:
            signal.raise_signal(first)
