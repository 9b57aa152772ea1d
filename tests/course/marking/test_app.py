"""The marking view answers whoever has the address, on this machine, from its own page; marks are stored at once."""

import re
import sys
from dataclasses import replace

import pytest
from rows import each
from sample_batches import RUBRIC_FILE, read_grades
from sample_reviews import ANONYMOUS, GUARD, REFERENCE, client_of

from grader.commands.review import serve
from grader.course.grades.graded import load_batch
from grader.course.grades.marks import give_mark, read_marks
from grader.course.marking.settings import Settings, make_labels
from grader.course.marking.viewmodel import read_task
from grader.course.model import read_record, write_record
from grader.course.people import Roster, Student
from grader.errors import UsageError
from grader.model import Finding, Mark, Outcome, Submission
from grader.reports.files import decode, encode

DANA, OMER = "hw1_012345678", "hw1_023456789"
PAGE = {"base_url": "http://127.0.0.1:5000"}
FROM_PAGE = {"Origin": "http://127.0.0.1:5000"}


def handin(key=DANA, token=GUARD.token):
    return f"/{token}/handin/{key}"


def form(points="8", comment="clear", check="report.explanation", version="0", **more):
    return {"points": points, "comment": comment, "check": check, "version": version, **more}


def read(client, key=DANA):
    return client.get(handin(key), **PAGE).get_data(as_text=True)


def post(client, headers=FROM_PAGE, key=DANA, **fields):
    return client.post(handin(key), data=form(**fields), headers=headers, **PAGE)


def test_a_page_shows_what_is_to_be_marked_and_its_policy_allows_its_own_forms_and_pictures_and_no_more(client):
    text = client.get(handin(), **PAGE).get_data(as_text=True)
    assert "דנה כהן" in text
    assert 'name="check" value="report.explanation"' in text
    assert "the last 4 samples are lost" in text
    assert f"hw1.pdf in <code>{REFERENCE}</code>" in text, "the file itself is for the TA's own tools"
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert "form-action 'self'; script-src 'sha256-" in policy
    assert policy.endswith("img-src 'self' data:; connect-src 'self'")
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_points_and_comment_are_stored_at_once_and_signed(client, store):
    answer = post(client, points="7,5", comment="clear, but <b>no</b> figures")
    assert (answer.status_code, answer.headers["Location"]) == (303, handin(OMER)), "on to the next"
    mark = read_marks(store).current["012345678", "report.explanation"]
    assert (mark.points, mark.comment, mark.by) == (7.5, "clear, but <b>no</b> figures", "dana")
    assert "&lt;b&gt;no&lt;/b&gt; figures" in read(client)
    assert 'value="7.5"' in read(client)


def test_two_tas_do_not_overwrite_each_other(client, store):
    give_mark(store, Mark("012345678", "report.explanation", 3, "too short", "noa"))
    answer = post(client, points="9", comment="my own words", version="0")
    text = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert "Meanwhile noa" in text
    assert "my own words" in text, "what was typed is kept"
    assert "There now: 3 points, by noa" in text
    assert "too short" in text, "what the other wrote is shown"
    assert 'name="version" value="1"' in text, "sent again, it is stored"
    assert read_marks(store).current["012345678", "report.explanation"].points == 3
    assert post(client, points="9", version="1").status_code == 303


def test_a_mark_that_was_changed_meanwhile_is_not_withdrawn(client, store):
    give_mark(store, Mark("012345678", "report.explanation", 3, "", "dana"))
    give_mark(store, Mark("012345678", "report.explanation", 5, "better", "noa"))
    answer = post(client, withdraw="1", version="1")
    assert (answer.status_code, "Meanwhile noa" in answer.get_data(as_text=True)) == (409, True)
    assert read_marks(store).current["012345678", "report.explanation"].points == 5
    assert post(client, withdraw="1", version="2").status_code == 303


