"""Tests an assignment before students see it, one trial after the other.

reference    gets every point that this machine can decide, without a flag
template     gets no points
comparisons  each row returns the right result; only if the assignment has comparisons
mistakes     each declared mistake loses the points that it says, and no others
cheats       each general cheat loses points or gets a flag
kit          the handout checks template and reference with its own wheel

`run_trials` yields the result of each trial.
"""

import io
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from grader.assignment import Assignment
from grader.bench import model as comparisons
from grader.bench.measure import Setting, measure
from grader.errors import GraderError, StaffError, UsageError
from grader.grading import Options, grade
from grader.intake.archive import read_submission
from grader.kit.dialogue import FLAGGED
from grader.kit.handout import Handout, make_handout
from grader.kit.prediction import read_history
from grader.kit.settings import load_settings
from grader.machine import choose_device
from grader.model import Outcome, Report
from grader.reports.story import range_text
from grader.sandbox.levels import choose_launcher
from grader.scoring.rubric import expect_named
from grader.trial.changes import Change, load_changes, make_cheats
from grader.worker.launcher import Settings


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of one trial; it passed if `problem` is empty."""

    what: str
    problem: str = ""
    note: str = ""  # further information about the trial


def reference_files(assignment: Assignment) -> dict[str, bytes]:
    """Return name -> content of the staff's solution, for the files that are handed in; empty if it is not here."""
    paths = (assignment.reference / name for name in assignment.files)
    return {path.name: path.read_bytes() for path in paths if path.is_file()}


def run_trials(assignment: Assignment, options: Options) -> Iterator[Trial]:
    """Yield the result of each trial when it ends.

    Raises:
        UsageError: there is no reference.
        StaffError: a declared mistake is not written correctly.
    """
    files = reference_files(assignment)
    if not files:
        raise UsageError(f"there is no reference in {assignment.reference}: put your own solution there")
    mistakes = load_changes(assignment.mistakes(), assignment.reference)
    right = grade(assignment.reference, assignment, options)
    yield _judge_reference(right)
    untouched = grade(assignment.template, assignment, options)
    rewarded = [result.criterion.id for result in untouched.results if result.points_high > 0]
    yield Trial("the template gets none", f"points are there for {', '.join(rewarded)}" if rewarded else "")
    if (assignment.folder / comparisons.FILE).is_file():
        yield _try_comparisons(assignment, options)
    yield from (_try_mistake(assignment, files, change, right, options) for change in mistakes)
    texts = {name: data.decode("utf-8") for name, data in files.items() if name.endswith(".py")}
    settings = load_settings(assignment)
    rows = [row.id for row in assignment.rubric.criteria if row.points]
    for cheat in make_cheats(assignment.graded, texts):
        only = tuple(check for check in rows if cheat.target in settings.files_of(check))
        yield _judge_cheat(cheat, right, _grade_changed(assignment, files, cheat, replace(options, only=only)))
    yield _try_handout(assignment, files)


def _judge_reference(report: Report) -> Trial:
    bad = [
        f"{result.criterion.id} ({result.outcome}): {result.finding.message if result.finding else ''}"
        for result in report.results
        if result.outcome not in {Outcome.PASSED, Outcome.NOT_MEASURED} and not result.criterion.marked_by
    ]
    bad += [f"{check} is flagged: {reason}" for check, reason in report.flags]
    return Trial("the reference keeps every point", "; ".join(bad), report.score_text)


def _try_comparisons(assignment: Assignment, options: Options) -> Trial:
    """Call each row of the comparisons twice, and report each wrong result; the first call may compile."""
    what = "the reference's comparisons return what they should"
    try:
        wanted = comparisons.load_comparisons(assignment)
    except GraderError as error:  # this is the trial's result; other trials go on
        return Trial(what, str(error))
    device = choose_device(options.device)[0]
    launcher = choose_launcher(options.sandbox, device).launcher
    with tempfile.TemporaryDirectory(prefix="grader-trial-") as temporary:
        files = Path(temporary, "files")
        missing = read_submission(assignment.reference, files, assignment.files).missing
        worker = Settings(files, assignment.staff, device, options.limits, temporary=files.parent)
        setting = Setting(worker, missing, launcher, options.draw_seed(), assignment.baselines)
        once = []
        for comparison in wanted:
            rows = tuple(msgspec.structs.replace(row, calls=1) for row in comparison.rows)
            once.append(msgspec.structs.replace(comparison, rows=rows))
        charts = measure(once, [1], setting)
    timings = [timing for chart in charts for timing in chart.timings if timing.problem]
    return Trial(what, "; ".join(f"{timing.comparison}, {timing.row}: {timing.problem}" for timing in timings))


