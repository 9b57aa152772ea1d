"""Whatever students and platforms put into names, flags and evidence: sheets stay whole, and nothing computes."""

import re
import zipfile
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from junitparser import JUnitXml
from sample_batches import DANA, contents, make_batch, read_sheet
from sample_reports import HOSTILE, MARK, hostile, template

from grader.batch.grades.graded import load_batch
from grader.batch.grades.marks import give_mark
from grader.batch.grades.sheet import grades_csv
from grader.batch.grades.sheets import set_publishing, write_sheets
from grader.lms.model import Student
from grader.model import Mark

NUMBER = re.compile(r"-|[+-]?[0-9.]+")
BAD = " ".join(HOSTILE)


def is_formula(cell):
    return cell.lstrip(" ")[:1] in set("=+-@\t\r\n") - {""} and not NUMBER.fullmatch(cell)


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
    rows = read_sheet(grades_csv(replace(standing, graded=(graded,))))
    assert {len(row) for row in rows} == {len(rows[0])}
    assert not [cell for row in rows for cell in row if is_formula(cell)]


@pytest.fixture
def store(tmp_path):
    own = (Student("012345678", BAD, BAD),)
    found = make_batch(tmp_path / "batch", [(own, hostile, BAD)], (), "moodle")
    give_mark(found, Mark("012345678", "report.explanation", 1, BAD, BAD))
    give_mark(found, Mark("012345678", "adjustment", -1, BAD, BAD))
    (tmp_path / "worksheet.csv").write_text("Identifier,ID number,Grade,Feedback comments\nParticipant 1,012345678,,\n")
    found.late.write_text(f'student,days,comment\n012345678,1,"{BAD.replace(chr(34), "")}"\n', "utf-8", "replace")
    return found


def test_every_sheet_of_a_hostile_batch_is_whole(store):
    write_sheets(store)
    before = contents(store)
    write_sheets(store, all_reports=True)
    assert contents(store) == before
    assert [suite.name for suite in JUnitXml.fromfile(str(store.root / "junit.xml"))] == ["012345678"]
    with zipfile.ZipFile(store.root / "feedback.zip") as found:
        assert all(name.count("/") == 1 for name in found.namelist())
        assert not re.search(rf"<[^>]*{MARK}", found.read(found.namelist()[0]).decode())


def test_feedback_for_moodle_is_text(store, tmp_path):
    set_publishing(store, moodle=tmp_path / "worksheet.csv", provisional="low")
    write_sheets(store)
    (_head, line) = read_sheet(store.root / "moodle.csv")
    assert line[2] == "0"
    assert not re.search(r"<(?!br>)", line[3])
    assert "\x1b" not in line[3]