def test_where_marking_is_anonymous_problems_and_refusals_name_nobody_not_even_by_half_a_name(store):
    anonymous = client_of(store, ANONYMOUS)
    start = anonymous.get(f"/{GUARD.token}/", **PAGE).headers["Location"]
    assert str(REFERENCE) not in anonymous.get(start, **PAGE).get_data(as_text=True), "a path often has a name in it"
    for handed_in in read_record(store.roster, Roster).handins:
        give_mark(store, Mark(handed_in.students[0].id, "report.explanation", 3, "", "noa"))
    answer = anonymous.post(start, data=form(version="0"), headers=FROM_PAGE, **PAGE)
    text = answer.get_data(as_text=True)
    assert (answer.status_code, "of Hand-in " in text) == (409, True)
    people = [who for one in read_record(store.roster, Roster).handins for who in one.students]
    assert not [word for who in people for word in (who.id, who.name) if word in text]
    roster = read_record(store.roster, Roster)
    seen, labels = decode(store.evidence(DANA).read_bytes()), make_labels(roster, ANONYMOUS)
    refusal = f"'{roster.handins[0].students[0].name}.rar' is a RAR archive."
    store.evidence(DANA).write_bytes(encode(replace(seen, refusal=refusal)))
    anonymous, whose = client_of(store, ANONYMOUS), {"student": labels.addresses["012345678"], "withdraw": "1"}
    answer = anonymous.post(handin(labels.addresses[DANA]), data=form(version="4", **whose), headers=FROM_PAGE, **PAGE)
    assert (answer.status_code, len(read_marks(store).current)) == (303, 3)
    answer = anonymous.get(f"/{GUARD.token}/report/{labels.addresses[DANA]}", **PAGE)
    assert f"&#39;{labels.names[DANA]}.rar&#39; is a RAR archive." in answer.get_data(as_text=True)
    people = [(Student("1", "Noa", "n@x.org"),), (Student("2", "Noa Bar"),)]
    handins = tuple(replace(one, students=who) for one, who in zip(roster.handins, people, strict=False))
    labels = make_labels(replace(roster, handins=handins), ANONYMOUS)
    hidden = "{1}, {0} <{0}>".format(*(labels.names[one.key] for one in handins))
    assert labels.cleaned("NOA Bar (2), Noa <N@x.org>, noa()") == f"{hidden}, noa()"


def test_a_mark_for_an_earlier_file_is_open_again_and_a_page_of_it_stores_nothing(store, client):
    before = re.search(r'name="file" value="(\w+)"', read(client))[1]
    post(client)
    roster = read_record(store.roster, Roster)
    first, *others = roster.handins
    write_record(store.roster, replace(roster, handins=(replace(first, sha256="f" * 64), *others)))
    answer = post(client, points="7", version="1", file=before)
    assert (answer.status_code, read_marks(store).current["012345678", "report.explanation"].points) == (409, 8)
    assert "report.explanation: the mark is for an earlier file" in read(client)
    assert not read_task(store, DANA, Settings("dana")).is_done
    post(client, version="1", file="f" * 64)
    assert read_task(store, DANA, Settings("dana")).is_done


def test_the_start_leads_to_the_first_that_waits_and_after_the_last_one_is_looked_for_from_there(store, client):
    places = read_task(store, DANA, Settings("dana")).places
    last = read_task(store, places[-1].address, Settings("dana"))
    assert (last.next, last.next_open) == ("", places[0].address)
    assert client.get(f"/{GUARD.token}/", **PAGE).headers["Location"] == handin()
    give_mark(store, Mark("012345678", "report.explanation", 5))
    assert client.get(f"/{GUARD.token}/", **PAGE).headers["Location"] == handin(OMER)
    checks = ("report.explanation", "max.gpu.speedup", "matmul.numba.compiled")
    handed_in = [one.students[0].id for one in read_record(store.roster, Roster).handins]
    give_mark(store, *(Mark(student, check, 0) for student in handed_in for check in checks))
    assert client.get(f"/{GUARD.token}/", **PAGE).headers["Location"] == handin(), "of all that are done"


