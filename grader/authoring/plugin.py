"""The pytest plugin that turns the results of test functions into observations, in the parent process.

    collection   compare tests with the rubric, select by `--only`, put checks that wait, or time a GPU, last
    setup        skip a check if a check that it needs did not pass, and say which
    report       turn an exception into an outcome: `StudentFault`, `assert` and `pytest.fail` fail the student

`grader.authoring.session` gives a `GradingPlugin` to `pytest.main`.
"""

import time
import traceback
from collections.abc import Generator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from grader.authoring import STAGES, fixtures
from grader.authoring.fixtures import GRADING, Grading, id_of, note_of
from grader.authoring.judges.declared import expect_as_declared
from grader.errors import Inconclusive, NotMeasured, StaffError, StudentFault, describe_shortage
from grader.model import Criterion, Finding, Observation, Outcome, is_named, printable
from grader.scoring.rubric import validate
from grader.timing import locks

CHECK_LIMIT_S = 900  # longer than every limit of a worker: if pytest-timeout ends a check, the grader itself hangs
_TIMED_OUT = "Timeout ("
_NOWHERE = SimpleNamespace(sep=lambda *_, **__: None, write=lambda *_, **__: None, flush=lambda: None)
"""Without a terminal, pytest-timeout writes the stacks here before it ends a check that hangs."""
OURS = "This is the grader's fault, not the submission's: tell the course staff."


class _NeedFailed(Exception):  # noqa: N818 - an event of grading
    """A check that this check needs did not pass; has the outcome that follows."""

    def __init__(self, outcome: Outcome, finding: Finding) -> None:
        super().__init__(finding.message)
        self.outcome, self.finding = outcome, finding


class GradingPlugin:
    """Collects one `Observation` per check; after the session, `observations` has them in the rubric's order."""

    def __init__(self, grading: Grading) -> None:
        self._grading, self._only = grading, grading.setup.options.only
        self._rubric = grading.setup.assignment.rubric
        self._seen: dict[str, Observation] = {}
        self._began_s = 0.0
        self.staff_error: StaffError | None = None

    @property
    def observations(self) -> tuple[Observation, ...]:
        """The observations, in the rubric's order."""
        return tuple(self._seen[row.id] for row in self._rubric.criteria if row.id in self._seen)

    # --- collection

    def pytest_configure(self, config: pytest.Config) -> None:
        """Register mark and fixtures; without a terminal, make no tracebacks, which take a tenth of a second each."""
        config.addinivalue_line("markers", "check(id, stage, values_only): this test is the check of that id")
        config.stash[GRADING] = self._grading
        config.pluginmanager.register(fixtures)
        if not config.pluginmanager.hasplugin("terminal"):
            config.option.tbstyle = "value"
            config.get_terminal_writer = lambda: _NOWHERE  # type: ignore[assignment, return-value, method-assign] # for pytest-timeout

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the reason if a file of checks cannot be imported."""
        if report.failed and self.staff_error is None:
            why = report.longreprtext.strip().splitlines()[-1].removeprefix("E").strip()
            self.staff_error = StaffError(f"the checks in {report.nodeid} cannot be imported: {why}")

    def pytest_collection_modifyitems(self, session: pytest.Session, items: list[pytest.Item]) -> None:
        """Compare tests with the rubric, select by `--only`, and sort by stage, then by the needs of checks."""
        try:
            if self.staff_error is None:
                # cases of a parametrised check have the same function
                cases = {getattr(item, "function", item): check for item in items if (check := id_of(item))}
                validate(self._rubric, list(cases.values()))
        except StaffError as error:
            self.staff_error = error
        if self.staff_error is not None:
            session.shouldstop = str(self.staff_error)
            items.clear()
            return
        stages = {id_of(item): STAGES.index(_stage_of(item)) for item in items}
        rows = [row for row in self._in_order_of_need() if row.id in stages]
        for row in rows if self._grading.setup.device == "cpu" else ():  # no points depend on times
            if stages[row.id] == len(STAGES) - 1:
                stages[row.id] = max((stages.get(need, 0) for need in row.needs), default=0)
        selected = [row.id for row in rows if not self._only or is_named(row.id, self._only)]
        order = {check: (stages[check], position) for position, check in enumerate(selected)}
        items[:] = sorted((item for item in items if id_of(item) in order), key=lambda item: order[id_of(item)])
        for item in items:
            if _stage_of(item) == STAGES[-1]:  # a timed check may wait for other gradings on this machine
                item.add_marker(pytest.mark.timeout(CHECK_LIMIT_S + locks.LIMIT_S))

    def _in_order_of_need(self) -> list[Criterion]:
        """Return the rubric's rows in their order, but each row after those that it needs."""
        rows = {row.id: row for row in self._rubric.criteria}
        placed: dict[str, Criterion] = {}

        def place(check: str) -> None:
            for need in rows[check].needs:
                place(need)
            placed.setdefault(check, rows[check])

        for check in rows:
            place(check)
        return list(placed.values())

    # --- running

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, bool, bool]:
        """Pass on a check's observation after its last test; the tests of a check run one after the other."""
        answer = yield
        check = id_of(item)
        if check in self._seen and (nextitem is None or id_of(nextitem) != check):
            self._grading.setup.take(self._seen[check])
        return answer

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Begin to record the check, and skip it if a check that it needs did not pass."""
        self._grading.setup.progress(id_of(item))
        self._began_s = time.perf_counter()
        self._grading.student.begin_check()
        self._grading.student.allowance.calls_again = self._rubric.criterion(id_of(item)).points > 0
        note_of(item).passed = {check: kept.outcome is Outcome.PASSED for check, kept in self._seen.items()}
        for need in self._rubric.criterion(id_of(item)).needs:
            outcome = self._seen[need].outcome if need in self._seen else Outcome.PASSED
            if outcome.is_open:
                raise _NeedFailed(outcome, Finding(f"It needs {need}, which could not be decided."))
            if outcome is not Outcome.PASSED:
                finding = Finding(f"It needs {need}, which did not pass.", hint=f"Repair {need} first.")
                raise _NeedFailed(Outcome.SKIPPED, finding)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, object, object]:
        """After a check with points has passed, judge whether each function that it called works as declared."""
        answer = yield
        mark = item.get_closest_marker("check")
        if mark and not mark.kwargs["values_only"] and self._rubric.criterion(id_of(item)).points:
            expect_as_declared(self._grading.student, self._grading.setup.assignment.graded, note_of(item))
        return answer

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Add the result of a phase of the test to the check's observation."""
        report = yield
        outcome, finding = _judge(call.excinfo)
        if call.excinfo is not None or call.when == "call":
            self._keep(item, outcome, finding, call.excinfo)
        if outcome not in {Outcome.PASSED, Outcome.FAILED, Outcome.ERROR}:
            report.outcome = "skipped"
            report.longrepr = (str(item.path), 0, finding.message if finding else outcome.value)
        return report

    def _keep(
        self, item: pytest.Item, outcome: Outcome, finding: Finding | None, excinfo: pytest.ExceptionInfo[Any] | None
    ) -> None:
        note, student = note_of(item), self._grading.student
        if outcome is Outcome.PASSED and note.missing:
            outcome, finding = Outcome.FAILED, note.missing
        elif outcome is Outcome.FAILED and note.missing:
            note.remarks.insert(0, note.missing)
        if outcome is Outcome.ERROR and excinfo is not None:
            note.fact("traceback", printable("".join(traceback.format_exception(excinfo.value)), 6000))
        observation = Observation(
            check=id_of(item),
            sentence=" ".join((getattr(item, "function").__doc__ or "").split()),  # noqa: B009 - Item has none in its stub
            outcome=outcome,
            finding=finding,
            share=note.share if outcome is Outcome.FAILED and note.missing else 0.0,
            remarks=tuple(note.remarks),
            flags=(*note.flags, *student.doubts),
            facts=note.facts,
            output=student.output,
            wall_s=time.perf_counter() - self._began_s,
            student_s=student.student_s,
        )
        before = self._seen.get(observation.check)
        self._seen[observation.check] = observation if before is None else _merge(before, observation)


