"""Checks whose questions to workers are recorded, or answered from what was recorded."""

import tempfile
from collections import defaultdict, deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any
from unittest import mock

import handins
import msgspec
from outcomes.cases import Case

from grader import errors
from grader.assignment import load_assignment
from grader.authoring import Options, Setup
from grader.authoring.session import observe
from grader.grading import grade
from grader.intake.archive import read_submission
from grader.intake.datasets import Dataset, load_dataset
from grader.model import Evidence, Finding, Report, Run
from grader.scoring.score import score
from grader.worker import faults
from grader.worker.client import WorkerClient
from grader.worker.runs import Answer, Observed
from replay.arrays import Arrays, question

Exchanges = list[list[Any]]
"""Questions and answers as plain data, in the order in which they were asked."""
_OPTIONS = ("record_launches", "watch_inputs", "timed", "full")


def _name_of(client: WorkerClient, module: str, function: str, args: Any, options: dict[str, Any]) -> bytes:
    asked = [name for name in _OPTIONS if options.get(name)]
    return question(client.kind == "whole", module, function, asked, args)


@contextmanager
def recording(arrays: Arrays) -> Iterator[Exchanges]:
    """Note every question to a worker, and its answer, while the context lasts."""
    ask, exchanges = WorkerClient._ask, Exchanges()

    def noted(client: WorkerClient, module: str, function: str, args: Any, limit_s: float, **options: Any) -> Answer:
        name = _name_of(client, module, function, args, options)
        arrays.meet(args)
        try:
            answer = ask(client, module, function, args, limit_s, **options)
        except (errors.StudentFault, errors.Inconclusive, errors.NotMeasured, errors.WorkerError) as error:
            finding = asdict(error.finding) if isinstance(error, errors.StudentFault) else None
            raised = [type(error).__name__, str(error), finding, getattr(error, "type_name", "")]
            exchanges.append([name, "raised", raised])
            raise
        exchanges.append([name, "answered", _pack_answer(answer, arrays)])
        return answer

    with mock.patch.object(WorkerClient, "_ask", noted):
        yield exchanges


@contextmanager
def replaying(arrays: Arrays, exchanges: Exchanges) -> Iterator[None]:
    """Answer every question as recorded; one that was asked again and again gets its last answer."""
    answers: dict[bytes, deque[list[Any]]] = defaultdict(deque)
    for name, *answer in exchanges:
        answers[name].append(answer)

    def told(client: WorkerClient, module: str, function: str, args: Any, limit_s: float, **options: Any) -> Answer:
        del limit_s
        known = answers.get(_name_of(client, module, function, args, options))
        if not known:
            raise LookupError(f"nothing is recorded of {module}.{function} for this: `python tests/replay record`")
        how, data = known.popleft() if len(known) > 1 else known[0]
        arrays.meet(args)
        if how == "raised":
            raise _unpack_error(data)
        return _unpack_answer(data, arrays)

    with mock.patch.object(WorkerClient, "_ask", told):
        yield


def _pack_answer(answer: Answer, arrays: Arrays) -> list[Any]:
    seen = msgspec.to_builtins(answer.held_against) if answer.held_against else None
    times = [answer.wall_s, answer.returned_s, answer.received_s]
    return [arrays.pack(answer.value), answer.subject, answer.doubt, times, list(answer.inputs_changed), seen]


def _unpack_answer(data: list[Any], arrays: Arrays) -> Answer:
    value, subject, doubt, (wall_s, returned_s, received_s), changed, held = data
    seen = msgspec.convert(held, Observed | None)
    return Answer(subject, arrays.unpack(value), seen, doubt, wall_s, tuple(changed), returned_s, received_s)


def _unpack_error(data: list[Any]) -> Exception:
    kind, text, finding, type_name = data
    error: type[Exception] = getattr(errors, kind, None) or getattr(faults, kind)
    if finding is None:
        return error(text)
    more = [type_name] if issubclass(error, errors.StudentRaised) else []
    return error(Finding(**finding), *more)


class NoWorkers:
    """A launcher that starts nothing."""

    level = "none"

    def __getattr__(self, name: str) -> Any:
        raise LookupError(f"a replay asked for the {name} of a worker")


@cache
def digits() -> Dataset:
    """Return the data set that needs no folder."""
    return load_dataset(None, wanted=True)


def record(case: Case, arrays: Arrays) -> tuple[Exchanges, Report]:
    """Grade a case with workers; return what they were asked and answered, and the report."""
    with _zip_of(case) as path, recording(arrays) as exchanges:
        options = Options(seed=handins.SEED, device="cpu", only=case.only, limits=case.limits, dataset=digits())
        return exchanges, grade(path, load_assignment(case.assignment), options)


def replay(case: Case, arrays: Arrays, exchanges: Exchanges) -> Report:
    """Let the checks of a case run on recorded answers; no worker starts."""
    assignment = load_assignment(case.assignment)
    options = Options(limits=case.limits, only=case.only, dataset=digits())
    here = {"device": "cpu", "seed": handins.SEED, "launcher": NoWorkers(), "starts_ahead": False}
    with _zip_of(case) as path, replaying(arrays, exchanges):
        files = path.parent / "files"
        submission = read_submission(path, files, assignment.files)
        seen = observe(Setup(assignment=assignment, options=options, **here), submission, files)
    evidence = Evidence(submission, Run("cpu", "", "", handins.SEED), seen, case.assignment)
    return score(evidence, assignment.rubric)


@contextmanager
def _zip_of(case: Case) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"{case.assignment}.zip")
        path.write_bytes(handins.packed(case.files))
        yield path


def sentences(case: str, report: Report) -> list[str]:
    """Return a line for each check of a replayed case that did not pass or has flags, and one for its name."""
    lines = [case]
    for row in report.results:
        if row.observation in report.evidence.observations:
            what = row.finding.message if row.finding else ""
            share = f" {row.points_low / row.criterion.points:.2f}" if row.is_partly_right else ""
            lines.append(f"    {row.criterion.id} {row.outcome}{share}: {what}".rstrip(": "))
            lines += [f"        flag: {flag}" for flag in row.observation.flags]
    return [line.replace("\n", " ") for line in lines]
