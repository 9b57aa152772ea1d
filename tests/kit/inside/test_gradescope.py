"""A submission where Gradescope lays it. Where the grader itself fails there is no result, and so no score."""

import json
import shutil
import zipfile

import handins
import pytest
from gradescope_results import read_result
from rows import each

from grader.__main__ import run
from grader.kit.inside import gradescope
from grader.kit.inside.gradescope import describe_history, read_metadata


def test_a_failure_of_ours_leaves_no_result_and_staff_read_why(tmp_path, monkeypatch, capsys):
    (tmp_path / "source").mkdir()
    (tmp_path / "submission").mkdir()
    grade = gradescope.run
    monkeypatch.setattr(gradescope, "run", lambda: grade(tmp_path))
    assert run(["inside", "gradescope"]) == 3
    assert "settings.json cannot be read" in capsys.readouterr().err
    assert not list(tmp_path.rglob("results.json"))


@pytest.fixture
def home(tmp_path):
    """What Gradescope lays out for a submission that came from GitHub: right files beside a zip of day one."""
    for name in ("source", "submission"):
        (tmp_path / name).mkdir()
    (tmp_path / "source/settings.json").write_text(json.dumps({"assignment": "hw1"}))
    (tmp_path / "submission_metadata.json").write_text(json.dumps({"submission_method": "GitHub"}))
    with zipfile.ZipFile(tmp_path / "submission/hw1.zip", "w") as archive:
        for name in handins.SOURCES:
            archive.write(handins.TEMPLATE / name, name)
            shutil.copy(handins.REFERENCE / name, tmp_path / "submission")
    return tmp_path


def graded(home):
    gradescope.run(home)
    return read_result(home)


@pytest.mark.slow
def test_a_checkout_is_graded_as_a_folder_and_its_student_reads_it(home):
    result = graded(home)
    assert result["score"] == 80  # all but the PDF
    assert "The files of the repository were graded, not 'hw1.zip'." in result["output"]
    assert result["execution_time"] > 0


def test_an_upload_of_nothing_is_told_without_words_of_a_command_line(home):
    shutil.rmtree(home / "submission")
    (home / "submission").mkdir()
    result = graded(home)
    assert "the folder 'submission' is empty: hand in the files of the sheet" in result["output"]
    assert result["extra_data"]["score_range"] == [0, 100]


DUE, NEXT_DAY = "2026-06-30T23:00:00-07:00", "2026-07-01T23:00:00-07:00"


@pytest.fixture
def said(tmp_path):
    """Return a function that gives what a student of 83 points is told."""

    def read(**metadata):
        (tmp_path / "metadata.json").write_text(json.dumps(metadata))
        return list(describe_history(read_metadata(tmp_path / "metadata.json"), 83))

    return read


LATE = {"2026-06-30T23:00:20-07:00": "1 min", "2026-07-01T08:30:00+00:00": "2 h 30 min"}
LATE |= {"2026-07-02T23:05:00-07:00": "2 d 5 min", "2026-07-03T01:00:00-07:00": "2 d 2 h"}


@each("at, late_by", LATE.items())
def test_who_is_late_reads_by_how_much_and_that_it_costs_nothing_here(said, at, late_by):
    (sentence,) = said(created_at=at, assignment={"due_date": DUE})
    assert sentence == f"Handed in {late_by} after the due date; no points are taken off here for that."


def test_nobody_else_is_called_late(said):
    without_zone = "2026-07-01T00:00:00"  # nobody knows when that is
    for created_at, due in ((DUE, DUE), (DUE, None), (None, DUE), (without_zone, DUE)):
        assert said(created_at=created_at, assignment={"due_date": due}) == []
    assert said(created_at=NEXT_DAY) == []


def test_an_extension_of_one_partner_counts_for_both_and_a_better_submission_of_before_is_named(said):
    users = [{"assignment": {"due_date": DUE}}, {"assignment": {"due_date": NEXT_DAY}}, {"name": "no date"}]
    assert said(created_at="2026-07-01T20:00:00-07:00", assignment={"due_date": DUE}, users=users) == []
    earlier = [{"score": 71.5}, {"score": 90.0, "results": {"tests": []}}, {"score": None}, {}]
    (sentence,) = said(previous_submissions=earlier)
    assert "higher score, 90:" in sentence
    assert said(previous_submissions=[{"score": 83.0}]) == []


@each("method, expected", {"upload": False, "GitHub": True, "Bitbucket": True, None: False, "": False}.items())
def test_a_repository_is_told_from_files(tmp_path, method, expected):
    (tmp_path / "metadata.json").write_text(json.dumps({"submission_method": method, "created_at": DUE}))
    metadata = read_metadata(tmp_path / "metadata.json")
    assert metadata.is_checkout is expected
    assert metadata.created_at


@pytest.mark.parametrize("text", ["", "{", "[]", '{"created_at": "yesterday"}', '{"users": 7}'])
def test_metadata_that_cannot_be_read_cost_nobody_a_grade(tmp_path, text):
    (tmp_path / "metadata.json").write_text(text)
    assert list(describe_history(read_metadata(tmp_path / "metadata.json"), 83)) == []
    assert list(describe_history(read_metadata(tmp_path / "nowhere.json"), 83)) == []
