"""Sheets come from the disk alone, the same bytes each time; doubt is never a quiet zero, and nothing computes."""

import json
import re
import zipfile
from dataclasses import replace

import pytest
import sample_batches
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from junitparser import JUnitXml
from rows import each
from sample_batches import ABSENT, DANA, HANDINS, OMER, PAIR, RAR, contents, make_batch
from sample_reports import HOSTILE, MARK, RUBRIC, hostile, template

from grader.course.grades.graded import grades_csv, load_batch, sheet_rows
from grader.course.grades.marks import give_mark
from grader.course.grades.sheets import new_notes, write_sheets
from grader.course.grades.tables import Publishing, read_publishing, set_publishing
from grader.course.model import read_record, write_record
from grader.course.people import Roster, Student
from grader.errors import UsageError
from grader.model import Mark


def grades(store):
    write_sheets(store)
    return sample_batches.read_grades(store)


def mark(store, student, check, points, comment="so it is"):
    give_mark(store, Mark(student.id, check, points, comment, "ta"))


def late(store, text):
    store.late.write_text(text, encoding="utf-8")


def test_every_student_has_one_row_that_computes_nothing_an_open_score_is_a_range_and_nothing_a_quiet_zero(store):
    assert list(grades(store)) == sorted(student.id for student in [DANA, OMER, *PAIR, RAR, ABSENT])
    head = (store.root / "grades.csv").read_text("utf-8-sig").splitlines()[0].split(",")
    assert head[:10] == ["student", "name", "email", "score", "low", "high", "status", "provisional", "flags", "late"]
    assert (head[12:-1], head[-1]) == ([row.id for row in RUBRIC.criteria], "sha256")
    raw = (store.root / "grades.csv").read_bytes()
    assert raw.startswith(b"\xef\xbb\xbf")
    assert "דנה כהן".encode() in raw
    assert grades(store)[PAIR[0].id]["name"] == '\'=HYPERLINK("http://evil")'
    rows = grades(store)
    shown = [rows[OMER.id][column] for column in ("score", "low", "high", "status", "provisional", "max.gpu.speedup")]
    assert shown == ["", "83", "100", "provisional", "yes", "0 to 7"]
    assert (rows[ABSENT.id]["score"], rows[ABSENT.id]["status"]) == ("", "nothing handed in")
    assert (rows[RAR.id]["score"], rows[RAR.id]["status"], rows[RAR.id]["provisional"]) == ("", "refused", "yes")
    assert (rows[RAR.id]["low"], rows[RAR.id]["high"]) == ("0", "100")
    assert "refused without being opened" in rows[RAR.id]["flags"]


def test_a_mark_makes_the_score_final_decides_about_a_refused_file_and_late_days_cost_what_the_rubric_says(store):
    mark(store, DANA, "report.explanation", 8)
    row = grades(store)[DANA.id]
    assert (row["score"], row["status"], row["provisional"], row["report.explanation"]) == ("93", "final", "no", "8")
    mark(store, RAR, "adjustment", 50, "opened by hand")
    row = grades(store)[RAR.id]
    assert (row["score"], row["status"], row["adjustment"]) == ("50", "final", "50")
    own = sample_batches.RUBRIC_FILE.read_text().replace("total = 100\n", "total = 100\n[late]\npoints_per_day = 5\n")
    store.rubric.write_text(own)
    late(store, f"student,days\n{DANA.id},1.5\n")
    mark(store, DANA, "report.explanation", 10)
    row = grades(store)[DANA.id]
    assert (row["score"], row["late"], row["late points"]) == ("85", "1.5", "-10")
    late(store, f"student,days\n{PAIR[0].id},3\n")
    assert [grades(store)[student.id]["late"] for student in PAIR] == ["3", "3"]
    late(store, f"student,days\n{PAIR[0].id},3\n{PAIR[1].id},0\n")
    assert [grades(store)[student.id]["late"] for student in PAIR] == ["3", ""]


