"""The code beside its findings: line for line what was handed in, and nothing of it is markup."""

import html
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_strategies import texts, unhurried
from rows import each
from sample_reports import LAST_BATCH, make, passed, with_text

from grader.model import Finding, Outcome, printable
from grader.reports import listing

pytestmark = pytest.mark.wide

CODE = """import numpy as np


def sigmoid(x):
    return 1 / (1 + np.exp(-x))  # <b>


def create_batches(x):
    '''a
    b'''
"""


def listed(text, finding=None, check="utils.create_batches", remarks=(), outcome=Outcome.FAILED):
    seen = passed(check, outcome=outcome if finding else Outcome.PASSED, finding=finding, remarks=remarks)
    return listing.listings(make(lambda name: seen if name == check else None, handed_in=with_text(text)))


def lines_with_remarks(found):
    return [line.number for line in found.lines if line.remarks]


def plain(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def test_only_files_with_a_text_are_listed_and_escaped_and_long_files_and_lines_are_cut_and_say_so():
    assert [found.name for found in listed(CODE)] == ["utils.py"]
    assert listed("") == ()
    (found,) = listed("x = '<script>alert(1)</script>'  # </li><img src=x>\n")
    assert "&lt;script&gt;" in found.lines[0].code
    assert "<img" not in found.lines[0].code
    (found,) = listed(350 * "<" + "\n" + 200 * ("x" * 350 + "\n"))  # too long to be coloured
    assert found.lines[0].code == 350 * "&lt;"
    (found,) = listed("x = 1\n" * 9000)
    assert (len(found.lines), found.is_cut) == (listing.MAX_LINES, True)
    (found,) = listed("#" * 5000)
    assert (len(plain(found.lines[0].code)), found.is_cut) == (listing.MAX_COLUMNS, True)
    assert not listed(CODE)[0].is_cut


@unhurried
@given(st.one_of(texts, st.text(alphabet="()[]{}'\"#\\\n \tfd:=@rx", max_size=80)))
def test_every_line_is_shown_as_it_is(text):
    text = text.replace("\r", "").replace("\f", "")
    for found in listed(text):
        rows = printable(text, len(text) + 1).split("\n")
        rows = rows[:-1] if not rows[-1] else rows
        assert [plain(line.code) for line in found.lines] == [row[: listing.MAX_COLUMNS] for row in rows]


def test_findings_and_remarks_stand_at_their_lines_or_where_the_function_that_they_name_is_defined():
    (found,) = listed(CODE, replace(LAST_BATCH, location="utils.py:9"))
    assert lines_with_remarks(found) == [9]
    assert [remark.message for remark in found.lines[8].remarks] == [LAST_BATCH.message]
    assert listing.places((found,)) == {"utils.py:9": "source-1-9"}
    (found,) = listed(CODE, remarks=(Finding("race", location="utils.py:5"), Finding("elsewhere", location="x.py:1")))
    assert (lines_with_remarks(found), found.lines[4].remarks[0].style.kind) == ([5], "warning")
    (found,) = listed(CODE, Finding("`create_batches` of 10 samples: the batches have the wrong sizes."))
    assert lines_with_remarks(found) == [8]
    (found,) = listed(CODE + CODE, Finding("`create_batches` of 10 samples: the batches have the wrong sizes."))
    assert lines_with_remarks(found) == [8]


@each("place", ["utils.py:0", "utils.py:99999", "utils.py:", "../utils.py:1", ":", "a:b:3", "<b>:1"])
def test_a_place_that_does_not_exist_is_no_place(place):
    (found,) = listed(CODE, Finding("it is wrong", location=place), check="train.accuracy")
    assert found.remarks == 0


@pytest.mark.timeout(20)
@each("part", ["(", "'''", "f'{", "\\", "@", "0", "0x_", " "])
def test_no_text_keeps_the_lexer_busy(part):
    text = part * (54_000 // len(part))
    (found,) = listed("\n".join(text[start : start + 399] for start in range(0, len(text), 399)))
    assert "".join(plain(line.code) for line in found.lines) == text


@each("outcome, count", (Outcome.FAILED, 1), (Outcome.INCONCLUSIVE, 1), (Outcome.NOT_MEASURED, 0))
def test_what_was_not_measured_is_said_at_no_line(outcome, count):
    finding = Finding("`create_batches` was not timed: no GPU was found on this machine.")
    assert sum(found.remarks for found in listed(CODE, finding, outcome=outcome)) == count
