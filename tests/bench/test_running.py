"""The bench's command, and what others took of the cores while it measured."""

import os

import psutil
import pytest
from rows import each

from grader.bench import measure
from grader.bench.measure import others_used, write_bench
from grader.cli import run
from grader.commands.bench import choose_counts
from grader.errors import UsageError
from grader.timing.cores import Core, spent_cpu_s

START = Core(number=0, busy_s=100, stolen_s=1, total_s=400, ours_s=50)


@each(
    "after, said",
    (Core(number=0, busy_s=115, stolen_s=1, total_s=420, ours_s=65), ""),
    (Core(number=0, busy_s=116, stolen_s=1, total_s=420, ours_s=65), ""),
    (Core(number=0, busy_s=119, stolen_s=1, total_s=420, ours_s=64), "others took 25% of the cores' time"),
    (Core(number=0, busy_s=115, stolen_s=7, total_s=420, ours_s=65), "others took 30% of the cores' time"),
    (Core(number=0, busy_s=100.3, stolen_s=1, total_s=400.4, ours_s=50), ""),
    (None, ""),
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
        monkeypatch.setattr(measure, "spent_cpu_s", lambda _pids: ticks / hertz)
        return measure.read_core_times((0, 1))

    before, after = read(0), read(1900)
    assert after.busy_s - before.busy_s == after.ours_s - before.ours_s > 0
    assert others_used(before, after) == ""


def test_our_own_time_is_that_of_this_process_on_whatever_core():
    before = spent_cpu_s([os.getpid()])
    sum(range(3_000_000))
    assert spent_cpu_s([os.getpid()]) > before > 0


def test_a_system_without_books_says_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path))
    assert measure.read_core_times((0,)) is None


def test_cores_are_those_of_the_sheet_as_far_as_there_are_and_others_are_wrong_usage():
    why = "Not measured on 8 cores: this machine lets us use 4. On the server, ask for more with -c."
    assert choose_counts(None, 4) == ((1, 2, 4), (why,))
    assert choose_counts(None, 64) == ((1, 2, 4, 8), ())
    assert choose_counts((4, 2, 2), 8) == ((2, 4), ())
    with pytest.raises(UsageError, match="2 core\\(s\\), fewer than 4: say --cores 2"):
        choose_counts((4, 8), 2)


@each("text", ["", "0", "1,", "two", "1;2", "-1", "9999"])
def test_a_list_that_is_none_is_refused_with_an_example(capsys, text):
    with pytest.raises(SystemExit):
        run(["bench", ".", f"--cores={text}"])
    assert "such as 1,2,4,8" in capsys.readouterr().err


def test_a_folder_that_does_not_exist_is_one_sentence(tmp_path, capsys):
    assert run(["bench", str(tmp_path / "none"), "--sandbox", "limits", "--cores", "1"]) == 2
    assert "none" in capsys.readouterr().err


def test_the_files_are_a_table_and_a_chart_per_comparison_in_a_folder_that_can_be_made(tmp_path, make_bench, timings):
    written = write_bench(make_bench(timings), tmp_path / "new" / "bench")
    assert [path.name for path in written[:2]] == ["bench.csv", "bench-max.svg"]
    assert all(path.stat().st_size > 100 for path in written)
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="--out"):
        write_bench(make_bench(timings), tmp_path / "file" / "bench")


@pytest.mark.slow
def test_a_template_is_measured_to_the_end_and_every_cell_says_why(tmp_path, capsys):
    assert run(["bench", "student_template/hw1", "--sandbox", "limits", "--cores", "1", "--out", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert out.count("raised NotImplementedError") == 6
    assert "NumPy" in out