@each(
    "fields",
    *({"points": points} for points in ("11", "-1", "nan", "many", "", "1,000")),
    *({"check": check} for check in ("utils.sigmoid", "<script>")),
    *({"check": "adjustment", "comment": " "}, {"check": "adjustment", "points": "101"}),
    *({"student": "023456789"}, {"withdraw": "1"}, {"version": ""}, {"version": "x"}),
)
def test_what_cannot_be_stored_is_refused_in_a_sentence(client, store, fields):
    answer = post(client, **fields)
    assert answer.status_code == 400
    assert "Not done." in answer.get_data(as_text=True)
    assert read_marks(store).entries == ()


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://localhost:5000", "http://127.0.0.1:1"])
def test_a_form_or_request_from_elsewhere_changes_and_reads_nothing(client, store, origin):
    headers = {} if origin is None else {"Origin": origin}
    assert (post(client, headers=headers).status_code, read_marks(store).entries) == (403, ())
    assert client.get(handin(), headers=headers, **PAGE).status_code == (403 if headers else 200)


def test_without_the_token_or_under_another_name_there_is_nothing(client):
    for token in ("wrong", GUARD.token[:-1], "x" * 500, "טוקן"):
        assert client.get(handin(token=token), **PAGE).status_code == 404
        assert client.get(f"/{token}/", **PAGE).status_code == 404
    for host in ("evil.example:5000", "localhost:5000", "127.0.0.1", "127.0.0.1:80"):
        assert client.get(handin(), base_url=f"http://{host}").status_code == 404


def test_an_adjustment_is_personal_and_can_be_withdrawn(client, store):
    fields = {"check": "adjustment", "student": "045678901"}
    answer = post(client, key="hw1_034567890", points="-5", comment="the partner did it", **fields)
    assert answer.headers["Location"] == handin("hw1_034567890"), "there is more to do here"
    mark = read_marks(store).current["045678901", "adjustment"]
    assert (mark.points, mark.comment, mark.by) == (-5, "the partner did it", "dana")
    page = read(client, "hw1_034567890")
    assert "<bdi>Noa Bar (045678901)</bdi>: -5 points, by <bdi>dana</bdi>" in page
    assert "the partner did it</textarea>" in page, "it is replaced, not added to"
    post(client, key="hw1_034567890", withdraw="1", version="1", **fields)
    assert read_marks(store).current == {}
    assert read_marks(store).version == 2, "the history keeps it"
    post(client, version="2")
    assert "1 of 4" in read(client)
    post(client, withdraw="1", version="3")
    assert "0 of 4" in read(client), "open again"


def test_partners_who_each_have_an_equal_mark_both_get_the_next_and_lose_it_together(client, store):
    about = [(student, "report.explanation") for student in ("034567890", "045678901")]
    give_mark(store, *(Mark(*each, 5) for each in about))  # as from a table with a row for each student
    post(client, key="hw1_034567890", points="7", version="2")
    assert {each: mark.points for each, mark in read_marks(store).current.items()} == dict.fromkeys(about, 7)
    assert "different marks" not in read(client, "hw1_034567890")
    post(client, key="hw1_034567890", withdraw="1", version="4")
    assert read_marks(store).current == {}
    give_mark(store, Mark(*about[0], 5), Mark(*about[1], 4))
    assert "report.explanation: the partners have different marks" in read(client, "hw1_034567890")


def test_the_list_says_what_is_open_whose_it_is_and_what_is_flagged(client, store):
    give_mark(store, Mark("023456789", "report.explanation", 3, "", "noa"))
    post(client, version="1")
    found = re.findall(r'data-tags="([^"]*)" data-text="([^"]*)"', read(client))
    tags = {text.split()[-1]: set(words.split()) for words, text in found}
    assert tags["012345678"] >= {"marked", "mine"}
    assert tags["023456789"] >= {"marked"}
    assert "mine" not in tags["023456789"]
    assert tags["056789012"] >= {"open"}
    assert "2 of 4" in read(client)
    assert "1 student who handed in nothing" in read(client)


