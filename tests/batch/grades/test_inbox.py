"""Mails as students' programs write them: each is read, and none keeps another from being heard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.batch.grades.inbox import read_inbox

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
