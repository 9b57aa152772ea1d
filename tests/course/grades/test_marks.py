"""Marks of people are never lost and never overwritten silently."""

import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from rows import each
from sample_batches import ABSENT, DANA, OMER, PAIR, graded_of

from grader.course.grades import marks as marking
from grader.course.grades.graded import load_batch
from grader.course.grades.marks import MarkConflict, give_mark, read_marks, withdraw_mark
from grader.course.model import read_record, write_record
from grader.course.people import Roster
from grader.errors import UsageError
from grader.model import Mark

EXPLANATION = "report.explanation"


def mark(points=8, check=EXPLANATION, student=DANA.id, comment="clear", by="ta"):
    return Mark(student, check, points, comment, by)


def test_a_mark_says_who_and_when(store, monkeypatch):
    monkeypatch.setattr("getpass.getuser", lambda: "tamar")
    before = datetime.now(UTC).replace(microsecond=0)
    (given,) = give_mark(store, mark(by="")).current.values()
    assert given.by == "tamar"
    assert before <= given.at <= datetime.now(UTC)


def test_marks_are_read_back_the_same_mark_twice_is_one_and_a_batch_without_any_has_version_0(store):
    assert read_marks(store) == marking.Marks()
    marks = give_mark(store, mark())
    assert (read_marks(store), marks.version) == (marks, 1)
    give_mark(store, mark())
    before = store.marks.read_bytes()
    assert (give_mark(store, mark(by="other")).version, store.marks.read_bytes()) == (1, before)
    assert give_mark(store, mark(comment="other words")).version == 2
    roster = read_record(store.roster, Roster)
    newer = [replace(handin, sha256=f"new {handin.sha256}") for handin in roster.handins]
    write_record(store.roster, replace(roster, handins=tuple(newer)))
    assert f"a mark for {EXPLANATION} of an earlier file" in load_batch(store).unmatched[0]
    assert give_mark(store, mark(comment="other words")).version == 3
    assert not load_batch(store).unmatched


def test_the_last_mark_counts_until_it_is_withdrawn_and_the_history_keeps_all(store):
    give_mark(store, mark(8))
    marks = give_mark(store, mark(9, by="other"))
    assert marks.current[DANA.id, EXPLANATION].points == 9
    assert [(entry.mark.points, entry.mark.by) for entry in marks.entries] == [(8, "ta"), (9, "other")]
    marks = withdraw_mark(store, DANA.id, EXPLANATION, "ta")
    assert (marks.current, marks.version) == ({}, 3)
    with pytest.raises(UsageError, match="has no mark"):
        withdraw_mark(store, DANA.id, EXPLANATION)


def test_somebody_elses_mark_or_withdrawal_meanwhile_is_a_conflict(store):
    seen = give_mark(store, mark(5)).version
    give_mark(store, mark(6, by="omri"))
    with pytest.raises(MarkConflict, match="omri.* gave 6 points"):
        give_mark(store, mark(7), expected_version=seen)
    assert read_marks(store).current[DANA.id, EXPLANATION].points == 6
    seen = give_mark(store, mark(5)).version
    withdraw_mark(store, DANA.id, EXPLANATION, "omri")
    with pytest.raises(MarkConflict, match="omri.* withdrew"):
        give_mark(store, mark(7), expected_version=seen)


def test_a_mark_of_another_check_or_student_meanwhile_is_none_but_a_partners_of_all_that_they_share(store):
    give_mark(store, mark(6, student=OMER.id))
    give_mark(store, mark(3, check="report.pdf"))
    assert give_mark(store, mark(7), expected_version=0).version == 3
    give_mark(store, mark(5, student=PAIR[1].id, by="omri"), mark(-5, "adjustment", PAIR[1].id))
    assert give_mark(store, mark(-3, "adjustment", PAIR[0].id), expected_version=3).version == 6
    with pytest.raises(MarkConflict, match=f"omri.* gave 5 points for {EXPLANATION} of {PAIR[1].name}"):
        give_mark(store, mark(9, student=PAIR[0].id), expected_version=3)


@each(
    "wrong, words",
    (mark(student="nobody"), "no student 'nobody'"),
    (mark(student=ABSENT.id), "handed in nothing"),
    (mark(check="report.explanatoin"), "no check 'report.explanatoin'"),
    (mark(11), "0 to 10 points, not 11"),
    (mark(-1), "0 to 10 points, not -1"),
    (mark(float("nan")), "no points"),
    (mark(-5, check="adjustment", comment="  "), "needs a comment"),
    (mark(-101, check="adjustment"), "at most 100"),
)
def test_a_mark_that_cannot_be_is_one_sentence_and_nothing_is_written(store, wrong, words):
    with pytest.raises(UsageError, match=words):
        give_mark(store, wrong)
    assert not store.marks.exists()


@pytest.mark.parametrize("word", [DANA.id, DANA.id.lstrip("0"), DANA.email.upper(), DANA.name])
def test_students_are_found_by_id_address_and_name(store, word):
    assert (DANA.id, EXPLANATION) in give_mark(store, mark(student=word)).current


