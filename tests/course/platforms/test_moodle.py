"""Moodle's grading worksheet comes back with grades and comments in it, and everything else as it was."""

from dataclasses import replace

import pytest
from rows import each
from sample_batches import DANA, HANDINS, OMER, PAIR, make_batch, one_mistake, read_sheet
from sample_reports import all_right, make, passed

from grader.course.grades.graded import load_batch
from grader.course.grades.marks import give_mark
from grader.course.grades.sheets import write_sheets
from grader.course.grades.tables import read_kept, set_publishing
from grader.course.people import Student
from grader.errors import UsageError
from grader.model import Mark, Outcome

HEAD = (
    "Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed,"
    "Last modified (submission),Last modified (grade),Feedback comments\r\n"
)
DATE = '"Friday, 21 November 2025, 9:14 PM"'
LINES = (
    f"Participant 102,Omer Levi,omer@example.org,Submitted for grading,,100.00,Yes,{DATE},-,\r\n"
    f"Participant 101,דנה כהן,dana@example.org,Submitted for grading,,100.00,Yes,{DATE},-,\r\n"
    f"Participant 999,Somebody Else,else@example.org,No submission,55.00,100.00,Yes,-,-,earlier words\r\n"
)
HEBREW = 'מזהה,שם מלא,מצב,ציון,ציון מירבי,עדכון אחרון (ציון),הערות למשוב\r\nמשתתף:101,דנה כהן,הוגש,,"100,00",-,\r\n'


@pytest.fixture
def store(tmp_path):
    found = make_batch(tmp_path / "batch")
    give_mark(found, Mark(DANA.id, "report.explanation", 8.5, "clear <b>text</b>", "ta"))
    return found


def filled(store, tmp_path, text, bom=False, **how):
    path = tmp_path / "worksheet.csv"
    path.write_bytes((b"\xef\xbb\xbf" if bom else b"") + text.encode())
    set_publishing(store, {"moodle": path}, **how)
    sheets = write_sheets(store)
    raw = (store.root / "moodle.csv").read_bytes()
    return read_sheet(raw), sheets.notes, raw


def test_only_grade_and_feedback_change_of_those_with_a_final_score_and_all_others_are_counted(store, tmp_path):
    rows, notes, raw = filled(store, tmp_path, HEAD + LINES)
    before = read_sheet((HEAD + LINES).encode())
    assert [row[:4] + row[5:9] for row in rows] == [row[:4] + row[5:9] for row in before]
    assert rows[2][4] == "93.5"
    assert rows[2][9].startswith("Score: 93.5 of 100<br>report.explanation: 8.5 points. clear &lt;b&gt;text&lt;/b&gt;")
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert (rows[1][4], rows[1][9]) == ("", "")
    assert any("no grade yet" in note for note in notes)
    assert (rows[3][4], rows[3][9]) == ("55.00", "earlier words")
    assert any("not in this batch, so their lines stay: Somebody Else." in note for note in notes)
    assert any("not on the worksheet" in note for note in notes)
    assert filled(store, tmp_path, raw.decode())[2] == raw


def test_the_lower_end_is_written_only_when_told_and_never_of_points_on_which_the_grader_failed(store, tmp_path):
    rows, notes, _raw = filled(store, tmp_path, HEAD + LINES, provisional="low")
    assert rows[1][4] == "83"
    assert "2 scores not final, written by the lower end: --provisional skip leaves them out." in notes
    assert "by the lower end" not in " ".join(filled(store, tmp_path, HEAD + LINES, provisional="skip")[1])
    line = "Participant 103,Noa Bar,noa@example.org,Submitted for grading,,100.00,Yes,-,-,\r\n"
    rows, notes, _raw = filled(store, tmp_path, HEAD + line, provisional="low")
    assert rows[1][4] == ""
    said = "no grade yet for 2 students, the grader failed on them or did not run all checks: 034567890, 045678901."
    assert any(said in note for note in notes)
    for who in ("034567890", "045678901"):
        give_mark(store, Mark(who, "matmul.numba.compiled", 2, "seen", "ta"))
    assert filled(store, tmp_path, HEAD + line, provisional="low")[0][1][4] != ""

    def failed_without_points(check):
        return passed(check, outcome=Outcome.ERROR) if check == "max.times" else all_right(check)

    store = make_batch(tmp_path / "other", [((OMER,), lambda: make(failed_without_points), "")], ())
    assert filled(store, tmp_path, HEAD + LINES, provisional="low")[0][1][4] == "83"
    whole = make(all_right)
    few = replace(whole, evidence=replace(whole.evidence, observations=whole.evidence.observations[:1]))
    store = make_batch(tmp_path / "few", [((OMER,), lambda: few, "")], ())
    assert filled(store, tmp_path, HEAD + LINES, provisional="low")[0][1][4] == "", "only some checks were run"


def test_grades_that_moodle_would_skip_are_counted_and_hebrew_headings_and_decimal_commas_understood(store, tmp_path):
    _rows, notes, _raw = filled(store, tmp_path, HEAD + LINES.replace("100.00", "10.00"))
    assert any("1 grades are above Moodle's maximum" in note for note in notes)
    _rows, notes, _raw = filled(store, tmp_path, HEAD + LINES.replace("100.00", "93.5"))
    assert "above Moodle's maximum" not in " ".join(notes), "the maximum itself is a grade that Moodle takes"
    rows, _notes, raw = filled(store, tmp_path, HEBREW, bom=True)
    assert rows[1][3] == "93,5"
    assert raw.startswith(b"\xef\xbb\xbf")