@each(
    "text, words",
    (f"student,days\n{DANA.id},soon\n", "'soon' is no number of days"),
    (f"student,days\n{DANA.id},-1\n", "is early"),
    (f"student,days\n{DANA.id},1\n{DANA.id},2\n", "says twice"),
    ("student\nx\n", "no column 'days'"),
)
def test_a_wrong_list_of_late_days_is_one_sentence_and_writes_nothing(store, text, words):
    write_sheets(store)
    before = contents(store)
    late(store, text)
    with pytest.raises(UsageError, match=words):
        write_sheets(store)
    store.late.unlink()
    assert contents(store) == before


def test_late_days_and_marks_that_count_for_nobody_any_more_are_said(store):
    mark(store, DANA, "report.explanation", 8)
    mark(store, OMER, "max.times", 0)
    mark(store, RAR, "report.explanation", 9)
    roster = read_record(store.roster, Roster)
    write_record(store.roster, replace(roster, handins=roster.handins[1:]))
    text = sample_batches.RUBRIC_FILE.read_text()
    gone = text[: text.index('[[check]]\nid = "max.times"')] + text[text.index('[[check]]\nid = "max.shapes"') :]
    head, tail = gone.replace("points = 11", "points = 16").split('id = "report.explanation"')
    store.rubric.write_text(f'{head}id = "report.explanation"' + tail.replace("points = 10", "points = 5"))
    late(store, f"student,days\n{DANA.id},1\n")
    notes = write_sheets(store).notes
    assert notes[0].startswith("late.csv, row 2: there is no student")
    nobody = "no hand-in in this batch any more: give the list that has this id."
    assert notes[1:4] == (
        f"marks.json: {DANA.id} has a mark for report.explanation and {nobody}",
        f"marks.json: {OMER.label} has a mark for max.times, which the rubric does not have.",
        f"marks.json: {RAR.label} has 9 points for report.explanation, which gives 5 by now.",
    )


def times(store):
    return {path: path.stat().st_mtime_ns for path in store.root.rglob("*") if path.is_file()}


def test_writing_twice_gives_the_same_bytes_and_evidence_is_never_written(store):
    given = {path: when for path, when in times(store).items() if path.name == "evidence.json"}
    mark(store, DANA, "report.explanation", 8)
    write_sheets(store)
    before, written = contents(store), times(store)
    write_sheets(store, all_reports=True)
    assert (contents(store), times(store)) == (before, written)
    assert given.items() <= written.items()


def test_a_mark_reaches_the_reports_of_the_student_alone_and_the_junit_file_has_a_suite_for_each(store):
    write_sheets(store)
    before = contents(store)
    mark(store, DANA, "report.explanation", 8, "clear, but short")
    write_sheets(store)
    after = contents(store)
    changed = {path.parts[1] for path in after if after[path] != before.get(path) and path.parts[0] == "submissions"}
    assert changed == {f"hw1_{DANA.id}"}
    results = json.loads((store.folder(f"hw1_{DANA.id}") / "results.json").read_text())
    assert results["score"] == 93
    assert results["extra_data"]["marks"] == {"report.explanation": {"points": 8, "comment": "clear, but short"}}
    mark(store, DANA, "adjustment", -5)
    write_sheets(store)
    suites = {suite.name: suite for suite in JUnitXml.fromfile(str(store.root / "junit.xml"))}
    assert (set(suites), suites[DANA.id].failures) == ({student.id for student in (DANA, OMER, *PAIR, RAR)}, 1)
    assert "adjustment" in [case.name for case in suites[DANA.id]]


def test_what_is_not_graded_yet_or_damaged_is_said_and_is_no_zero(store):
    store.evidence(f"hw1_{DANA.id}").unlink()
    store.evidence(f"hw1_{OMER.id}").write_bytes(b"{")
    rows = grades(store)
    shown = [(rows[student.id]["status"], rows[student.id]["score"]) for student in (DANA, OMER)]
    assert shown == [("not graded yet", ""), ("evidence unreadable", "")]
    assert any(OMER.id in note and "grade the submission again" in note for note in write_sheets(store).notes)


