"""A platform that is one file goes through a batch, marks, late days, mail and its own sheet."""

from pathlib import Path

import pytest
import toy
from handins import packed
from sample_batches import read_grades
from sample_reports import one_mistake

from grader.__main__ import run as grader
from grader.course.grades.sheets import write_sheets
from grader.course.job import named, write_result
from grader.course.model import Finished, GradingOptions, Store, read_record
from grader.course.people import Roster
from grader.course.platforms import PLATFORMS
from grader.course.running import Settings, prepare, run
from grader.scoring.score import score

SHEET = "Who;E-mail;Handed in;Points;Remarks\n0123;ada@x.org;2026-01-17 09:00;;\n999;=1+1;;;\n"


class Backend:
    def run(self, jobs, store, announce):  # noqa: ARG002 - as the protocol says
        for job in jobs:
            report = one_mistake()
            write_result(store, job, score(named(report.evidence, job.handin), report.rubric))
            yield Finished(job.handin.key)


@pytest.fixture
def batch(tmp_path, monkeypatch):
    monkeypatch.setitem(PLATFORMS, "toy", toy.Toy())
    for number, name in enumerate(("ada.lovelace@0123", "bob@0456")):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "hw1.zip").write_bytes(packed({"utils.py": b"%d" % number}))
    (tmp_path / "sheet.csv").write_text(SHEET)
    prepared = prepare(tmp_path / "in", Store(tmp_path / "out"), Settings("", None, GradingOptions(data="digits")))
    list(run(prepared, Backend(), lambda *_: None))
    write_sheets(prepared.store)
    return prepared.store


def call(*words):
    return grader([str(word) for word in words])


def test_a_download_is_recognised_and_the_end_of_a_batch_says_how_its_sheet_is_filled(batch, capsys):
    roster, labels = read_record(batch.roster, Roster), [("Ada Lovelace (0123)",), ("Bob (0456)",)]
    assert (roster.platform, [one.labels for one in roster.handins]) == ("toy", labels)
    call("rescore", batch.root)
    assert "Toy School: save the sheet; then\n" in capsys.readouterr().out


def test_marks_late_days_and_addresses_reach_its_sheet_and_the_mails(batch, tmp_path, capsys):
    assert call("mark", batch.root, "ada lovelace", "report.explanation", "8", "clear") == 0
    assert call("rescore", batch.root, "--toy", tmp_path / "sheet.csv", "--deadline", "2026-01-15 23:59") == 0
    out = capsys.readouterr().out
    assert f"Toy School: load {batch.root / 'toy.csv'}\n" in out
    assert "toy.csv: graded, but not in the sheet: 1." in out
    _head, ada, stranger = (batch.root / "toy.csv").read_bytes().decode().split("\r\n", 2)
    assert ada.startswith('0123;ada@x.org;2026-01-17 09:00;93;"Score: 93 of 100\nlate: +0 points. 1 day 9 h late')
    assert "\nreport.explanation: 8 points. clear\n" in ada
    assert stranger.strip() == "999;'=1+1;;;"
    assert (read_grades(batch)["0123"]["late"], read_grades(batch)["0123"]["email"]) == ("1.38", "ada@x.org")
    assert call("mark", batch.root, "ada@x.org", "report.explanation", "9") == 0
    (tmp_path / "t.txt").write_text("Dear $name: $score")
    assert call("mail", batch.root, tmp_path / "t.txt") == 0
    assert [path.name for path in (batch.root / "mail").glob("*.eml")] == ["0123.eml"]


def test_what_is_no_sheet_of_its_is_refused_and_the_whole_platform_is_a_page(batch, tmp_path, capsys):
    (tmp_path / "sheet.csv").write_text("a;b\n")
    assert call("rescore", batch.root, "--toy", tmp_path / "sheet.csv") == 2
    assert "is no sheet of Toy School" in capsys.readouterr().err
    assert len(Path(toy.__file__).read_text().splitlines()) <= 80
