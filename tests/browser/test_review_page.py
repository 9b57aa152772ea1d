"""The marking view in a real browser: by keyboard alone, two TAs at a time, and a PDF that is a stranger."""

import threading

import pytest
from sample_desks import make_desk

from grader.batch.marks import give_mark, read_marks
from grader.commands.review import serve
from grader.model import Mark

pytestmark = pytest.mark.slow


@pytest.fixture
def desk(tmp_path):
    """A running server: the store of its batch, and the address."""
    store = make_desk(tmp_path / "batch")
    server, guard = serve(store, 0, "dana")
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield store, f"{guard.origin}/{guard.token}/"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def opened(browser, desk):
    """The page of the first hand-in, and everything that it complained of."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(desk[1])
    yield page, complaints
    context.close()


def test_a_ta_marks_two_hand_ins_without_a_mouse(desk, opened):
    page, complaints = opened
    for points in ("8", "6"):
        page.keyboard.press("m")
        page.keyboard.type(points)
        page.keyboard.press("Tab")
        page.keyboard.type("short, and <b>clear</b>")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**#stored")
        assert "stored, by dana" in page.inner_text("form.mark")
        page.keyboard.press("n")
        page.wait_for_function("!location.hash")
    marks = read_marks(desk[0]).current
    assert sorted(mark.points for mark in marks.values()) == [6, 8]
    assert {mark.comment for mark in marks.values()} == {"short, and <b>clear</b>"}
    assert complaints == []


def test_next_and_previous_walk_through_all(opened):
    page, _ = opened
    first = page.inner_text("h1")
    page.keyboard.press("j")
    page.wait_for_function("name => document.querySelector('h1').innerText !== name", arg=first)
    page.keyboard.press("k")
    page.wait_for_function("name => document.querySelector('h1').innerText === name", arg=first)


def test_letters_in_a_comment_are_no_shortcuts(opened):
    page, _ = opened
    before = page.url
    page.locator("textarea").first.focus()
    page.keyboard.type("jknm")
    assert page.url == before
    assert page.locator("textarea").first.input_value() == "jknm"


def test_the_second_of_two_tas_is_told_and_keeps_what_was_typed(desk, opened):
    page, _ = opened
    give_mark(desk[0], Mark("012345678", "report.explanation", 3, "too short", "noa"))
    page.locator("input[name=points]").fill("9")
    page.locator("textarea").first.fill("my words")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("[role=alert]")
    assert "meanwhile noa" in page.inner_text("[role=alert]")
    assert page.locator("textarea").first.input_value() == "my words"
    assert read_marks(desk[0]).current["012345678", "report.explanation"].points == 3


def test_the_pdf_is_a_stranger_to_the_page(opened):
    page, _ = opened
    frame = page.locator("iframe")
    assert frame.get_attribute("src").startswith("http://localhost:")
    assert page.evaluate("document.querySelector('iframe').contentDocument") is None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser, desk, violations, scheme):
    context = browser.new_context(color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.route("**/pdf/**", lambda route: route.abort())
    page.goto(desk[1])
    assert violations(page) == []
    context.close()
