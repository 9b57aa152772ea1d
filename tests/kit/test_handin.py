"""`python -m hw1check zip`: a zip that the grader takes, or one sentence that says what is missing."""

import hashlib
import zipfile
from dataclasses import replace
from pathlib import Path

import handins
import pytest

from grader.errors import StaffError, UsageError
from grader.intake.archive import read_submission
from grader.kit.handin import make_handin, pack
from grader.kit.handout import make_handout

TEMPLATE = Path(__file__).parents[2] / "student_template/hw1"


@pytest.fixture
def folder(tmp_path):
    """A working folder as it looks on the last day: the files, and much else."""
    home = tmp_path / "hw1"
    home.mkdir()
    for name, data in handins.reference_files().items():
        (home / name).write_bytes(data)
    for name in ("network.py", "notes.txt", ".last-check.json"):
        (home / name).write_text("x = 1\n")
    (home / "__pycache__").mkdir()
    (home / "__pycache__/utils.pyc").write_bytes(b"\0")
    return home


def test_the_zip_holds_exactly_the_files_of_the_sheet_and_intake_has_nothing_to_say(folder, sheet, tmp_path):
    made = make_handin(folder, sheet.assignment)
    assert made.path == folder / "hw1.zip"
    assert made.sha256 == hashlib.sha256(made.path.read_bytes()).hexdigest()
    with zipfile.ZipFile(made.path) as archive:
        assert archive.namelist() == ["utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf"]
    submission = read_submission(made.path, tmp_path / "files", sheet.assignment.files)
    assert (submission.missing, submission.warnings, submission.sha256) == ((), (), made.sha256)


def test_the_same_files_give_the_same_bytes(folder, sheet):
    first = make_handin(folder, sheet.assignment).path.read_bytes()
    for path in folder.glob("*.py"):
        path.touch()
    assert make_handin(folder, sheet.assignment).path.read_bytes() == first
    assert pack({"a": b"1"}) == pack({"a": b"1"})


REFUSALS = [
    ("hw1.pdf", None, "export your report as PDF and save it there as hw1.pdf"),
    ("utils.py", None, "there is no utils.py in"),
    ("utils.py", b" \n", "utils.py is empty: save it in your editor"),
    ("utils.py", b"def f(:\n", "utils.py is not valid Python in line 1 ("),
    ("utils.py", b"a = 1\n\0", "utils.py is not valid Python"),
    ("hw1.pdf", b"PK\x03\x04 a Word document", "hw1.pdf is no PDF, whatever its name says"),
]


@pytest.mark.parametrize(("name", "data", "said"), REFUSALS)
def test_what_cannot_be_handed_in_is_refused_in_one_sentence_and_nothing_is_written(folder, sheet, name, data, said):
    (folder / name).unlink() if data is None else (folder / name).write_bytes(data)
    with pytest.raises(UsageError) as refused:
        make_handin(folder, sheet.assignment)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)
    assert not (folder / "hw1.zip").exists()


def test_other_letters_in_a_name_are_pointed_out(folder, sheet):
    (folder / "utils.py").rename(folder / "Utils.py")
    with pytest.raises(UsageError, match="there is no utils.py: rename Utils.py, whose letters differ"):
        make_handin(folder, sheet.assignment)


def test_the_zip_of_yesterday_stays_whole_when_a_file_is_broken_today(folder, sheet):
    before = make_handin(folder, sheet.assignment).path.read_bytes()
    (folder / "hw1.pdf").write_bytes(b"")
    with pytest.raises(UsageError):
        make_handin(folder, sheet.assignment)
    assert (folder / "hw1.zip").read_bytes() == before


def test_students_read_names_sizes_and_the_fingerprint(kit, folder):
    text = kit.run("zip", cwd=folder, code=0).stdout
    assert "hw1.zip is ready to hand in" in text
    assert f"sha256 {hashlib.sha256((folder / 'hw1.zip').read_bytes()).hexdigest()}" in text


def test_the_handout_is_the_same_bytes_every_time_and_small(handout, sheet, tmp_path):
    again = make_handout(sheet, TEMPLATE, tmp_path)
    assert again.path.read_bytes() == handout.path.read_bytes()
    assert again.path.stat().st_size < 500_000
    assert f"kit/{again.wheel.name}" in (TEMPLATE / "README.md").read_text("utf-8")


def test_a_rubric_with_hidden_rows_gives_no_kit(sheet, tmp_path):
    rows = sheet.assignment.rubric.criteria
    hidden = (replace(rows[0], visibility="hidden"), *rows[1:])
    rubric = replace(sheet.assignment.rubric, criteria=hidden)
    secret = replace(sheet, assignment=replace(sheet.assignment, rubric=rubric))
    with pytest.raises(StaffError, match=r"the rubric hides utils\.sigmoid from students"):
        make_handout(secret, TEMPLATE, tmp_path)
    assert not list(tmp_path.iterdir())
