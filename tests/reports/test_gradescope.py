"""Files that platforms read, whatever students write: their fields, and the same bytes however long anything took."""

import json
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from junitparser import JUnitXml
from report_strategies import reports, unhurried
from rows import each
from sample_reports import RUBRIC, SENTENCES, full_marks, make, mixed, passed, refused, template

from grader.model import Finding, Outcome
from grader.reports import gradescope, junit
from grader.scoring.score import score


def read(report):
    return json.loads(gradescope.render(report))


def entry(report, check):
    return next(test for test in read(report)["tests"] if test["name"] == check)


def test_every_check_is_there_once_with_the_fields_of_the_contract_and_in_junit_in_the_place_of_its_outcome(report):
    document = read(report)
    assert set(document) == {"score", "output", "tests", "extra_data"}
    extra = {"outcome", "provisional", "score_range", "flags", "device", "data", "sandbox"}
    assert set(document["extra_data"]) == extra
    for test in document["tests"]:
        assert set(test) == {"name", "score", "max_score", "status", "output", "visibility"}
    ids = [row.id for row in RUBRIC.criteria]
    assert [test["name"] for test in document["tests"]] == ids
    assert list(document["extra_data"]["outcome"]) == ids
    found = cases(report)
    assert len(found) == len(RUBRIC.criteria)
    for result in report.results:
        assert place(found[result.criterion.id]) == PLACES.get(result.outcome, "skipped")


@unhurried
@given(reports())
def test_scores_are_the_reports_and_junit_is_valid_xml_to_which_texts_add_no_elements(report):
    document = read(report)
    assert document["score"] == report.score_low == sum(test["score"] for test in document["tests"])
    assert document["extra_data"]["score_range"] == [report.score_low, report.score_high]
    assert document["extra_data"]["provisional"] == report.provisional
    document = JUnitXml.fromstring(junit.render(report).encode())
    assert document.tests == len(report.results)
    assert document.failures == sum(result.outcome is Outcome.FAILED for result in report.results)
    assert document.errors == sum(result.outcome is Outcome.ERROR for result in report.results)
    tags = {element.tag for element in ET.fromstring(junit.render(report).encode()).iter()}
    known = {"testsuites", "testsuite", "testcase", "properties", "property", "failure", "error", "skipped"}
    assert tags <= known | {"system-out"}


def test_open_points_are_no_lost_ones_a_range_is_provisional_and_the_template_reads_what_to_do_first():
    document = read(full_marks())
    assert (document["score"], document["extra_data"]["score_range"]) == (83, [83, 100])
    assert document["extra_data"]["provisional"] is True
    assert document["output"].startswith("83 to 100 of 100\n")
    assert "Start with utils.sigmoid" in read(template())["output"]
    assert "Undecided, 0 to 7 of 7 points: no point is lost." in entry(full_marks(), "max.gpu.speedup")["output"]
    free = replace(RUBRIC, criteria=(replace(RUBRIC.criteria[0], points=0.0), *RUBRIC.criteria[1:]))
    report = make(lambda check: passed(check, outcome=Outcome.INCONCLUSIVE), rubric=free)
    assert "Undecided" not in read(report)["tests"][0]["output"], "there are no points of it"


def test_flags_are_pairs_of_check_and_reason_and_only_what_passed_has_the_status_passed():
    document = read(mixed())
    outcomes = document["extra_data"]["outcome"]
    for test in document["tests"]:
        assert test["status"] == ("passed" if outcomes[test["name"]] == "passed" else "failed")
    rows = tuple(replace(row, visibility="hidden") for row in RUBRIC.criteria)
    hidden = score(mixed().evidence, replace(RUBRIC, criteria=rows))
    assert {test["visibility"] for test in read(hidden)["tests"]} == {"hidden"}
    flags = read(mixed())["extra_data"]["flags"]
    assert flags == [{"check": "max.gpu.speedup", "reason": "max_cpu is 1.9 times slower than the staff's loop."}]
    assert [flag["check"] for flag in read(refused())["extra_data"]["flags"]] == ["submission.files"]


