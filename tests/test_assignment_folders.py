"""Assignments of this package and of a folder elsewhere."""

from pathlib import Path

import pytest
from rows import each

from grader.assignment import DEFAULT, assignment_folders, has_learned, load_assignment, outside_folder
from grader.errors import StaffError, UsageError
from grader.model import Observation, Outcome

RUBRIC = 'assignment = "tiny"\ntitle = "Tiny"\ntotal = 1\n[[check]]\nid = "a.b"\npart = "All"\npoints = 1\n'


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    folder = tmp_path / "courses/tiny"
    folder.mkdir(parents=True)
    (folder / "assignment.toml").write_text('files = ["tiny.py"]\n')
    (folder / "rubric.toml").write_text(RUBRIC)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ASSIGNMENTS", "courses")
    return folder


def test_an_assignment_elsewhere_is_found_beside_those_of_the_package(tiny, monkeypatch):
    assert set(assignment_folders()) == {"distributed", DEFAULT, "gemm", "layers", "tiny"}
    monkeypatch.chdir("/")
    monkeypatch.setenv("ASSIGNMENTS", str(tiny.parent))
    assert load_assignment("tiny").folder == tiny
    assert load_assignment(DEFAULT).files


@pytest.mark.usefixtures("tiny")
@pytest.mark.parametrize("value", [None, ""])
def test_without_the_variable_there_are_those_of_the_package(monkeypatch, value):
    monkeypatch.delenv("ASSIGNMENTS") if value is None else monkeypatch.setenv("ASSIGNMENTS", value)
    assert outside_folder() is None
    known = f"distributed, gemm, {DEFAULT}, layers"
    with pytest.raises(UsageError, match=f"choose one of {known}, or name its folder's folder"):
        load_assignment("tiny")


def test_two_of_one_name_are_refused_and_a_folder_that_does_not_exist_is_one_sentence(tiny, monkeypatch):
    tiny.rename(tiny.with_name(DEFAULT))
    with pytest.raises(UsageError, match=f"two assignments '{DEFAULT}'"):
        load_assignment(DEFAULT)
    monkeypatch.setenv("ASSIGNMENTS", "nowhere")
    with pytest.raises(UsageError, match="ASSIGNMENTS=nowhere names no folder"):
        assignment_folders()


def test_solution_and_template_are_no_part_of_the_grading(tiny):
    for name in ("reference", "template", "checks"):
        (tiny / name).mkdir()
        (tiny / name / "tiny.py").touch()
    assignment = load_assignment("tiny")
    found = {path.relative_to(tiny).as_posix() for path in assignment.own_files()}
    assert found == {"assignment.toml", "rubric.toml", "checks/tiny.py"}
    assert assignment.template == tiny / "template"
    assert load_assignment(DEFAULT).template == Path("student_template", DEFAULT)


def test_a_rubric_that_somebody_names_is_their_mistake_and_the_assignments_own_is_ours(tiny, tmp_path):
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("total = [")
    with pytest.raises(UsageError, match="not valid TOML"):
        load_assignment("tiny", wrong)
    (tiny / "rubric.toml").write_text("total = [")
    with pytest.raises(StaffError, match="not valid TOML"):
        load_assignment("tiny")


@pytest.mark.parametrize(
    ("check", "facts", "learned"),
    [("net.accuracy", {"test_images": 400}, True), ("net.accuracy", {}, False), ("net2.size", {"a": 1}, False)],
)
def test_a_data_set_is_spoken_of_only_where_something_was_learned_from_it(check, facts, learned):
    assert has_learned(("net",), [Observation(check, "", Outcome.FAILED, facts=facts)]) == learned


@each(
    "only, reads",
    [((), True), (("train.accuracy",), True), (("train",), True), (("max", "train"), True), (("max", "tr"), False)],
)
def test_data_are_loaded_only_for_a_check_that_reads_them(only, reads):
    assert load_assignment("hw1").reads_data(only) is reads
