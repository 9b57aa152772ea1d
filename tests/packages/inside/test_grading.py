"""What a platform laid out becomes one submission; what staff broke is an error, and nobody's zero."""

import json
import shutil
from pathlib import Path

import pytest

from grader.errors import StaffError
from grader.packages.inside import grading
from grader.packages.inside.grading import final_result, grade_upload, read_settings

REFERENCE = Path(__file__).parents[3] / "reference/hw1"


@pytest.fixture
def package(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package/settings.json").write_text(json.dumps({"assignment": "hw1", "sandbox": "auto"}))
    return tmp_path / "package"


@pytest.fixture
def graded(monkeypatch, package, tmp_path):
    """Return a function that says what would be graded of an upload with these files."""
    monkeypatch.setattr(grading, "grade", lambda path, _assignment, _options: path)

    def chosen(*names):
        upload = tmp_path / "upload"
        upload.mkdir()
        for name in names:
            (upload / name).parent.mkdir(parents=True, exist_ok=True)
            (upload / name).touch()
        return grade_upload(package, upload).relative_to(tmp_path).as_posix()

    return chosen


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["hw1.zip"], "upload/hw1.zip"),
        (["hw1.rar"], "upload/hw1.rar"),
        (["Hw1.ZIP", ".DS_Store"], "upload/Hw1.ZIP"),
        (["hw1"], "upload/hw1"),
        (["utils.py"], "upload"),
        (["Utils.PY"], "upload"),
        (["hw1.pdf"], "upload"),
        (["utils.py", "hw1.zip"], "upload/hw1.zip"),
        (["partners.txt", "hw1.zip"], "upload/hw1.zip"),
        (["utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf", "data.zip"], "upload"),
        (["hw1/utils.py"], "upload"),
        ([], "upload"),
    ],
)
def test_an_archive_is_opened_and_all_else_is_a_folder(graded, names, expected):
    assert graded(*names) == expected


@pytest.mark.parametrize("text", ["", "{}", '{"assignment": "hw1", "points": 100}'])
def test_damaged_settings_are_the_staffs(package, text):
    (package / "settings.json").write_text(text)
    with pytest.raises(StaffError, match="make the package again"):
        read_settings(package)


def test_a_package_without_final_results_grades_everything(package, tmp_path):
    shutil.copytree(REFERENCE, tmp_path / "upload")
    assert final_result(package, tmp_path / "upload") is None