def names(store, archive):
    write_sheets(store)
    with zipfile.ZipFile(store.root / archive) as found:
        assert {entry.date_time for entry in found.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        return found.namelist()


def test_feedback_for_moodle_lies_in_moodles_folders_and_partners_without_one_are_named(store):
    of_pair = next(folder for students, _report, folder in HANDINS if students == PAIR)
    assert {f"{HANDINS[0][2]}/report.html", f"{of_pair}/report.html"} <= set(names(store, "feedback.zip"))
    (note,) = (note for note in write_sheets(store).notes if note.startswith("feedback.zip"))
    assert [student.id in note for student in PAIR] == [True, False], "the folder has the name of the second"


def test_feedback_for_canvas_is_named_as_its_comments_are_and_without_a_platform_one_folder_per_student(tmp_path):
    store = make_batch(tmp_path, [((replace(DANA, id="4711"),), template, "cohendana_LATE_4711_99")], (), "canvas")
    assert names(store, "feedback.zip") == ["cohendana_LATE_4711_99_report.html"]
    assert (store.root / "canvas.csv").is_file()
    store = make_batch(tmp_path, HANDINS, platform="folder")
    assert names(store, "feedback.zip") == sorted(f"{student.id}/report.html" for student in (DANA, OMER, *PAIR, RAR))


@pytest.mark.parametrize("hostile", ["../../etc/cron", "/abs", "..", "a\\b\0c", "con:", "x" * 500])
def test_no_name_leaves_the_archive(tmp_path, hostile):
    store = make_batch(tmp_path, [((replace(DANA, id=hostile),), template, hostile)], (), "gradescope")
    for archive in ("feedback.zip", "gradescope.zip"):
        (name,) = names(store, archive)
        folder, file = name.split("/")
        assert file in {"report.html", "results.json"}
        assert folder.strip(".")
        assert len(folder) <= 120


def test_a_report_never_takes_the_place_of_another_students(tmp_path):
    alike = [replace(DANA, id=who, email="") for who in ("dana+c@x.org", "dana-c@x.org")]
    store = make_batch(tmp_path, [((student,), template, "") for student in alike], (), "folder")
    assert names(store, "feedback.zip") == ["dana-c-x.org/report.html"]
    (note,) = (note for note in write_sheets(store).notes if note.startswith("feedback.zip"))
    assert note.endswith("dana-c@x.org.")


def test_partners_with_other_scores_or_comments_get_reports_of_their_own_and_rows_are_sorted_by_id(tmp_path):
    store = make_batch(tmp_path, HANDINS, platform="folder")
    for student in PAIR:
        mark(store, student, "report.explanation", 8, f"said to {student.id}")
    write_sheets(store)
    with zipfile.ZipFile(store.root / "feedback.zip") as found:
        assert all(f"said to {who.id}" in found.read(f"{who.id}/report.html").decode() for who in PAIR)
    mark(store, PAIR[0], "adjustment", -7, "did not come to the interview")
    write_sheets(store)
    with zipfile.ZipFile(store.root / "gradescope.zip") as found:
        scores = [json.loads(found.read(f"{student.id}/results.json"))["score"] for student in PAIR]
    assert scores[0] == scores[1] - 7
    with zipfile.ZipFile(store.root / "feedback.zip") as found:
        pages = [found.read(f"{student.id}/report.html").decode() for student in PAIR]
    assert ["-7 points" in page for page in pages] == [True, False]
    students = [replace(DANA, id=f"{number:09d}", email="") for number in range(20, 0, -1)]
    store = make_batch(tmp_path / "many", [((student,), template, "") for student in students], (), "folder")
    assert [row.student.id for row in sheet_rows(load_batch(store))] == sorted(student.id for student in students)


def test_how_scores_leave_is_kept(store):
    set_publishing(store, provisional="low")
    assert read_publishing(store).provisional == "low"
    set_publishing(store, columns={"canvas": "Homework 1"})
    assert read_publishing(store) == Publishing("low", {"canvas": "Homework 1"})
    set_publishing(store, provisional="skip")
    assert read_publishing(store) == Publishing("skip", {"canvas": "Homework 1"})


def test_a_note_is_said_once_and_then_counted(store):
    store.lms.mkdir(exist_ok=True)
    (store.lms / "moodle.csv").write_text("Identifier,Full name,Grade\nParticipant 999,Nobody,\n", "utf-8")
    first, second = (new_notes(store, write_sheets(store)) for _ in range(2))
    assert any("not in this batch, so their lines stay" in note for note in first)
    assert second == (f"{len(first)} notes as the last time: {store.root / 'notes.txt'}",)


NUMBER = re.compile(r"-|[+-]?[0-9.]+")
BAD = " ".join(HOSTILE)


texts = st.one_of(
    st.sampled_from(["=1+1", "@SUM(1)", "+cmd|' /C calc'!A0", "-2+3", "\t=1", " =1", *HOSTILE]),
    st.text(st.characters(codec="utf-8"), max_size=12),
)


@settings(deadline=None, max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(texts.filter(bool), texts, texts, texts)
def test_no_cell_of_the_grade_sheet_is_a_formula(tmp_path_factory, who, name, email, comment):
    store = make_batch(tmp_path_factory.mktemp("batch"), [((DANA,), template, "")], (Student(who, name, email),))
    give_mark(store, Mark(DANA.id, "adjustment", 1, f"x{comment}", by="ta"))
    standing = load_batch(store)
    graded = replace(standing.graded[0], handin=replace(standing.graded[0].handin, flags=(comment,)))
    rows = sample_batches.read_sheet(grades_csv(replace(standing, graded=(graded,))))
    assert {len(row) for row in rows} == {len(rows[0])}
    texts = [cell for row in rows for cell in row if not NUMBER.fullmatch(cell)]
    assert not [cell for cell in texts if cell.lstrip(" ")[:1] in {*"=+-@\t\r\n"}]


@pytest.fixture
def hostile_store(tmp_path):
    found = make_batch(tmp_path / "batch", [((Student("012345678", BAD, BAD),), hostile, BAD)], (), "moodle")
    give_mark(found, Mark("012345678", "report.explanation", 1, BAD, BAD))
    give_mark(found, Mark("012345678", "adjustment", -1, BAD, BAD))
    (tmp_path / "worksheet.csv").write_text("Identifier,ID number,Grade,Feedback comments\nParticipant 1,012345678,,\n")
    found.late.write_text(f'student,days,comment\n012345678,1,"{BAD.replace(chr(34), "")}"\n', "utf-8", "replace")
    return found


def test_every_sheet_of_a_hostile_batch_is_whole_and_feedback_for_moodle_is_text(hostile_store, tmp_path):
    write_sheets(hostile_store)
    before = contents(hostile_store)
    write_sheets(hostile_store, all_reports=True)
    assert contents(hostile_store) == before
    assert [suite.name for suite in JUnitXml.fromfile(str(hostile_store.root / "junit.xml"))] == ["012345678"]
    with zipfile.ZipFile(hostile_store.root / "feedback.zip") as found:
        assert all(name.count("/") == 1 for name in found.namelist())
        assert not re.search(rf"<[^>]*{MARK}", found.read(found.namelist()[0]).decode())
    set_publishing(hostile_store, {"moodle": tmp_path / "worksheet.csv"}, provisional="low")
    write_sheets(hostile_store)
    (_head, line) = sample_batches.read_sheet(hostile_store.root / "moodle.csv")
    assert line[2] == "0"
    assert not re.search(r"<(?!br>)", line[3])
    assert "\x1b" not in line[3]
