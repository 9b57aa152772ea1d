"""Every page at the width of a phone, a laptop and a large screen: nothing is cut, broken or covered."""

from contextlib import closing
from pathlib import Path

import pytest
from sample_classes import make_class
from sample_reports import SAMPLES
from sample_reviews import give_papers, served

from grader.course.grades.graded import load_batch
from grader.course.model import read_record, write_record
from grader.course.pages import render_index
from grader.course.people import Handin, Roster, Student
from grader.reports import html

pytestmark = pytest.mark.slow

WIDTHS = (390, 1280, 1920)
LONG = (
    Student("300000000", "Alexandra-Josephine Featherstonehaugh", ""),
    Student("301111111", "נועה בן-דוד אברהמוב", ""),
)
SEES = Path(__file__).with_name("layout.js").read_text("utf-8")
"""Returns a sentence for whatever is cut, broken inside a word, covered or touched."""


@pytest.fixture(scope="module")
def batch(tmp_path_factory):
    """A class of 30 whose first hand-in is of two students with long names, and has warnings to know."""
    store = give_papers(make_class(tmp_path_factory.mktemp("layout") / "batch", 30))
    roster = read_record(store.roster, Roster)
    first = roster.handins[0]
    pair = Handin(first.key, LONG, first.path, first.sha256)
    warnings = ("Dana_12_assignsubmission_file_ counts, and not the older one", "hw1_1: the same content as hw1_2")
    write_record(store.roster, Roster((pair, *roster.handins[1:]), roster.missing, warnings))
    return store


@pytest.fixture(scope="module")
def pages(batch, tmp_path_factory):
    """The folder in which they lie."""
    folder = tmp_path_factory.mktemp("pages")
    texts = {f"{name}.html": html.render_staff(make()) for name, make in SAMPLES.items() if name != "hostile"}
    texts["index.html"] = render_index(load_batch(batch))
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [*(f"{name}.html" for name in SAMPLES if name != "hostile"), "index.html"])
def test_nothing_is_cut_broken_or_covered(visit, pages, name, width):
    page, _ = visit(pages / name, viewport={"width": width, "height": 900})
    assert page.evaluate(SEES) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["one_mistake.html", "index.html"])
def test_axe_finds_nothing_at_any_width(visit, violations, pages, name, width, scheme):
    page, _ = visit(pages / name, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    assert violations(page) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_the_marking_view_breaks_no_name(browser, batch, width):
    context = browser.new_context(viewport={"width": width, "height": 900})
    with served(batch, "dana") as view, closing(context):
        page = context.new_page()
        for address in ("handin/hw1_300000000", "failures"):
            page.goto(f"{view}{address}")
            page.wait_for_load_state("networkidle")
            assert page.evaluate(SEES) == []
