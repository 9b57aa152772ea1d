"""What the kit keeps of a check, and that saving a file checks it again."""

import os
import signal
import subprocess
import sys
import threading
import time
from datetime import UTC, datetime
from subprocess import PIPE

import handins
import pytest

from grader.kit import prediction
from grader.kit.dialogue import take_stamps, watch_files
from grader.kit.prediction import Prediction

pytestmark = pytest.mark.wide

NOON = datetime(2026, 1, 2, 12, tzinfo=UTC)


def predicted(low, high):
    return Prediction(low, high, automatic=90, gpu=7, undecided=0, not_run=0, marked=10)


def grown(folder, *points):
    for low, high in points:
        entries = prediction.add_to_history(predicted(low, high), folder, NOON)
    return entries


def test_the_history_grows_by_what_changed(tmp_path):
    entries = grown(tmp_path, (0, 0), (35, 42), (35, 42), (83, 90), (83, 83))
    assert [(entry.low, entry.high) for entry in entries] == [(0, 0), (35, 42), (83, 90), (83, 83)]
    assert prediction.read_history(tmp_path) == entries
    said = "So far: 0, then 35 to 42, then 83 to 90, then 83 of 90, since 2026-01-02 12"
    assert prediction.history_line(entries).startswith(said)
    assert (tmp_path / "out/history.csv").read_text().splitlines()[-1] == "2026-01-02 12:00+00:00,83,83,90,7,10"


def test_one_check_is_no_history_and_of_many_the_last_are_shown(tmp_path):
    assert prediction.history_line(grown(tmp_path, (1, 1))) == ""
    line = prediction.history_line(grown(tmp_path, *((n, n) for n in range(2, 20))))
    assert line.startswith("So far: … 14, then 15,")


@pytest.mark.parametrize("text", ["", "when\n", "when,points_at_least\nyesterday,many\n", "\0"])
def test_a_history_that_somebody_has_edited_stops_nothing(tmp_path, text):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/history.csv").write_text(text)
    assert grown(tmp_path, (3, 4))[-1].high == 4


def test_a_folder_that_cannot_be_written_to_costs_no_check(tmp_path):
    (tmp_path / "out").write_text("a file of one's own")
    assert len(grown(tmp_path, (3, 4))) == 1


NAMES = ("utils.py", "max_functions.py")


def test_stamps_tell_files_that_are_there_by_time_and_size(tmp_path):
    (tmp_path / "utils.py").write_text("x")
    stamps = take_stamps(tmp_path, NAMES)
    assert list(stamps) == ["utils.py"]
    (tmp_path / "utils.py").write_text("xy")
    assert take_stamps(tmp_path, NAMES) != stamps


def test_what_is_saved_made_or_removed_is_named_once_it_is_quiet(tmp_path):
    (tmp_path / "utils.py").write_text("1")
    watching = watch_files(tmp_path, NAMES, take_stamps(tmp_path, NAMES), every_s=0.02)

    def save():
        time.sleep(0.1)
        (tmp_path / "max_functions.py").write_text("new")
        (tmp_path / "utils.py").unlink()

    writer = threading.Thread(target=save)
    writer.start()
    seen = set(next(watching))
    writer.join()
    while seen != set(NAMES):
        seen |= set(next(watching))


@pytest.fixture
def folder(tmp_path):
    files = handins.reference_files()
    for name in handins.SOURCES:
        (tmp_path / name).write_bytes(files[name])
    return tmp_path


def begin(kit, folder, *words):
    environment = {**os.environ, "PYTHONPATH": str(kit.folder)}
    command = [sys.executable, "-m", "hw1check", "--plain", *words]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=PIPE, stderr=PIPE, text=True)


def test_ctrl_c_during_a_check_says_that_it_stopped(kit, folder):
    process = begin(kit, folder, "--only", "utils", "--only", "max")
    until(process, "utils.sigmoid: passed")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert (process.returncode, said) == (130, "hw1check: stopped before it was finished\n")


def test_a_saved_file_is_checked_again_and_ctrl_c_ends_it_well(kit, folder):
    process = begin(kit, folder, "--watch", "--only", "utils.sigmoid", "--only", "submission")
    try:
        until(process, "Watching utils.py")
        (folder / "utils.py").write_text("def sigmoid(x):\n    return x\n")
        again = until(process, "Next: ")
        process.send_signal(signal.SIGINT)
        ended = process.wait(60)
    finally:
        process.kill()
        process.communicate()
    assert "utils.py was saved." in again
    assert "utils.sigmoid: failed, 0 of 3 points." in again
    assert ended == 1  # points are lost: the exit code says so


def until(process, word):
    """Return what is printed up to the line that begins with `word`."""
    text = ""
    for line in process.stdout:
        text += line
        if line.startswith(word):
            return text
    raise AssertionError(text)
