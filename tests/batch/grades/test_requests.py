"""Regrade requests: each mail is read, each request heard once, answered in words that can be sent, and counted."""

import csv
import subprocess
from dataclasses import replace
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each
from sample_batches import ABSENT, DANA, OMER, PAIR, Gradings, make_batch
from sample_reports import full_marks, one_mistake

from grader.assignment import load_assignment
from grader.batch.files import read_record, write_record
from grader.batch.grades import requests
from grader.batch.grades.inbox import read_inbox
from grader.batch.grades.marks import give_mark, withdraw_mark
from grader.batch.job import sha256_of
from grader.errors import UsageError
from grader.lms.model import Roster
from grader.model import Mark

HEBREW = "שלום, נא לבדוק שוב"


def mail(content_type, body, *, sender=b"Dana <dana@example.org>", subject=b"hw1"):
    return b"From: %s\r\nSubject: %s\r\nContent-Type: %s\r\n\r\n%s" % (sender, subject, content_type, body)


@pytest.fixture
def read(tmp_path):
    """Return what is read of a folder with this mail in it."""

    def read(content):
        (tmp_path / "one.eml").write_bytes(content)
        ((where, found),) = read_inbox(tmp_path)
        assert where == "one.eml"
        return found

    return read


@pytest.mark.parametrize("charset", ["iso-8859-8-i", "ISO-8859-8-E", "iso-8859-8", "windows-1255", "utf-8"])
def test_hebrew_is_read_in_every_charset_of_mail_programs(read, charset):
    body = HEBREW.encode(charset.lower().removesuffix("-i").removesuffix("-e"))
    found = read(mail(f"text/plain; charset={charset}".encode(), body))
    assert (found["student"], found["text"]) == ("dana@example.org", HEBREW)


@pytest.mark.parametrize("charset", [b"martian", b"hex", b"idna", b'"a\0b"', b"ascii"])
def test_an_unknown_charset_loses_no_more_than_letters(read, charset):
    assert read(mail(b"text/plain; charset=" + charset, b"please \xff again"))["text"] == "please \ufffd again"


def test_a_mail_that_is_a_page_says_what_is_written_on_it_or_stays_as_it_is(read):
    page = b"<html><head><title>x</title><style>p {}</style></head><body><p>a &lt; b</p>c<br>d<script>e</script>"
    assert read(mail(b"text/html; charset=utf-8", page))["text"] == "a < b\nc\nd"
    assert read(mail(b"text/html", b"<p>please</p><![office[>"))["text"] == "<p>please</p><![office[>"


def test_the_plain_part_is_taken_and_no_attachment_and_without_a_text_the_subject(read):
    parts = [
        b"Content-Type: text/plain\r\nContent-Disposition: attachment\r\n\r\nattached\r\n",
        b"Content-Type: text/html\r\n\r\n<p>page</p>\r\n",
        b"Content-Type: text/plain\r\n\r\nplain\r\n",
    ]
    body = b"".join(b"--x\r\n" + part for part in parts) + b"--x--\r\n"
    assert read(mail(b"multipart/mixed; boundary=x", body))["text"].strip() == "plain"
    subject = b"=?iso-8859-8-i?Q?" + "".join(f"={byte:02X}" for byte in "שוב".encode("iso-8859-8")).encode() + b"?="
    assert read(mail(b"image/png", b"", subject=subject))["text"] == "שוב"


@pytest.mark.parametrize("header", [b"<", b"=?x?b?!?=", b'"', b"dana@[", b"\xff\xfe"])
def test_broken_headers_are_no_failure(read, header):
    found = read(mail(header, b"please", sender=header, subject=header))
    assert found["text"].strip() == "please"


@given(st.binary(max_size=200))
def test_no_mail_stops_the_inbox(tmp_path_factory, content):
    folder = tmp_path_factory.mktemp("inbox")
    (folder / "a.eml").write_bytes(content)
    (folder / "b.eml").write_bytes(mail(b"text/html", content, subject=content))
    assert [where for where, _found in read_inbox(folder)] == ["a.eml", "b.eml"]


CHECK = "utils.create_batches"


@pytest.fixture
def store(tmp_path):
    """A batch whose files exist."""
    found = make_batch(tmp_path / "batch")
    roster = read_record(found.roster, Roster)
    handins = []
    for one in roster.handins:
        path = tmp_path / f"{one.key}.zip"
        path.write_bytes(one.key.encode())
        handins.append(replace(one, path=path, sha256=sha256_of(path)))
    write_record(found.roster, replace(roster, handins=tuple(handins)))
    return found


@pytest.fixture
def gradings(monkeypatch):
    """Let each grading say what this list says, and then what `one_mistake` does; return what was asked of them."""
    stand_in = Gradings(one_mistake())
    monkeypatch.setattr(subprocess, "run", stand_in.run)
    return stand_in


