"""Old evidence under a new rubric, without running anything; and whether files say what the evidence gives."""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from rows import each
from sample_batches import DANA, OMER, PAIR, RUBRIC_FILE, make_batch, one_mistake

from grader.course.grades import rescoring
from grader.course.grades.comments import Comment, store_comment
from grader.course.grades.marks import give_mark
from grader.course.grades.rescoring import adopt_rubric, copy_truth, find_place, score_place, verify_batch
from grader.course.grades.sheets import write_sheets
from grader.course.grades.tables import adopt_deadline, adopt_extensions, adopt_lateness
from grader.errors import UsageError
from grader.intake.archive import pack
from grader.model import EVIDENCE_SCHEMA, Mark
from grader.reports.files import encode, write_reports

RUBRIC = RUBRIC_FILE.read_text()


@pytest.fixture
def store(tmp_path):
    found = make_batch(tmp_path / "batch")
    give_mark(found, Mark(DANA.id, "report.explanation", 8, "clear", "ta"))
    write_sheets(found)
    return found


@pytest.fixture
def alone(tmp_path):
    """The folder of one report that belongs to no batch."""
    write_reports(one_mistake(), tmp_path / "alone")
    return tmp_path / "alone"


def test_a_place_is_an_evidence_file_a_folder_or_a_batch(store, alone):
    key = f"hw1_{DANA.id}"
    places = map(find_place, (alone, alone / "evidence.json", store.root, store.folder(key)))
    assert [(place.key, place.whole) for place in places] == [("", None), ("", None), ("", store), (key, None)]
    with pytest.raises(UsageError, match="is not there or has no evidence"):
        find_place(alone / "nothing")


def test_a_new_threshold_moves_old_evidence_and_one_report_of_a_batch_has_its_marks_and_rubric(alone, stricter, store):
    assert score_place(find_place(alone)).score_low == 85
    assert score_place(find_place(alone), stricter).score_high == 88
    place = find_place(store.folder(f"hw1_{DANA.id}"))
    assert score_place(place).score_text == "93 of 100"
    adopt_rubric(store, stricter)
    write_sheets(store)
    assert score_place(place).score_high == 86


def test_two_hand_ins_of_one_assignment_are_scored_by_a_rubric_each(alone, tmp_path):
    def score(share):
        text = re.sub(r"\b(points|total) = (\d+)", lambda found: f"{found[1]} = {int(found[2]) * share}", RUBRIC)
        (tmp_path / "rubric.toml").write_text(text)
        return score_place(find_place(alone), tmp_path / "rubric.toml")

    whole, preliminary, final = map(score, (1, 0.2, 0.8))
    assert [one.score_text.split()[-1] for one in (whole, preliminary, final)] == ["100", "20", "80"]
    assert preliminary.score_low == pytest.approx(whole.score_low / 5)
    assert preliminary.score_low + final.score_low == pytest.approx(whole.score_low)


OTHER = 'assignment = "hw9"\ntitle = "x"\ntotal = 1\n[[check]]\nid = "a.b"\npart = "p"\npoints = 1\n'


@each(
    *("name, words", ("no.toml", "there is no rubric"), ("broken.toml", "not valid TOML"), ("other.toml", "hw9")),
    ("typed.toml", "no check 'utils.sigmoidd': did you mean utils.sigmoid"),
)
def test_a_wrong_rubric_changes_nothing(store, tmp_path, name, words):
    (tmp_path / "broken.toml").write_text("total = [")
    (tmp_path / "other.toml").write_text(OTHER)
    (tmp_path / "typed.toml").write_text(RUBRIC.replace('"utils.sigmoid"', '"utils.sigmoidd"'))
    with pytest.raises(UsageError, match=words):
        adopt_rubric(store, tmp_path / name)
    assert not store.rubric.exists()


def test_late_days_are_kept_as_csv_whatever_they_came_as_and_those_of_a_stranger_are_not(store, tmp_path):
    (tmp_path / "late.csv").write_text("student,days\nnobody,1\n")
    with pytest.raises(UsageError, match=r"late\.csv, row 2: there is no student 'nobody'"):
        adopt_lateness(store, tmp_path / "late.csv")
    assert not store.late.exists()
    (tmp_path / "late.csv").write_text(f"Name;Days late\n{OMER.name};2\n{DANA.name};\n")
    adopt_lateness(store, tmp_path / "late.csv")
    assert store.late.read_text("utf-8-sig").splitlines() == ["student,days,comment", f"{OMER.id},2,"]
    assert adopt_lateness(store, tmp_path / "late.csv") == ""
    (tmp_path / "late.csv").write_text(f"student,days\n{DANA.id},2\n")
    assert f"also had {OMER.label}: give one table" in adopt_lateness(store, tmp_path / "late.csv")


