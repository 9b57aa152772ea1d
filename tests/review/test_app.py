"""The marking view answers whoever has the address, on this machine, from its own page; marks are stored at once."""

import re
import sys

import pytest

from grader.batch.marks import give_mark, read_marks
from grader.commands.review import serve
from grader.errors import UsageError
from grader.model import Mark
from grader.review import desk
from grader.review.app import create_app
from grader.review.guard import Guard

DANA, OMER = "hw1_012345678", "hw1_023456789"
GUARD = Guard(5000, "t0ken-of-this-run")
PAGE = {"base_url": "http://127.0.0.1:5000"}
ELSEWHERE = {"base_url": "http://localhost:5000"}
FROM_PAGE = {"Origin": "http://127.0.0.1:5000"}


@pytest.fixture
def client(store):
    return create_app(store, GUARD, "dana").test_client()


def handin(key=DANA, token=GUARD.token):
    return f"/{token}/handin/{key}"


def form(points="8", comment="clear", check="report.explanation", version="0"):
    return {"points": points, "comment": comment, "check": check, "version": version}


def post(client, headers=FROM_PAGE, key=DANA, **fields):
    return client.post(handin(key), data=form(**fields), headers=headers, **PAGE)


def test_the_start_leads_to_the_first_hand_in_that_waits(client, store):
    assert client.get(f"/{GUARD.token}/", **PAGE).headers["Location"] == handin()
    give_mark(store, Mark("012345678", "report.explanation", 5))
    assert client.get(f"/{GUARD.token}/", **PAGE).headers["Location"] == handin(OMER)


def test_a_page_shows_what_is_to_be_marked_and_what_was_found(client):
    text = client.get(handin(), **PAGE).get_data(as_text=True)
    assert "דנה כהן" in text
    assert 'name="check" value="report.explanation"' in text
    assert "the last 4 samples are lost" in text
    assert f"http://localhost:5000/{GUARD.pdf_token}/pdf/{DANA}" in text
    assert GUARD.token not in re.search(r'<iframe src="([^"]*)"', text)[1]


def test_points_and_comment_are_stored_at_once_and_signed(client, store):
    answer = post(client, points="7,5", comment="clear, but <b>no</b> figures")
    assert (answer.status_code, answer.headers["Location"]) == (303, handin() + "#stored")
    mark = read_marks(store).current["012345678", "report.explanation"]
    assert (mark.points, mark.comment, mark.by) == (7.5, "clear, but <b>no</b> figures", "dana")
    text = client.get(handin(), **PAGE).get_data(as_text=True)
    assert "&lt;b&gt;no&lt;/b&gt; figures" in text
    assert 'value="7.5"' in text


def test_two_tas_do_not_overwrite_each_other(client, store):
    give_mark(store, Mark("012345678", "report.explanation", 3, "too short", "noa"))
    answer = post(client, points="9", comment="my own words", version="0")
    text = answer.get_data(as_text=True)
    assert answer.status_code == 409
    assert "meanwhile noa" in text
    assert "my own words" in text, "what was typed is kept"
    assert read_marks(store).current["012345678", "report.explanation"].points == 3
    assert post(client, points="9", version="1").status_code == 303


def test_two_tas_mark_different_students_without_a_conflict(client, store):
    give_mark(store, Mark("023456789", "report.explanation", 3, "", "noa"))
    assert post(client, version="0").status_code == 303


@pytest.mark.parametrize(
    "fields",
    [
        {"points": "11"},
        {"points": "-1"},
        {"points": "nan"},
        {"points": "many"},
        {"points": ""},
        {"check": "utils.sigmoid"},
        {"check": "adjustment"},
        {"check": "<script>"},
        {"version": ""},
        {"version": "x"},
    ],
)
def test_what_cannot_be_stored_is_refused_in_a_sentence(client, store, fields):
    answer = post(client, **fields)
    assert answer.status_code == 400
    assert "Not stored." in answer.get_data(as_text=True)
    assert read_marks(store).entries == ()


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", "http://localhost:5000", "http://127.0.0.1:1"])
def test_a_form_from_elsewhere_changes_nothing(client, store, origin):
    headers = {} if origin is None else {"Origin": origin}
    assert post(client, headers=headers).status_code == 403
    assert read_marks(store).entries == ()