def test_partners_share_marks_of_checks_until_they_have_their_own_and_nothing_else(store):
    first, second = (student.id for student in PAIR)
    give_mark(store, mark(9, student=first))
    give_mark(store, mark(-5, check="adjustment", student=first))
    reports = graded_of(load_batch(store), first).reports
    assert [report.results[-2].points_low for report in reports.values()] == [9, 9]
    assert reports[first].score_low == reports[second].score_low - 5
    give_mark(store, mark(4, student=second))
    assert [report.results[-2].points_low for report in graded_of(load_batch(store), first).reports.values()] == [9, 4]
    handin = replace(graded_of(load_batch(store), DANA.id).handin, students=(DANA, OMER, ABSENT))
    given = {who.id: {EXPLANATION: mark(points, student=who.id)} for who, points in ((DANA, 9), (OMER, 4))}
    assert [found.points for found in marking.marks_of(given, ABSENT.id, handin)] == [9]


def test_comments_are_kept_plain_in_json_that_people_can_read(store):
    marks = give_mark(store, mark(comment="red \x1b[31m <b>bold</b> עברית"))
    assert marks.current[DANA.id, EXPLANATION].comment == "red \N{REPLACEMENT CHARACTER}[31m <b>bold</b> עברית"
    assert json.loads(store.marks.read_text())["entries"][0]["mark"]["comment"].endswith("<b>bold</b> עברית")


@each("content", b"", b"{", b"[]", b'{"entries": [{"mark": {"student": 1}}]}', b'{"schema": 2, "entries": []}')
def test_damaged_marks_are_one_sentence_and_stay_untouched(store, content):
    store.marks.write_bytes(content)
    with pytest.raises(UsageError, match=r"marks\.json"):
        give_mark(store, mark())
    assert store.marks.read_bytes() == content


GIVER = """
import fcntl, sys
from pathlib import Path
from grader.course.grades.marks import give_mark
from grader.course.model import Store
from grader.model import Mark

def flock(*wanted, take=fcntl.flock):
    try:
        take(*wanted)
        print("taken", flush=True)
    except BlockingIOError:
        print("waits", flush=True)
        raise

fcntl.flock = flock
give_mark(Store(Path(sys.argv[1])), Mark(sys.argv[2], sys.argv[3], 3, by="second"))
"""


def test_two_tas_at_once_lose_nothing(store):
    """The second asks for the marks while the first has read them, and has not yet written its own."""
    command = [sys.executable, "-c", GIVER, str(store.root), DANA.id, "utils.sigmoid"]
    with marking.locked(store):
        before = read_marks(store)
        second = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert second.stdout.readline() == "waits\n"
        marking.add_entries(store, before, [marking.Entry(mark(by="first"))])
    assert second.communicate(timeout=60)[0].endswith("taken\n")
    assert [entry.mark.by for entry in read_marks(store).entries] == ["first", "second"]


@pytest.fixture
def take(store, tmp_path):
    """Return a function that takes a table of marks with these rows."""

    def take(*rows, **how):
        lines = ["student,check,points,comment", *rows]
        (tmp_path / "marks.csv").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return marking.import_marks(store, tmp_path / "marks.csv", "ta", **how)

    return take


CLEAR = f"{DANA.id},{EXPLANATION},8,clear"


def test_a_table_of_marks_is_taken_as_a_whole_and_twice_changes_nothing(take, store):
    marks, new = take(CLEAR, f"{OMER.id.lstrip('0')},{EXPLANATION},9,", f"{OMER.id},report.pdf,,")
    assert new == 2
    points = {about: given.points for about, given in marks.current.items()}
    assert points == {(DANA.id, EXPLANATION): 8, (OMER.id, EXPLANATION): 9}
    take(CLEAR)
    before = store.marks.read_bytes()
    assert (take(CLEAR)[1], store.marks.read_bytes()) == (0, before)


@each(
    "row, why",
    (f"{OMER.id},{EXPLANATION},18,", r"marks\.csv, row 3: report.explanation gives 0 to 10"),
    (f"{OMER.id},{EXPLANATION},,a comment", r"row 3: '' is no number of points"),
    (f"{DANA.id.lstrip('0')},{EXPLANATION},9,", "two rows"),
)
def test_one_wrong_row_is_named_and_none_is_taken(store, take, row, why):
    with pytest.raises(UsageError, match=why):
        take(CLEAR, row)
    assert not store.marks.exists()


def test_a_table_replaces_other_marks_only_when_told(store, take):
    give_mark(store, mark(5, by="omri"))
    with pytest.raises(MarkConflict, match="5 points from omri"):
        take(CLEAR)
    assert take(CLEAR, may_replace=True)[0].current[DANA.id, EXPLANATION].points == 8
    give_mark(store, mark(5, student=PAIR[0].id, by="omri"))
    with pytest.raises(MarkConflict, match=f"{PAIR[1].id} has 5 points from omri"):
        take(f"{PAIR[1].id},{EXPLANATION},8,clear")
