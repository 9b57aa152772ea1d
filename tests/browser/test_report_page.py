"""A report in a real browser: nothing runs, nothing is asked for, everybody can read it, and it prints."""

import io
from dataclasses import replace

import handins
import pytest
from pypdf import PdfReader
from sample_reports import SAMPLES, full_marks, hostile, mixed, one_mistake
from test_hostile_texts import UTILS, grade, marked_pdf

from grader.reports import html

pytestmark = pytest.mark.wide

VIEWS = {"student": html.render, "staff": html.render_staff}
both_views = pytest.mark.parametrize("view", VIEWS)


@pytest.fixture
def opened(visit, tmp_path):
    def open_report(report, view="student", **options):
        path = tmp_path / "report.html"
        path.write_text(VIEWS[view](report), encoding="utf-8")
        return visit(path, **options)

    return open_report


def test_hostile_texts_run_nothing_and_ask_for_nothing(opened):
    page, seen = opened(hostile(), "staff")
    page.wait_for_timeout(200)
    seen.expect_nothing()
    assert (page.evaluate("document.scripts.length"), page.evaluate("document.images.length")) == (0, 0)
    assert "<script>alert(1)</script>" in page.inner_text("main")
    assert page.evaluate("getComputedStyle(document.querySelector('.top')).display") == "flex", "the style was applied"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["report.html", "staff.html"])
def test_a_hostile_hand_in_that_was_graded_runs_nothing(visit, tmp_path, name):
    """Markup in code, docstrings, exceptions, names of classes and files, output and the PDF's text and title."""
    files = handins.reference_files() | {"utils.py": UTILS.encode(), "hw1.pdf": marked_pdf()}
    _, pages = grade(files | {"<img src=x onerror=alert(3)>.py": b""}, tmp_path, 0)
    path = tmp_path / name
    path.write_text(pages[name], encoding="utf-8")
    page, seen = visit(path)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    page.wait_for_timeout(200)
    seen.expect_nothing()
    assert page.evaluate("document.scripts.length + document.images.length") == 0
    assert "alert(1)" in page.inner_text("main")


@pytest.mark.slow
@both_views
@pytest.mark.parametrize("name", SAMPLES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened, violations, name, view, scheme):
    page, seen = opened(SAMPLES[name](), view, color_scheme=scheme, bypass_csp=True)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert violations(page) == []
    assert (seen.console, seen.errors, seen.dialogs) == ([], [], [])


@pytest.mark.slow
def test_the_theme_switches_without_a_script(opened):
    page, seen = opened(mixed(), java_script_enabled=True, color_scheme="light")
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    before = page.evaluate(ground)
    page.get_by_label("Dark").check()
    assert page.evaluate(ground) != before
    seen.expect_nothing()


@pytest.mark.slow
def test_what_needs_attention_is_left_when_asked_for(opened):
    page, _ = opened(mixed())
    assert page.locator(".check.passed").first.is_visible()
    page.get_by_label("Only what needs attention").check()
    assert not page.locator(".check.passed").first.is_visible()
    assert page.locator(".check.failed").first.is_visible()


@pytest.mark.slow
def test_a_check_opens_by_keyboard_alone(opened):
    page, _ = opened(full_marks())
    card = page.locator("details.check").nth(1)
    assert card.get_attribute("open") is None
    card.locator("summary").focus()
    page.keyboard.press("Enter")
    assert card.get_attribute("open") is not None


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 390, 768, 1400])
def test_no_width_scrolls_sideways(opened, width):
    page, _ = opened(mixed(), "staff", viewport={"width": width, "height": 800})
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
@both_views
@pytest.mark.parametrize("make", [full_marks, one_mistake, mixed])
def test_a_report_prints_on_two_pages(opened, make, view):
    page, _ = opened(make(), view)
    assert len(PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages) <= 2


LENGTHS = [
    pytest.param(missing, total, marks=pytest.mark.wide if (missing, total) != (26.75, 101.25) else [])
    for missing in (0, 16.5, 26.75)
    for total in (100, 105.5, 101.25)
]
"""The longest text runs everywhere."""


@pytest.mark.parametrize(("missing", "total"), LENGTHS)
def test_a_range_stands_on_one_line_inside_its_ring(opened, missing, total):
    report = full_marks()
    report = replace(report, rubric=replace(report.rubric, total=total))
    page, _ = opened(replace(report, score_low=total - missing - 17, score_high=total - missing))
    text, ring = (page.locator(f".score {part}").bounding_box() for part in ("strong", "svg"))
    size = page.evaluate("parseFloat(getComputedStyle(document.querySelector('.score strong')).fontSize)")
    assert text["height"] < 1.6 * size
    assert text["width"] < 0.72 * ring["width"]


@pytest.mark.slow
def test_reduced_motion_is_respected(opened):
    page, _ = opened(mixed(), reduced_motion="reduce")
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
