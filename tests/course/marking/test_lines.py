"""Comments on lines of the code: stored with the marks, read by the student at that line, and nothing but text."""

import json
import re
from dataclasses import replace

import pytest
from rows import each
from sample_batches import DANA, OMER, PAIR, graded_of, read_grades
from sample_reviews import ANONYMOUS, GUARD, client_of
from test_app import FROM_PAGE, PAGE, form, handin

from grader.course.grades.graded import load_batch, said_by_people
from grader.course.grades.marks import give_mark, read_marks
from grader.course.grades.sheets import write_sheets
from grader.course.model import read_record, write_record
from grader.course.people import Roster
from grader.errors import UsageError
from grader.model import Mark
from grader.reports import html
from grader.reports.files import decode, encode
from grader.scoring.marks import line_key

KEY = f"hw1_{DANA.id}"


def code_of(store):
    """Return the first file of which the evidence has the text."""
    return next(file for file in decode(store.evidence(KEY).read_bytes()).submission.files if file.text)


def say(client, check, comment="why a copy?", points="0", headers=FROM_PAGE, **more):
    return client.post(handin(KEY), data=form(points, comment, check, **more), headers=headers, **PAGE)


def test_a_comment_is_stored_with_the_marks_and_read_at_its_line_and_costs_nothing(client, store):
    file, before = code_of(store), graded_of(load_batch(store), DANA.id).report
    answer = say(client, line_key(file, 2), "why a <b>copy</b>?\nדנה")
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{handin(KEY)}#source-1-2"), "back to the line"
    mark = read_marks(store).current[DANA.id, line_key(file, 2)]
    assert (mark.points, mark.comment, mark.by) == (0, "why a <b>copy</b>?\nדנה", "dana")
    report = graded_of(load_batch(store), DANA.id).report
    seen, was = ((one.score_low, one.score_high, one.results) for one in (report, before))
    assert seen == was
    assert f"{file.name}, line 2: why a <b>copy</b>?\nדנה" in said_by_people(report)
    for page, signed in ((html.render(report), ""), (html.render_staff(report), " (dana)")):
        line = re.search(r'<li class="found said" id="source-1-2">.*?</li>', page, re.DOTALL)[0]
        assert f"<strong>Course staff{signed}:</strong>" in line
        assert "why a &lt;b&gt;copy&lt;/b&gt;?\nדנה" in line
        assert '<a href="#source-1-2">' in page


def test_sheets_and_reports_follow_a_comment_and_its_withdrawal(client, store):
    check, folder = line_key(code_of(store), 1), store.folder(KEY)
    write_sheets(store)
    before = read_grades(store)
    say(client, check)
    write_sheets(store)
    assert "why a copy?" in (folder / "report.html").read_text("utf-8")
    said = json.loads((folder / "results.json").read_bytes())["extra_data"]["comments"]
    assert said == [{"file": code_of(store).name, "line": 1, "comment": "why a copy?"}]
    assert read_grades(store) == before
    say(client, check, withdraw="1", version="1", student=DANA.id)
    write_sheets(store)
    assert "why a copy?" not in (folder / "report.html").read_text("utf-8")


def test_two_tas_at_one_line_lose_nothing_and_at_two_lines_do_not_meet(client, store):
    file = code_of(store)
    give_mark(store, Mark(DANA.id, line_key(file, 1), 0, "mine", "noa"))
    answer = say(client, line_key(file, 1), "my words")
    text = answer.get_data(as_text=True)
    assert (answer.status_code, "Meanwhile noa" in text, f"wrote about {file.name}:1 of" in text) == (409, True, True)
    assert re.search(r'id="line"[^>]* data-kept', text)
    assert "\nmy words</textarea>" in text, "what was typed is kept"
    assert say(client, line_key(file, 2), "mine, too").status_code == 303
    assert {mark.comment for mark in read_marks(store).current.values()} == {"mine", "mine, too"}


