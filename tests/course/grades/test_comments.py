"""Reusable comments and alike failures: a change, or one mark, reaches everybody whom it is about."""

from dataclasses import replace

import pytest
from rows import each
from sample_batches import DANA, OMER, RAR, make_batch
from sample_reports import mixed, one_mistake, refused

from grader.course.grades import comments
from grader.course.grades.comments import Comment, group_findings, mark_group, read_comments, store_comment
from grader.course.grades.graded import load_batch
from grader.course.grades.marks import MarkConflict, give_mark, read_marks
from grader.course.model import write_record
from grader.course.people import Student
from grader.errors import UsageError
from grader.model import Finding, Mark
from grader.scoring.score import score

CHECK = "report.explanation"
UNITS = Comment(CHECK, "The times have no units.", -2)
FIGURE = Comment(CHECK, "There is no figure.", -4)


@pytest.fixture
def store(tmp_path):
    made = make_batch(tmp_path / "batch")
    write_record(made.comments, {"entries": (UNITS, FIGURE)})
    return made


def mark_of(store, student):
    return read_marks(store).current[student.id, CHECK]


def test_the_items_of_the_rubric_are_there_from_the_start_and_none_goes_by_itself(tmp_path):
    store = make_batch(tmp_path / "batch")
    first, *others = read_comments(store)
    assert (first, len(others)) == (Comment(CHECK, "max_kernel is explained in detail", 2), 6)
    with pytest.raises(UsageError, match="change the sign, or remove the others"):
        store_comment(store, UNITS)
    store_comment(store, Comment(CHECK, "A chart", 1))
    assert [one.text for one in read_comments(store)] == [first.text, *(one.text for one in others), "A chart"]


LINES = {"": 10, UNITS.text: 8, f"{UNITS.text}\nown words\n{FIGURE.text}": 4, f"really: {UNITS.text}": 10}


def test_comments_take_points_off_or_add_them_up_from_nothing_and_stay_within_the_check():
    assert {text: comments.sum_points((UNITS, FIGURE), text, 10) for text in LINES} == LINES
    assert comments.sum_points((UNITS, Comment(CHECK, "Fine.", 0)), "Fine.", 10) == 10
    some = (Comment(CHECK, "Good.", 7), Comment(CHECK, "Very good.", 6))
    assert [comments.sum_points(some, text, 10) for text in ("", "Good.", "Good.\nVery good.")] == [0, 7, 10]


def test_a_changed_comment_is_changed_in_all_marks_that_have_it(store):
    give_mark(store, Mark(DANA.id, CHECK, 4, f"Dear Dana,\n{UNITS.text}\n{FIGURE.text}", "noa"))
    give_mark(store, Mark(OMER.id, CHECK, 10, "Fine.", "noa"))
    assert store_comment(store, Comment(CHECK, "No units.", -1), UNITS.text, "dana") == (1, ())
    mark = mark_of(store, DANA)
    assert (mark.points, mark.comment, mark.by) == (5, f"Dear Dana,\nNo units.\n{FIGURE.text}", "dana")
    assert mark_of(store, OMER).by == "noa", "which has nothing to do with it"
    assert [one.text for one in read_comments(store)] == ["No units.", FIGURE.text], "in its old place"


def test_points_below_zero_come_back_when_a_comment_costs_less_and_what_a_person_gave_otherwise_stays(store):
    store_comment(store, Comment(CHECK, "Nothing is explained.", -9))
    give_mark(store, Mark(DANA.id, CHECK, 0, f"{FIGURE.text}\nNothing is explained."))
    store_comment(store, Comment(CHECK, "Nothing is explained.", -1), "Nothing is explained.")
    assert mark_of(store, DANA).points == 5
    for text, points in (("A.", -0.1), ("B.", -0.2)):
        store_comment(store, Comment(CHECK, text, points))
    give_mark(store, Mark(OMER.id, CHECK, 10 - 0.1 - 0.2, "A.\nB."))  # as a browser adds: 9.700000000000001
    assert store_comment(store, Comment(CHECK, "A.", -1), "A.") == (1, ())
    give_mark(store, Mark(RAR.id, CHECK, 7, UNITS.text))
    assert store_comment(store, Comment(CHECK, "No units.", -5), UNITS.text)[1] == (RAR.label,)
    assert (mark_of(store, RAR).points, mark_of(store, RAR).comment) == (7, "No units.")


def test_a_text_becomes_one_printable_line_may_cost_nothing_and_a_removed_comment_stays_in_the_marks(store):
    give_mark(store, Mark(DANA.id, CHECK, 8, UNITS.text))
    comments.remove_comment(store, CHECK, UNITS.text)
    assert (read_comments(store), mark_of(store, DANA).points) == ((FIGURE,), 8)
    store_comment(store, Comment(CHECK, "two\nlines\x1b[2J \u202e=cmd", 0))
    assert read_comments(store)[-1].text == "two lines\N{REPLACEMENT CHARACTER}[2J \N{REPLACEMENT CHARACTER}=cmd"


@each(
    "comment, why",
    *((Comment(CHECK, "  "), "needs a text"), (Comment(CHECK, UNITS.text, -1), "already")),
    (Comment(CHECK, "x", -11), "at most as many"),
    *((Comment(CHECK, "x", float("nan")), "at most as many"), (Comment(CHECK, "x", 1), "change the sign")),
    *((Comment("nothing", "x", -1), "no check"), (Comment("max.times", "x", 0), "no check")),
)
def test_what_cannot_be_a_comment_is_refused_in_a_sentence(store, comment, why):
    with pytest.raises(UsageError, match=why):
        store_comment(store, comment)
    assert read_comments(store) == (UNITS, FIGURE)


BATCHES = "utils.create_batches"


def with_numbers(count):
    """Return a maker of the usual mistake, whose message has numbers of its own."""
    report = one_mistake()
    said = f"create_batches returned {count} batches, and {count + 1} are right: the last 4 samples are lost."
    finding = Finding(said)
    seen = (replace(one, finding=finding) if one.check == BATCHES else one for one in report.evidence.observations)
    return lambda: score(replace(report.evidence, observations=tuple(seen)), report.rubric)


@pytest.fixture
def alike(tmp_path):
    makers = [with_numbers(number) for number in range(30)] + [mixed, refused]
    people = [((Student(f"30000000{number:02}", f"S {number}"),), make, "") for number, make in enumerate(makers)]
    return make_batch(tmp_path / "batch", people, platform="folder")


def test_one_look_settles_thirty_and_other_words_are_another_group(alike):
    checks = {group.criterion.id for group in group_findings(load_batch(alike))}
    assert "report.explanation" not in checks
    assert len(checks) > 1
    largest = group_findings(load_batch(alike))[0]
    assert (largest.criterion.id, len(largest.members)) == (BATCHES, 30)
    mark_group(alike, largest, 4, "Only the last batch is missing.", "dana", 0)
    marks = read_marks(alike).current
    assert len(marks) == 30
    assert {(mark.points, mark.by) for mark in marks.values()} == {(4, "dana")}
    assert largest.id not in {group.id for group in group_findings(load_batch(alike))}


def test_nothing_is_stored_where_somebody_marked_one_of_them_meanwhile(alike):
    largest = group_findings(load_batch(alike))[0]
    give_mark(alike, Mark(largest.members[7].handin.students[0].id, BATCHES, 1, "", "noa"))
    with pytest.raises(MarkConflict, match="noa"):
        mark_group(alike, largest, 4, "", "dana", 0)
    assert (read_marks(alike).version, len(group_findings(load_batch(alike))[0].members)) == (1, 29)