def _stage_of(item: pytest.Item) -> str:
    mark = item.get_closest_marker("check")
    return str(mark.kwargs["stage"]) if mark else STAGES[0]


def _judge(excinfo: pytest.ExceptionInfo[Any] | None) -> tuple[Outcome, Finding | None]:
    """Return the outcome for an exception, which says whose fault it is, and the finding."""
    match excinfo.value if excinfo is not None else None:
        case None:
            return Outcome.PASSED, None
        case StudentFault(finding=finding):
            return Outcome.FAILED, finding
        case _NeedFailed() as need:
            return need.outcome, need.finding
        case NotMeasured() as error:
            return Outcome.NOT_MEASURED, Finding(str(error))
        case Inconclusive() as error:
            return Outcome.INCONCLUSIVE, Finding(str(error))
        case AssertionError() as error:
            return Outcome.FAILED, Finding(printable(str(error), 1500) or "The check's assertion does not hold.")
        case pytest.fail.Exception() as error if not str(error).startswith(_TIMED_OUT):
            return Outcome.FAILED, Finding(printable(str(error), 1500))
        case error:
            text = describe_shortage(error)
            text = text or printable(f"{type(error).__name__}: {error}", 500)
            return Outcome.ERROR, Finding(f"The check itself failed: {text}", hint=OURS)


def _merge(before: Observation, now: Observation) -> Observation:
    """Merge two cases of a parametrised check, or a call and a failed teardown: the first problem counts."""
    problem = before if before.outcome is not Outcome.PASSED else now
    shares = [observation.share for observation in (before, now) if observation.outcome is not Outcome.PASSED]
    return replace(
        problem,
        share=min(shares, default=0.0),
        remarks=(*before.remarks, *(remark for remark in now.remarks if remark not in before.remarks)),
        flags=(*before.flags, *(flag for flag in now.flags if flag not in before.flags)),
        facts={**before.facts, **now.facts},
        output=before.output + now.output if before.output != now.output else now.output,
        wall_s=before.wall_s + now.wall_s,
        student_s=before.student_s + now.student_s,
    )
