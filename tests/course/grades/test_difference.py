"""Why a grade changed: each reason is named, and no other."""

from dataclasses import replace

import pytest
from rows import each
from sample_batches import DANA, OMER, PAIR, RUBRIC_FILE, add_evidence, make_batch
from sample_reports import LAST_BATCH, RUBRIC, RUN_CPU, full_marks, make, mixed, one_mistake, passed, refused

from grader.course.grades import difference
from grader.course.grades.difference import Change, Side, compare, compare_paths
from grader.course.grades.graded import load_batch
from grader.course.grades.marks import give_mark
from grader.course.grades.rescoring import adopt_rubric, copy_truth
from grader.course.grades.tables import adopt_lateness
from grader.course.job import Done
from grader.course.model import read_record, write_record
from grader.course.people import Roster
from grader.errors import UsageError
from grader.model import Criterion, Finding, LateRule, Mark, Outcome
from grader.scoring.marks import apply_marks
from grader.scoring.score import score


def changes(old, new, before=None, after=None):
    return {change.check: change for change in compare("dana", Side(old, before or {}), Side(new, after or {}))}


def again(report, *observations, run=None, submission=None):
    """Return the same grading with other observations, of another run, of something else that was handed in."""
    other = {one.check: one for one in observations}
    before = report.evidence
    seen = tuple(other.get(one.check, one) for one in before.observations)
    run, submission = replace(before.run, **run or {}), replace(before.submission, **submission or {})
    return score(replace(before, observations=seen, run=run, submission=submission), report.rubric)


def rescored(report, check, **changed):
    """Return the same evidence under a rubric that says something else of one check."""
    rows = tuple(replace(row, **changed) if row.id == check else row for row in RUBRIC.criteria)
    return score(report.evidence, replace(RUBRIC, criteria=rows))


BROKEN = passed("utils.sigmoid", outcome=Outcome.FAILED, finding=Finding("Wrong."))
OUR_FAULT = "error: the grader failed on the {} side, which is no fault of the student"


def test_nothing_changed_gives_nothing_another_zip_names_its_files_and_a_refusal_is_another_hand_in():
    assert changes(mixed(), mixed()) == {}
    files = full_marks().evidence.submission.files
    other = (replace(files[0], sha256="f" * 64), *files[1:])
    new = again(full_marks(), BROKEN, submission={"files": other, "sha256": "e" * 64})
    assert changes(full_marks(), new)["utils.sigmoid"].reasons == ("zip: another hand-in, utils.py differ",)
    evidence = replace(full_marks().evidence, observations=(), refusal="It is no zip.")
    for old, new in ((full_marks(), score(evidence, RUBRIC)), (score(evidence, RUBRIC), full_marks())):
        assert changes(old, new)["utils.sigmoid"].reasons == ("zip: another hand-in",)


def test_points_and_a_threshold_of_the_rubric():
    check = "utils.create_batches"
    found = changes(full_marks(), rescored(full_marks(), check, points=9))
    assert found[check] == Change("dana", check, "5 of 5 (passed)", "9 of 9 (passed)", ("rubric: 5 points became 9",))
    assert (found["score"].reasons, set(found)) == (("rubric",), {check, "score"})
    stricter = replace(RUBRIC.criterion("max.gpu.speedup").threshold, at_least=99)
    found = changes(one_mistake(), rescored(one_mistake(), "max.gpu.speedup", threshold=stricter))
    assert found["max.gpu.speedup"].reasons == ("rubric: the threshold was at least 40 and is at least 99",)
    above = replace(RUBRIC.criterion("train.accuracy").threshold, above=99)
    found = changes(full_marks(), rescored(full_marks(), "train.accuracy", threshold=above))
    assert found["train.accuracy"].reasons == ("rubric: the threshold was above 95 and is above 99",)
    found = changes(full_marks(), rescored(full_marks(), "utils.sigmoid", hardware="gpu"))
    assert found["utils.sigmoid"].reasons == ("rubric: hardware changed",)


def test_checks_that_came_went_did_not_run_or_fell_with_the_one_that_they_need():
    new = replace(RUBRIC, criteria=(*RUBRIC.criteria[1:], Criterion("a.new", "Part 1", 3)))
    found = changes(full_marks(), score(full_marks().evidence, new))
    assert (found["utils.sigmoid"].after, found["utils.sigmoid"].reasons) == ("-", ("rubric: the check is gone",))
    assert (found["a.new"].before, found["a.new"].reasons) == ("-", ("rubric: the check is new",))
    some = make(lambda check: passed(check) if check == "utils.sigmoid" else None)
    reasons = changes(some, full_marks())["utils.zeros_weights"].reasons
    assert reasons == ("selection: the check did not run on the old side",)
    worse = passed("max.gpu.correct", outcome=Outcome.FAILED, finding=LAST_BATCH)
    found = changes(one_mistake(), again(one_mistake(), worse, run={"seed": 9}))
    assert found["max.gpu.speedup"].after == "0 of 7 (skipped)"
    assert found["max.gpu.speedup"].reasons[0].startswith("seed")