def test_a_refused_file_says_so_once_and_has_one_form_that_gives_0_points_for_all_of_it(client):
    text = read(client, "hw1_056789012")
    assert "The hand-in could not be opened" in text
    assert "The first mark makes its score final" in text
    assert "Nothing could be checked." in text
    assert 'data-pdf=""' in text
    assert asked(text) == ["report.explanation"]
    assert "0 points, or wait for another file" in text
    assert post(client, key=RAR, points="0", comment="").status_code == 303
    text = read(client, RAR)
    assert asked(text) == ["report.explanation"]
    assert "0 of 100" in text
    assert "Given: 0 points, by dana" in text
    post(client, key=RAR, withdraw="1", version="1")
    assert "0 to 100 of 100" in read(client, RAR)


RAR = "hw1_056789012"
QUESTIONS = re.compile(r'<option value="([a-z0-9_.]+)">[^<]*, (\d+) open')


def asked(text):
    """Return the checks that the page has a form for, in its order."""
    return re.findall(r'aria-label="Mark of ([^"]*)"', text)


def test_questions_that_tas_mark_stand_first_one_for_a_gpu_is_among_them_and_a_refused_file_is_none_of_others(client):
    (first, *others) = QUESTIONS.findall(read(client))
    assert first == ("report.explanation", "4")
    assert "max.gpu.speedup" in dict(others)
    assert "matmul.numba.correct" not in dict(others)


@pytest.mark.parametrize(
    ("key", "check", "outcome"),
    [(DANA, "utils.create_batches", Outcome.FAILED), (OMER, "max.gpu.speedup", Outcome.NOT_MEASURED)],
)
def test_what_failed_or_waits_for_a_gpu_can_be_marked_where_it_stands(client, store, key, check, outcome):
    (graded,) = (one for one in load_batch(store).graded if one.handin.key == key)
    assert {result.criterion.id: result.outcome for result in graded.report.results}[check] is outcome
    assert asked(read(client, key)) == ["report.explanation", check]
    answer = post(client, key=key, check=check, points="1")
    assert (answer.status_code, answer.headers["Location"]) == (303, handin(key)), "the page stays"
    assert read_marks(store).current[graded.handin.students[0].id, check].points == 1


def test_what_waits_for_a_gpu_keeps_no_hand_in_open_and_is_a_question_that_is_marked_in_all_of_them(client):
    assert "0 to 7 of 7" in read(client, OMER)
    assert post(client, key=OMER).headers["Location"] == handin("hw1_034567890")
    assert "1 of 4" in read(client, OMER)
    page = f"{OMER}?check=max.gpu.speedup"
    assert asked(read(client, page))[0] == "max.gpu.speedup"
    answer = post(client, key=page, check="max.gpu.speedup", points="7")
    assert answer.headers["Location"].endswith("hw1_034567890?check=max.gpu.speedup")


def test_what_was_stored_and_what_somebody_else_stored_is_said_with_the_name(client, store):
    post(client)
    assert "Stored: דנה כהן (012345678), report.explanation: 8 points." in read(client)
    give_mark(store, Mark("023456789", "report.explanation", 3, "", "noa"))
    text = post(client, key=OMER, version="1").get_data(as_text=True)
    assert "report.explanation of Omer Levi (023456789): look at it first" in text
    text = client.get(handin("hw1_034567890"), **PAGE).get_data(as_text=True)
    assert "=HYPERLINK(&#34;http://evil&#34;)" in text


def test_a_hand_in_that_was_not_graded_says_so_once(client, store):
    evidence = decode(store.evidence(DANA).read_bytes())
    why = "The grading of this hand-in did not come to an end: the zip cannot be read."
    open_ones = tuple(replace(seen, outcome=Outcome.ERROR, finding=Finding(why)) for seen in evidence.observations)
    submission, run = Submission(DANA, evidence.submission.sha256), replace(evidence.run, notes=(why,))
    ungraded = replace(evidence, submission=submission, run=run, observations=open_ones)
    store.evidence(DANA).write_bytes(encode(ungraded))
    text = read(client)
    assert text.count(why) == 1
    assert text.count('name="check" value="utils.') == 0, "twenty forms for what the next run decides"
    assert 'name="check" value="report.explanation"' in text
    assert 'data-pdf=""' in text


