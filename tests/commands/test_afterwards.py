"""rescore, verify, diff and mark as a TA types them: exit codes, and one clear sentence for what cannot be."""

import fcntl
import re

import pytest
from rows import each
from sample_batches import ABSENT, DANA, OMER, RUBRIC_FILE, contents, full_marks, make_batch, one_mistake, read_grades

from grader.__main__ import run
from grader.course.grades.marks import give_mark
from grader.model import Mark
from grader.reports.files import write_reports

EXPLANATION = "report.explanation"


@pytest.fixture
def store(tmp_path):
    return make_batch(tmp_path / "batch")


@pytest.fixture
def batch(store):
    return store.root


@pytest.fixture
def grader(capsys):
    """Run the command line; return exit code, stdout and stderr."""

    def call(*words):
        code = run([str(word) for word in words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_rescore_writes_everything_says_what_is_open_and_verify_says_yes_or_what_differs(grader, batch):
    code, out, err = grader("rescore", batch)
    assert (code, err) == (0, "")
    assert out.startswith("6 students: 1 nothing handed in, 4 provisional, 1 refused\n")
    for name in ("grades.csv", "junit.xml", "feedback.zip", "gradescope.zip"):
        assert (batch / name).is_file()
        assert name in out
    assert grader("verify", batch) == (0, f"{batch}: matches: every score is what the evidence gives.\n", "")
    sheet = batch / "grades.csv"
    sheet.write_bytes(sheet.read_bytes().replace(b",85,95,", b",99,99,"))
    code, out, _err = grader("verify", batch)
    assert code == 1
    assert f"low of {DANA.id} = 99" in out
    assert out.endswith("2 differences.\n")


def test_rescore_of_one_report_shows_it(grader, tmp_path):
    write_reports(one_mistake(), tmp_path / "old")
    old, new = tmp_path / "old/evidence.json", tmp_path / "new"
    code, out, _err = grader("rescore", old, "--rubric", RUBRIC_FILE, "--out", new)
    assert code == 0
    assert "Score: 85 to 95 of 100 (provisional)" in out
    assert (tmp_path / "new/results.json").read_bytes() == (tmp_path / "old/results.json").read_bytes()
    for option in ("--late", "--deadline", "--extensions", "--moodle", "--canvas-column"):
        assert f"{option} is for a batch" in grader("rescore", old, option, "low")[2]


def test_rescore_elsewhere_leaves_the_old_batch_alone(grader, store, batch, tmp_path):
    grader("rescore", batch)
    before = contents(store)
    stricter = tmp_path / "stricter.toml"
    stricter.write_text(RUBRIC_FILE.read_text().replace("at_least = 40", "at_least = 99"))
    code, out, _err = grader("rescore", batch, "--out", tmp_path / "new", "--rubric", stricter)
    assert code == 0
    assert f"From now on the rubric of this batch is {tmp_path / 'new/rubric.toml'}, a copy of {stricter}." in out
    assert contents(store) == before
    page, sheet = tmp_path / "d.html", tmp_path / "d.csv"
    code, out, _err = grader("diff", batch, tmp_path / "new", "--html", page, "--csv", sheet)
    assert code == 0
    assert "rubric: the threshold was at least 40 and is at least 99" in out
    assert (page.is_file(), sheet.is_file()) == (True, True)


def test_diff_scores_each_report_with_its_own_rubric(grader, tmp_path):
    (tmp_path / "stricter.toml").write_text(RUBRIC_FILE.read_text().replace("above = 95", "above = 99"))
    for name in ("old", "new"):
        write_reports(full_marks(), tmp_path / name)
    rubrics = ("--old-rubric", RUBRIC_FILE, "--rubric", tmp_path / "stricter.toml")
    code, out, _err = grader("diff", tmp_path / "old", tmp_path / "new", *rubrics)
    assert code == 0
    assert "rubric: the threshold was above 95 and is above 99" in out


@pytest.mark.parametrize("option", ["--rubric", "--late", "--moodle", "--canvas"])
def test_rescore_elsewhere_leaves_nothing_behind_when_a_table_is_wrong(grader, batch, tmp_path, option):
    (tmp_path / "wrong").write_text("nobody,knows\n1,2\n")
    code, out, err = grader("rescore", batch, "--out", tmp_path / "new", option, tmp_path / "wrong")
    assert code != 0
    assert out == ""
    assert "wrong" in err
    assert not (tmp_path / "new").exists(), "the corrected command would be refused"


def test_lateness_that_costs_nothing_is_said(grader, batch, tmp_path):
    (tmp_path / "late.csv").write_text(f"student,days\n{DANA.id},2\n{OMER.id},0\n{ABSENT.id},3\n")
    says = "1 handed in late, which costs nothing: the rubric has no [late] table"
    assert says in grader("rescore", batch, "--late", tmp_path / "late.csv")[1]
    own = RUBRIC_FILE.read_text().replace("total = 100\n", "total = 100\n[late]\npoints_per_day = 5\n")
    (tmp_path / "own.toml").write_text(own)
    assert says not in grader("rescore", batch, "--rubric", tmp_path / "own.toml")[1]


def test_a_mark_reaches_the_sheet_at_once_and_one_that_is_replaced_is_said(grader, store, batch):
    code, out, _err = grader("mark", batch, DANA.id.lstrip("0"), EXPLANATION, "8", "clear, but short")
    assert (code, out) == (0, f"{DANA.label}: {EXPLANATION} 8 points.\n")
    assert read_grades(store)[DANA.id]["score"] == "93"
    assert "clear, but short" in (batch / f"submissions/hw1_{DANA.id}/report.html").read_text()
    grader("mark", batch, DANA.id, EXPLANATION, "8", "--by", "omri")
    assert "9 points; it was 8, from omri" in grader("mark", batch, DANA.id, EXPLANATION, "9")[1]


def test_a_negative_adjustment_needs_no_trick_and_points_are_read_with_a_comma_too(grader, batch):
    assert "8.5 points" in grader("mark", batch, DANA.id, EXPLANATION, "8,5")[1]
    assert grader("mark", batch, DANA.id, "adjustment", "-5", "late by mail")[0] == 0
    assert "adjustment: -5 points" in (batch / f"submissions/hw1_{DANA.id}/results.json").read_text()
    assert "-2.5 points" in grader("mark", batch, DANA.id, "adjustment", "-2,5", "late by mail")[1]


def test_a_rubric_that_changes_what_marks_are_out_of_says_so(grader, store, batch, tmp_path):
    give_mark(store, Mark(DANA.id, EXPLANATION, 8))
    (tmp_path / "rubric.toml").write_text(
        RUBRIC_FILE.read_text().replace("points = 10", "points = 17").replace("points = 11", "points = 4")
    )
    said = grader("rescore", batch, "--rubric", tmp_path / "rubric.toml")[1]
    assert f"{EXPLANATION} gives 17 points now, not 10: look at 1 mark given before.\n" in said


def test_the_history_is_shown(grader, batch):
    grader("mark", batch, DANA.id, EXPLANATION, "8", "clear", "--by", "omri")
    grader("mark", batch, DANA.id, EXPLANATION, "--withdraw", "--by", "tal")
    first, second = grader("mark", batch, DANA.id)[1].splitlines()
    assert [line.partition(",")[0] for line in (first, second)] == ["omri", "tal"]
    assert first.endswith(f"{EXPLANATION}: 8 points  clear")
    assert second.endswith(f"{EXPLANATION}: withdrawn")


def test_a_mark_that_another_ta_gave_meanwhile_stays(grader, store, batch, monkeypatch):
    points = iter((3.0, 4.0))

    def lock_after_another(file, how):
        monkeypatch.undo()
        give_mark(store, Mark(DANA.id, EXPLANATION, next(points), by="omri"))
        fcntl.flock(file, how)

    for words in (("8",), ("--withdraw",)):
        monkeypatch.setattr(fcntl, "flock", lock_after_another)
        code, _out, err = grader("mark", batch, DANA.id, EXPLANATION, *words)
        assert (code, "meanwhile omri" in err) == (2, True)


def test_a_table_of_marks(grader, store, batch, tmp_path):
    (tmp_path / "m.csv").write_text(f"student,check,points\n{DANA.id},{EXPLANATION},8\n{OMER.id},max.gpu.speedup,7\n")
    assert grader("mark", batch, "--file", tmp_path / "m.csv")[1] == f"2 marks from {tmp_path / 'm.csv'}.\n"
    assert "says nothing new" in grader("mark", batch, "--file", tmp_path / "m.csv")[1]
    assert read_grades(store)[DANA.id]["score"] == "93"


@each(
    "words",
    *(("rescore", "nowhere"), ("verify", "nowhere"), ("verify", "BATCH", "--rubric", RUBRIC_FILE)),
    *(("rescore", "BATCH", option, "nowhere.csv") for option in ("--rubric", "--late", "--moodle", "--canvas")),
    *(("rescore", "BATCH", "--rubric", RUBRIC_FILE, option, "nowhere.csv") for option in ("--late", "--moodle")),
    ("rescore", "BATCH/submissions/hw1_012345678", "--provisional", "low"),
    ("rescore", "BATCH/submissions/hw1_012345678", "--rubric", RUBRIC_FILE),
    ("mark", "nowhere", "1", EXPLANATION, "8"),
    *(("mark", "BATCH"), ("mark", "BATCH", "nobody", EXPLANATION, "8"), ("mark", "BATCH", DANA.id, EXPLANATION)),
    *(("mark", "BATCH", DANA.id, EXPLANATION, points) for points in ("80", "eight")),
    *(("mark", "BATCH", DANA.id, "no.such", "8"), ("mark", "BATCH", DANA.id, "adjustment", "-5")),
    *(("mark", "BATCH", DANA.id, "--file", "marks.csv"), ("mark", "BATCH", "--file", "nowhere.ods")),
    *(("appeal", "BATCH", "nobody"), ("appeal", "BATCH", DANA.id, "--runs", "0"), ("appeal", "nowhere", DANA.id)),
    ("diff", "BATCH", "nowhere"),
)
def test_bad_usage_is_one_sentence_and_changes_nothing(grader, store, batch, words):
    before = contents(store)
    code, out, err = grader(*(str(word).replace("BATCH", str(batch)) for word in words))
    assert (code, out) == (2, "")
    assert err.startswith("grader: ")
    assert (len(err.splitlines()), contents(store)) == (1, before)


def test_late_days_are_counted_from_a_deadline_that_the_batch_keeps(grader, batch):
    code, out, err = grader("rescore", batch, "--deadline", "2026-01-15 23:59")
    assert (code, err) == (0, "")
    assert "no time of any hand-in is known; on Moodle, name the grading worksheet with --moodle" in out
    assert re.search("notes? as the last time", grader("rescore", batch)[1])
    code, _out, err = grader("rescore", batch, "--deadline", "tomorrow")
    assert code == 2
    assert "no date and time: write it like `2026-01-15 23:59`" in err


def test_a_text_for_each_student_is_written_and_nothing_is_sent(grader, batch, tmp_path):
    template = tmp_path / "template.txt"
    template.write_text("Subject: $title\n\nDear $name: $score\n", "utf-8")
    code, out, _err = grader("mail", batch, template)
    assert code == 0
    assert "Nothing was sent." in out
    assert "no address: Noa Bar (045678901)" in out
    template.write_text("$nonsense")
    code, _out, err = grader("mail", batch, template)
    assert (code, "there is no such field" in err) == (2, True)


def test_merge_takes_the_folder_where_one_stands_and_counts_what_it_does_not_list(grader, batch, tmp_path, monkeypatch):
    write_reports(full_marks(), tmp_path / "provisional")
    monkeypatch.chdir(batch)
    monkeypatch.setattr("grader.commands.afterwards._MOST", 1)
    code, out, _err = grader("merge", ".", tmp_path / "provisional")
    assert code == 0
    assert "  and 1 hand-in more with such checks\n" in out
    assert batch.with_name("batch-final").is_dir()
    other = make_batch(tmp_path / "other")
    give_mark(other, Mark(DANA.id, EXPLANATION, 8))
    out = grader("merge", ".", other.root, "--out", tmp_path / "again")[1]
    assert f"  marks.json of {other.root} is not taken over: copy it into . and merge again\n" in out


def test_merge_needs_a_batch_and_records_and_says_what_became_of_each_hand_in(grader, batch, tmp_path):
    assert "is no batch" in grader("merge", batch / "submissions/hw1_012345678", batch)[2]
    assert "no record" in grader("merge", batch, batch / "roster.json")[2]
    assert not batch.with_name("batch-final").exists()
    # The samples differ in no file, so that one record is everybody's: only Omer's agrees in all checks
    write_reports(full_marks(), tmp_path / "provisional")
    code, out, err = grader("merge", batch, tmp_path / "provisional")
    assert (code, err) == (0, "")
    assert out.startswith("3 hand-ins joined with provisional results of the same files.\n")
    assert "no provisional result has the files of" in out
    assert "utils.create_batches passed in one grading and failed in the other: open, for a TA" in out
    assert grader("verify", batch.with_name("batch-final"))[0] == 0