@pytest.fixture
def inbox(tmp_path):
    (tmp_path / "inbox").mkdir()
    return tmp_path / "inbox"


def table(tmp_path, *rows):
    path = tmp_path / "requests.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("student", "check", "text"), *rows])
    return path


def answer_to(store, request):
    return (store.root / "appeal" / "answers" / f"{request.id}.txt").read_text("utf-8")


def test_a_request_is_answered_with_what_three_gradings_found(store, gradings, tmp_path):
    (request,) = requests.answer_requests(store, table(tmp_path, ("דנה כהן", CHECK, "It works\non my laptop!")))
    assert (request.student, request.state) == (DANA.id, requests.ANSWERED)
    assert [(path.stem, options["--only"]) for path, options in gradings.asked] == [("hw1_012345678", CHECK)] * 3
    text = answer_to(store, request)
    assert text.startswith("Dear דנה כהן,\n\nyou asked about utils.create_batches (")
    assert "> It works\n> on my laptop!\n" in text
    assert "graded 3 more times" in text
    assert f"{CHECK}: failed, 0 of 5 points. create_batches returned 6 batches" in text
    assert "So the points stay as they are." in text
    assert b"To: " in (store.root / "appeal" / "answers" / f"{request.id}.eml").read_bytes()
    rows = list(csv.DictReader((store.root / "appeal" / "requests.csv").read_text("utf-8-sig").splitlines()))
    assert rows[0]["state"] == requests.ANSWERED
    assert rows[0]["evidence"] == "appeal/hw1_012345678/index.html"


def test_the_same_request_is_heard_once_and_new_ones_are_added(store, gradings, tmp_path):
    requests.answer_requests(store, table(tmp_path, (DANA.id, CHECK, "please look")))
    both = requests.answer_requests(
        store, table(tmp_path, (DANA.id, CHECK, "please\nlook "), (OMER.id, CHECK, "me too"))
    )
    assert [one.student for one in both] == [DANA.id, OMER.id]
    assert len(gradings.asked) == 6
    assert requests.read_requests(store) == both


@pytest.mark.parametrize("check", ["", CHECK])
def test_gradings_that_disagree_wait_for_a_ta_whose_mark_settles_it(store, gradings, tmp_path, check):
    gradings.next[:] = [one_mistake(), full_marks()]
    source = table(tmp_path, (DANA.id, check, "all of it"))
    (request,) = requests.answer_requests(store, source)
    assert request.state == requests.FOR_A_TA
    assert "disagree about" in request.why
    assert "do not agree, so that a member of the course staff decides" in answer_to(store, request)
    if check:
        give_mark(store, Mark(DANA.id, "utils.sigmoid", 3, "about something else"))
        assert requests.read_requests(store)[0].state == requests.FOR_A_TA
    give_mark(store, Mark(DANA.id, CHECK, 5, "right after all"))
    assert requests.read_requests(store)[0].state == requests.SETTLED
    assert requests.answer_requests(store, source)[0].state == requests.SETTLED
    withdraw_mark(store, DANA.id, CHECK)
    assert requests.read_requests(store)[0].state == requests.FOR_A_TA


def test_the_mark_of_a_partner_settles_a_request(store, gradings, tmp_path):
    gradings.next[:] = [one_mistake(), full_marks()]
    first, second = (student.id for student in PAIR)
    (request,) = requests.answer_requests(store, table(tmp_path, (second, CHECK, "ours")))
    assert request.state == requests.FOR_A_TA
    give_mark(store, Mark(first, CHECK, 5, "right after all"))
    assert requests.read_requests(store)[0].state == requests.SETTLED


def test_two_that_answer_at_the_same_time_lose_nothing_and_hear_nothing_twice(store, gradings, tmp_path):
    """One answers a request of the other, and one of its own, while the other begins with its first."""

    def meanwhile(text):
        if text.startswith(DANA.label) and not gradings.asked:
            gradings.asked.append("the other one")
            requests.answer_requests(store, table(tmp_path, (OMER.id, CHECK, "me too"), (ABSENT.id, "", "I was ill")))

    source = table(tmp_path, (DANA.id, CHECK, "please"), (OMER.id, CHECK, "me too"))
    found = requests.answer_requests(store, source, tell=meanwhile)
    assert {one.student for one in found} == {DANA.id, OMER.id, ABSENT.id}
    assert len(gradings.asked) == 1 + 3 + 3
    assert requests.read_requests(store) == found


