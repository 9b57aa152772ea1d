"""What the course's list says, and how it is refused."""

import openpyxl
import pytest
from handins import packed
from rows import each
from sample_uploads import archive, people

from grader.course.people import Handin, Roster, Student, find_student, names_of, read_course_list
from grader.errors import UsageError


def test_the_courses_list_says_whose_a_file_is_and_who_handed_in_nothing(find, tmp_path):
    source = tmp_path / "in"
    archive(source / "group A.zip", {"utils.py": b"1"})
    archive(source / "hw1_ada.l.zip", {"utils.py": b"2"})
    listed = (
        "\ufeffStudent ID;Full name;E-mail;File\n1;נועה;n@x.org;Group A.zip\n2;Bob;b@x.org;group a.zip\n"
        "ada.l;Ada;a@x.org;\n4;Eve;e@x.org;\n5;Mal;m@x.org;lost.zip\n"
    )
    roster = find(source, students=listed)
    assert people(roster) == {"1-2": ["1", "2"], "ada.l": ["ada.l"]}
    assert roster.missing == (Student("4", "Eve", "e@x.org"), Student("5", "Mal", "m@x.org"))
    assert "lost.zip" in " ".join(roster.warnings)


def test_the_courses_list_knows_students_of_a_platform_by_name_and_of_several_nobody_is_meant(find, tmp_path):
    names = ("Ada Lovelace_12", "Bob_13")
    files = {f"{name}_assignsubmission_file_/hw1.zip": packed({"utils.py": name.encode()}) for name in names}
    roster = find(archive(tmp_path / "all.zip", files), students="id,name\n012345678,Lovelace Ada\n7,Bob\n8,Bob\n")
    assert people(roster) == {"012345678": ["012345678"], "13": ["13"]}, "two are called Bob: nobody guesses"
    (said,) = roster.warnings
    assert said.startswith("Bob (13) handed in and is not in the course's list; if it has two of that name, or")
    assert "write Bob_13_assignsubmission_file_ into" in said
    with pytest.raises(UsageError, match=r"'bob' may be Bob \(13\), Bob \(7\), Bob \(8\): name the student by id"):
        find_student(roster, "bob")


def test_pages_show_the_ids_of_two_students_with_one_name(tmp_path):
    students = (Student("1", "Yael Cohen"), Student("3", "Dana"), Student("4"))
    handins = tuple(Handin(one.id, (one,), tmp_path, "") for one in students)
    for other, yael in ((Student("2", "yael  cohen"), "Yael Cohen (1)"), (Student("2"), "Yael Cohen")):
        assert names_of(Roster(handins, (other,))) == {"1": yael, "3": "Dana", "4": "4"}


@each(
    "listed",
    "שם פרטי,שם משפחה,מספר זיהוי,כתובת דוא״ל\nAda,Lovelace,012345678,a@x.org\n",
    "ID number,First name,Last name,Username,Email address\n012345678,Ada,Lovelace,alovelace,a@x.org\n",
    "username;student id;name;email\nalovelace;012345678;Ada Lovelace;a@x.org\n",
)
def test_a_list_has_the_headings_of_whoever_made_it(find, tmp_path, listed):
    archive(tmp_path / "in/hw1_012345678.zip", {"utils.py": b"1"})
    (handin,) = find(tmp_path / "in", students=listed).handins
    assert handin.students == (Student("012345678", "Ada Lovelace", "a@x.org"),)


@each(
    "text, says",
    ("name,email\nAda,a@x.org\n", "no column 'student id'"),
    ("id,name\n1,Ada\n1,Bob\n", "stands there twice"),
    ("id,file\n1,a.zip\n1,b.zip\n", "has two files"),
    ("id,name\n,Ada\n", "row 2: the student id is missing"),
    ("id,name\n", "lists no student"),
    ("", "no column 'student id', only nothing"),
    ('id,name\n1,"Ada\n', "is a broken CSV"),
)
def test_a_broken_list_is_one_sentence(find, tmp_path, text, says):
    with pytest.raises(UsageError, match="students.csv") as told:
        find(tmp_path, students=text)
    assert says in str(told.value)
    assert "\n" not in str(told.value)


def test_a_list_may_be_a_spreadsheet_and_one_that_is_no_text_is_one_sentence(tmp_path):
    book = openpyxl.Workbook()
    for row in (("ID number", "Full name"), (312345678, "Ada Lovelace")):
        book.active.append(row)
    book.save(tmp_path / "course.xlsx")
    assert read_course_list(tmp_path / "course.xlsx").students == (Student("312345678", "Ada Lovelace"),)
    for raw, says in ((b"id,name\n1,\xe0\xe1\n", "not UTF-8"), (b"i\0d\0", "no column 'student id'")):
        (tmp_path / "s.csv").write_bytes(raw)
        with pytest.raises(UsageError, match=says):
            read_course_list(tmp_path / "s.csv")
    with pytest.raises(UsageError, match="cannot be read"):
        read_course_list(tmp_path / "none.csv")
