"""What a platform laid out becomes one submission; what staff broke is an error, and nobody's zero."""

import itertools
import json
import os
import shutil
from pathlib import Path

import pytest
from rows import each
from sample_reports import full_marks

from grader.errors import StaffError
from grader.kit import inside as grading
from grader.kit.inside import Opened, final_result, find_data, grade_upload, open_upload, read_settings

REFERENCE = Path(__file__).parents[3] / "reference/hw1"


@pytest.fixture
def package(tmp_path):
    (tmp_path / "package").mkdir()
    (tmp_path / "package/settings.json").write_text(json.dumps({"assignment": "hw1", "sandbox": "auto"}))
    return tmp_path / "package"


@pytest.fixture
def opened(package, tmp_path):
    """Return a function: files, each newer than the last -> what is graded of them, and what their student is told."""
    times = itertools.count(1_700_000_000)

    def choose(*names, **how):
        upload = tmp_path / "upload"
        shutil.rmtree(upload, ignore_errors=True)
        upload.mkdir()
        for name in names:
            (upload / name).parent.mkdir(parents=True, exist_ok=True)
            (upload / name).touch()
            os.utime(upload / name, (now := next(times), now))
        chosen = open_upload(package, upload, **how)
        return chosen.path.relative_to(tmp_path).as_posix(), chosen.remark

    return choose


OR = "Hand in either the files or one zip."
SHEET = ["utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf"]


@each(
    "names, expected, remark",
    *((["hw1.zip"], "upload/hw1.zip", ""), (["hw1.zip", "notes.txt", ".DS_Store"], "upload/hw1.zip", "")),
    *((["hw1.rar"], "upload/hw1.rar", ""), (["Hw1.ZIP", ".DS_Store"], "upload/Hw1.ZIP", "")),
    *((["hw1"], "upload/hw1", ""), (["utils.py"], "upload", ""), (["Utils.PY"], "upload", "")),
    (["hw1.pdf"], "upload", ""),
    (["utils.py", "hw1.zip"], "upload/hw1.zip", f"'hw1.zip' was graded, not 'utils.py' beside it. {OR}"),
    (["partners.txt", "hw1.zip"], "upload/hw1.zip", ""),
    (["b.zip", "a.zip"], "upload/a.zip", f"'a.zip' was graded, not 'b.zip' beside it. {OR}"),
    (["a.zip", "b.zip"], "upload/b.zip", f"'b.zip' was graded, not 'a.zip' beside it. {OR}"),
    ([*SHEET, "old.zip"], "upload", f"The files themselves were graded, not 'old.zip' beside them. {OR}"),
    ([*SHEET, "data.zip"], "upload", f"The files themselves were graded, not 'data.zip' beside them. {OR}"),
    *((["hw1/utils.py"], "upload", ""), ([], "upload", "")),
)
def test_an_archive_is_opened_and_all_else_is_a_folder_and_its_student_reads_which(opened, names, expected, remark):
    assert opened(*names) == (expected, remark)


IGNORED = "If your newer work is in the zip, unpack it and push the files."
LONELY = "because no file of the sheet lies in the repository. Push the files themselves."


@each(
    "names, expected, remark",
    (["utils.py"], "upload", ""),
    (["utils.py", "hw1.zip"], "upload", f"The files of the repository were graded, not 'hw1.zip'. {IGNORED}"),
    (["src/Utils.py", "hw1.zip"], "upload", f"The files of the repository were graded, not 'hw1.zip'. {IGNORED}"),
    (["utils.py", "old/a.zip"], "upload", f"The files of the repository were graded, not 'old/a.zip'. {IGNORED}"),
    (["README.md", "hw1.zip"], "upload/hw1.zip", f"'hw1.zip' was graded, {LONELY}"),
    (["README.md", "mine/hw1.zip"], "upload/mine/hw1.zip", f"'mine/hw1.zip' was graded, {LONELY}"),
    (["data.zip", "mine/hw1.zip"], "upload/mine/hw1.zip", f"'mine/hw1.zip' was graded, {LONELY}"),
    (["mine/b.zip", "x.zip"], "upload/x.zip", f"'x.zip' was graded, {LONELY}"),
    ([".venv/lib/utils.py", ".git/utils.py", "hw1.zip"], "upload/hw1.zip", f"'hw1.zip' was graded, {LONELY}"),
    (["utils.py", ".venv/lib/site-packages/scipy/data.zip", ".git/hw1.zip"], "upload", ""),
    (["hw1.rar"], "upload", ""),
    ([], "upload", ""),
)
def test_a_checkout_is_graded_as_a_folder_unless_there_is_only_a_zip(opened, names, expected, remark):
    assert opened(*names, is_checkout=True) == (expected, remark)


def test_a_link_is_no_zip(package, tmp_path):
    (tmp_path / "elsewhere.zip").touch()
    (tmp_path / "upload").mkdir()
    (tmp_path / "upload/hw1.zip").symlink_to(tmp_path / "elsewhere.zip")
    for is_checkout in (True, False):
        assert open_upload(package, tmp_path / "upload", is_checkout=is_checkout).path.name != "elsewhere.zip"
    assert open_upload(package, tmp_path / "upload", is_checkout=True) == Opened(tmp_path / "upload")


def test_the_report_says_what_was_opened_and_only_data_that_the_package_holds_are_named(monkeypatch, package, tmp_path):
    named = []
    monkeypatch.setattr(grading, "grade", lambda *given: named.append(given[-1].data) or full_marks())
    report = grade_upload(package, Opened(tmp_path, "This was graded."))
    assert report.evidence.submission.warnings[0] == "This was graded."
    (package / "data").mkdir()
    assert grade_upload(package, Opened(tmp_path)) == full_marks()
    # A folder that is named and not there would be wrong usage
    assert named == [None, package / "data"] == [None, find_data(package)]


@pytest.mark.parametrize("text", ["", "{}", '{"assignment": "hw1", "points": 100}'])
def test_damaged_settings_are_the_staffs(package, text):
    (package / "settings.json").write_text(text)
    with pytest.raises(StaffError, match="make the package again"):
        read_settings(package)


def test_a_package_without_final_results_grades_everything(package, tmp_path):
    shutil.copytree(REFERENCE, tmp_path / "upload")
    assert final_result(package, Opened(tmp_path / "upload")) is None
