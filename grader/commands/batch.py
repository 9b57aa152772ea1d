"""`grader batch`: grades all hand-ins of a course, here or on a cluster, and writes the grade sheets.

`grader appeal`: grades one hand-in of a batch again.

While a batch runs, it shows a live table on a terminal, and plain lines elsewhere. The batch's only thread draws the
table: gradings are forked from this process, and they would inherit the locks of a second thread.
"""

import argparse
import json
import re
import shlex
import sys
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Self

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from grader.commands import BELOW, OK, OURS, STOPPED, add_shared
from grader.commands.afterwards import compare_batch, describe_similarities
from grader.course.grades.appeal import RUNS, find_case, hear
from grader.course.grades.sheets import Sheets, describe_statuses, new_notes, next_steps, write_sheets
from grader.course.model import Backend, Finished, GradingOptions, Store
from grader.course.pages import LivePage
from grader.course.people import Handin
from grader.course.platforms import PLATFORMS
from grader.course.pool import make_pool
from grader.course.running import Batch, RegradeRequest, Settings, held, prepare, run
from grader.errors import GraderError, UsageError
from grader.intake.datasets import DIGITS, describe_dataset
from grader.model import printable
from grader.reports.story import counted, listed, range_text

_MOST_LINES = 20
_LABEL_LIMIT = 120


def _add_batch(parser: argparse.ArgumentParser) -> None:
    parser.description = "Grade everything in a folder or archive. If it is stopped, the same command continues."
    add = parser.add_argument
    add("source", type=Path, help="folder of zips or folders, or the archive that the learning platform gave you")
    add("--platform", choices=("auto", *PLATFORMS), default="auto", help="whose layout it has (default: by its names)")
    add("--students", type=Path, metavar="FILE", help="the course's list (CSV, ODS, XLSX): student id,name,email,file")
    add("--backend", choices=("local", "slurm"), default="local", help="where gradings run (default: this machine)")
    add("--workers", type=_count, default=0, metavar="N", help="gradings at a time, local (default: cores + 1)")
    slurm = "a setting for Slurm, or a TOML file with [slurm]; repeatable (docs/batch.md)"
    add("--slurm", action="append", default=[], metavar="NAME=VALUE", help=slurm)
    add("--force", action="store_true", help="grade again what is graded already")
    add("--only-check", action="append", default=[], metavar="ID", help="run this check only, again; repeatable")
    add_shared(
        parser,
        *("out", "assignment", "rubric", "data", "seed", "device", "sandbox", "explain", "plain", "only"),
        out="the batch goes to DIR/<source>/ (default: out)",
        rubric="score with this rubric instead of the assignment's, from now on",
        seed="make hidden inputs repeatable (default: fresh, kept in the batch)",
        plain="plain lines of progress, also on a terminal",
        only={"metavar": "STUDENT", "help": "grade this student only, again; repeatable"},
    )


def _batch(options: argparse.Namespace) -> int:
    name, err = options.source.resolve().name, Console(stderr=True)
    store = Store(options.out / (name[:-4] if name.lower().endswith(".zip") else name or "batch"))
    with held(store, options.source):
        batch = prepare(options.source, store, _wanted(options), options.rubric)
        _say_found(err, batch)
        backend = _backend(options, batch, err)
        problems: dict[str, str] = {}
        stopped = _grade_all(err, batch, backend, options, problems)
        alike: list[str] = []
        try:
            alike += [] if stopped else _compare(err, batch.store)
        except KeyboardInterrupt:
            stopped = True
        finally:  # the sheets are written even if the comparison fails
            written = write_sheets(batch.store)
    if stopped:
        _say(err, f"Stopped. {written.files[0]} holds what is graded; the same command continues.")
        return STOPPED
    _say_end(batch, problems, written, alike)
    return OURS if problems else OK


def _grade_all(
    err: Console, batch: Batch, backend: Backend, options: argparse.Namespace, problems: dict[str, str]
) -> bool:
    """Run the batch with the board, put key -> problem into `problems`, and return whether Ctrl-C ended it early."""
    labels = {job.handin.key: _label(job.handin) for job in batch.plan.jobs}
    page = LivePage(batch.store)
    try:
        with Board(err, batch.store, labels, plain=options.plain) as board:
            page.renew(board.summary())
            for finished in run(batch, backend, board.announce):
                board.finish(finished)
                page.renew(board.summary())
                if finished.problem:
                    problems[finished.key] = finished.problem
    except KeyboardInterrupt:
        return True
    return False