def test_marks_adjustments_and_late_days_are_reasons():
    old, new = (apply_marks(mixed(), [Mark("1", "report.explanation", points, by="ta")]) for points in (5, 8))
    assert changes(old, new)["report.explanation"].reasons == ("mark: ta gave 8 points",)
    marked = apply_marks(full_marks(), [Mark("dana", "report.explanation", 8, "clear", "omri")])
    found = changes(full_marks(), marked)["report.explanation"]
    assert (found.after, found.reasons) == ("8 of 10 (marked)", ("mark: omri gave 8 points (clear)",))
    reasons = changes(marked, full_marks())["report.explanation"].reasons
    assert reasons == ("mark: that of omri, 8 points, is not there any more",)
    lost = apply_marks(full_marks(), [Mark("dana", "max.gpu.correct", 0, "copied", "omri")])
    reasons = changes(full_marks(), lost)["max.gpu.speedup"].reasons
    assert reasons == ("mark: that of a check that this one needs is another now",)
    reasons = changes(refused(), apply_marks(refused(), [Mark("dana", "max.shapes", 1)]))["utils.sigmoid"].reasons
    assert reasons == ("mark: the first one of a refused hand-in decides every check",)
    new = apply_marks(full_marks(), [Mark("dana", "adjustment", -5, "copied", "omri")], days=2)
    found = changes(full_marks(), new)
    assert found["adjustment"].reasons == ("mark: copied",)
    assert found["late"].reasons[0].startswith("late days: 2 days late")
    cheaper = apply_marks(replace(full_marks(), rubric=replace(new.rubric, late=LateRule(free_days=2))), days=2)
    assert changes(new, cheaper)["late"].reasons[0].startswith("rubric: 2 days late")


def kinds(old, new):
    """Return of what kind the reasons are by which sigmoid has other points."""
    return [reason.partition(":")[0] for reason in changes(old, new)["utils.sigmoid"].reasons]


def test_a_repacked_zip_is_no_reason_two_reasons_are_both_named_and_changed_checks_known_by_the_fingerprint():
    assert kinds(full_marks(), again(full_marks(), BROKEN, run={"seed": 1}, submission={"sha256": "e"})) == ["seed"]
    new = again(full_marks(), BROKEN, run={"seed": 5, "data": "digits"})
    assert kinds(full_marks(), new) == ["environment"]
    worse = again(full_marks(), BROKEN, run={"seed": 9})
    assert kinds(full_marks(), rescored(worse, "utils.sigmoid", points=4)) == ["rubric", "seed"]
    new = again(full_marks(), BROKEN)
    found = changes(full_marks(), new, {"checks": "a", "grader": "x"}, {"checks": "b", "grader": "x"})
    assert found["utils.sigmoid"].reasons == ("grader version: the assignment's checks or staff files changed",)


@each(
    "run, reason",
    ({"device": "cpu2"}, "environment: device 'cpu' became 'cpu2'"),
    ({"data": "digits"}, "environment: data 'MNIST (60000 training and 10000 test images)' became 'digits'"),
    ({"sandbox": "full"}, "environment: sandbox 'worker process with limits' became 'full'"),
    ({"hardware": {"cpu": "64 cores"}}, "environment: cpu 2 cores became 64 cores"),
    ({"versions": RUN_CPU.versions | {"python": "3.13.1"}}, "environment: python 3.11.2 became 3.13.1"),
    ({"versions": RUN_CPU.versions | {"grader": "2.0"}}, "grader version: grader none became 2.0"),
    ({"seed": 5}, "seed: other random inputs, and nothing else that is recorded differs"),
    ({}, "chance: nothing that is recorded differs, not even the seed; grade it again"),
)
def test_what_differs_about_the_run_is_the_reason(run, reason):
    assert changes(full_marks(), again(full_marks(), BROKEN, run=run))["utils.sigmoid"].reasons == (reason,)


