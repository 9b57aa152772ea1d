"""junit.xml: valid whatever students write, and each outcome in its place."""

from xml.etree import ElementTree as ET

from hypothesis import given
from junitparser import JUnitXml
from report_strategies import reports, unhurried
from rows import each
from sample_reports import RUBRIC, full_marks, mixed, template

from grader.model import Outcome
from grader.reports import junit

PLACES = {Outcome.PASSED: None, Outcome.FAILED: "failure", Outcome.ERROR: "error"}


def cases(report):
    return {case.get("name"): case for case in ET.fromstring(junit.render(report).encode()).iter("testcase")}


def place(case):
    return next((child.tag for child in case if child.tag != "system-out"), None)


def test_every_outcome_has_its_place(report):
    found = cases(report)
    assert len(found) == len(RUBRIC.criteria)
    for result in report.results:
        assert place(found[result.criterion.id]) == PLACES.get(result.outcome, "skipped")


@unhurried
@given(reports())
def test_every_report_is_valid_xml_that_junitparser_reads(report):
    document = JUnitXml.fromstring(junit.render(report).encode())
    assert document.tests == len(report.results)
    assert document.failures == sum(result.outcome is Outcome.FAILED for result in report.results)
    assert document.errors == sum(result.outcome is Outcome.ERROR for result in report.results)


@unhurried
@given(reports())
def test_texts_add_no_elements(report):
    tags = {element.tag for element in ET.fromstring(junit.render(report).encode()).iter()}
    known = {"testsuites", "testsuite", "testcase", "properties", "property", "failure", "error", "skipped"}
    assert tags <= known | {"system-out"}


def test_there_is_one_suite_for_each_part_and_it_says_the_score():
    document = junit.render(mixed()).encode()
    suites = [suite.name for suite in JUnitXml.fromstring(document)]
    assert suites == list(dict.fromkeys(row.part for row in RUBRIC.criteria))
    scores = ET.fromstring(document).findall(".//property[@name='score']")
    assert {found.get("value") for found in scores} == {mixed().score_text}


def test_a_failure_says_what_was_expected_and_got_and_what_the_submission_printed():
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
