"""However the marking view ends, every mark that was stored is in the grade sheet."""

import re
import signal
import subprocess
import sys
import urllib.parse
import urllib.request

import pytest
from sample_batches import read_grades
from sample_reviews import make_review

pytestmark = pytest.mark.wide

CHECK = "report.explanation"


@pytest.fixture
def served(tmp_path):
    """A batch, the process that serves its marking view, and the address."""
    store = make_review(tmp_path / "batch")
    command = [sys.executable, "-m", "grader", "review", str(store.root), "--sandbox", "limits", "--by", "dana"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    yield store, process, re.search(r"http\S+", process.stdout.readline())[0]
    process.kill()
    process.wait()
    process.stdout.close()


def give(address, points):
    fields = {"check": CHECK, "points": str(points), "comment": "clear", "version": "0"}
    data, headers = urllib.parse.urlencode(fields).encode(), {"Origin": f"http://{address.split('/')[2]}"}
    request = urllib.request.Request(f"{address}handin/hw1_012345678", data, headers)
    with urllib.request.urlopen(request, timeout=30) as answer:
        assert answer.status == 200


def test_a_mark_is_in_the_sheet_when_the_server_is_killed_at_once(served):
    store, process, address = served
    give(address, 8)
    process.send_signal(signal.SIGKILL)
    assert read_grades(store)["012345678"][CHECK] == "8"


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_when_it_is_ended_reports_and_archives_have_the_marks_too(served, ending):
    store, process, address = served
    give(address, 8)
    process.send_signal(ending)
    assert (process.wait(60), read_grades(store)["012345678"][CHECK]) == (0, "8")
    assert '"points": 8' in (store.folder("hw1_012345678") / "results.json").read_text("utf-8")
    assert (store.root / "feedback.zip").is_file()


def test_a_second_signal_and_a_closed_terminal_do_not_disturb_the_writing(served):
    store, process, address = served
    give(address, 8)
    process.stdout.close()
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGTERM)
    assert process.wait(60) == 0
    assert (store.root / "feedback.zip").is_file()


@pytest.mark.parametrize("share", ["0/3", "4/3", "1", "a/b", "/"])
def test_a_share_that_is_none_is_refused_in_a_sentence(share, tmp_path):
    command = [sys.executable, "-m", "grader", "review", str(tmp_path), "--share", share]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "is no share: say 1/3" in done.stderr