@each(
    "check, seen, reason",
    ("max.gpu.speedup", {"facts": {"speedup": [35.0, 39.0]}}, "timing: speedup was 92.1 to 98.4 and is 35 to 39"),
    ("train.accuracy", {"facts": {"test_accuracy_percent": 9}}, "seed: test accuracy percent was 96.58 and is 9"),
    ("utils.sigmoid", {"outcome": Outcome.ERROR}, OUR_FAULT.format("new")),
)
def test_what_a_check_measured_or_ended_in_is_the_reason(check, seen, reason):
    new = again(one_mistake(), passed(check, **seen), run={"seed": 9})
    assert changes(one_mistake(), new)[check].reasons == (reason,)


def test_a_hand_in_that_was_not_graded_needs_no_other_reason():
    report = full_marks()
    errors = (replace(one, outcome=Outcome.ERROR) for one in report.evidence.observations)
    run = {"notes": ("it did not come to an end",), "data": "", "seed": 9}
    lost = again(report, *errors, run=run, submission={"name": "x", "sha256": "y", "files": ()})
    reasons = {one.reasons for one in changes(lost, report).values() if one.check != difference.SCORE}
    assert reasons == {(OUR_FAULT.format("old"),)}


@pytest.fixture
def batches(tmp_path):
    old = make_batch(tmp_path / "old")
    return old, copy_truth(old, tmp_path / "new")


def test_two_batches_are_compared_student_by_student(batches, stricter, tmp_path):
    old, new = batches
    (tmp_path / "late.csv").write_text(f"student,days\n{OMER.id},1\n")
    adopt_rubric(new, stricter)
    adopt_lateness(new, tmp_path / "late.csv")
    give_mark(new, Mark(PAIR[0].id, "report.explanation", 7, by="ta"))
    found = {(change.student, change.check): change.reasons for change in compare_paths(old.root, new.root)}
    assert found[DANA.id, "max.gpu.speedup"][0].startswith("rubric")
    assert found[OMER.id, "late"][0].startswith("late days")
    assert found[PAIR[1].id, "report.explanation"][0].startswith("mark: ta gave 7 points")


def test_the_fingerprints_of_a_batch_are_used(batches):
    old, new = batches
    handin = load_batch(old).graded[1].handin
    add_evidence(new, handin, again(full_marks(), BROKEN).evidence)
    for store, code in ((old, "a"), (new, "b")):
        write_record(store.job(handin.key), Done({"grader": code}))
    found = [change for change in compare_paths(old.root, new.root) if change.check == "utils.sigmoid"]
    assert found[0].reasons == ("grader version: the grader's own code changed",)


def test_a_student_on_one_side_only_is_said(batches):
    old, new = batches
    roster = read_record(new.roster, Roster)
    write_record(new.roster, replace(roster, handins=roster.handins[1:]))
    (found,) = compare_paths(old.root, new.root)
    assert (found.student, found.before, found.after) == (DANA.id, "85 to 95 of 100", "-")
    assert "\n      was graded on one side only" in difference.diff_text([found])


def test_reports_are_compared_with_rubrics_of_choice_and_batches_neither_with_those_nor_with_reports(batches, stricter):
    folder = batches[0].folder(f"hw1_{DANA.id}")
    assert compare_paths(folder, folder / "evidence.json") == ()
    assert [change.check for change in compare_paths(folder, folder, (None, stricter))] == ["score", "max.gpu.speedup"]
    old, _new = batches
    with pytest.raises(UsageError, match="two of a kind"):
        compare_paths(old.root, old.folder(f"hw1_{DANA.id}"))
    with pytest.raises(UsageError, match="rubrics of their own"):
        compare_paths(old.root, old.root, (RUBRIC_FILE, None))


HOSTILE = Change("=1+1<script>", "a.b", "\x1b[31m1", "<img src=x>", ("rubric: <b>", "zip: =cmd"))


def test_every_format_says_it_and_obeys_nothing_and_the_summary_counts_students_checks_and_reasons(tmp_path):
    page = difference.diff_page([HOSTILE], tmp_path / "<old>", tmp_path / "new")
    assert "&lt;script&gt;" in page
    assert not [bad for bad in ("<script", "<img", "<old>", "\x1b") if bad in page]
    assert "'=1+1" in difference.diff_csv([HOSTILE]).decode()
    assert "\x1b" not in difference.diff_text([HOSTILE]) + difference.diff_csv([HOSTILE]).decode()
    assert not [word for word in ("http://", "https://", "<link", "src=", "url(") if word in page.replace("src=x", "")]
    assert "default-src &#39;none&#39;" in page
    assert difference.summary_of([]) == "Nothing changed."
    rows = [Change("a", "score", "1", "2", ("zip",)), Change("a", "x.y", "1", "2", ("zip: a", "seed: b"))]
    assert difference.summary_of(rows) == "1 student, 1 check and 1 score changed. Reasons: zip 1, seed 1."
