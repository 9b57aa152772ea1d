"""`grader batch` from the command line: what a TA types, and what they read."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
import zipfile

import handins
import psutil
import pytest
from rows import each
from waiting import wait_until

from grader import __main__ as cli

QUICK = "--sandbox limits --data digits --device cpu --seed 5"
CHEAP = ("111111111", "222222222", "333333333", "444444444")


def batch(*arguments, **options):
    command = [sys.executable, "-m", "grader", "batch", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=280, check=False, **options)


@pytest.fixture
def course(tmp_path):
    """A folder with hand-ins that are graded in a moment: their only file is broken."""
    (tmp_path / "in").mkdir()
    (tmp_path / "file").touch()
    for number, student in enumerate(CHEAP):
        broken = {"utils.py": f"NUMBER = {number}\n)".encode()}
        (tmp_path / f"in/hw1_{student}.zip").write_bytes(handins.packed(broken))
    return tmp_path


def asked(course, out="out"):
    return (course / "in", "--out", course / out, *QUICK.split())


def modified(root):
    return {path: path.stat().st_mtime_ns for path in root.glob("submissions/*/evidence.json")}


def test_a_batch_ends_in_a_sheet_and_is_not_graded_again(course):
    first = batch(*asked(course))
    assert first.returncode == 0, first.stderr
    assert first.stderr.startswith("Trained on scikit-learn's handwritten digits, as was asked for.\n")
    assert "4 to grade (4 not graded yet)" in first.stderr
    assert "4 of 4 done" in first.stderr
    assert "4 graded, 0 kept, 0 not graded." in first.stdout
    assert "Comparing hand-ins: utils.py, file 1 of 1" in first.stderr
    assert f"4 hand-ins compared, nothing is alike: {course / 'out/in/similarity.html'}" in first.stdout
    assert f"make review BATCH={course / 'out/in'} " in first.stdout
    assert "nothing is alike" in (course / "out/in/index.html").read_text("utf-8")
    root = course / "out/in"
    header = (root / "index.html").read_text("utf-8").partition("</header>")[0]
    assert "Data set: scikit-learn&#39;s handwritten digits, not MNIST." in header
    assert len((root / "grades.csv").read_text("utf-8-sig").splitlines()) == 5
    before = modified(root)
    (course / "in/hw1_222222222.zip").write_bytes(handins.packed({"utils.py": b"x = )"}))
    again = batch(*asked(course))
    assert "1 to grade (1 because another file was handed in), 3 stay as graded before." in again.stderr
    assert "Comparing hand-ins" in again.stderr
    assert [path.parent.name for path, when in modified(root).items() if when != before[path]] == ["222222222"]
    (root / "submissions/222222222/job.json").unlink()
    again = batch(*asked(course))
    assert "1 to grade (1 not graded yet), 3 stay as graded before." in again.stderr
    assert "Comparing hand-ins" not in again.stderr, "the same files"
    (course / "in").rename(course / "in (1)")  # as browsers name a second download
    assert f"{root} is the batch of a" in batch(course / "in (1)", *asked(course)[1:], "--only", "222222222").stderr


def test_a_hand_in_that_cannot_be_read_is_told_and_ends_the_batch_with_3(course):
    with zipfile.ZipFile(course / "all.zip", "w", zipfile.ZIP_LZMA) as archive:
        archive.write(course / "in/hw1_111111111.zip", "hw1_111111111.zip")
    ended = batch(course / "all.zip", "--out", course / "out", *QUICK.split())
    assert (ended.returncode, "0 graded, 0 kept, 1 not graded." in ended.stdout) == (3, True)


@pytest.mark.slow
def test_one_hand_in_is_graded_again_alone_and_one_check_alone_joins_what_stands(course):
    batch(*asked(course))
    assert "(1 asked for), 3 stay" in batch(*asked(course), "--only", "333333333").stderr
    before = json.loads((course / "out/in/submissions/111111111/evidence.json").read_text())
    assert batch(*asked(course), "--only-check", "utils.sigmoid", "--only", "111111111").returncode == 0
    after = json.loads((course / "out/in/submissions/111111111/evidence.json").read_text())
    assert [seen["check"] for seen in after["observations"]] == [seen["check"] for seen in before["observations"]]
    assert "nothing to grade, 4 stay" in batch(*asked(course)).stderr


@each(
    "arguments, says",
    (("nowhere",), "cannot read 'nowhere' (No such file or directory)"),
    (("in", "--students", "none.csv"), "none.csv cannot be read"),
    (("in", "--only", "999"), "there is no student '999'"),
    (("in", "--only-check", "utils.nothing"), "there is no check 'utils.nothing'"),
    (("in", "--assignment", "hw9"), "there is no assignment 'hw9'"),
    (("in", "--rubric", "none.toml"), "there is no rubric at none.toml"),
    (("in", "--out", "file"), "Files cannot be written into file/in"),
    (("in", "--out", "in/out"), "the batch would lie in the folder in, among the submissions"),
    (("in", "--workers", "0"), "'0' is not a number of 1 or more"),
    (("in", "--data", "mnits"), "there is no folder 'mnits'"),
)
def test_bad_usage_is_one_sentence(course, arguments, says, monkeypatch, capsys):
    monkeypatch.chdir(course)
    try:
        ended = cli.run(["batch", *arguments, "--sandbox", "limits"])
    except SystemExit as refused:  # by argparse
        ended = refused.code
    told = capsys.readouterr().err
    assert (ended, "Traceback" in told) == (2, False)
    assert says in told
    untouched = {"in", "out", "file", *(f"hw1_{student}.zip" for student in CHEAP)}
    assert {path.name for path in course.rglob("*")} <= untouched


@pytest.mark.wide
@pytest.mark.parametrize(
    ("room", "says"),
    [
        ("size=200k", "There is no space for files"),
        pytest.param("size=4m,nr_inodes=30", "[Nn]o space (for reports|left)", marks=pytest.mark.slow),
    ],
)
def test_a_full_disk_is_one_sentence_and_loses_nothing(course, room, says):
    full = course / "full"
    full.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", room, "none", full], capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("only root can make a disk that is full")
    try:
        ended = batch(course / "in", "--out", full, *asked(course)[3:])
        assert ended.returncode == 3
        assert re.search(says, ended.stderr.splitlines()[-1])  # which file finds the disk full is chance
        assert "Traceback" not in ended.stderr
        whole = [path.parent for path in full.glob("in/submissions/*/job.json")]
        assert all(json.loads((folder / "evidence.json").read_text()) for folder in whole)
    finally:
        subprocess.run(["umount", full], check=True)


@pytest.mark.wide
def test_two_batches_do_not_run_in_one_folder(course):
    (course / "in/hw1_111111111.zip").write_bytes(handins.packed({"utils.py": b"import time\ntime.sleep(60)\n"}))
    command = [sys.executable, "-m", "grader", "batch", *map(str, asked(course))]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL) as first:
        wait_until((course / "out/in/logs/111111111.txt").exists)
        second = batch(*asked(course))
        assert (second.returncode, "another batch is running in" in second.stderr) == (2, True)
        first.send_signal(signal.SIGINT)
        assert first.wait(60) == 130
    assert "not graded yet" in (course / "out/in/grades.csv").read_text(encoding="utf-8-sig")


@pytest.mark.slow
def test_a_batch_that_is_killed_fifty_times_ends_in_the_same_sheet(course):
    assert batch(*asked(course)).returncode == 0
    undisturbed = (course / "out/in/grades.csv").read_bytes()
    chance = random.Random(20251215)
    temporary = course / "temporary"
    temporary.mkdir()
    kept = {"env": {**os.environ, "TMPDIR": str(temporary)}, "stderr": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    began = time.monotonic()
    batch(*asked(course, "timed"))
    lasts_s = time.monotonic() - began
    finished = kills = 0
    while kills < 50:
        out = f"killed{finished}"
        command = [sys.executable, "-m", "grader", "batch", *map(str, asked(course, out))]
        with subprocess.Popen(command, **kept) as running:
            try:
                assert running.wait(chance.uniform(0, 1.2 * lasts_s)) == 0
            except subprocess.TimeoutExpired:
                kills += 1
                running.kill()
                continue
        assert (course / out / "in/grades.csv").read_bytes() == undisturbed
        finished += 1
    out = f"killed{finished}"
    assert batch(*asked(course, out)).returncode == 0
    assert (course / out / "in/grades.csv").read_bytes() == undisturbed
    assert nothing_left(course)


def nothing_left(course, limit_s=15):
    """Whether no process works in `course` any more; workers have its temporary folder in their arguments."""
    deadline = time.monotonic() + limit_s
    while any(str(course) in " ".join(one.info["cmdline"] or ()) for one in psutil.process_iter(["cmdline"])):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True
