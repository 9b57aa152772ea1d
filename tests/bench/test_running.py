"""What others took of the cores while we measured."""

import os

import psutil
from rows import each

from grader.bench import running
from grader.bench.running import CoreTimes, others_used
from grader.timing.cores import spent_cpu_s

START = CoreTimes(busy_s=100, stolen_s=1, total_s=400, ours_s=50)


@each(
    "after, said",
    [
        (CoreTimes(busy_s=115, stolen_s=1, total_s=420, ours_s=65), ""),
        (CoreTimes(busy_s=116, stolen_s=1, total_s=420, ours_s=65), ""),
        (CoreTimes(busy_s=119, stolen_s=1, total_s=420, ours_s=64), "others took 25% of the cores' time"),
        (CoreTimes(busy_s=115, stolen_s=7, total_s=420, ours_s=65), "others took 30% of the cores' time"),
        (CoreTimes(busy_s=100.3, stolen_s=1, total_s=400.4, ours_s=50), ""),
        (None, ""),
    ],
)
def test_a_tenth_for_others_is_usual_and_more_is_said(after, said):
    assert others_used(START, after) == said
    assert others_used(None, after) == ""


def test_what_our_own_processes_do_is_not_done_by_others(tmp_path, monkeypatch):
    """The times of a machine with two cores on which nobody but this process runs."""
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path))
    hertz = os.sysconf("SC_CLK_TCK")

    def read(ticks):
        (tmp_path / "stat").write_text(f"cpu0 {ticks} 0 0 {2000 - ticks} 0 0 0 0\ncpu1 0 0 0 2000 0 0 0 0\n")
        monkeypatch.setattr(running, "spent_cpu_s", lambda _pids: ticks / hertz)
        return running.read_core_times((0, 1))

    before, after = read(0), read(1900)
    assert after.busy_s - before.busy_s == after.ours_s - before.ours_s > 0
    assert others_used(before, after) == ""


def test_our_own_time_is_that_of_this_process_on_whatever_core():
    before = spent_cpu_s([os.getpid()])
    sum(range(3_000_000))
    assert spent_cpu_s([os.getpid()]) > before > 0


def test_a_system_without_books_says_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path))
    assert running.read_core_times((0,)) is None
