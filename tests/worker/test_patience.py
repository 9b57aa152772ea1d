"""How long student code is waited for: longer on a busy machine, and never longer than a grading may take."""

import os
import subprocess
import sys

import psutil
import pytest

from grader.errors import Inconclusive, StudentTooSlow
from grader.worker import patience
from grader.worker.patience import Allowance, Patience
from grader.worker.process import Limits

STARVED, RUNNING, IDLE_MACHINE, ASLEEP = (0.3, 0.7, 0.0), (1.0, 0.0, 0.0), (0.3, 0.7, 0.5), (0.01, 0.01, 0.0)


@pytest.fixture
def clock(monkeypatch):
    """A clock that a test sets, in seconds."""
    now = [100.0]
    monkeypatch.setattr(patience.time, "monotonic", lambda: now[0])
    return now


def watching(monkeypatch, seen):
    monkeypatch.setattr(patience, "watch_processor", lambda _pid, _seconds: seen)


@pytest.mark.parametrize(
    ("seen", "extended"), [(STARVED, True), (RUNNING, False), (IDLE_MACHINE, False), (ASLEEP, False)]
)
def test_only_who_is_kept_from_the_processor_gets_more_time(monkeypatch, clock, seen, extended):
    watching(monkeypatch, seen)
    waiting = Patience(10)
    clock[0] += 10
    assert waiting.extend(1) == extended


@pytest.mark.parametrize(("share", "more_s"), [(0.5, 10), (0.1, 20), (0.0, 20)])
def test_it_is_what_a_core_would_have_given_at_most_three_times_the_limit_and_once(monkeypatch, clock, share, more_s):
    watching(monkeypatch, (share, 1 - share, 0.0))
    waiting = Patience(10)
    clock[0] += 10
    assert waiting.extend(1)
    assert waiting.left_s == pytest.approx(more_s)
    clock[0] += more_s
    assert not waiting.extend(1)


def test_a_call_that_had_its_time_while_others_were_waited_for_gets_more_if_it_was_kept_from_it(monkeypatch, clock):
    watching(monkeypatch, (0.5, 0.5, 0.0))
    waiting = Patience(10, spent_s=15)
    assert waiting.left_s == pytest.approx(0.001)
    assert waiting.extend(1)
    assert waiting.left_s == pytest.approx(5)
    assert clock == [100.0]


def test_a_call_without_any_time_left_is_over(monkeypatch):
    watching(monkeypatch, RUNNING)
    assert not Patience(0.2, spent_s=100).extend(1)


def test_a_call_gets_at_most_half_of_what_is_left():
    allowance = Allowance(100)
    assert allowance.limit(20) == 20
    allowance.spend(70)
    assert allowance.limit(20) == 15
    allowance.spend(29.5)
    assert allowance.limit(20) == 0


def test_a_worker_that_sleeps_is_not_extended_on_a_machine_with_idle_processors(submit):
    student = submit("import time\ndef wait(): time.sleep(60)", limits=Limits(call_s=0.5))
    with pytest.raises(StudentTooSlow):
        student.utils.wait()


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells who waits for a processor")
def test_who_waits_for_a_processor_is_told_from_who_sleeps():
    """Two processes that want the same core, and one that sleeps, below a process of ours each."""
    core = min(os.sched_getaffinity(0))
    busy = f"import os\nos.sched_setaffinity(0, {{{core}}})\nos.write(1, b'up')\nwhile True: pass"
    asleep = "import os, time\nos.write(1, b'up')\ntime.sleep(60)"
    above = "import subprocess, sys\n[subprocess.Popen([sys.executable, '-c', sys.argv[1]]) for _ in range(2)]\ninput()"
    shares = []
    for text in (busy, asleep):
        command = [sys.executable, "-c", above, text]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
            assert parent.stdout.read(4) == b"upup"
            shares.append(patience.watch_processor(parent.pid, 0.5)[:2])
            for one in psutil.Process(parent.pid).children():
                one.kill()
            parent.communicate()
    (used, waited), (asleep_used, asleep_waited) = shares
    assert waited > 0.5
    assert used > asleep_used
    assert asleep_waited < 0.1


@pytest.mark.wide
def test_endless_calls_leave_others_their_turn_and_cost_them_nothing(submit, monkeypatch):
    """What is cut short because others took the time is a person's to decide, and what is quick is decided."""
    watching(monkeypatch, RUNNING)
    hang = "\n".join(f"def hang{n}():\n    while True: pass" for n in range(4))
    student = submit(f"def one(): return 1\n{hang}", limits=Limits(load_s=10, call_s=2, grading_s=8))
    assert student.utils.one() == 1
    with pytest.raises(StudentTooSlow):
        student.utils.hang0()
    with pytest.raises(StudentTooSlow):
        student.utils.hang1()
    with pytest.raises(Inconclusive, match="took nearly all the time"):
        student.utils.hang2()
    assert student.utils.one() == 1


def test_what_a_busy_machine_takes_from_a_call_is_not_taken_from_the_others(submit, monkeypatch):
    watching(monkeypatch, STARVED)
    student = submit(
        "def one(): return 1\ndef hang():\n    while True: pass\n", limits=Limits(load_s=10, call_s=0.5, grading_s=2.4)
    )
    with pytest.raises(StudentTooSlow):
        student.utils.hang()
    assert student.utils.one() == 1
