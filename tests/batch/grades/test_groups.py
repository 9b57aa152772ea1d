"""Alike failures: the same words with other numbers are one group, and one mark settles it."""

from dataclasses import replace

import pytest
from sample_batches import make_batch
from sample_reports import mixed, one_mistake, refused

from grader.batch.grades.graded import load_batch
from grader.batch.grades.groups import group_findings, mark_group
from grader.batch.grades.marks import MarkConflict, give_mark, read_marks
from grader.lms.model import Student
from grader.model import Finding, Mark
from grader.scoring.score import score

CHECK = "utils.create_batches"


def with_numbers(count):
    """Return a maker of the usual mistake, whose message has numbers of its own."""
    report = one_mistake()
    said = f"create_batches returned {count} batches, and {count + 1} are right: the last 4 samples are lost."
    finding = Finding(said)
    seen = (replace(one, finding=finding) if one.check == CHECK else one for one in report.evidence.observations)
    return lambda: score(replace(report.evidence, observations=tuple(seen)), report.rubric)


@pytest.fixture
def store(tmp_path):
    makers = [with_numbers(number) for number in range(30)] + [mixed, refused]
    people = [((Student(f"30000000{number:02}", f"S {number}"),), make, "") for number, make in enumerate(makers)]
    return make_batch(tmp_path / "batch", people, platform="folder")


def test_one_look_settles_thirty_and_other_words_are_another_group(store):
    checks = {group.criterion.id for group in group_findings(load_batch(store))}
    assert "report.explanation" not in checks
    assert len(checks) > 1
    largest = group_findings(load_batch(store))[0]
    assert (largest.criterion.id, len(largest.members)) == (CHECK, 30)
    mark_group(store, largest, 4, "Only the last batch is missing.", "dana", 0)
    marks = read_marks(store).current
    assert len(marks) == 30
    assert {(mark.points, mark.by) for mark in marks.values()} == {(4, "dana")}
    assert largest.id not in {group.id for group in group_findings(load_batch(store))}


def test_nothing_is_stored_where_somebody_marked_one_of_them_meanwhile(store):
    largest = group_findings(load_batch(store))[0]
    give_mark(store, Mark(largest.members[7].handin.students[0].id, CHECK, 1, "", "noa"))
    with pytest.raises(MarkConflict, match="noa"):
        mark_group(store, largest, 4, "", "dana", 0)
    assert read_marks(store).version == 1
    assert len(group_findings(load_batch(store))[0].members) == 29
