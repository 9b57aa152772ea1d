"""Annotations and summaries: read back as GitHub reads them, whatever a student wrote."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_reports import (
    RUBRIC,
    SAMPLES,
    full_marks,
    hostile,
    make,
    one_mistake,
    partly_right,
    passed,
    refused,
    template,
)

from grader.errors import StaffError
from grader.model import Outcome
from grader.packages.inside import classroom50, github
from grader.reports.audience import for_students

RUNNER = {
    "CLASSROOM": "gpu",
    "ASSIGNMENT": "hw1",
    "OWNER": "dana",
    "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d",
    "COMMIT_URL": "https://github.com/x/commit/1",
    "RELEASE_URL": "https://github.com/x/releases/1",
}
LINE = re.compile(r"::(?P<name>\w+) (?P<properties>[^:]*)::(?P<message>.*)")


def parse(line):
    """Return name, properties and message of a workflow command, unescaped as the runner does."""
    match = LINE.fullmatch(line)
    pairs = [pair.partition("=") for pair in match["properties"].split(",")]
    return match["name"], {key: unescape(value) for key, _, value in pairs}, unescape(match["message"])


def unescape(text):
    for escaped, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escaped, char)
    return text


def annotations(report, paths=()):
    return [parse(line) for line in github.annotate(for_students(report), dict(paths))]


def test_an_annotation_stands_on_the_line_that_a_check_names():
    found = annotations(one_mistake(), [("utils.py", "src/utils.py")])
    (mistake,) = [one for one in found if one[0] == "error"]
    assert mistake[1] == {"file": "src/utils.py", "line": "50", "title": "utils.create_batches"}
    assert mistake[2].startswith("create_batches returned 6 batches")


def test_points_are_told_as_github_classroom_reads_them():
    complete, report, score, *_ = annotations(full_marks())
    assert complete == ("notice", {"title": "Autograding complete"}, "Points 83/100")
    assert json.loads(report[2]) == {"totalPoints": 83, "maxPoints": 100}
    assert score[2].startswith("83 to 100 of 100. 7 points of max.gpu.speedup: decided on a machine with a GPU.")


@given(st.text(), st.text())
def test_whatever_is_in_a_text_a_command_is_one_line_and_comes_back(message, title):
    line = github.command("error", message, file="a.py", line="3", title=title)
    assert len(line.split("\n")) == 1
    assert "\r" not in line
    name, properties, _ = parse(line)
    assert (name, list(properties)) == ("error", ["file", "line", "title"])
    assert properties["title"] == title


@pytest.mark.parametrize("name", SAMPLES)
def test_no_more_annotations_than_github_shows(name):
    levels = [level for level, *_ in annotations(SAMPLES[name]())]
    assert all(levels.count(level) <= 10 for level in levels)


class Shape(HTMLParser):
    """The tags of a summary, and its text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        assert not attrs
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", SAMPLES)
def test_a_summary_is_one_block_of_our_own_tags(name):
    text = github.summarise(for_students(SAMPLES[name]()))
    assert "\n" not in text.rstrip("\n")
    assert set(Shape(text).tags) <= {"div", "h2", "p", "table", "tr", "th", "td", "br"}
    assert len(text.encode()) < 1 << 20


def test_a_summary_has_a_row_for_each_check():
    shape = Shape(github.summarise(for_students(template())))
    assert shape.tags.count("tr") == len(template().results) + 1
    assert "hint: Replace `raise NotImplementedError`" in shape.text
    assert "<script>" in Shape(github.summarise(for_students(hostile()))).text


def test_a_refused_hand_in_says_why():
    report = for_students(refused())
    assert annotations(report)[-1][1] == {"title": "Not graded"}
    assert "zip the four files again" in annotations(report)[-1][2]
    assert "zip the four files again" in github.summarise(report)


def test_files_are_found_where_the_student_keeps_them(tmp_path):
    for name in ("src/Utils.py", "src/deep/utils.py", ".git/matmul_functions.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert github.find_files(tmp_path, one_mistake()) == {"utils.py": "src/Utils.py"}


@pytest.mark.parametrize("name", SAMPLES)
def test_result_json_keeps_the_contract_of_classroom50(name):
    report = SAMPLES[name]()
    result = classroom50.describe_result(for_students(report), RUNNER)
    assert result["schema"] == "classroom50/result/v1"
    assert result["submission"].startswith("submit/")
    assert all(isinstance(result[key], str) and result[key] for key in ("commit", "release", "review", "datetime"))
    for row in (result, *result["tests"]):
        assert type(row["score"]) is type(row["max-score"]) is int
        assert 0 <= row["score"] <= row["max-score"]
    assert all(isinstance(test["passed"], bool) and test["test-name"] for test in result["tests"])
    assert result["score"] == sum(test["score"] for test in result["tests"]) == classroom50.whole(report.score_low)
    assert result["max-score"] == 100


def test_half_points_are_rounded_in_the_sum_and_said_in_words():
    report = partly_right()
    assert report.score_low == 87.5
    result = classroom50.describe_result(report, RUNNER)
    (batches,) = [test for test in result["tests"] if test["test-name"] == "utils.create_batches"]
    assert result["score"] == 88
    assert batches["points"] == "2.5 of 5"


def test_a_rubric_with_fractions_is_counted_in_hundredths():
    """Six checks of half a point, of which every second passed: rounded, it was 0 of 3."""
    criteria = tuple(replace(row, points=0.5, needs=(), marked_by="") for row in RUBRIC.criteria[:6])
    right = {row.id for row in criteria[1::2]}

    def observe(check):
        return passed(check, outcome=Outcome.PASSED if check in right else Outcome.FAILED)

    report = make(observe, rubric=replace(RUBRIC, criteria=criteria, total=3))
    result = classroom50.describe_result(report, RUNNER)
    assert (result["score"], result["max-score"]) == (150, 300)
    assert [(test["score"], test["max-score"]) for test in result["tests"]] == [(0, 50), (50, 50)] * 3
    assert result["points"] == "1.5 of 3, which score and max-score count in hundredths"


def test_nothing_that_a_failure_prints_is_a_command(tmp_path, monkeypatch, capsys):
    """As a traceback may hold what a student wrote."""

    def fail(*_where):
        print("::notice title=Autograding complete::Points 100/100")
        raise StaffError

    monkeypatch.setattr(github, "grade_upload", fail)
    with pytest.raises(StaffError):
        github.run(tmp_path, {"GITHUB_WORKSPACE": str(tmp_path)})
    assert re.fullmatch(r"::stop-commands::[0-9a-f]{64}\n::notice .*\n", capsys.readouterr().out)
