"""Annotations and summaries: read back as GitHub reads them, whatever a student wrote."""

import html
import json
import re
from dataclasses import replace

import handins
import pytest
import sample_reports as samples
from hypothesis import given
from hypothesis import strategies as st
from parsed_pages import Page
from rows import each

from grader.errors import StaffError
from grader.kit.inside import github
from grader.model import Finding, Outcome
from grader.reports.audience import for_students

RUNNER = {"CLASSROOM": "gpu", "ASSIGNMENT": "hw1", "OWNER": "dana", "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1"}
RUNNER |= {"COMMIT_URL": "https://github.com/x/commit/1", "RELEASE_URL": "https://github.com/x/releases/1"}
FIELDS = {
    *("schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release", "review"),
    *("datetime", "graded_at", "score", "max-score", "tests", "submitted_by"),
}
"""All that classroom50's result-v1.schema.json allows at the top; in a test, anything is allowed."""
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


def annotations(report, paths=(), **more):
    return [parse(line) for line in github.annotate(for_students(report), dict(paths), **more)]


def test_an_annotation_stands_on_the_line_that_a_check_names_where_the_student_keeps_the_file(tmp_path):
    found = annotations(samples.one_mistake(), [("utils.py", "src/utils.py")])
    (mistake,) = [one for one in found if one[0] == "error"]
    assert mistake[1] == {"file": "src/utils.py", "line": "50", "title": "utils.create_batches"}
    assert mistake[2].startswith("create_batches returned 6 batches")
    for name in ("src/Utils.py", "src/deep/utils.py", ".git/matmul_functions.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert github.find_files(tmp_path, samples.one_mistake()) == {"utils.py": "src/Utils.py"}

    def wrong(check):
        return samples.passed(check, outcome=Outcome.FAILED, finding=Finding(check, location="utils.py:1"))

    found = annotations(samples.make(wrong, handed_in=samples.with_text("x = 1")))
    assert [level for level, *_ in found].count("error") == 10, "as many as GitHub shows"


def test_points_are_told_as_github_classroom_reads_them_and_what_was_graded_first_where_there_was_a_choice():
    complete, report, score, *_ = annotations(samples.full_marks())
    assert complete == ("notice", {"title": "Autograding complete"}, "Points 83/100")
    assert json.loads(report[2]) == {"totalPoints": 83, "maxPoints": 100}
    assert score[2].startswith("83 to 100 of 100. 7 points of max.gpu.speedup: decided on a machine with a GPU.")
    _, _, _, remark, *_ = annotations(samples.one_mistake(), remark="A zip was graded.")
    summary = github.summarise(samples.one_mistake(), "A zip was graded.")
    assert remark == ("warning", {"title": "What was graded"}, "A zip was graded.")
    assert summary.index("<p>A zip was graded.</p>") < summary.index("<table>")
    assert "<p></p>" not in github.summarise(samples.one_mistake(), "")


@given(st.text(), st.text())
def test_whatever_is_in_a_text_a_command_is_one_line_and_comes_back(message, title):
    line = github.command("error", message, file="a.py", line="3", title=title)
    assert len(line.split("\n")) == 1
    assert "\r" not in line
    name, properties, _ = parse(line)
    assert (name, list(properties)) == ("error", ["file", "line", "title"])
    assert properties["title"] == title


@each("name", [*samples.SAMPLES])
def test_every_sample_keeps_githubs_limits_and_our_own_tags_and_the_contract_of_classroom50(name):
    for remark in ("", "A zip was graded."):
        levels = [level for level, *_ in annotations(samples.SAMPLES[name](), remark=remark)]
        assert all(levels.count(level) <= 10 for level in levels)
    text = github.summarise(for_students(samples.SAMPLES[name]()))
    assert "\n" not in text.rstrip("\n")
    page = Page(text)
    assert page.attributes == []
    assert set(page.tags) <= {"div", "h2", "p", "table", "tr", "th", "td", "br"}
    assert len(text.encode()) < 1 << 20
    report = samples.SAMPLES[name]()
    result = github.describe_result(for_students(report), RUNNER)
    assert set(result) <= FIELDS
    assert result["schema"] == "classroom50/result/v1"
    assert result["submission"].startswith("submit/")
    assert all(isinstance(result[key], str) and result[key] for key in ("commit", "release", "review", "datetime"))
    for row in (result, *result["tests"]):
        assert type(row["score"]) is type(row["max-score"]) is int
        assert 0 <= row["score"] <= row["max-score"]
    assert all(isinstance(test["passed"], bool) and test["test-name"] for test in result["tests"])
    assert result["score"] == sum(test["score"] for test in result["tests"]) == github.whole(report.score_low)
    assert result["max-score"] == 100


def test_a_summary_has_a_row_for_each_check_or_says_why_a_hand_in_was_refused():
    page = Page(github.summarise(for_students(samples.template())))
    assert page.tags.count("tr") == len(samples.template().results) + 1
    assert "hint: Replace `raise NotImplementedError`" in page.text
    assert "<script>" in Page(github.summarise(for_students(samples.hostile()))).text
    report = for_students(samples.refused())
    assert annotations(report)[-1][1] == {"title": "Not graded"}
    assert "zip the four files again" in annotations(report)[-1][2]
    assert "zip the four files again" in github.summarise(report)


@pytest.fixture
def runner(tmp_path):
    """A small package, an empty checkout, and what GitHub sets."""
    for name in ("package", "checkout", "temp"):
        (tmp_path / name).mkdir()
    (tmp_path / "package/settings.json").write_text(json.dumps({"assignment": "hw1"}))
    return {
        "GITHUB_WORKSPACE": str(tmp_path / "checkout"),
        "RUNNER_TEMP": str(tmp_path / "temp"),
        "GITHUB_OUTPUT": str(tmp_path / "output"),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary"),
    }


@pytest.mark.slow
@pytest.mark.parametrize("pushed", ["beside", "alone"])
def test_an_old_zip_costs_nothing_beside_newer_files_and_counts_alone(runner, tmp_path, capsys, pushed):
    """Right files beside a zip of day one; or a right zip, and nothing else."""
    checkout, right = tmp_path / "checkout", handins.reference_files()
    del right["hw1.pdf"]
    if pushed == "beside":
        (checkout / "hw1.zip").write_bytes(handins.packed(handins.template_files()))
        for name, data in right.items():
            (checkout / name).write_bytes(data)
    else:
        (checkout / "work").mkdir()
        (checkout / "work/hw1.zip").write_bytes(handins.packed(right))
    github.run(tmp_path / "package", runner)
    assert "::notice title=Autograding complete::Points 80/100" in capsys.readouterr().out  # all but the PDF
    said = {"beside": "The files of the repository were graded, not 'hw1.zip'.", "alone": "'work/hw1.zip' was graded, "}
    for page in (tmp_path / "summary", tmp_path / "temp/report/report.html"):
        assert said[pushed] in html.unescape(page.read_text())


def test_a_zip_that_is_damaged_is_named_with_why(runner, tmp_path, capsys):
    (tmp_path / "checkout/hw1.zip").write_bytes(b"PK\x03\x04")
    github.run(tmp_path / "package", runner)
    printed = capsys.readouterr().out
    assert "::warning title=What was graded::'hw1.zip' was graded, because no file" in printed
    assert "::error title=Not graded::the zip archive is damaged or cut off" in printed
    assert (tmp_path / "output").read_text() == "status=failure\nsummary=0 to 100 of 100\n"


def test_classroom50_finds_the_report_beside_the_result(runner, tmp_path):
    """Its runner attaches what `release_assets` names, a path in the checkout, to the release."""
    github.run(tmp_path / "package", runner | RUNNER)
    written = {path.name: path.read_text() for path in (tmp_path / "checkout").iterdir()}
    assert set(written) == {"result.json", "release-body.md", "report.html"}
    assert "<!doctype html>" in written["report.html"].lower()
    assert "is empty: hand in the files of the sheet" in written["release-body.md"]
    assert set(json.loads(written["result.json"])) <= FIELDS


def test_what_only_tas_read_stays_out_of_log_summary_and_page(runner, tmp_path, monkeypatch, capsys):
    report = samples.mixed()
    monkeypatch.setattr(github, "grade_upload", lambda *_: report)
    github.run(tmp_path / "package", runner)
    written = (tmp_path / "summary", tmp_path / "output", tmp_path / "temp/report/report.html")
    shown = "".join([capsys.readouterr().out, *(html.unescape(page.read_text()) for page in written)])
    assert "The grader failed here, not your submission." in shown
    assert not [text for text in (*dict(report.flags).values(), "The worker lost its shared memory") if text in shown]


def test_half_points_are_rounded_in_the_sum_and_fractions_are_counted_in_hundredths():
    report = samples.partly_right()
    assert report.score_low == 87.5
    result = github.describe_result(report, RUNNER)
    (batches,) = [test for test in result["tests"] if test["test-name"] == "utils.create_batches"]
    assert (result["score"], batches["points"]) == (88, "2.5 of 5")
    # Six checks of half a point, of which every second passed: rounded, it was 0 of 3
    criteria = tuple(replace(row, points=0.5, needs=(), marked_by="") for row in samples.RUBRIC.criteria[:6])
    right = {row.id for row in criteria[1::2]}

    def observe(check):
        return samples.passed(check, outcome=Outcome.PASSED if check in right else Outcome.FAILED)

    report = samples.make(observe, rubric=replace(samples.RUBRIC, criteria=criteria, total=3))
    result = github.describe_result(report, RUNNER)
    assert (result["score"], result["max-score"]) == (150, 300)
    assert [(test["score"], test["max-score"]) for test in result["tests"]] == [(0, 50), (50, 50)] * 3
    assert {test["points"] for test in result["tests"]} == {"0 of 0.5", "0.5 of 0.5"}
    assert github.explain_count(report) == "In the gradebook, scores count in hundredths of a point."
    assert github.explain_count(samples.full_marks()) == ""


def test_nothing_that_a_failure_prints_is_a_command(tmp_path, monkeypatch, capsys):
    """As a traceback may hold what a student wrote."""

    def fail(*_where, **_how):
        print("::notice title=Autograding complete::Points 100/100")
        raise StaffError

    monkeypatch.setattr(github, "open_upload", fail)
    with pytest.raises(StaffError):
        github.run(tmp_path, {"GITHUB_WORKSPACE": str(tmp_path)})
    assert re.fullmatch(r"::stop-commands::[0-9a-f]{64}\n::notice .*\n", capsys.readouterr().out)
