"""Marking a large class: by question, in shares, without names, with comments that are reused, whole groups at once."""

import html
import re
from dataclasses import replace

from sample_reviews import ANONYMOUS, GUARD, client_of

from grader.course.grades.comments import Comment, read_comments, store_comment
from grader.course.grades.marks import give_mark, read_marks
from grader.course.marking.settings import Settings, make_labels, share_of
from grader.course.model import read_record, write_record
from grader.course.people import Roster
from grader.model import Mark

CHECK = "report.explanation"
ASKED = {"base_url": "http://127.0.0.1:5000", "headers": {"Origin": "http://127.0.0.1:5000"}}
ALIKE = f"/{GUARD.token}/failures"
DANA = f"/{GUARD.token}/handin/hw1_012345678"


def read(client, address):
    return client.get(address, follow_redirects=True, **ASKED).get_data(as_text=True)


def listed(text):
    return re.findall(r'<li[^>]* data-text="([^"]*)"', text)


def test_one_question_is_marked_in_all_hand_ins_before_the_next_and_an_unknown_one_means_whole_hand_ins(client, store):
    give_mark(store, Mark("023456789", "matmul.numba.correct", 1, "", "noa"))
    text = read(client, f"{DANA}?check={CHECK}")
    assert f'<option value="{CHECK}" selected>{CHECK}, ' in text
    assert '<option value="matmul.numba.correct">matmul.numba.correct, 0 open' in text
    fields = {"check": CHECK, "points": "8", "comment": "", "version": "1"}
    answer = client.post(f"{DANA}?check={CHECK}", data=fields, **ASKED)
    assert answer.headers["Location"].endswith(f"?check={CHECK}"), "the next one, for the same question"
    text = read(client, f"{DANA}?check={CHECK}")
    assert len(listed(text)) == 4
    assert 'data-text="max_kernel is explained in detail" data-points="2"' in text, "an item of the rubric"
    assert 'data-start="0"' in text
    alone = read(client, f"/{GUARD.token}/handin/hw1_023456789?check=matmul.numba.correct")
    assert [words.split()[-1] for words in listed(alone)] == ["023456789"], "the marked"
    assert re.findall(r'aria-label="Mark of ([^"]*)"', alone)[0] == "matmul.numba.correct", "it stands first"
    assert len(listed(read(client, f"{DANA}?check=%3Cscript%3E"))) == 4


def test_shares_are_disjoint_cover_the_class_and_those_of_others_can_be_opened(store):
    roster = read_record(store.roster, Roster)
    shares = [share_of(roster, Settings("", (number, 3))) for number in (1, 2, 3)]
    assert sorted(len(share) for share in shares) == [1, 1, 2]
    assert frozenset().union(*shares) == {one.key for one in roster.handins}
    assert len(listed(read(client_of(store, Settings("dana", (1, 2))), f"/{GUARD.token}/"))) == 2
    client = client_of(store, Settings("dana", (1, 4)))
    pages = [read(client_of(store, Settings("", part)), ALIKE) for part in ((1, 2), (2, 2), (1, 1))]
    first, second, both = (set(re.findall(r"/report/(\w+)#", page)) for page in pages)
    assert (first | second, first & second) == (both, set())
    others = {one.key for one in roster.handins} - share_of(roster, Settings("", (1, 4)))
    assert client.get(f"/{GUARD.token}/handin/{min(others)}", **ASKED).status_code == 200


def test_without_names_nothing_on_the_page_or_in_its_address_says_who_it_is(store):
    roster = read_record(store.roster, Roster)
    first, *others = roster.handins
    twin = replace(first, flags=("the same content as hw1_034567890, Noa Bar",))
    write_record(store.roster, replace(roster, handins=(twin, *others)))
    give_mark(store, Mark("012345678", CHECK, 3, "too short", "dana"))
    labels, client = make_labels(roster, ANONYMOUS), client_of(store, ANONYMOUS)
    for key in labels.names:
        page = read(client, f"/{GUARD.token}/handin/{labels.addresses[key]}")
        shown = html.unescape(page + read(client, f"/{GUARD.token}/report/{labels.addresses[key]}"))
        for one in roster.handins:
            for word in (one.key, one.platform_folder, *(word for who in one.students for word in (who.id, who.name))):
                assert word not in shown, (key, word)
        assert f'<h1 id="who"><bdi>{labels.names[key]}</bdi></h1>' in page
    assert client.get(f"/{GUARD.token}/handin/hw1_012345678", **ASKED).status_code == 404
    assert "Stored: Hand-in " in page


def test_reusable_comments_are_offered_changed_and_applied_again_from_the_page(client, store):
    fields = {"check": CHECK, "was": "", "text": "No <b>units</b>.", "points": "-2"}
    link = f"/{GUARD.token}/comments/hw1_012345678"
    assert client.post(link, data=fields, **ASKED).status_code == 400, "the items of the rubric add points"
    assert 'aria-label="points" value="1"' in read(client, DANA)
    write_record(store.comments, {"entries": ()})
    assert client.post(link, data=fields, **ASKED).status_code == 200
    give_mark(store, Mark("023456789", CHECK, 8, "No <b>units</b>.", "noa"))
    text = read(client, DANA)
    assert 'data-text="No &lt;b&gt;units&lt;/b&gt;." data-points="-2"' in text
    assert 'data-start="10"' in text
    answer = client.post(link, data=fields | {"was": "No <b>units</b>.", "points": "-3"}, **ASKED)
    assert "written into 1 mark" in answer.get_data(as_text=True)
    assert read_marks(store).current["023456789", CHECK].points == 7
    client.post(link, data=fields | {"was": "No <b>units</b>.", "remove": "1"}, **ASKED)
    assert read_comments(store) == ()


def test_a_group_is_marked_from_its_page_as_it_was_shown_and_neither_it_nor_comments_by_strangers(client, store):
    store_comment(store, Comment(CHECK, "x", 1))
    for path in (ALIKE, f"/{GUARD.token}/comments/hw1_012345678"):
        assert client.post(path, data={}, base_url=ASKED["base_url"]).status_code == 403
    assert client.get("/wrong/failures", **ASKED).status_code == 404
    text = read(client, ALIKE)
    group, version = (re.search(rf'name="{name}" value="([^"]*)"', text)[1] for name in ("group", "version"))
    fields = {"group": group, "version": version, "points": "1", "comment": "seen together"}
    assert "Stored for " in client.post(ALIKE, data=fields, **ASKED).get_data(as_text=True)
    assert {mark.comment for mark in read_marks(store).current.values()} == {"seen together"}
    again = client.post(ALIKE, data=fields, **ASKED)
    assert again.status_code == 400
    assert "This group has changed" in again.get_data(as_text=True)