def _compare(err: Console, store: Store) -> list[str]:
    """Compare the hand-ins, and return lines about the similar ones."""
    try:
        similar = compare_batch(store, again=False, announce=lambda what: _say(err, f"Comparing hand-ins: {what}"))
        return list(describe_similarities(store, similar))
    except GraderError as error:
        batch = shlex.quote(str(store.root))
        return [f"Hand-ins were not compared: {error}", f"  then: make similarity BATCH={batch}"]


def _label(handin: Handin) -> str:
    return printable(" and ".join(handin.labels), _LABEL_LIMIT)


def _wanted(options: argparse.Namespace) -> Settings:
    how = GradingOptions(
        assignment=options.assignment,
        data=str(options.data.absolute()) if options.data else DIGITS,
        device=options.device,
        sandbox=options.sandbox,
        explain=options.explain,
    )
    return Settings(
        source=str(options.source.absolute()),
        seed=options.seed,
        how=how,
        platform=options.platform,
        students=str(options.students.absolute()) if options.students else "",
        regrade=RegradeRequest(options.force, tuple(options.only), tuple(options.only_check)),
    )


def _backend(options: argparse.Namespace, batch: Batch, err: Console) -> Backend:
    if options.backend == "slurm":
        from grader.course.cluster.slurm import SlurmBackend, read_settings  # noqa: PLC0415 - of no use on most machines

        return SlurmBackend(read_settings(options.slurm), partial(_say, err))
    return make_pool(batch, options.workers)


def _say_found(err: Console, batch: Batch) -> None:
    roster = batch.roster
    students = sum(len(handin.students) for handin in roster.handins)
    handed_in = f"{counted(len(roster.handins), 'submission')} of {counted(students, 'student')}"
    note = describe_dataset(batch.settings.how.folder)[1] if batch.assignment.learns else ""
    lines = [*filter(None, [note]), f"{handed_in} ({roster.platform}): {batch.plan.describe()}"]
    if batch.settings.students:
        lines.append(f"  the course's list: {batch.settings.students}")
    first = batch.store.root.with_name(re.sub(r"(?<=.) ?\(\d+\)$", "", batch.store.root.name))  # a browser adds ` (1)`
    if first != batch.store.root and Store(first).roster.is_file():
        goes_on = f"to go on with it and its marks, stop, and rename this one to {first.name}.zip"
        lines.append(f"  note: {first} is the batch of a download of the same name; {goes_on}")
    lines += [f"  note: {text}" for text in roster.warnings[:_MOST_LINES]]
    if len(roster.warnings) > _MOST_LINES:
        lines.append(f"  note: {len(roster.warnings) - _MOST_LINES} more notes are in {batch.store.roster}")
    _say(err, *lines)


def _say(err: Console, *lines: str) -> None:
    for line in lines:
        err.print(line, markup=False, highlight=False, soft_wrap=True)


def _say_end(batch: Batch, problems: dict[str, str], written: Sheets, alike: list[str]) -> None:
    labels = {handin.key: _label(handin) for handin in batch.roster.handins}
    out = [f"{len(batch.plan.jobs) - len(problems)} graded, {batch.plan.kept} kept, {len(problems)} not graded."]
    out.append(f"  {describe_statuses(written.rows)}")
    out += [f"  not graded: {labels[key]}: {why}" for key, why in list(problems.items())[:_MOST_LINES]]
    if problems:
        out.append("  This is the grader's fault, not the students': run the same command to try these again.")
    if missing := batch.roster.missing:
        out.append(f"  nothing handed in: {printable(listed((one.label for one in missing), _MOST_LINES))}")
    notes = new_notes(batch.store, written)
    out += [f"  note: {printable(note, 300)}" for note in notes[:_MOST_LINES]]
    if len(notes) > _MOST_LINES:
        out.append(f"  note: {len(notes) - _MOST_LINES} more notes: {batch.store.root / 'notes.txt'}")
    out += [f"  {path}" for path in written.files]
    out += [*alike, *next_steps(batch.store, written)]
    sys.stdout.write("\n".join(out) + "\n")


def _count(text: str) -> int:
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of 1 or more")
    return int(text)


_MOST_RUNS = 50


def _add_appeal(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Grade one hand-in of a batch again, three times with fresh seeds, and write a page that puts "
        "the runs side by side. Grades stay as they are. Exit code 0: all gradings agree. 1: they do not."
    )
    add_shared(parser, "batch")
    parser.add_argument("who", help="a student, the key of a hand-in, or a zip")
    parser.add_argument("--runs", type=int, default=RUNS, metavar="N", help=f"how many times (default: {RUNS})")
    add_shared(parser, "only")


