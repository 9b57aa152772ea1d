"""Names stand beside ids, and a word that is nearly a name suggests whom it means."""

import pytest
from rows import each
from sample_batches import ABSENT, DANA, OMER, PAIR, RAR

from grader.batch.files import read_record
from grader.batch.grades.comparing import compare_paths, diff_csv, diff_page, diff_text
from grader.batch.grades.graded import load_batch
from grader.batch.grades.marks import give_mark
from grader.batch.grades.people import find_student
from grader.batch.grades.rescoring import copy_truth
from grader.batch.grades.sheets import describe_statuses, write_sheets
from grader.errors import UsageError
from grader.lms.model import Roster, Student
from grader.model import Mark

ALONE = {"כהן": DANA, "levi": OMER, "Omar Levi": OMER, "absent": ABSENT, "gil@": RAR, "67890": ABSENT}


@each("word, who", [*((word, [who]) for word, who in ALONE.items()), ("noa", PAIR)])
def test_a_part_of_a_name_or_a_slip_suggests_whom_it_may_mean(store, word, who):
    with pytest.raises(UsageError, match="do you mean") as caught:
        find_student(read_record(store.roster, Roster), word)
    for student in who:
        assert student.label in str(caught.value)


def test_what_is_like_nobody_names_some_ids(store):
    with pytest.raises(UsageError, match="its ids are 012345678"):
        find_student(read_record(store.roster, Roster), "xyzzy")


CLASS = Roster(
    (),
    (Student("007", "Dana Levi", "d@x.org"), Student("000", "dana  levi", "e@x.org"), Student("abc", "Omer Cohen")),
)
NOBODYS = {
    "a name of two": ("dana levi", "'dana levi' may be .*: name the student by id"),
    "nothing": ("", "there is no student ''"),
    "zeros alone": ("0", "there is no student '0'"),
    "zeros before letters": ("0abc", "there is no student '0abc'"),
    "parts of two people": ("levi omer", "its ids are 000, 007, abc"),
}


@each("word, says", NOBODYS)
def test_a_word_that_is_not_one_students_own_finds_nobody(word, says):
    with pytest.raises(UsageError, match=says):
        find_student(CLASS, word)


@each("word, who", [("7", "007"), ("000", "000"), ("E@X.org", "000"), ("abc", "abc"), (" omer  COHEN", "abc")])
def test_an_id_without_its_zeros_an_address_and_a_name_find_their_student(word, who):
    assert find_student(CLASS, word).id == who


def test_the_report_and_the_staff_page_say_whose_they_are(store):
    write_sheets(store)
    for name in ("report.html", "staff.html"):
        dana = (store.folder("hw1_012345678") / name).read_text("utf-8")
        assert "<bdi>דנה כהן (012345678)</bdi>" in dana
        pair = (store.folder("hw1_034567890") / name).read_text("utf-8")
        assert "=HYPERLINK(&#34;http://evil&#34;) (034567890)</bdi>, <bdi>Noa Bar (045678901)</bdi>" in pair


def test_the_summary_names_who_was_refused_and_the_results_who_is_marked(store):
    said = describe_statuses(write_sheets(store).rows)
    assert "\n  refused: Gil Or (056789012)" in said
    assert load_batch(store).graded[0].report.students == (DANA.label,)


def test_the_difference_has_names(store, tmp_path):
    other = copy_truth(store, tmp_path / "other")
    give_mark(other, Mark(DANA.id, "report.explanation", 8))
    changes = compare_paths(store.root, other.root)
    assert f"{DANA.id}  {DANA.name}\n" in diff_text(changes)
    assert f"{DANA.id},{DANA.name},score," in diff_csv(changes).decode("utf-8-sig")
    assert f"<bdi>{DANA.name}</bdi> <bdi>{DANA.id}</bdi>" in diff_page(changes, store.root, other.root)