def _try_mistake(
    assignment: Assignment, files: Mapping[str, bytes], change: Change, right: Report, options: Options
) -> Trial:
    """Grade the reference with one mistake only: a second mistake could make checks of right functions fail."""
    what = f"mistake: {change.target}: {change.sentence}"
    if issue := change.keys.get("not_yet"):
        return Trial(what, note=f"not tried: {issue} will make it true")
    try:
        expect_named(sorted(change.names_of_checks()), assignment.rubric)
    except UsageError as error:  # the trial's result
        return Trial(what, str(error))
    expected = change.losses()
    lost = find_losses(right, _grade_changed(assignment, files, change, options))
    wrong = sorted(check for check in {*expected, *lost} if expected.get(check) != lost.get(check))
    differences = (f"{check} is {lost.get(check, 'passed')}, not {expected.get(check, 'passed')}" for check in wrong)
    return Trial(what, "; ".join(differences), f"costs {', '.join(sorted(lost)) or 'nothing'}")


def _judge_cheat(cheat: Change, right: Report, report: Report) -> Trial:
    ran = {result.criterion.id for result in report.results if result.observation.sentence}
    lost = find_losses(right, report, only=ran)
    flagged = {check for check, _reason in report.flags}
    effects = "; ".join(filter(None, [f"costs {', '.join(lost)}" if lost else "", "flagged" if flagged else ""]))
    problem = "" if effects else "no check minds: let one with points ask how the function works (no `values_only`)"
    return Trial(f"cheat: {cheat.sentence.rstrip('.')}", problem, effects)


def find_losses(right: Report, report: Report, only: Iterable[str] | None = None) -> dict[str, str]:
    """Return check -> outcome, for checks with points whose outcome is not that in `right`; `partly` for a share.

    `only` are the checks to compare, by default all.
    """
    before = {result.criterion.id: result.outcome for result in right.results}
    chosen = set(before) if only is None else {*only}
    return {
        result.criterion.id: "partly" if result.is_partly_right else str(result.outcome)
        for result in report.results
        if result.criterion.points and result.criterion.id in chosen
        if result.outcome is not before[result.criterion.id]
    }


def _grade_changed(assignment: Assignment, files: Mapping[str, bytes], change: Change, options: Options) -> Report:
    with tempfile.TemporaryDirectory(prefix="grader-trial-") as temporary:
        for name, data in {**files, **change.changed_files()}.items():
            Path(temporary, name).write_bytes(data)
        return grade(Path(temporary), assignment, replace(options, limits=change.limits))


def _try_handout(assignment: Assignment, files: Mapping[str, bytes]) -> Trial:
    what = "the handout checks template and reference with its own wheel"
    with tempfile.TemporaryDirectory(prefix="grader-trial-") as temporary:
        try:
            made = make_handout(load_settings(assignment), assignment.template, Path(temporary))
            try_kit(made, assignment.name, files)
        except GraderError as error:  # this is the trial's result
            return Trial(what, str(error))
    return Trial(what)


_LIMIT_S, _SHOWN_CHARS = 900, 1500
_LIBRARIES = ("site-packages", "dist-packages")
_PASSED_ON = ("PATH", "LANG", "LD_LIBRARY_PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES")


def try_kit(handout: Handout, name: str, reference: Mapping[str, bytes]) -> None:
    """Check the template and, if `reference` has files, the reference with the kit's wheel.

    Libraries come from this environment; the checks and the whole grader come from the wheel.

    Raises:
        StaffError: the kit does not run, takes points from the reference, flags it, or gives points to the template.
    """
    with tempfile.TemporaryDirectory(prefix="grader-kit-") as temporary:
        folder, site = Path(temporary, name), Path(temporary, _LIBRARIES[0])  # where a kit is installed
        with zipfile.ZipFile(handout.path) as packed:
            packed.extractall(temporary)
        with zipfile.ZipFile(io.BytesIO(handout.wheel.data)) as wheel:
            wheel.extractall(site)
        _low, high, _of, _said = _check(folder, site, name)
        if high > 0:
            raise StaffError(f"the kit would give {high:g} points to the template: let its checks fail")
        for file, data in reference.items():
            (folder / file).write_bytes(data)
        if not reference:
            return
        low, high, of, said = _check(folder, site, name)
        if FLAGGED in said:
            raise StaffError(f"the kit flags the reference: {said.partition(FLAGGED)[2].partition(chr(10))[0]}")
        if high < of:
            raise StaffError(
                f"the kit gives the reference {range_text(low, high)} of {of:g} points: see `grader selftest`"
            )


def _check(folder: Path, site: Path, name: str) -> tuple[float, float, float, str]:
    """Return what the kit says of a folder: least points, most points, the points that can be reached, and its text.

    It runs without Python's module `site` (-S): an editable installation would add its modules to the kit's package.
    """
    done = subprocess.run(  # noqa: S603 - this interpreter and arguments of ours, no shell
        [sys.executable, "-S", "-m", f"{name}check", "check", str(folder), "--plain", "--fresh"],
        cwd=site,
        env={
            **{word: os.environ[word] for word in _PASSED_ON if word in os.environ},
            "PYTHONPATH": os.pathsep.join([str(site), *[path for path in sys.path if Path(path).name in _LIBRARIES]]),
            "HOME": str(site),
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
        check=False,
    )
    entries = read_history(folder)
    if not entries:
        output = (done.stdout + done.stderr).strip()[-_SHOWN_CHARS:]
        raise StaffError(f"the kit's wheel cannot check {name} (exit code {done.returncode}); it says: {output}")
    return entries[-1].low, entries[-1].high, entries[-1].of, done.stdout