@pytest.mark.parametrize("token", ["wrong", GUARD.token[:-1], GUARD.pdf_token, "x" * 500, "טוקן"])
def test_without_the_token_there_is_nothing(client, token):
    assert client.get(handin(token=token), **PAGE).status_code == 404
    assert client.get(f"/{token}/", **PAGE).status_code == 404


@pytest.mark.parametrize("host", ["evil.example:5000", "localhost:5000", "127.0.0.1", "127.0.0.1:80"])
def test_under_another_name_there_is_nothing(client, host):
    assert client.get(handin(), base_url=f"http://{host}").status_code == 404


@pytest.mark.parametrize("key", ["nobody", "..", "%2e%2e", "hw1_067890123", "a" * 300])
def test_an_unknown_hand_in_is_not_found(client, key):
    for what in ("handin", "report"):
        assert client.get(f"/{GUARD.token}/{what}/{key}", **PAGE).status_code == 404
    assert client.get(f"/{GUARD.pdf_token}/pdf/{key}", **ELSEWHERE).status_code == 404


def test_a_pdf_comes_from_another_origin_and_as_nothing_else(client):
    path = f"/{GUARD.pdf_token}/pdf/{DANA}"
    answer = client.get(path, **ELSEWHERE)
    assert answer.get_data().startswith(b"%PDF-")
    assert answer.headers["Content-Type"] == "application/pdf"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "frame-ancestors http://127.0.0.1:5000"
    assert client.get(path, **PAGE).status_code == 404
    assert client.get(f"/{GUARD.token}/pdf/{DANA}", **ELSEWHERE).status_code == 404


def test_what_is_no_pdf_is_not_handed_out(store, tmp_path, monkeypatch, client):
    folder = tmp_path / "hw1"
    folder.mkdir()
    (folder / "hw1.pdf").write_bytes(b"<script>alert(1)</script>")
    whole = desk.load_batch(store)
    for one in whole.graded:
        object.__setattr__(one.handin, "path", folder)
    monkeypatch.setattr(desk, "load_batch", lambda _store: whole)
    assert client.get(f"/{GUARD.pdf_token}/pdf/{DANA}", **ELSEWHERE).status_code == 404


def test_every_answer_is_protected(client):
    for path, where in ((handin(), PAGE), ("/wrong/", PAGE), (f"/{GUARD.pdf_token}/pdf/{DANA}", ELSEWHERE)):
        headers = client.get(path, **where).headers
        assert headers["Cache-Control"] == "no-store"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors" in headers["Content-Security-Policy"]


def test_the_policy_of_the_page_allows_its_own_form_and_the_frame_and_no_more(client):
    text = client.get(handin(), **PAGE).get_data(as_text=True)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1].replace("&#39;", "'")
    assert "form-action 'self'; script-src 'sha256-" in policy
    assert policy.endswith("frame-src http://localhost:5000")
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_hostile_names_stay_texts(client):
    text = client.get(handin("hw1_034567890"), **PAGE).get_data(as_text=True)
    assert "=HYPERLINK(&#34;http://evil&#34;)" in text


def test_without_flask_one_sentence_says_what_to_install(store, monkeypatch):
    monkeypatch.setitem(sys.modules, "werkzeug.serving", None)
    with pytest.raises(UsageError, match=r"needs flask: pip install"):
        serve(store, 0, "")


def test_it_listens_on_this_machine_only(store):
    server, guard = serve(store, 0, "")
    try:
        assert server.socket.getsockname() == ("127.0.0.1", guard.port)
        with pytest.raises(UsageError, match="leave out --port"):
            serve(store, guard.port, "")
    finally:
        server.server_close()