def test_a_copy_holds_what_cannot_be_computed_again_and_each_file_of_a_person_or_a_platform(store, tmp_path, stricter):
    kept = {"appeal/requests.json": "{}", f"submissions/hw1_{DANA.id}/provisional.json": "{}"}
    for name, text in kept.items():
        (store.root / name).parent.mkdir(exist_ok=True)
        (store.root / name).write_text(text)
    copy = copy_truth(store, tmp_path / "copy")
    assert {name: (copy.root / name).read_text() for name in kept} == kept
    assert not (copy.folder(f"hw1_{DANA.id}") / "report.html").exists()
    write_sheets(copy)
    assert (copy.root / "grades.csv").read_bytes() == (store.root / "grades.csv").read_bytes()
    (tmp_path / "late.csv").write_text(f"student,days\n{OMER.id},1\n")
    (tmp_path / "extensions.csv").write_text(f"student,days,until\n{DANA.id},2,\n")
    adopt_rubric(store, stricter)
    adopt_lateness(store, tmp_path / "late.csv")
    adopt_extensions(store, tmp_path / "extensions.csv")
    adopt_deadline(store, "2026-01-15 23:59")
    store_comment(store, Comment("report.explanation", "too short"))
    given = (store.rubric, store.late, store.extensions, store.deadline, store.marks, store.root / "comments.json")
    copy = copy_truth(store, tmp_path / "second")
    for path in given:
        assert (copy.root / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize("was_there", [False, True])
@pytest.mark.parametrize(
    ("stop", "becomes"),
    [(KeyboardInterrupt(), KeyboardInterrupt), (OSError(28, "No space left on device"), UsageError)],
)
def test_a_copy_that_is_stopped_leaves_nothing_behind(store, tmp_path, monkeypatch, was_there, stop, becomes):
    """A batch that lacks submissions would pass for a whole one, and the next try would find the folder in use."""

    def copy_in_part(_source, target, **_how):
        target.mkdir(parents=True)
        (target.parent / "half").touch()
        raise stop

    monkeypatch.setattr(shutil, "copytree", copy_in_part)
    target = tmp_path / "copy"
    if was_there:
        target.mkdir()
    with pytest.raises(becomes):
        copy_truth(store, target)
    assert target.exists() == was_there
    assert not was_there or not list(target.iterdir())


def test_a_copy_is_a_batch_only_when_all_is_there_and_never_goes_over_something_else(store, tmp_path, monkeypatch):
    def copy(source, target):
        if target.name == "roster.json":
            before.extend(path.name for path in target.parent.iterdir())
        target.write_bytes(source.read_bytes())

    before = []
    monkeypatch.setattr(shutil, "copy2", copy)
    copied = copy_truth(store, tmp_path / "copy")
    assert {"marks.json", "submissions"} <= set(before)
    assert {*before, "roster.json"} == {path.name for path in copied.root.iterdir()}
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    with pytest.raises(UsageError, match="not empty"):
        copy_truth(store, tmp_path / "full")
    with pytest.raises(UsageError, match=r"file cannot be written \(Not a directory\): name another folder"):
        copy_truth(store, tmp_path / "full" / "file")


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", encode(replace(one_mistake().evidence, schema=EVIDENCE_SCHEMA + 1))])
def test_damaged_or_newer_evidence_is_one_sentence_that_names_the_file(alone, raw):
    (alone / "evidence.json").write_bytes(raw)
    with pytest.raises(UsageError, match=r"evidence\.json: .*grade the submission again"):
        score_place(find_place(alone))


def problems(folder):
    return list(rescoring.verify_report(score_place(find_place(folder)), folder))


def change(path, old, new):
    """Change a file by hand, at the first place where it says `old`."""
    text = path.read_bytes().decode()
    assert old in text
    path.write_bytes(text.replace(old, new, 1).encode())


def test_what_was_written_matches_and_a_changed_cell_and_a_mark_that_the_sheets_do_not_know_are_found(alone, store):
    assert (problems(alone), list(verify_batch(store))) == ([], [])
    assert problems(store.folder(f"hw1_{DANA.id}")) == []
    change(store.root / "grades.csv", ",93,93,93,final", ",100,93,93,final")
    (found,) = verify_batch(store)
    assert found == f"grades.csv says score of {DANA.id} = 100, the evidence gives 93."
    give_mark(store, Mark(PAIR[0].id, "report.explanation", 1, by="ta"))
    found = list(verify_batch(store))
    said = "results.json says points of report.explanation = 0, the evidence gives 1."
    assert f"hw1_{PAIR[0].id}: {said}" in found
    store.lms.mkdir()
    (store.lms / "moodle.csv").write_text(f'Identifier,Full name,Grade\nParticipant 1,"{DANA.name}",\n', "utf-8")
    write_sheets(store)
    change(store.root / "moodle.csv", ",93", ",100")
    assert next(verify_batch(store)).startswith("moodle.csv says something else")
    write_sheets(store)
    (store.root / "gradescope.zip").write_bytes(pack([]))
    assert [each[:15] for each in verify_batch(store)] == ["gradescope.zip "]


def test_points_and_verdicts_that_were_changed_by_hand_are_found(alone):
    change(alone / "results.json", '"score": 3.0', '"score": 2')
    change(alone / "results.json", '"score": 85.0', '"score": 99')
    change(alone / "results.json", '"utils.create_batches": "failed"', '"utils.create_batches": "passed"')
    change(alone / "junit.xml", "<failure", "<skipped")
    change(alone / "junit.xml", "</failure", "</skipped")
    assert problems(alone) == [
        "results.json says points of utils.sigmoid = 2, the evidence gives 3.",
        "results.json says outcome of utils.create_batches = passed, the evidence gives failed.",
        "results.json says score = 99, the evidence gives 85.",
        "junit.xml says utils.create_batches = skipped, the evidence gives failed.",
    ]


def test_a_check_that_the_rubric_lost_is_found(alone, tmp_path):
    text = RUBRIC_FILE.read_text()
    without = text[: text.index('[[check]]\nid = "max.times"')] + text[text.index('[[check]]\nid = "max.shapes"') :]
    (tmp_path / "without.toml").write_text(without)
    found = list(rescoring.verify_report(score_place(find_place(alone), tmp_path / "without.toml"), alone))
    assert found == [
        "results.json says points of max.times = 0, the evidence gives nothing.",
        "results.json says outcome of max.times = passed, the evidence gives nothing.",
        "junit.xml says max.times = passed, the evidence gives nothing.",
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [("results.json", "{"), ("results.json", "[]"), ("junit.xml", "<testsuites>"), ("junit.xml", "no XML")],
)
def test_a_damaged_report_is_one_sentence(alone, name, content):
    (alone / name).write_text(content)
    with pytest.raises(UsageError, match=f"{name} is damaged"):
        problems(alone)


def test_evidence_that_cannot_be_read_is_no_match(store):
    store.evidence(f"hw1_{PAIR[0].id}").write_bytes(b"{")
    assert any(found.startswith(f"hw1_{PAIR[0].id}: ") for found in verify_batch(store))


def test_a_folder_without_reports_has_nothing_to_compare_and_a_missing_sheet_is_said(alone, store):
    (alone / "results.json").unlink()
    (alone / "junit.xml").unlink()
    with pytest.raises(UsageError, match="nothing to compare"):
        problems(alone)
    dana, omer = (store.folder(f"hw1_{one.id}") for one in (DANA, OMER))
    (omer / "junit.xml").write_text("{")
    for missing in (dana / "junit.xml", dana / "results.json", omer / "staff.html", store.root / "grades.csv"):
        missing.unlink()
    junit, results, nothing, page, damaged, sheet = verify_batch(store)
    assert (junit, results) == (f"{dana.name}: junit.xml is missing.", f"{dana.name}: results.json is missing.")
    assert ("nothing to compare" in nothing, "junit.xml is damaged" in damaged) == (True, True)
    assert (page, sheet) == (f"{omer.name}: staff.html is missing.", "grades.csv is missing: rescore the batch.")


def test_a_folder_that_may_not_be_read_is_one_sentence(tmp_path, monkeypatch):
    def refuse(_path, **_how):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", refuse)
    with pytest.raises(UsageError, match="cannot be read"):
        find_place(tmp_path)
