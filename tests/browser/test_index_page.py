"""The page of a class in a real browser: it sorts, filters and finds; without JavaScript it is a plain table."""

import pytest
from sample_classes import make_class

from grader.course.grades.graded import load_batch
from grader.course.pages import render_index, write_pages
from grader.course.similarity import compare

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    root = tmp_path_factory.mktemp("class")
    store = make_class(root, 60)
    standing = load_batch(store)
    texts = {one.handin.key: {f.name: f.text for f in one.evidence.submission.files} for one in standing.graded}
    similar = compare(texts, {})
    write_pages(store, standing, similar)
    (root / "index.html").write_text(render_index(standing, similar), encoding="utf-8")
    return root / "index.html"


def shown(page):
    return page.locator(".students tbody tr:not([hidden])").count()


def column(page, place):
    cells = f".students tbody tr:not([hidden]) td:nth-child({place})"
    return page.eval_on_selector_all(cells, "cells => cells.map(cell => cell.dataset.v ?? cell.textContent)")


def test_it_opens_without_an_error_or_a_request(visit, index):
    page, seen = visit(index)
    assert shown(page) == 61
    assert page.locator("#count").inner_text() == "61 students"
    seen.expect_nothing()


def test_a_column_sorts_both_ways_as_numbers(visit, index):
    page, seen = visit(index)
    button = page.get_by_role("button", name="score")
    button.click()
    values = [float(value) for value in column(page, 2)]
    assert values == sorted(values)
    button.click()
    values = [float(value) for value in column(page, 2)]
    assert values == sorted(values, reverse=True)
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("score")
    seen.expect_nothing()


def test_words_find_students_and_filters_add_up(visit, index):
    page, seen = visit(index)
    first = column(page, 1)[-1].split()[0].lower()
    page.get_by_label("Search students").fill(f"{first} 3000")
    assert 0 < shown(page) < 61
    assert all(first in name.lower() for name in column(page, 1))
    page.get_by_label("Search students").fill("nobody of this name")
    assert page.locator("#count").inner_text() == "0 of 61 students"
    page.keyboard.press("Enter")
    page.get_by_label("Search students").fill("")
    page.get_by_label("provisional").check()
    provisional = shown(page)
    assert set(column(page, 3)) == {"provisional"}
    page.locator("#failed").select_option(label="utils.create_batches")
    assert 0 < shown(page) < provisional
    seen.expect_nothing()


@pytest.mark.parametrize("where", ["a", "svg"])
def test_a_checks_bar_leads_to_the_students_who_failed_it(visit, index, where):
    page, seen = visit(index)
    page.locator(f".rates {where}[data-failed]", has_text="" if where == "svg" else "utils.create_batches").nth(
        5 if where == "svg" else 0
    ).click()
    assert page.locator("#failed option:checked").inner_text() == "utils.create_batches"
    assert 0 < shown(page) < 61
    assert page.evaluate("scrollY") > 0
    seen.expect_nothing()


def test_without_javascript_it_is_a_plain_table(visit, index):
    page, seen = visit(index, java_script_enabled=False)
    assert shown(page) == 61
    assert not page.locator(".finder").is_visible()
    seen.expect_nothing()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index.html", "similarity.html", "similarity/001.html"])
def test_axe_finds_nothing(visit, violations, index, name, scheme):
    page, seen = visit(index.parent / name, color_scheme=scheme, bypass_csp=True)
    assert violations(page) == []
    assert (seen.console, seen.errors) == ([], [])


@pytest.mark.parametrize("name", ["index.html", "similarity.html", "similarity/001.html"])
def test_a_phone_does_not_scroll_sideways(visit, index, name):
    page, seen = visit(index.parent / name, viewport={"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    seen.expect_nothing()


def test_links_lead_to_pages_that_exist(visit, index):
    page, _ = visit(index)
    links = page.eval_on_selector_all("a[href]", "links => links.map(link => link.getAttribute('href'))")
    inside = [link for link in links if not link.startswith(("#", "submissions/", "grades.csv"))]
    assert "similarity/001.html" in inside
    assert all((index.parent / link).is_file() for link in inside)


def test_of_a_very_large_class_rows_appear_as_one_scrolls(visit, tmp_path):
    path = tmp_path / "index.html"
    path.write_text(render_index(load_batch(make_class(tmp_path, 1600))), encoding="utf-8")
    page, seen = visit(path)
    first = shown(page)
    assert first < 1601
    assert page.locator("#count").inner_text() == "1601 students"
    page.mouse.wheel(0, 200_000)
    page.wait_for_function(f"document.querySelectorAll('.students tbody tr').length > {first}")
    page.get_by_label("Search students").fill("300059163")
    assert shown(page) == 1
    page.get_by_label("Search students").fill("")
    page.get_by_role("button", name="score").click()
    page.get_by_role("button", name="score").click()
    assert float(column(page, 2)[0]) == max(float(value) for value in column(page, 2))
    seen.expect_nothing()
