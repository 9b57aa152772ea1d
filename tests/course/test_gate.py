"""While one is alone behind the gate, nobody else's check runs; whoever is killed holds nothing."""

import os
import signal
import time

import pytest
from waiting import wait_until

from grader.course.pool import gated

STAYS_S = 0.03


@pytest.fixture
def fork():
    """Run functions in processes of their own; return their process ids."""
    started = []

    def run(work):
        pid = os.fork()
        if pid == 0:
            try:
                work()
            finally:
                os._exit(0)
        started.append(pid)
        return pid

    yield run
    for pid in started:
        os.waitpid(pid, 0)


def grading(folder, log, name):
    """Go through three checks, the last of them timed, and write down when each began and ended."""

    def work():
        with gated(print, folder, ["timed"]) as enter:
            for check in ("one", "two", "timed"):
                enter(check)
                began = time.monotonic_ns()
                time.sleep(STAYS_S)
                with log.open("a") as file:
                    file.write(f"{name} {check} {began} {time.monotonic_ns()}\n")

    return work


def test_who_is_timed_is_alone_and_nobody_starves(tmp_path, fork):
    log = tmp_path / "log"
    pids = [fork(grading(tmp_path, log, number)) for number in range(5)]
    for pid in pids:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    rows = [line.split() for line in log.read_text().splitlines()]
    assert len(rows) == 15
    spans = [(check, int(began), int(ended)) for _name, check, began, ended in rows]
    for check, began, ended in spans:
        others = [other for other in spans if other != (check, began, ended)]
        if check == "timed":
            assert not [other for other in others if other[1] < ended and began < other[2]]


def test_who_is_killed_holds_nothing(tmp_path, fork):
    def stays():
        with gated(print, tmp_path, ["timed"]) as enter:
            enter("timed")
            (tmp_path / "inside").touch()
            time.sleep(60)

    pid = fork(stays)
    wait_until((tmp_path / "inside").exists)
    os.kill(pid, signal.SIGKILL)
    with gated(print, tmp_path, ["timed"]) as enter:
        enter("one")
        enter("timed")


def test_a_grading_that_begins_waits_for_the_one_that_is_timed(tmp_path, fork):
    def begins():
        wait_until((tmp_path / "timed").exists)
        with gated(print, tmp_path, ["timed"]):
            (tmp_path / "begun").touch()

    pid = fork(begins)  # before there is a lock, which it would inherit
    with gated(print, tmp_path, ["timed"]) as enter:
        enter("timed")
        (tmp_path / "timed").touch()
        time.sleep(10 * STAYS_S)
        assert not (tmp_path / "begun").exists()
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    assert (tmp_path / "begun").exists()
