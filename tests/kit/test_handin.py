"""`python -m hw1check zip`: what there is becomes a zip that the grader takes; what is missing is said."""

import hashlib
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import handins
import pytest

from grader.assignment import load_assignment
from grader.errors import StaffError, SubmissionRefused, UsageError
from grader.intake.archive import pack, read_submission
from grader.intake.selection import MAX_FILE_BYTES
from grader.kit import handin
from grader.kit.handin import find_unwritten, make_handin
from grader.kit.handout import collect, make_handout
from grader.kit.settings import load_settings

pytestmark = pytest.mark.wide

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


def test_the_zip_holds_exactly_the_files_of_the_sheet_and_nothing_is_wrong_with_them(folder, settings, tmp_path):
    (folder / "hw1.pdf").write_bytes(b"\n" * 99 + (folder / "hw1.pdf").read_bytes())  # as some programs begin one
    made = make_handin(folder, settings.assignment)
    assert (made.path, made.sha256) == (folder / "hw1.zip", hashlib.sha256(made.path.read_bytes()).hexdigest())
    with zipfile.ZipFile(made.path) as archive:
        assert archive.namelist() == ["utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf"]
    submission = read_submission(made.path, tmp_path / "files", settings.assignment.files)
    assert (submission.missing, submission.warnings, submission.sha256, made.flaws) == ((), (), made.sha256, {})


def test_the_same_files_give_the_same_bytes(folder, settings):
    first = make_handin(folder, settings.assignment).path.read_bytes()
    for path in folder.glob("*.py"):
        path.touch()
    assert make_handin(folder, settings.assignment).path.read_bytes() == first
    assert pack([("a", b"1")]) == pack([("a", b"1")])


FLAWS = [
    ("hw1.pdf", None, "is missing: export your report as PDF and save it as hw1.pdf"),
    ("utils.py", None, "is missing"),
    ("max_functions.py", None, "is missing"),
    ("utils.py", b" \n", "is empty: save it in your editor"),
    ("utils.py", b"def f(:\n", "is not valid Python in line 1 ("),
    ("utils.py", b"a = 1\n\0", "is not valid Python"),
    ("hw1.pdf", b"PK\x03\x04 a Word document", "is no PDF, whatever its name says"),
    ("utils.py", b"#" * (MAX_FILE_BYTES + 1), "is left out, as it is larger than"),
]


@pytest.mark.parametrize(("name", "data", "said"), FLAWS)
def test_what_is_missing_or_broken_is_said_and_all_the_rest_is_packed(folder, settings, name, data, said, tmp_path):
    (folder / name).unlink() if data is None else (folder / name).write_bytes(data)
    made = make_handin(folder, settings.assignment)
    (flaw,) = made.flaws.items()
    assert flaw[0] == name
    assert said in flaw[1]
    assert "rename" not in flaw[1]
    rest = {*settings.assignment.files} - {name}
    assert rest <= {*zipfile.ZipFile(made.path).namelist()} == {*made.sizes_bytes}
    submission = read_submission(made.path, tmp_path / "files", settings.assignment.files)
    assert submission.missing == (() if name in made.sizes_bytes else (name,))


@pytest.mark.parametrize("other", ["utils (1).py", "utils.py.txt"])
def test_a_file_that_may_be_meant_is_named(folder, settings, other):
    (folder / "utils.py").rename(folder / other)
    assert make_handin(folder, settings.assignment).flaws == {
        "utils.py": f"is missing: is '{other}' meant? Then rename it"
    }


def test_functions_that_stand_as_in_the_template_are_named_and_a_name_in_other_letters_is_packed(folder, settings):
    shutil.copy(TEMPLATE / "matmul_functions.py", folder)
    names = ("matmul_transpose_trivial", "matmul_transpose_numba", "matmul_kernel", "matmul_transpose_gpu")
    assert make_handin(folder, settings.assignment).unwritten == {"matmul_functions.py": names}
    source = "def f():\n    if 1:\n        raise NotImplementedError\n    return 2\ndef g(): raise ValueError\n"
    assert find_unwritten("a.py", f"{source}class C:\n  def f(self): raise NotImplementedError".encode()) == ("C.f",)
    (folder / "utils.py").rename(folder / "Utils.py")
    made = make_handin(folder, settings.assignment)
    assert "rename that file, whose letters differ" in made.flaws["utils.py"]
    assert "utils.py" in zipfile.ZipFile(made.path).namelist()
    (folder / "Utils.py").write_text("def f(:\n", "utf-8")
    assert "is not valid Python" in make_handin(folder, settings.assignment).flaws["utils.py"]


