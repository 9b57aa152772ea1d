"""Canvas's gradebook comes back with one assignment, its ids untouched, and no empty cell that would delete a grade."""

from dataclasses import replace

import pytest
from sample_batches import DANA, HANDINS, OMER, make_batch, read_sheet
from sample_reports import RUBRIC, full_marks, one_mistake

from grader.course.grades.graded import grades_of, load_batch, sheet_rows
from grader.course.grades.marks import give_mark
from grader.course.grades.sheets import write_sheets
from grader.course.grades.tables import set_publishing
from grader.course.model import read_record, write_record
from grader.course.people import Roster, Student
from grader.course.platforms.canvas import Canvas
from grader.course.platforms.platform import Filling
from grader.errors import UsageError
from grader.model import Mark

EXPORT = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Homework 1 (7001),Homework 2 (7002),Final Score\r\n"
    ",,,,,Manual Posting,,\r\n"
    "    Points Possible,,,,,100.00,50.00,(read only)\r\n"
    '"כהן, דנה",91,012345678,dana@example.org,G1,12.00,7.00,50\r\n'
    '"Levi, Omer",92,023456789,omer@example.org,G1,34.00,8.00,60\r\n'
    '"Student, Test",93,,0f0f,G1,,,\r\n'
)


@pytest.fixture
def store(tmp_path):
    found = make_batch(tmp_path / "batch", HANDINS, (), "folder")
    give_mark(found, Mark(DANA.id, "report.explanation", 8.5, by="ta"))
    return found


def filled(store, tmp_path, text=EXPORT, canvas_column="Homework 1", **how):
    (tmp_path / "export.csv").write_text(text, encoding="utf-8", newline="")
    set_publishing(store, {"canvas": tmp_path / "export.csv"}, {"canvas": canvas_column}, **how)
    write_sheets(store)
    return read_sheet(store.root / "canvas.csv")


def test_the_column_of_that_title_or_name_is_filled_and_with_lower_ends_only_when_told(store, tmp_path):
    rows = filled(store, tmp_path, EXPORT.replace("Homework 1", RUBRIC.title), canvas_column="")
    assert rows[0][-1] == f"{RUBRIC.title} (7001)"
    assert filled(store, tmp_path) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework 1 (7001)"],
        ["", "", "", "", "", "Manual Posting"],
        ["    Points Possible", "", "", "", "", "100.00"],
        ["כהן, דנה", "91", "012345678", "dana@example.org", "G1", "93.5"],
    ]
    assert [row[-1] for row in filled(store, tmp_path, provisional="low")[3:]] == ["93.5", "83"]
    assert len(filled(store, tmp_path, EXPORT.replace("Homework 2", "Homework 10"))) == 5


def test_an_unclear_column_is_one_sentence_with_the_choice_and_what_is_no_gradebook_another(store, tmp_path):
    for column in ("", "Homework", "Homework 3"):
        with pytest.raises(UsageError, match=r"--canvas-column, of 'Homework 1 \(7001\)', 'Homework 2 \(7002\)'"):
            filled(store, tmp_path, canvas_column=column)
        assert not (store.lms / "canvas.csv").exists()
    for text in ("", "a,b\r\n1,2\r\n", "Student,Grade\r\n"):
        with pytest.raises(UsageError, match="no gradebook of Canvas"):
            filled(store, tmp_path, text)


def test_formulas_in_names_are_defused_ids_and_semicolons_stay_and_without_an_export_ids_are_canvass(store, tmp_path):
    evil = EXPORT.replace('"כהן, דנה"', '"=1+1"').replace(",91,", ",+91,")
    assert filled(store, tmp_path, evil)[3][:3] == ["'=1+1", "+91", "012345678"]
    filled(store, tmp_path, EXPORT.replace(",", ";").replace("; ", ", "))
    assert (store.root / "canvas.csv").read_text().startswith("Student;ID;SIS User ID")
    raw, _notes = Canvas().fill(None, grades_of(sheet_rows(load_batch(store))), Filling(RUBRIC))
    assert read_sheet(raw) == [
        ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", RUBRIC.title],
        ["    Points Possible", "", "", "", "", "100"],
        [DANA.name, DANA.id, "", DANA.email, "", "93.5"],
    ]


def test_canvass_number_and_an_id_without_zeros_find_a_line_and_who_is_not_there_is_named(store, tmp_path):
    grade, how = replace(grades_of(sheet_rows(load_batch(store)))[0], points=7), Filling(RUBRIC, column="Homework 1")
    handin = replace(grade.handin, platform_folder="danacohen_LATE_91_900", students=(Student("9"),))
    listed = replace(grade, student=Student("9", DANA.name), handin=handin)
    stranger = replace(grade, student=Student("8", "Hedy"), handin=None)
    assert read_sheet(Canvas().fill(None, [listed], how)[0])[2][1] == "91"
    assert filled(store, tmp_path, EXPORT.replace("012345678,dana@example.org", "12345678,dana"))[3][-1] == "93.5"
    raw, notes = Canvas().fill(tmp_path / "export.csv", [listed, stranger], how)
    assert (read_sheet(raw)[-1][-1], notes) == ("7", ("canvas.csv: graded, but not in the gradebook: Hedy (8).",))


def test_whoever_a_students_file_names_as_partner_takes_no_line_of_somebody_who_handed_in(tmp_path):
    claims = (OMER, Student(DANA.id, "nobody"))
    carl = replace(DANA, id="10007")
    store = make_batch(tmp_path / "batch", [(claims, one_mistake, ""), ((carl,), full_marks, "")], (), "folder")
    handins = read_record(store.roster, Roster).handins
    named = [replace(handins[0], platform_folder=f"x_{OMER.id}_"), handins[1]]
    write_record(store.roster, Roster(tuple(named), platform="moodle"))
    rows = {row[2]: row[-1] for row in filled(store, tmp_path, provisional="low")[2:]}
    assert (rows[OMER.id], rows[DANA.id]) == ("85", "83"), "Dana's own, by the address"


@pytest.mark.parametrize("shared", [{"id": DANA.id}, {"email": DANA.email}])
def test_what_two_students_share_gives_neither_of_them_a_grade(tmp_path, shared):
    twin = replace(OMER, **shared)
    store = make_batch(tmp_path / "batch", [((DANA,), one_mistake, ""), ((twin,), full_marks, "")], (), "folder")
    (key,) = shared.values()
    rows = filled(store, tmp_path, f"{EXPORT}A Student,{key},,,G1,12.00,7.00,50\r\n", provisional="low")
    assert key not in [row[1] for row in rows]