def test_a_name_is_enough_where_no_other_line_has_it_and_the_participants_number_goes_before_it(store, tmp_path):
    twins = LINES.replace("Participant 101", "Participant 301").replace("dana@example.org", "") * 2
    rows, _notes, _raw = filled(store, tmp_path, HEAD + twins)
    assert [row[4] for row in rows if row[1] == DANA.name] == ["", ""]
    own = LINES.replace("Participant 101", "Participant 301").replace("dana@example.org", "")
    assert filled(store, tmp_path, HEAD + own)[0][2][4] == "93.5"
    # No other line shares them: the number is one student's, the name another's
    line = f"Participant {{}},{OMER.name},,Submitted for grading,,100.00,Yes,{DATE},-,\r\n"
    assert filled(store, tmp_path, HEAD + line.format(101))[0][1][4] == "93.5", "Dana's number"
    assert filled(store, tmp_path, HEAD + line.format(999))[0][1][4] == "", "nobody's, and Omer has no grade"
    namesake = line.format(301).replace(OMER.name, DANA.name)
    rows, notes, _raw = filled(store, tmp_path, HEAD + namesake + line.format(101))
    assert [row[4] for row in rows[1:]] == ["", "93.5"], "of another course, perhaps"
    assert any(f"not in this batch, so their lines stay: {DANA.name}." in note for note in notes)


def test_both_of_a_pair_get_their_grade_and_a_folder_and_their_number_belongs_to_neither(tmp_path):
    store = make_batch(tmp_path / "batch", [(PAIR, one_mistake, "Noa Bar_103_assignsubmission_file_")], ())
    give_mark(store, Mark(PAIR[0].id, "report.explanation", 10, by="ta"))
    lines = "".join(f"Participant {n},N_{n},{who.email},,,100.00,Yes,-,-,\r\n" for n, who in enumerate(PAIR, 200))
    rows, notes, _raw = filled(store, tmp_path, HEAD + lines.replace("N_201", "Noa Bar"))
    assert [row[4] for row in rows[1:]] == ["95", "95"]
    assert not [note for note in notes if note.startswith("feedback.zip")]
    assert read_kept(store, load_batch(store).roster)[PAIR[0].id].folder == "N 200_200_assignsubmission_file_"
    line = f"Participant 103,Unknown,,Submitted for grading,,100.00,Yes,{DATE},-,\r\n"
    assert filled(store, tmp_path, HEAD + line)[0][1][4] == ""


def test_a_name_that_two_students_share_gives_nobody_a_grade_and_ones_own_number_does(tmp_path):
    pair = (Student("103", DANA.name), Student("205", "Noa Bar"))
    handins = [HANDINS[0], (pair, one_mistake, "Noa Bar_103_assignsubmission_file_")]
    store = make_batch(tmp_path / "batch", handins, ())
    for who, points in ((DANA.id, 8), ("103", 10)):
        give_mark(store, Mark(who, "report.explanation", points, by="ta"))
    line = f"Participant {{}},{{}},,Submitted for grading,,100.00,Yes,{DATE},-,\r\n"
    assert filled(store, tmp_path, HEAD + line.format(999, DANA.name))[0][1][4] == ""
    assert filled(store, tmp_path, HEAD + line.format(103, "Unknown"))[0][1][4] == "95"


def test_formulas_in_names_are_defused_and_names_in_backticks_are_plain_text_in_a_comment(store, tmp_path):
    rows, _notes, _raw = filled(store, tmp_path, HEAD + LINES.replace("Somebody Else", "=cmd|' /C calc'!A0"))
    assert rows[3][:2] == ["Participant 999", "'=cmd|' /C calc'!A0"]
    give_mark(store, Mark(DANA.id, "report.explanation", 8, "see `max_gpu` and `A[i]`; 5 ` left"))
    rows, _notes, _raw = filled(store, tmp_path, HEAD + LINES)
    (comment,) = (row[9] for row in rows if "max_gpu" in row[9])
    assert "see max_gpu and A[i]; 5 ` left" in comment


@each(
    "text, words",
    ("a,b\r\n1,2\r\n", "no column 'identifier'"),
    ("Identifier,Full name\r\n", "no column 'grade'"),
    ("", "no column 'identifier'"),
    ('Identifier,Grade\r\n"open,1\r\n', "broken CSV"),
)
def test_what_is_no_worksheet_or_missing_is_one_sentence_and_is_not_kept(store, tmp_path, text, words):
    with pytest.raises(UsageError, match=words):
        filled(store, tmp_path, text)
    assert not (store.lms / "moodle.csv").exists()
    with pytest.raises(UsageError, match=r"none\.csv cannot be read"):
        set_publishing(store, {"moodle": tmp_path / "none.csv"})


def test_an_id_number_column_is_enough(tmp_path):
    own = replace(OMER, name="", email="")
    store = make_batch(tmp_path / "batch", [((own,), HANDINS[0][1], "")], (), "folder")
    give_mark(store, Mark(own.id, "report.explanation", 10, by="ta"))
    text = f"Identifier,ID number,Grade,Feedback comments\r\nParticipant 7,{own.id},,\r\n"
    assert filled(store, tmp_path, text)[0][1][2] == "95"