def _appeal(options: argparse.Namespace) -> int:
    if not 1 <= options.runs <= _MOST_RUNS:
        raise UsageError(f"--runs {options.runs}: choose 1 to {_MOST_RUNS}.")
    err, store = Console(stderr=True), Store(options.batch)
    appeal = hear(store, find_case(store, options.who), options.runs, options.only, lambda text: _say(err, f"  {text}"))
    sys.stdout.write(f"{appeal.verdict}\nSide by side: {appeal.page}\n")
    return BELOW if appeal.disputed else OK


_REDRAW_S, _MOST_SHOWN = 0.15, 20


class Board:
    """Shows the progress of a batch: hand-ins done, running with their current check, waiting; and the expected end."""

    def __init__(self, console: Console, store: Store, labels: Mapping[str, str], *, plain: bool = False) -> None:
        """Make a board that is not drawn yet; `labels` maps the key of each hand-in to grade -> its students."""
        self._console, self._store, self._labels, self._all = console, store, labels, len(labels)
        self._running: dict[str, tuple[str, float]] = {}
        self._done = self._problems = 0
        self._began_s = time.monotonic()
        self._drawn_s = 0.0
        shows_table = console.is_terminal and not plain
        self._live = Live(console=console, auto_refresh=False, get_renderable=self._picture) if shows_table else None

    def __enter__(self) -> Self:
        """Start drawing."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_error: object) -> None:
        """Draw for the last time; the last picture stays on the terminal."""
        if self._live is not None:
            self._live.stop()

    def announce(self, key: str, what: str) -> None:
        """Show that `what` happens to the hand-in `key`; see `grader.course.model.Announce`."""
        if not key:
            self._draw()
            return
        _before, began_s = self._running.pop(key, ("", time.monotonic()))
        if what.startswith("again"):  # the hand-in waits for its next try
            _say(self._console, f"{self._labels[key]}: {what}")
        else:
            self._running[key] = (what, began_s)
        self._draw()

    def finish(self, finished: Finished) -> None:
        """Show that a job has ended."""
        _what, began_s = self._running.pop(finished.key, ("", time.monotonic()))
        self._done += 1
        self._problems += bool(finished.problem)
        result = f"not graded: {finished.problem}" if finished.problem else read_score(self._store, finished.key)
        line = f"{self._labels[finished.key]}: {result}"
        if self._live is None or finished.problem:
            _say(self._console, f"{line}, {time.monotonic() - began_s:.0f} s · {self.summary()}")
        self._draw(at_once=True)

    def summary(self) -> str:
        """Return the progress in one line."""
        waiting = self._all - self._done - len(self._running)
        parts = [f"{self._done} of {self._all} done", f"{len(self._running)} running", f"{waiting} waiting"]
        if self._problems:
            parts.append(f"{self._problems} not graded")
        if 0 < self._done < self._all:
            left_s = (time.monotonic() - self._began_s) / self._done * (self._all - self._done)
            ends = time.strftime("%H:%M", time.localtime(time.time() + left_s))
            parts.append(f"about {in_words(left_s)} left, until {ends}")
        return ", ".join(parts)

    def _draw(self, *, at_once: bool = False) -> None:
        now_s = time.monotonic()
        if self._live is not None and (at_once or now_s - self._drawn_s > _REDRAW_S):
            self._drawn_s = now_s
            self._live.refresh()

    def _picture(self) -> Group:
        table = Table.grid(padding=(0, 2))
        for key, (what, began_s) in list(self._running.items())[:_MOST_SHOWN]:
            took = in_words(time.monotonic() - began_s)
            table.add_row(Text(self._labels[key]), Text(what, style="cyan"), Text(took, style="dim"))
        bar = Table.grid()
        bar.add_row(ProgressBar(total=self._all or 1, completed=self._done, width=60))
        return Group(table, bar, Text(self.summary()))


def read_score(store: Store, key: str) -> str:
    """Return a hand-in's score or range of scores, `refused`, or `graded` if its files cannot be read."""
    try:
        if json.loads(store.evidence(key).read_bytes())["refusal"]:
            return "refused"
        return range_text(*json.loads((store.folder(key) / "results.json").read_bytes())["extra_data"]["score_range"])
    except (OSError, ValueError, LookupError, TypeError):
        return "graded"


def in_words(duration_s: float) -> str:
    """Return a duration for people to read: `40 s`, `12 min`, `3 h 20 min`."""
    if duration_s < 90:  # noqa: PLR2004 - from 90 s on, minutes are exact enough
        return f"{duration_s:.0f} s"
    minutes = round(duration_s / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60} min"  # noqa: PLR2004 - as above
