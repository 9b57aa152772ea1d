"""How long student code is waited for: longer on a busy machine, and never longer than a grading may take."""

import os
import subprocess
import sys
import time
from dataclasses import replace
from types import SimpleNamespace

import psutil
import pytest

from grader.errors import Inconclusive, StudentTooSlow
from grader.worker import allowance, wire
from grader.worker.allowance import Allowance, CallDeadline, Look
from grader.worker.client import WorkerClient
from grader.worker.process import Limits, Sent

NOTHING = wire.Sequence("tuple", ())
BEFORE = Look(5.0, {1: 2.0, 2: 0.0}, (1.0, 0.0), 50.0)


def test_what_the_machine_kept_from_a_call_is_not_taken_from_the_grading():
    replies = [wire.Reply(1), wire.Reply(1)]
    worker = SimpleNamespace(
        kept_s=0.25,
        calls_served=0,
        send=lambda *call, **_options: Sent(wire.Request(1, *call[:2], NOTHING), (), time.perf_counter()),
        receive=lambda *_limits: time.sleep(0.25) or replies.pop(),
    )
    allowance = Allowance(10)
    WorkerClient(lambda: worker, Limits(), allowance=allowance).call("utils", "one", ())
    assert allowance.limit(60) == pytest.approx(5, abs=0.1)


@pytest.fixture
def clock(monkeypatch):
    now = [100.0]
    monkeypatch.setattr(allowance.time, "monotonic", lambda: now[0])
    return now


def looking(monkeypatch, *looks):
    """Let the next looks be these, and the last one be seen for ever after."""
    left = list(looks)
    monkeypatch.setattr(allowance, "look", lambda _pid: left.pop(0) if len(left) > 1 else left[0])


def later(computed_s=0.0, waited_s=0.0, stolen_s=0.0, idle_s=0.0):
    return Look(5.0 + computed_s, {1: 2.0 + waited_s, 2: 0.0}, (1.0, stolen_s), 50.0 + idle_s)


def wait(waiting, clock, until_s):
    """Wait as a worker's reader does; return at what time it gives up, or the end of the test's time."""
    while clock[0] < until_s:
        clock[0] += waiting.left_s
        if not waiting.extend(1):
            return clock[0] - 100
    return until_s - 100


@pytest.mark.parametrize(
    ("found", "given_s"),
    [
        (later(computed_s=10), 10),
        (later(computed_s=0.01), 10),  # asleep
        (later(computed_s=7, waited_s=3), 13),
        (later(computed_s=1, waited_s=9), 19),
        (later(computed_s=7, stolen_s=3), 13),
        (later(computed_s=20, waited_s=6), 10),  # two processors of its own, and it wants a third
    ],
)
def test_a_call_is_waited_for_without_the_time_in_which_it_had_no_processor(monkeypatch, clock, found, given_s):
    looking(monkeypatch, BEFORE, found)
    assert wait(CallDeadline(10), clock, 200) == pytest.approx(given_s)


def test_what_is_waited_for_beyond_the_limit_counts_as_well_up_to_three_times_the_limit(monkeypatch, clock):
    waiting = CallDeadline(10)
    monkeypatch.setattr(allowance, "look", lambda _pid: later(waited_s=clock[0] - 100, computed_s=0.0))
    assert wait(waiting, clock, 200) == pytest.approx(29, abs=1.5)


@pytest.mark.parametrize(("idle_s", "given_s"), [(0.0, 13), (1.5, 13), (9.0, 10)])
def test_a_system_that_does_not_tell_who_waits_is_asked_whether_it_is_idle(monkeypatch, clock, idle_s, given_s):
    looking(monkeypatch, replace(BEFORE, waited_s=None), replace(later(computed_s=7, idle_s=idle_s), waited_s=None))
    assert wait(CallDeadline(10), clock, 113) == pytest.approx(given_s, abs=0.6)


def test_a_call_that_had_its_time_while_others_were_waited_for_gets_more_if_it_was_kept_from_it(monkeypatch, clock):
    looking(monkeypatch, Look(7.0, {1: 8.0}, (0.0,), 0.0))
    waiting = CallDeadline(15, spent_s=16)
    assert waiting.left_s == pytest.approx(0.001)
    assert waiting.extend(1)
    assert (waiting.left_s, clock) == (pytest.approx(7), [100.0])


def test_a_call_without_any_time_left_is_over(monkeypatch):
    looking(monkeypatch, later(computed_s=1))
    assert not CallDeadline(0.2, spent_s=100).extend(1)


def test_what_the_machine_took_is_told_of_long_calls_only(monkeypatch, clock):
    looking(monkeypatch, BEFORE, later(waited_s=4))
    waiting = CallDeadline(10)
    assert waiting.kept_s(1) == 0
    clock[0] += 5
    assert waiting.extend(1)
    assert waiting.kept_s(1) == pytest.approx(4)


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
    """Two processes that want the same core, and two that sleep, below a process of ours each."""
    core = min(os.sched_getaffinity(0))
    busy = f"import os\nos.sched_setaffinity(0, {{{core}}})\nos.write(1, b'up')\nwhile True: pass"
    asleep = "import os, time\nos.write(1, b'up')\ntime.sleep(60)"
    above = "import subprocess, sys\n[subprocess.Popen([sys.executable, '-c', sys.argv[1]]) for _ in range(2)]\ninput()"
    kept_s, computed_s = [], []
    for text in (busy, asleep):
        command = [sys.executable, "-c", above, text]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
            assert parent.stdout.read(4) == b"upup"
            before = allowance.look(parent.pid)
            time.sleep(1)
            after = allowance.look(parent.pid)
            kept_s.append(replace(after, stolen_s=()).kept_s(before, 1.0))
            computed_s.append(after.computed_s - before.computed_s)
            for one in psutil.Process(parent.pid).children():
                one.kill()
            parent.communicate()
    assert kept_s[0] > 3 * kept_s[1]
    assert computed_s[0] > computed_s[1]


@pytest.mark.wide
def test_endless_calls_leave_others_their_turn_and_cost_them_nothing(submit, monkeypatch):
    """What is cut short because others took the time is a person's to decide, and what is quick is decided."""
    looking(monkeypatch, BEFORE)
    hang = "\n".join(f"def hang{n}():\n    while True: pass" for n in range(4))
    student = submit(f"def one(): return 1\n{hang}", limits=Limits(load_s=10, call_s=2, grading_s=8))
    assert student.utils.one() == 1
    for hang in (student.utils.hang0, student.utils.hang1):
        with pytest.raises(StudentTooSlow):
            hang()
    with pytest.raises(Inconclusive, match="^`hang2` was not decided: earlier calls, .* took nearly all the time"):
        student.utils.hang2()
    assert student.utils.one() == 1


def test_what_a_busy_machine_takes_from_a_call_is_not_taken_from_the_others(submit, monkeypatch):
    looking(monkeypatch, BEFORE, later(computed_s=0.1, waited_s=0.4))
    limits = Limits(load_s=10, call_s=0.5, grading_s=2.4)
    student = submit("def one(): return 1\ndef hang():\n    while True: pass\n", limits=limits)
    with pytest.raises(StudentTooSlow):
        student.utils.hang()
    assert student.utils.one() == 1