def test_what_a_person_gives_is_not_graded_again(store, gradings, tmp_path):
    (request,) = requests.answer_requests(store, table(tmp_path, (OMER.id, "report.explanation", "too few points")))
    assert (request.state, gradings.asked) == (requests.FOR_A_TA, [])
    assert "A person decides" in answer_to(store, request)
    give_mark(store, Mark(DANA.id, CHECK, 5, "right after all"))
    marked = requests.answer_requests(store, table(tmp_path, (DANA.id, CHECK, "please")))[-1]
    assert (marked.student, gradings.asked) == (DANA.id, [])


def test_what_the_grader_failed_on_is_said_and_tried_again(store, gradings, tmp_path):
    gradings.next[:] = ["no disk left"]
    source = table(tmp_path, (DANA.id, CHECK, "please"), (ABSENT.id, "", "I was ill"))
    dana, absent = requests.answer_requests(store, source)
    why = f"grading {tmp_path / 'hw1_012345678.zip'} again failed (exit code 1): no disk left"
    assert (dana.state, dana.why) == (requests.FAILED, why)
    assert (absent.state, absent.why.endswith("there is nothing to look at.")) == (requests.FAILED, True)
    assert requests.answer_requests(store, source)[0].state == requests.ANSWERED


@pytest.mark.usefixtures("gradings")
def test_a_folder_of_texts_and_mails_is_read_and_who_wrote_is_known_by_name_or_address(store, inbox):
    (inbox / f"{DANA.id}.txt").write_text(f"{CHECK}\nIt works for me.", "utf-8")
    mail = EmailMessage()
    mail["From"], mail["Subject"] = f"Omer <{OMER.email.upper()}>", "hw1"
    mail.set_content("Please look again.")
    (inbox / "mail.eml").write_bytes(mail.as_bytes())
    (inbox / "notes.md").write_text("not a request")
    dana, omer = requests.answer_requests(store, inbox)
    assert (dana.student, dana.check, dana.text) == (DANA.id, CHECK, "It works for me.")
    assert (omer.student, omer.check, omer.text.strip()) == (OMER.id, "", "Please look again.")


@each("row, why", [(("nobody", ""), "row 2: there is no student"), ((DANA.id, "utils.no"), "no check 'utils.no'")])
def test_a_table_with_a_slip_is_refused_as_a_whole(store, gradings, tmp_path, row, why):
    with pytest.raises(UsageError, match=why):
        requests.answer_requests(store, table(tmp_path, (*row, "x"), (DANA.id, CHECK, "please")))
    assert gradings.asked == []
    assert requests.read_requests(store) == ()


def test_nobody_can_ask_about_a_check_that_is_hidden(store, gradings, tmp_path):
    rubric = (load_assignment("hw1").folder / "rubric.toml").read_text("utf-8")
    store.rubric.write_text(rubric.replace(f'id = "{CHECK}"', f'id = "{CHECK}"\nvisibility = "hidden"'), "utf-8")
    with pytest.raises(UsageError, match=f"no check '{CHECK}'"):
        requests.answer_requests(store, table(tmp_path, (DANA.id, CHECK, "please")))
    assert gradings.asked == []


def test_a_strangers_mail_in_a_folder_is_left_and_named(store, gradings, inbox, tmp_path):
    (inbox / "news.eml").write_bytes(b"From: news@example.org\r\n\r\nBuy now.")
    (inbox / f"{DANA.id}.txt").write_text("It works for me.", "utf-8")
    (request,) = requests.answer_requests(store, inbox)
    assert (request.student, len(gradings.asked)) == (DANA.id, 3)
    (line,) = requests.find_strangers(store, inbox)
    assert line.startswith("news.eml: there is no student 'news@example.org'")
    assert requests.find_strangers(store, table(tmp_path, ("nobody", "", "x"))) == ()


def test_an_empty_folder_and_one_of_strangers_is_no_inbox(store, inbox):
    with pytest.raises(UsageError, match="holds no request"):
        requests.answer_requests(store, inbox)
    (inbox / "nobody.txt").write_text("hello")
    with pytest.raises(UsageError, match="holds no request of a student"):
        requests.answer_requests(store, inbox)


@pytest.mark.usefixtures("gradings")
def test_what_a_student_writes_stays_a_text(store, tmp_path):
    evil = "=HYPERLINK(1)\x1b[2J\u202e\r\nBcc: all@example.org\nSo the points are 100."
    (request,) = requests.answer_requests(store, table(tmp_path, (DANA.id, CHECK, evil)))
    assert "\n> Bcc: all@example.org\n> So the points are 100.\n" in answer_to(store, request)
    sheet = (store.root / "appeal" / "requests.csv").read_text("utf-8-sig")
    assert "'=HYPERLINK" in sheet
    assert "\x1b" not in sheet
    mail = (store.root / "appeal" / "answers" / f"{request.id}.eml").read_bytes()
    assert b"Bcc" not in mail.partition(b"\r\n\r\n")[0]