@each(
    "make, more",
    (lambda file: line_key(file, len(file.text.splitlines()) + 1), {}),
    (lambda file: f"{file.name}:1@{'1' * 12}", {}),
    (lambda file: f"other.py:1@{file.sha256[:12]}", {}),
    (lambda file: f"{file.name}:0@{file.sha256[:12]}", {}),
    (lambda file: line_key(file, 1), {"comment": "  "}),
    (lambda file: line_key(file, 1), {"points": "3"}),
)
def test_what_is_no_line_of_these_files_no_text_or_has_points_is_refused(client, store, make, more):
    assert (say(client, make(code_of(store)), **more).status_code, read_marks(store).entries) == (400, ())


def test_a_comment_comes_from_the_page_and_neither_a_table_nor_a_command_gives_points_to_a_line(client, store):
    assert say(client, line_key(code_of(store), 1), headers={"Origin": "http://evil.example"}).status_code == 403
    assert read_marks(store).entries == ()
    with pytest.raises(UsageError, match="gives no points"):
        give_mark(store, Mark(OMER.id, line_key(code_of(store), 1), 2, "text"))


def test_a_comment_on_another_file_than_is_graded_now_is_named_and_not_shown(store):
    evidence = decode(store.evidence(KEY).read_bytes())
    give_mark(store, Mark(DANA.id, line_key(code_of(store), 1), 0, "look"))
    raw = store.evidence(KEY).read_bytes()
    store.evidence(KEY).write_bytes(raw.replace(code_of(store).sha256.encode(), b"f" * 64))
    results = load_batch(store)
    assert graded_of(results, DANA.id).report.comments == ()
    assert any("of another file than is graded now" in line for line in results.unmatched)
    store.evidence(KEY).write_bytes(encode(evidence))
    assert [said.text for said in graded_of(load_batch(store), DANA.id).report.comments] == ["look"]


def test_partners_share_a_comment_and_what_was_said_before_is_offered_to_be_said_again(client, store):
    first, key = PAIR[0].id, f"hw1_{PAIR[0].id}"
    store.evidence(key).write_bytes(store.evidence(KEY).read_bytes())
    give_mark(store, Mark(first, line_key(code_of(store), 1), 0, 'use "tile"'))
    reports = graded_of(load_batch(store), first).reports.values()
    assert [[said.text for said in report.comments] for report in reports] == [['use "tile"']] * 2
    page = client.get(handin(KEY), **PAGE).get_data(as_text=True)
    assert 'data-text="use &#34;tile&#34;" data-points="0"' in page
    assert f'data-digest="{line_key(code_of(store), 1).partition("@")[2]}"' in page, "what the page calls a line by"


def test_code_names_nobody_where_marking_is_anonymous(store):
    roster = read_record(store.roster, Roster)
    word = next(word for word in code_of(store).text.split() if len(word) > 4 and word.isalpha())
    students = (replace(DANA, name=word),)
    handins = tuple(replace(one, students=students) if one.key == KEY else one for one in roster.handins)
    write_record(store.roster, type(roster)(handins, roster.missing, platform=roster.platform))
    anonymous, named = client_of(store, ANONYMOUS), client_of(store)
    start = anonymous.get(f"/{GUARD.token}/", **PAGE).headers["Location"]
    code = {}
    for who, page in (("named", named.get(handin(KEY), **PAGE)), ("hidden", anonymous.get(start, **PAGE))):
        code[who] = page.get_data(as_text=True).partition('id="code"')[2].partition('id="line"')[0]
    assert word in code["named"]
    assert not re.search(rf"\b{word}\b", code["hidden"])
    report = anonymous.get(start.replace("/handin/", "/report/"), **PAGE).get_data(as_text=True)
    assert "numpy" in code_of(store).text
    assert "numpy" in report
    assert not re.search(rf"\b{word}\b", report)
