"""`junit.xml` for CI servers: failed checks are failures, errors of the grader are errors, all others are skipped."""

from collections.abc import Iterable, Iterator

from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from grader.model import Outcome, Report, Result, printable
from grader.reports.story import finding_text, parts, points_text

_OUTPUT_LIMIT = 20_000


def render(report: Report) -> str:
    """Return the XML text: one suite for each part, one case for each check, and a suite of adjustments."""
    evidence = report.evidence
    about = {"submission": evidence.submission.name, "score": report.score_text, "device": evidence.run.device}
    suites = [_suite(part.name, map(_case, part.results), **about) for part in parts(report)]
    if report.adjustments:
        suites.append(_suite("Adjustments", _adjustments(report)))
    return _text(report.rubric.assignment, suites)


def render_many(reports: Iterable[tuple[str, Report]], name: str) -> str:
    """Return the XML text of a whole batch, called `name`: one suite for each student or file."""
    cases = ((who, report, (*map(_case, report.results), *_adjustments(report))) for who, report in reports)
    return _text(name, (_suite(who, some, score=report.score_text) for who, report, some in cases))


def _text(name: str, suites: Iterable[TestSuite]) -> str:
    document = JUnitXml(printable(name))
    for suite in suites:
        document.add_testsuite(suite)
    document.update_statistics()  # type: ignore[no-untyped-call]  # junitparser leaves these two without types
    return str(document.tostring().decode())  # type: ignore[no-untyped-call]


def _suite(name: str, cases: Iterable[TestCase], **properties: str) -> TestSuite:
    suite = TestSuite(printable(name))
    for key, value in properties.items():
        suite.add_property(key, printable(value))
    for case in cases:
        suite.add_testcase(case)
    return suite


def _adjustments(report: Report) -> Iterator[TestCase]:
    for entry in report.adjustments:
        case = TestCase(entry.what, "Adjustments", 0.0)
        case.system_out = printable(entry.text)
        yield case


def _case(result: Result) -> TestCase:
    case = TestCase(result.criterion.id, printable(result.criterion.part), result.observation.wall_s)
    if result.outcome is not Outcome.PASSED:
        case.result = [_verdict(result)]
    marked = f"marked: {points_text(result)} points. {result.mark.comment}\n" if result.mark else ""
    if output := marked + result.observation.output:
        case.system_out = printable(output, _OUTPUT_LIMIT)
    return case


def _verdict(result: Result) -> Failure | Error | Skipped:
    kinds: dict[Outcome, type[Failure | Error]] = {Outcome.FAILED: Failure, Outcome.ERROR: Error}
    kind = kinds.get(result.outcome, Skipped)
    reason = printable(result.finding.message) if result.finding else printable(result.observation.sentence)
    partly = "partly right, " if result.is_partly_right else ""
    verdict = kind(f"{reason} ({partly}{points_text(result)} points)", str(result.outcome))
    verdict.text = finding_text(result.finding) if result.finding else reason
    return verdict
