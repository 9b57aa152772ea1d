"""The marking view in a real browser: by keyboard alone, two TAs at a time, and no complaint of anybody."""

import pytest
from sample_reviews import make_review, served

from grader.course.grades.comments import Comment
from grader.course.grades.marks import give_mark, read_marks
from grader.course.model import write_record
from grader.model import Mark

pytestmark = pytest.mark.slow
HANDIN = "handin/hw1_012345678"


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    """A running server: the store of its batch, and the address."""
    store = make_review(tmp_path_factory.mktemp("review") / "batch")
    with served(store, "dana") as address:
        yield store, address


@pytest.fixture
def review(running):
    """The same without any marks."""
    running[0].marks.unlink(missing_ok=True)
    return running


@pytest.fixture
def opened(browser, review):
    """The page of the first hand-in, and everything that it complained of."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    page, complaints = context.new_page(), []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
    page.goto(review[1])
    page.wait_for_selector(".pdf img")
    yield page, complaints
    context.close()


def who(page):
    return page.inner_text("h1")


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def wait_for_status(page, text):
    page.wait_for_function("text => document.querySelector('[role=status]')?.innerText.includes(text)", arg=text)


def wait_for_another(page, before):
    there = "name => document.readyState === 'complete' && document.querySelector('h1').innerText !== name"
    page.wait_for_function(there, arg=before)


def test_a_ta_marks_three_hand_ins_without_a_mouse(review, opened):
    page, complaints = opened
    for count, points in enumerate(("8", "10", "6"), start=1):
        before = who(page)
        page.keyboard.press(points[0])
        page.keyboard.type(points[1:])
        press(page, "Tab")
        page.keyboard.type("short, and <b>clear</b>; no?")
        press(page, "Control+Enter")
        wait_for_status(page, f": {points} points")
        if count == 3:
            assert who(page) == before, "more than the report is open here"
            page.keyboard.press("o")
        wait_for_another(page, before)
    assert page.inner_text(".progress strong") == "2 of 4"
    marks = read_marks(review[0]).current
    assert {check for _, check in marks} == {"report.explanation"}
    assert sorted(mark.points for mark in marks.values()) == [6, 8, 10]
    assert {mark.comment for mark in marks.values()} == {"short, and <b>clear</b>; no?"}
    assert complaints == []


def test_keys_walk_search_turn_pages_and_explain_themselves(opened):
    page, complaints = opened
    first = who(page)
    page.keyboard.press("n")
    wait_for_another(page, first)
    page.keyboard.press("k")
    page.wait_for_function("name => document.querySelector('h1')?.innerText === name", arg=first)
    page.wait_for_selector(".pdf img")
    page.keyboard.press("Space")
    page.wait_for_function("() => document.getElementById('pdf').scrollTop > 100")
    press(page, "?")
    assert page.locator("#help").is_visible()
    press(page, "Escape")
    assert not page.locator("#help").is_visible()
    press(page, "/")
    page.keyboard.type("omer")
    assert page.locator("#places li:not([hidden])").count() == 1
    page.keyboard.press("Enter")
    wait_for_another(page, first)
    assert who(page) == "Omer Levi"
    assert page.locator("#search").input_value() == "omer", "the list stays as it was"
    assert complaints == []


def test_the_filter_leaves_what_is_still_open_and_keys_keep_to_it(review, opened):
    page, _ = opened
    give_mark(review[0], Mark("023456789", "report.explanation", 3, "", "noa"))
    page.reload()
    page.locator("#filter").select_option("open")
    assert page.inner_text("#count") == "3 of 4 hand-ins"
    page.locator("h1").click()
    before = who(page)
    page.keyboard.press("j")
    wait_for_another(page, before)
    assert who(page) not in {before, "Omer Levi"}


def test_letters_and_digits_in_a_comment_are_no_shortcuts(opened):
    page, _ = opened
    before = page.url
    page.locator("textarea").first.focus()
    page.keyboard.type("jknpmo 7 / ? z")
    assert (page.url, page.locator("textarea").first.input_value()) == (before, "jknpmo 7 / ? z")
    page.locator("h1").click()
    page.keyboard.type("7.5")
    assert page.locator("input[name=points]").first.input_value() == "7.5"


@pytest.mark.parametrize("words", ["excellent, 9 of 10", "clear", " well said", "כל הכבוד", "?"])
def test_a_comment_that_is_typed_right_after_the_points_is_the_comment(opened, words):
    page, complaints = opened
    page.keyboard.press("7")
    page.keyboard.type(words)
    assert page.locator("input[name=points]").first.input_value() == "7"
    assert page.locator("textarea").first.input_value() == words.strip()
    page.keyboard.press("Control+Enter")
    wait_for_status(page, ": 7 points")
    assert complaints == []


def test_reusable_comments_are_chosen_by_key_and_make_up_the_points(commented):
    page, complaints = commented
    form, comment = page.locator("form.mark").first, page.locator("textarea").first
    press(page, "Shift+1", "Shift+2")
    assert form.locator("input[name=points]").input_value() == "4"
    assert comment.input_value() == "No units.\nNo figure."
    page.keyboard.press("Shift+1")
    assert (form.locator("input[name=points]").input_value(), comment.input_value()) == ("6", "No figure.")
    comment.fill("My own words.")
    assert (form.locator(".reusable input:checked").count(), complaints) == (0, [])


@pytest.fixture
def commented(review, opened):
    """The page with two reusable comments; no field has the focus."""
    store, page = review[0], opened[0]
    entries = [Comment("report.explanation", *what) for what in (("No units.", -2), ("No figure.", -4))]
    write_record(store.comments, {"entries": entries})
    page.reload()
    page.wait_for_selector(".pdf img")
    yield opened
    (store.root / "comments.json").unlink()


def stored(store):
    return {about: (mark.points, mark.comment) for about, mark in read_marks(store).current.items()}


def first_form(page):
    return page.locator("form.mark").first


@pytest.mark.parametrize("number", [1, 2])
def test_a_comment_chosen_by_key_or_mouse_is_stored_by_ctrl_enter_without_a_field(review, commented, number):
    page, complaints = commented
    before, text = who(page), ("No units.", "No figure.")[number - 1]
    press(page, "Shift+1") if number == 1 else page.get_by_label(text).first.click()
    press(page, "Control+Enter")
    wait_for_another(page, before)
    assert (stored(review[0]), complaints) == ({("012345678", "report.explanation"): (10 - 2 * number, text)}, [])


def test_the_points_of_the_next_student_never_replace_those_of_this_one(review, commented):
    page, complaints = commented
    for keys in (("Shift+1",), ("Shift+2", "Shift+1")):
        before = who(page)
        press(page, *keys, "Control+Enter")
        wait_for_another(page, before)
    press(page, "9", "Control+Enter")
    wait_for_status(page, ": 9 points")
    assert stored(review[0]) == {
        ("012345678", "report.explanation"): (8, "No units."),
        ("023456789", "report.explanation"): (4, "No figure.\nNo units."),
        ("034567890", "report.explanation"): (9, ""),
    }
    assert complaints == []


def test_going_on_without_storing_asks_and_stores_for_nobody(review, commented):
    page, complaints = commented
    before, address = who(page), page.url
    press(page, "Shift+1", "n")
    page.wait_for_timeout(300)
    assert (page.url, len(complaints)) == (address, 1), "the browser asks first"
    assert read_marks(review[0]).entries == ()
    assert who(page) == before


def test_ctrl_enter_stores_nothing_where_nothing_was_changed(review, commented):
    page, complaints = commented
    page.keyboard.press("Control+Enter")
    page.wait_for_timeout(300)
    assert page.evaluate("document.activeElement.name") == "points", "it leads to what is missing"
    assert read_marks(review[0]).entries == ()
    assert complaints == []


def test_not_stored_yet_stands_beside_points_that_differ_from_what_is_stored(review, commented):
    page, complaints = commented
    give_mark(review[0], Mark("012345678", "report.explanation", 8, "No units.", "noa"))
    page.reload()
    said = first_form(page).get_by_text("not stored yet")
    assert not said.is_visible()
    page.keyboard.press("Shift+2")
    assert said.is_visible()
    page.keyboard.press("Shift+2")
    assert not said.is_visible(), "it is as stored again"
    first_form(page).locator("input[name=points]").fill("5")
    assert said.is_visible()
    assert complaints == []


def test_points_that_contradict_the_chosen_comments_are_asked_about(review, commented):
    page, complaints = commented
    before = who(page)
    press(page, "Shift+1", "9", "Control+Enter")
    page.wait_for_timeout(300)
    assert complaints == ["The chosen comments make 8 points, and 9 are typed. Store 9?"]
    assert (read_marks(review[0]).entries, who(page)) == ((), before), "the answer was no"
    page.evaluate("window.confirm = () => true")
    page.keyboard.press("Control+Enter")
    wait_for_another(page, before)
    assert stored(review[0]) == {("012345678", "report.explanation"): (9, "No units.")}


def type_speedup(page, review):
    page.goto(f"{review[1]}handin/hw1_023456789")
    page.get_by_text("Mark max.gpu.speedup").click()
    page.get_by_role("form", name="Mark of max.gpu.speedup").locator("input[name=points]").fill("7")


def test_of_two_forms_the_one_that_was_changed_last_is_stored(review, opened):
    page, complaints = opened
    type_speedup(page, review)
    first_form(page).locator("textarea").focus()
    page.keyboard.press("Control+Enter")
    wait_for_status(page, "max.gpu.speedup: 7")
    assert (stored(review[0]), complaints) == ({("023456789", "max.gpu.speedup"): (7, "")}, [])


def test_two_forms_that_were_both_changed_are_both_stored_if_the_ta_says_so(review, browser):
    page = browser.new_context().new_page()
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.message), dialog.accept()))
    type_speedup(page, review)
    before = who(page)
    first_form(page).locator("input[name=points]").fill("4")
    page.keyboard.press("Control+Enter")
    wait_for_another(page, before)
    points = {check: points for (_, check), (points, _) in stored(review[0]).items()}
    assert points == {"max.gpu.speedup": 7, "report.explanation": 4}
    assert asked == ["Not stored yet: Mark of max.gpu.speedup. OK stores that as well; Cancel leaves it."]
    page.context.close()


def test_what_was_typed_stays_where_the_server_cannot_be_reached(review, opened):
    page, told = opened
    first_form(page).locator("textarea").fill("my words")
    first_form(page).locator("input[name=points]").fill("4")
    page.context.set_offline(True)
    page.keyboard.press("Control+Enter")
    page.wait_for_function("() => !document.querySelector('form.mark').dataset.sent")
    assert any("is grader review still running?" in line for line in told)
    page.context.set_offline(False)
    page.keyboard.press("Control+Enter")
    wait_for_another(page, "דנה כהן")
    assert stored(review[0]) == {("012345678", "report.explanation"): (4, "my words")}


def test_a_question_is_chosen_and_stays_while_one_walks(opened):
    page, complaints = opened
    page.locator("#question-check").select_option("report.explanation")
    page.wait_for_url("**?check=report.explanation")
    first = who(page)
    page.keyboard.press("n")
    wait_for_another(page, first)
    assert page.url.endswith("?check=report.explanation")
    assert complaints == []


def test_the_second_of_two_tas_is_told_what_the_other_gave_and_keeps_what_was_typed(review, opened):
    page, _ = opened
    give_mark(review[0], Mark("012345678", "report.explanation", 3, "too short", "noa"))
    page.locator("input[name=points]").first.fill("9")
    page.locator("textarea").first.fill("my words")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("[role=alert]")
    assert "Meanwhile noa" in page.inner_text("[role=alert]")
    assert "too short" in page.inner_text("form.mark >> nth=0")
    assert page.locator("textarea").first.input_value() == "my words"
    assert read_marks(review[0]).current["012345678", "report.explanation"].points == 3
    page.get_by_role("button", name="Replace that and go on").click()
    wait_for_another(page, "דנה כהן")
    assert [entry.mark.points for entry in read_marks(review[0]).entries] == [3, 9], "the history keeps both"


def test_size_of_pages_and_theme_stay_while_one_walks(opened):
    page, _ = opened
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(ground)
    page.keyboard.press("z")
    page.get_by_label("Dark").check()
    page.locator("h1").click()
    before = who(page)
    page.keyboard.press("n")
    wait_for_another(page, before)
    page.wait_for_selector(".pdf.large img")
    assert page.evaluate(ground) != light


def test_the_whole_report_opens_without_a_script(review, browser):
    store, address = review
    folder = store.folder("hw1_012345678")
    (folder / "staff.html").write_text("<p>report</p><script>document.body.textContent = 'ran'</script>")
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}report/hw1_012345678")
    assert page.inner_text("body") == "report"
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("place", "width"), [(HANDIN, 1400), (HANDIN, 500), ("failures", 390)])
def test_axe_finds_nothing(browser, review, violations, scheme, place, width):
    give_mark(review[0], Mark("012345678", "report.explanation", 3, "too short", "noa"))
    context = browser.new_context(color_scheme=scheme, bypass_csp=True, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto(f"{review[1]}{place}", wait_until="networkidle")
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("?")
    assert violations(page) == []
    context.close()


def test_a_ta_comments_on_lines_by_keys_and_says_it_again_at_another_line(review, opened):
    page, complaints = opened
    press(page, "v", "ArrowDown", "ArrowDown")
    chosen = page.locator(".code li.chosen")
    assert chosen.get_attribute("id") == "source-1-3"
    page.keyboard.press("Enter")
    page.keyboard.type("n 7: why <b>so</b>?")
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**#source-1-3")
    page.wait_for_selector(".code li.chosen .aside.said")
    press(page, "ArrowDown", "Enter", "Shift+1", "Control+Enter")
    page.wait_for_url("**#source-1-4")
    page.wait_for_selector("#source-1-4 .aside.said")
    current = read_marks(review[0]).current
    assert sorted(check.split("@")[0].split(":")[1] for _who, check in current) == ["3", "4"]
    assert {(mark.points, mark.comment, mark.by) for mark in current.values()} == {(0, "n 7: why <b>so</b>?", "dana")}
    press(page, "Enter")
    assert page.locator("#comment-line").input_value() == "n 7: why <b>so</b>?"
    page.get_by_role("button", name="Withdraw").click()
    page.wait_for_function("() => !document.querySelector('#source-1-4 .aside')")
    assert (len(read_marks(review[0]).current), complaints) == (1, [])


def test_f_leads_to_what_was_found_and_an_unsent_comment_is_kept_when_one_goes_elsewhere(review, opened):
    page, complaints = opened
    press(page, "f")
    assert page.locator(".code li.chosen.found").count() == 1
    press(page, "Enter")
    page.keyboard.type("half a")
    press(page, "Escape", "ArrowDown", "Enter")
    assert page.evaluate("document.activeElement.id") == "comment-line"
    assert page.locator("#comment-line").input_value() == "half a"
    press(page, "Escape", "n")
    page.wait_for_timeout(300)
    assert len(complaints) == 1, "the browser asks first"
    assert read_marks(review[0]).entries == ()


def test_the_second_at_a_line_is_told_and_keeps_what_was_typed(review, opened):
    page, _ = opened
    press(page, "v", "Enter")
    page.keyboard.type("my words")
    check = page.locator("#line input[name=check]").input_value()
    give_mark(review[0], Mark("012345678", check, 0, "noa's words", "noa"))
    page.keyboard.press("Control+Enter")
    page.wait_for_selector("[role=alert]")
    assert "Meanwhile noa" in page.inner_text("[role=alert]")
    assert page.locator("#comment-line").input_value() == "my words"
    assert "noa's words" in page.inner_text("#source-1-1 .aside.said")
    page.locator("#line button").first.click()
    page.wait_for_url("**#source-1-1")
    assert [entry.mark.comment for entry in read_marks(review[0]).entries] == ["noa's words", "my words"]