@pytest.mark.parametrize("outcome", [Outcome.FAILED, Outcome.INCONCLUSIVE])
def test_what_students_see_names_no_hidden_check(outcome):
    first, hides, needs, *others = RUBRIC.criteria
    secret = hides.id
    rows = (first, replace(hides, visibility="hidden"), replace(needs, needs=(secret,)), *others)
    rubric, seen = replace(RUBRIC, criteria=rows), {secret: outcome}
    document = read(make(lambda check: passed(check, outcome=seen.get(check, Outcome.PASSED)), rubric=rubric))
    shown = [test for test in document["tests"] if test["visibility"] == "visible"]
    assert secret not in document["output"]
    assert not [test["name"] for test in shown if secret in test["output"]]
    _, hidden, needy = document["tests"][:3]
    assert (hidden["name"], hidden["visibility"]) == (secret, "hidden")
    assert SENTENCES[secret] in hidden["output"], "the platform shows it when it is time"
    if outcome is Outcome.FAILED:
        assert "A hidden check that this one needs" in needy["output"]


def slower(report, speedup):
    """Return the same grading on a slower day, with other times, samples and prints."""

    def later(seen):
        facts = {**seen.facts, "cpu_median_s": seen.wall_s + 1}
        if seen.check == "max.gpu.speedup":
            facts["speedup"] = speedup
        return replace(seen, wall_s=seen.wall_s * 3, student_s=9.0, output="took 3.7 s", facts=facts)

    observations = tuple(later(seen) for seen in report.evidence.observations)
    return score(replace(report.evidence, observations=observations, wall_s=99.0), report.rubric)


def test_the_bytes_do_not_depend_on_times_and_missed_thresholds_are_told_without_their_figures():
    report = mixed()
    assert gradescope.render(report) == gradescope.render(slower(report, [37.0, 44.5]))
    said = entry(slower(mixed(), 12.345), "max.gpu.speedup")["output"]
    assert "at least 40" in said
    assert "12.3" not in said
    report = make(lambda check: passed(check, facts={"test_accuracy_percent": 71.25}))
    said = entry(report, "train.accuracy")["output"]
    assert "above 95" in said
    assert "71" not in said, "it is another one in each training"


def test_what_was_got_is_shown_and_what_failed_in_the_grader_is_told_without_its_message():
    finding = Finding("Wrong.", expected="0.5", got="0.25")
    report = make(lambda check: passed(check, outcome=Outcome.FAILED, finding=finding))
    assert "got: 0.25" in read(report)["tests"][0]["output"]
    rows = (replace(RUBRIC.criteria[0], hardware="gpu"), *RUBRIC.criteria[1:])
    on_gpu = replace(report.evidence, run=replace(report.evidence.run, device="gpu"))
    measured = score(on_gpu, replace(RUBRIC, criteria=rows))
    assert "got: " not in read(measured)["tests"][0]["output"], "what hardware gives is another each time"
    remark = make(lambda check: passed(check, remarks=(replace(finding, message="Odd."),)))
    assert "remark: Odd." in read(remark)["tests"][0]["output"]
    assert "got: " not in read(remark)["tests"][0]["output"]
    said = entry(mixed(), "matmul.numba.compiled")["output"]
    assert "The grader failed here, not your submission." in said
    assert "shared memory" not in said, "what it says is for staff"


PLACES = {Outcome.PASSED: None, Outcome.FAILED: "failure", Outcome.ERROR: "error"}


def cases(report):
    return {case.get("name"): case for case in ET.fromstring(junit.render(report).encode()).iter("testcase")}


def place(case):
    return next((child.tag for child in case if child.tag != "system-out"), None)


def test_junit_has_one_suite_for_each_part_and_a_failure_says_what_was_expected_got_and_printed():
    document = junit.render(mixed()).encode()
    suites = [suite.name for suite in JUnitXml.fromstring(document)]
    assert suites == list(dict.fromkeys(row.part for row in RUBRIC.criteria))
    scores = ET.fromstring(document).findall(".//property[@name='score']")
    assert {found.get("value") for found in scores} == {mixed().score_text}
    case = cases(mixed())["utils.create_batches"]
    (failure,) = case.findall("failure")
    assert "the last 4 samples are lost" in failure.get("message")
    assert "expected: 7 batches" in failure.text
    assert "got: 6 batches" in failure.text
    assert case.findtext("system-out").startswith("epoch 1: 91.4")


@each("make, said", [(full_marks, "No GPU was found"), (template, "max.gpu.correct")])
def test_what_was_not_measured_says_why_and_what_was_skipped_names_the_check_that_it_needs(make, said):
    (skipped,) = cases(make())["max.gpu.speedup"].findall("skipped")
    assert said in skipped.get("message")