def test_a_form_too_large_is_refused_and_a_mark_is_in_the_sheet_at_once_and_all_else_when_asked_for(client, store):
    assert (post(client, comment="x" * 200_000).status_code, read_marks(store).entries) == (413, ())
    post(client)
    assert read_grades(store)["012345678"]["report.explanation"] == "8"
    assert not (store.root / "index.html").exists()
    answer = client.post(f"/{GUARD.token}/sheets/{DANA}", headers=FROM_PAGE, **PAGE)
    assert "Written: grades.csv" in answer.get_data(as_text=True)
    assert (store.root / "index.html").exists()


@pytest.mark.parametrize("key", ["nobody", "..", "%2e%2e", "hw1_067890123", "a" * 300])
def test_an_unknown_hand_in_is_not_found(client, key):
    for what in ("handin", "report", "drawing", "page"):
        assert client.get(f"/{GUARD.token}/{what}/{key}{'/1' * (what == 'page')}", **PAGE).status_code == 404


def test_the_pdf_itself_comes_from_no_address(client):
    rules = [rule for rule in client.application.url_map.iter_rules() if "GET" in rule.methods]
    for rule in rules:
        _domain, path = rule.build({"token": GUARD.token, "key": DANA, "number": 1})
        assert b"%PDF-" not in client.get(path, **PAGE).get_data(), path
    assert {rule.endpoint for rule in rules} == {"start", "show", "failures", "drawing", "page", "report"}


def test_evidence_and_rubric_that_change_are_read_again_and_a_batch_that_is_damaged_is_a_sentence(client, store):
    assert "85 to 95 of 100" in read(client)
    store.evidence(DANA).write_bytes(store.evidence(OMER).read_bytes())
    assert "83 to 100 of 100" in read(client)
    rubric = RUBRIC_FILE.read_text("utf-8").replace("points = 10\n", "points = 9\n")
    store.rubric.write_text(rubric.replace("total = 100", "total = 99"), "utf-8")
    assert "83 to 99 of 99" in read(client)
    store.marks.write_text("{")
    answer = client.get(handin(), **PAGE)
    assert answer.status_code == 500
    assert "marks.json is not what a batch writes" in answer.get_data(as_text=True)


def test_every_answer_is_protected_the_pages_of_a_report_are_pictures_and_its_text_is_data(client):
    for path in (handin(), "/wrong/"):
        headers = client.get(path, **PAGE).headers
        assert (headers["Cache-Control"], headers["X-Content-Type-Options"]) == ("no-store", "nosniff")
        assert "frame-ancestors" in headers["Content-Security-Policy"]
    pdf = client.get(f"/{GUARD.token}/drawing/{DANA}", **PAGE)
    assert pdf.json["pages"][0]["text"] == f"hw1.pdf of {DANA}"
    assert pdf.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'; sandbox"
    page = client.get(f"/{GUARD.token}/page/{DANA}/2", **PAGE)
    assert (page.get_data(), page.headers["Content-Type"]) == (b"two", "image/jpeg")
    for number in ("0", "3", "-1", "x", "9" * 30):
        assert client.get(f"/{GUARD.token}/page/{DANA}/{number}", **PAGE).status_code == 404


def test_it_listens_on_this_machine_only_and_without_flask_says_what_to_install(store, monkeypatch):
    server, guard = serve(store, 0, Settings(""))
    try:
        assert server.socket.getsockname() == ("127.0.0.1", guard.port)
        with pytest.raises(UsageError, match="leave out --port"):
            serve(store, guard.port, Settings(""))
    finally:
        server.server_close()
    monkeypatch.setitem(sys.modules, "werkzeug.serving", None)
    with pytest.raises(UsageError, match=r"werkzeug.serving, which is not installed: .* -m pip install"):
        serve(store, 0, Settings(""))
