"""A new assignment is tried before students see it, and what is wrong with it is told."""

import pytest

from grader.__main__ import run
from grader.assignment import load_assignment
from grader.commands.authors import make_scaffold
from grader.errors import StaffError, UsageError
from grader.grading import Options
from grader.kit.handout import make_handout
from grader.kit.settings import load_settings
from grader.trial.selftest import reference_files, run_trials, try_kit


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """The folder of a new assignment, whose tests have a name of their own: pytest keeps imported test modules."""
    make_scaffold("tiny", tmp_path / "courses")
    folder = tmp_path / "courses/tiny"
    (folder / "checks/test_tiny.py").rename(folder / f"checks/test_{tmp_path.name}.py")
    monkeypatch.setenv("ASSIGNMENTS", str(folder.parent))
    return folder


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def problems():
    found = run_trials(load_assignment("tiny"), Options(seed=1, device="cpu"))
    return {trial.what: trial.problem for trial in found if trial.problem}


@pytest.mark.parametrize("name", ["hw1", "Tiny", "2d", "a-b", "../x", "", "class"])
def test_a_name_that_cannot_be_one_is_refused(name, tmp_path):
    with pytest.raises(UsageError, match="already|cannot be an assignment's name"):
        make_scaffold(name, tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_new_assignment_has_its_name_everywhere(tmp_path):
    made = make_scaffold("axpy", tmp_path)
    assert {path.name for path in made} >= {"test_axpy.py", "axpy.py"}
    assert not [path for path in made if "tiny" in path.read_text("utf-8") + path.as_posix()]
    with pytest.raises(UsageError, match="already"):
        make_scaffold("axpy", tmp_path)


@pytest.mark.slow
def test_what_is_wrong_with_an_assignment_is_told(tiny):
    """The template is solved, a mistake costs something else, and nobody asks who does the work."""
    (tiny / "template/tiny.py").write_bytes((tiny / "reference/tiny.py").read_bytes())
    change(tiny / "mistakes/tiny/mistakes.py", "failed: add.launch", "failed: add.gpu")
    (checks,) = (tiny / "checks").iterdir()
    change(checks, '@check("add.gpu")', '@check("add.gpu", values_only=True)')
    change(checks, "kernels.expect_launch(", "(lambda *_: None)(")
    change(tiny / "comparisons.py", "rng.uniform(size=shape), rng", "rng.uniform(size=shape[0]), rng")
    change(tiny / "mistakes/tiny/mistakes.py", "failed: add.cpu", "failed: add.cpu, add.gqu")
    found = problems()
    compared = found.pop("the reference's comparisons return what they should")
    assert compared == "add, CPU: raised IndexError; add, CUDA: raised ValueError"
    named = found.pop("mistake: tiny.py: The loop over the rows ends one too early.")
    assert named == "there is no check 'add.gqu': did you mean add.gpu or add.cpu?"
    assert found.pop("the template gets none") == "points are there for add.cpu, add.gpu, add.launch"
    assert "add.gpu is passed, not failed" in found.pop(next(what for what in found if "Half as many" in what))
    assert "values_only" in found.pop("cheat: add_gpu: answered by add_cpu")
    assert "values_only" in found.pop("cheat: add_gpu: answered by add_cpu after empty kernels")
    assert "points to the template" in found.pop("the handout checks template and reference with its own wheel")
    assert not found


KIT = "the handout checks template and reference with its own wheel"
OTHER = """

@check("other.double")
def test_double(student, note):
    \"\"\"`double(n)` returns 2n.\"\"\"
    note.flag("it was never read")
    expect("`double(4)`", student.other.double(4), 8)
"""


@pytest.mark.slow
def test_of_two_mistakes_in_two_files_only_the_wrong_one_is_blamed_and_a_flag_at_the_reference_is_told(tiny):
    change(tiny / "assignment.toml", '["tiny.py"]', '["tiny.py", "other.py"]')
    change(tiny / "rubric.toml", "total = 10", "total = 11")
    change(tiny / "rubric.toml", "\n]", '\n    { id = "other.double", part = "CPU", points = 1 },\n]')
    change(tiny / "kit.toml", "[hidden]", 'other = ["other.py"]\n\n[hidden]')
    with next((tiny / "checks").iterdir()).open("a") as checks:
        checks.write(OTHER)
    (tiny / "reference/other.py").write_text("def double(n):\n    return 2 * n\n")
    (tiny / "template/other.py").write_text("def double(n):\n    raise NotImplementedError\n")
    (tiny / "mistakes/other").mkdir()
    mistake = '"""It is tripled.\n\nfailed: other.double, add.cpu\n"""\n\n\ndef double(n):\n    return 3 * n\n'
    (tiny / "mistakes/other/tripled.py").write_text(mistake)
    assert problems() == {
        "the reference keeps every point": "other.double is flagged: it was never read",
        "mistake: other.py: It is tripled.": "add.cpu is passed, not failed",
        KIT: "the kit flags the reference: it was never read",
    }


@pytest.mark.wide
def test_a_handout_whose_kit_cannot_check_its_template_is_not_written(tiny, tmp_path, capsys):
    (checks,) = (tiny / "checks").iterdir()
    change(checks, "from grader.authoring.judges import kernels", "from grader.grading import grade as kernels")
    assert run(["handout", "--assignment", "tiny", "--out", str(tmp_path / "out")]) == 3
    assert "cannot check tiny" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("tiny")
def test_a_kit_that_takes_points_from_the_reference_is_refused(tmp_path):
    assignment = load_assignment("tiny")
    made = make_handout(load_settings(assignment), assignment.template, tmp_path)
    try_kit(made, "tiny", reference_files(assignment))
    wrong = {"tiny.py": reference_files(assignment)["tiny.py"].replace(b"A[i, j] + B[i, j]", b"A[i, j]")}
    with pytest.raises(StaffError, match="gives the reference 0 of 10 points"):
        try_kit(made, "tiny", wrong)
