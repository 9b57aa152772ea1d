"""A call that runs beside the checks: where its answer comes from."""

import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grader.errors import Inconclusive, StudentFault, StudentRaised
from grader.model import Submission
from grader.worker import wire
from grader.worker.background import Background
from grader.worker.process import PlainLauncher, Sent, Settings, WorkerProcess
from grader.worker.student import Student

LIMIT_S = 60
USES = (("utils", "who"),)


class Whole:
    """A submission whose slices are closed by reading, and, without a `why`, what the files end up with."""

    spare: tuple[str, ...] = ()

    def __init__(self, why: str = "") -> None:
        self.why = why

    def are_closed(self, _uses: object) -> bool:
        return True

    def try_slices(self, _uses: object, as_slices: Any, as_whole: Any, limit_s: float) -> tuple[Any, str]:
        if self.why:
            return as_whole(limit_s), self.why
        try:
            return as_slices(), ""
        except StudentRaised as fault:
            return as_whole(limit_s), str(fault)


@pytest.fixture
def call(tmp_path: Path) -> Iterator[Callable[..., Background]]:
    """Return a function that calls `utils.who()` of a slice in the background; of a whole file, if need be."""

    def start(kind: str) -> WorkerProcess:
        return WorkerProcess(Settings(tmp_path / kind, tmp_path), PlainLauncher())

    with ExitStack() as made:

        def begin(sliced, whole, student=None, spare=(), **more):
            for kind, source in (("sliced", sliced), ("whole", whole)):
                (tmp_path / kind).mkdir()
                (tmp_path / kind / "utils.py").write_text(f"def who():\n    {source}\n")
            student = student or Whole()
            student.spare, student.start_whole = spare, lambda **_how: start("whole")
            student.start_training = partial(start, "sliced")
            return made.enter_context(closing(Background(student, ("utils", "who", ()), USES, **more)))

        yield begin


@pytest.mark.parametrize(
    ("sliced", "why", "answer", "doubt"),
    [
        ("return 'slice'", "", "slice", "^$"),
        ("return 'slice'", "it is another function", "file", "^it is another function$"),
        ("raise KeyError('slice')", "", "file", "KeyError"),
    ],
)
def test_slices_that_hold_give_the_answer_and_in_doubt_the_files_do(call, sliced, why, answer, doubt):
    running = call(sliced, "return 'file'", Whole(why))
    assert running.result(LIMIT_S) == answer
    assert re.search(doubt, running.doubt)


def test_whether_slices_hold_is_asked_when_the_answer_is_awaited(call):
    student = Whole("it may be another function")
    running = call("return 'slice'", "return 'file'", student)
    student.why = ""
    assert running.result(LIMIT_S) == "slice"


def test_what_slices_raised_is_forgotten_where_they_do_not_hold(call):
    running = call("raise KeyError('slice')", "raise ValueError('file')", Whole("it is another function"))
    with pytest.raises(StudentFault, match="ValueError"):
        running.result(LIMIT_S)


@pytest.mark.parametrize(("subject", "words"), [("", "`who` raised"), ("the training", "The training raised")])
def test_students_read_of_what_they_know(call, subject, words):
    running = call("raise KeyError('slice')", "raise KeyError('file')", subject=subject)
    with pytest.raises(StudentFault, match=f"^{words} KeyError"):
        running.result(LIMIT_S)


def test_the_whole_files_have_the_whole_limit_although_the_slices_have_spent_of_it():
    spent_s = []

    def worker(**more):
        return SimpleNamespace(
            device="cpu",
            send=lambda *call: Sent(wire.Request(1, *call[:2], wire.Sequence("tuple", ())), (), time.perf_counter()),
            receive=lambda _ticket, _limit_s, already_s: spent_s.append(already_s) or wire.Reply(1, **more),
            close=lambda: None,
        )

    student = Whole()
    student.start_whole = lambda **_how: worker()
    student.start_training = partial(worker, raised=wire.Raised("KeyError", "no"), phase="call")
    running = Background(student, ("utils", "who", ()), USES)
    time.sleep(0.3)
    running.result(LIMIT_S)
    assert [one >= 0.3 for one in spent_s] == [True, False]


def test_one_worker_is_started_ahead_and_closed_if_nobody_takes_it(tmp_path):
    class Worker:
        is_closed = False

        def read_output(self):
            return ""

        def close(self):
            self.is_closed = True

    started = []

    def start(_settings: Settings) -> Worker:
        started.append(Worker())
        return started[-1]

    def open_one() -> Student:
        started.clear()
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        student = Student(Settings(folder / "files", folder), Submission("", ""), (), start)
        student.start(learns=True)
        return student

    student = open_one()
    ahead = started[0]
    assert student.start_training() is ahead
    assert student.start_training() is started[-1] is not ahead
    student.close()
    assert (ahead.is_closed, started[-1].is_closed) == (False, False), "they are their takers' to close"
    open_one().close()
    assert [worker.is_closed for worker in started] == [True] * 3, "that of the training, the files', the slices'"


def test_a_file_that_was_not_unpacked_is_nobodys_mistake(call):
    running = call("import helper", "import helper", spare=("src/helper.py",))
    with pytest.raises(Inconclusive, match=r"imports helper.*src/helper\.py"):
        running.result(LIMIT_S)


@pytest.mark.parametrize(
    ("source", "expected"),
    [("import helper", Inconclusive), ("import os; os._exit(3)", StudentFault), ("raise ValueError", StudentFault)],
)
def test_whoever_asks_again_is_told_the_same(call, source, expected):
    begun = call(source, source, spare=("helper.py",))
    told = []
    for _ in range(2):
        with pytest.raises(expected) as raised:
            begun.result(LIMIT_S)
        told.append(raised.value)
    assert told[0] is told[1]
