"""junit.xml: valid whatever students write, and each outcome in its place."""

from xml.etree import ElementTree as ET

from hypothesis import given
from junitparser import JUnitXml
from report_strategies import reports, unhurried
from sample_reports import RUBRIC, full_marks, mixed, template

from grader.model import Outcome
from grader.reports import junit

PLACES = {
    Outcome.PASSED: None,
    Outcome.FAILED: "failure",
    Outcome.ERROR: "error",
    Outcome.SKIPPED: "skipped",
    Outcome.NOT_MEASURED: "skipped",
    Outcome.INCONCLUSIVE: "skipped",
}


def cases(report):
    return {case.get("name"): case for case in ET.fromstring(junit.render(report).encode()).iter("testcase")}


def place(case):
    return next((child.tag for child in case if child.tag != "system-out"), None)


def test_every_outcome_has_its_place(report):
    found = cases(report)
    assert len(found) == len(RUBRIC.criteria)
    for result in report.results:
        assert place(found[result.criterion.id]) == PLACES[result.outcome]


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


def test_there_is_one_suite_for_each_part():
    suites = [suite.name for suite in JUnitXml.fromstring(junit.render(mixed()).encode())]
    assert suites == list(dict.fromkeys(row.part for row in RUBRIC.criteria))


def test_each_suite_says_the_score():
    scores = ET.fromstring(junit.render(mixed()).encode()).findall(".//property[@name='score']")
    assert {found.get("value") for found in scores} == {mixed().score_text}


def test_a_failure_says_what_was_expected_and_got():
    (failure,) = cases(mixed())["utils.create_batches"].findall("failure")
    assert "the last 4 samples are lost" in failure.get("message")
    assert "expected: 7 batches" in failure.text
    assert "got: 6 batches" in failure.text


def test_what_the_submission_printed_is_kept():
    assert cases(mixed())["utils.create_batches"].findtext("system-out").startswith("epoch 1: 91.4")


def test_what_was_not_measured_says_why():
    (skipped,) = cases(full_marks())["max.gpu.speedup"].findall("skipped")
    assert "No GPU was found" in skipped.get("message")


def test_a_skipped_check_names_the_one_that_it_needs():
    (skipped,) = cases(template())["max.gpu.speedup"].findall("skipped")
    assert "max.gpu.correct" in skipped.get("message")
