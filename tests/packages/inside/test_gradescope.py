"""A submission where Gradescope lays it. Where the grader itself fails there is no result, and so no score."""

import json
import shutil
import zipfile

import handins
import pytest
from packages.test_gradescope import read_result

from grader.cli import run
from grader.packages.inside import gradescope


def test_a_failure_of_ours_leaves_no_result_and_staff_read_why(tmp_path, monkeypatch, capsys):
    (tmp_path / "source").mkdir()
    (tmp_path / "submission").mkdir()
    monkeypatch.setattr("grader.commands.inside.RUNS", {"gradescope": lambda: gradescope.run(tmp_path)})
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


@pytest.mark.wide
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