def test_the_zip_of_yesterday_stays_whole_when_the_grader_would_refuse_todays(folder, settings, monkeypatch):
    before = make_handin(folder, settings.assignment).path.read_bytes()

    def refuse(*_args):
        raise SubmissionRefused("it holds a link")

    monkeypatch.setattr(handin, "read_submission", refuse)
    with pytest.raises(UsageError, match="the grader would refuse this zip: it holds a link"):
        make_handin(folder, settings.assignment)
    assert (folder / "hw1.zip").read_bytes() == before


def test_students_read_names_sizes_and_the_fingerprint(kit, folder):
    text = kit.run("zip", "--no-check", cwd=folder, code=0).stdout
    assert "hw1.zip is written" in text
    assert f"sha256 {hashlib.sha256((folder / 'hw1.zip').read_bytes()).hexdigest()}" in text
    assert "Predicted" not in text


def test_an_unfilled_template_is_packed_and_not_praised(kit, tmp_path):
    folder = tmp_path / "hw1"
    shutil.copytree(TEMPLATE, folder)
    text = kit.run("zip", cwd=folder, code=0).stdout
    assert "hw1.pdf is missing" in text
    assert "utils.py: still to be written: sigmoid, " in text
    assert "Predicted: 0 of 90 automatic points; 10 are the TA's, once report.pdf passes." in text
    assert (folder / "hw1.zip").exists()
    assert (folder / "out/report.html").exists()


def test_what_keeps_it_from_a_prediction_keeps_nobody_from_the_zip(kit, folder):
    (folder / "data").mkdir()
    (folder / "data/t10k-labels-idx1-ubyte").write_bytes(b"")
    text = kit.run("zip", cwd=folder, code=0).stdout
    assert (folder / "hw1.zip").exists()
    assert "The score to expect is not known: " in text


def test_the_handout_is_small_the_same_each_time_and_without_judges_that_no_check_imports(handout, settings, tmp_path):
    again = make_handout(settings, TEMPLATE, tmp_path)
    assert again.path.read_bytes() == handout.path.read_bytes()
    assert again.path.stat().st_size < 475_000
    assert f"kit/{again.wheel.name}" in (TEMPLATE / "README.md").read_text("utf-8")
    files = collect(settings)
    assert {f"authoring/judges/{name}.py" for name in ("kernels", "slices", "__init__")} <= set(files)
    assert "authoring/judges/ranks.py" not in files
    assert "authoring/judges/ranks.py" in collect(load_settings(load_assignment("distributed")))


def test_a_template_without_makefile_and_readme_gets_the_usual_ones(settings, tmp_path):
    (tmp_path / "template").mkdir()
    (tmp_path / "template/README.md").write_text("Mine.")
    made = make_handout(settings, tmp_path / "template", tmp_path)
    with zipfile.ZipFile(made.path) as packed:
        assert packed.read("hw1/README.md") == b"Mine."
        makefile = packed.read("hw1/Makefile").decode()
    assert "-m hw1check" in makefile
    assert "@$(CHECK) $(WITH_DATA)" in makefile
    assert "@$(RUN) bench" in makefile
    assert "CORES ?= 1,2,4,8" in makefile
    (tmp_path / "template/README.md").unlink()
    no_data = replace(settings, assignment=replace(settings.assignment, learns=()))
    with zipfile.ZipFile(make_handout(no_data, tmp_path / "template", tmp_path).path) as packed:
        assert made.wheel.name in packed.read("hw1/README.md").decode()
        assert "DATA" not in packed.read("hw1/Makefile").decode()


def test_a_rubric_with_hidden_rows_gives_no_kit(settings, tmp_path):
    rows = settings.assignment.rubric.criteria
    rubric = replace(settings.assignment.rubric, criteria=(replace(rows[0], visibility="hidden"), *rows[1:]))
    secret = replace(settings, assignment=replace(settings.assignment, rubric=rubric))
    with pytest.raises(StaffError, match=r"the rubric hides utils\.sigmoid from students"):
        make_handout(secret, TEMPLATE, tmp_path)
    assert not list(tmp_path.iterdir())
