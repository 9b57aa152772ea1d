"""What students ask for: the rows of a table, or the `.txt` and `.eml` files of a folder.

A mail is taken as it is: one with an unknown charset or a broken header keeps no other from being heard. So it is read
by the standard library's older interface, which never fails on what a mail program wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message
from email.utils import parseaddr
from html.parser import HTMLParser
from pathlib import Path

from grader.intake.tables import read_bounded, read_records

_COLUMNS = {
    "student": ("student id", "id", "user", "username", "email", "name", "סטודנט"),
    "check": ("check id", "criterion", "question", "בדיקה"),
    "text": ("request", "reason", "message", "comment", "בקשה", "הערה"),
}
_HEBREW = {"iso-8859-8-i": "iso-8859-8", "iso-8859-8-e": "iso-8859-8"}
"""Charsets of Hebrew mails that Python has under another name: the letters are the same, the suffix is about order."""
_OF_THE_PAGE = frozenset({"script", "style", "title"})
_ON_A_NEW_LINE = frozenset({"blockquote", "br", "div", "h1", "h2", "h3", "li", "ol", "p", "table", "tr", "ul"})


def read_inbox(source: Path) -> Iterator[tuple[str, Mapping[str, str]]]:
    """Yield where each request stands, and its student, check and text.

    Raises:
        UsageError: a file cannot be read, or is no table.
    """
    if source.is_dir():
        for path in sorted(source.iterdir()):
            if path.suffix.lower() in {".txt", ".eml"} and path.is_file():
                yield path.name, _from_mail(path) if path.suffix.lower() == ".eml" else _from_text(path)
    else:
        for place, row in read_records(source, _COLUMNS, optional=("check", "text")):
            yield f"{source.name}, row {place}", row


def _from_text(path: Path) -> Mapping[str, str]:
    """Return the request in a file that is named after its student; a first line that is a check's id says which."""
    text = read_bounded(path).decode("utf-8", "replace")
    first, _newline, rest = text.partition("\n")
    is_check = "." in first.strip() and " " not in first.strip()
    return {"student": path.stem, "check": first.strip() if is_check else "", "text": rest if is_check else text}


def _from_mail(path: Path) -> Mapping[str, str]:
    """Return the request in a mail; who sent it is known by the address."""
    mail = message_from_bytes(read_bounded(path))
    said = (text for text in _texts(mail) if text.strip())
    return {
        "student": parseaddr(str(mail["From"] or ""))[1],
        "check": "",
        "text": next(said, "") or _header_text(str(mail["Subject"] or "")),
    }


def _texts(mail: Message) -> Iterator[str]:
    """Yield the texts of a mail that are no attachments: what is plain comes before what is a page."""
    parts = [part for part in mail.walk() if part.get_content_disposition() != "attachment"]
    yield from (_content(part) for part in parts if part.get_content_type() == "text/plain")
    yield from (_page_text(_content(part)) for part in parts if part.get_content_type() == "text/html")


def _content(part: Message) -> str:
    raw = part.get_payload(decode=True)
    return _decoded(raw, part.get_content_charset()) if isinstance(raw, bytes) else ""


def _header_text(header: str) -> str:
    try:
        words = decode_header(header)
    except HeaderParseError:
        return header
    return "".join(word if isinstance(word, str) else _decoded(word, charset) for word, charset in words)


def _decoded(raw: bytes, charset: str | None) -> str:
    """Return what `raw` says; as UTF-8 where nobody knows its charset."""
    name = (charset or "utf-8").lower()
    try:
        return raw.decode(_HEBREW.get(name, name), "replace")
    except (LookupError, ValueError):
        return raw.decode("utf-8", "replace")


def _page_text(page: str) -> str:
    """Return the words of an HTML page; the page itself where it is broken beyond the parser's patience."""
    words = _Words()
    try:
        words.feed(page)
        words.close()
    except AssertionError:  # how html.parser refuses a declaration that it does not know
        return page
    lines = (line.strip() for line in "".join(words.found).splitlines())
    return "\n".join(filter(None, lines))


class _Words(HTMLParser):
    """Collects what is written between the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self._is_shown = True

    def handle_starttag(self, tag: str, _attrs: object) -> None:
        self._is_shown = tag not in _OF_THE_PAGE
        self._break_line(tag)

    def handle_endtag(self, tag: str) -> None:
        self._is_shown = True
        self._break_line(tag)

    def handle_data(self, data: str) -> None:
        if self._is_shown:
            self.found.append(data)

    def _break_line(self, tag: str) -> None:
        if tag in _ON_A_NEW_LINE:
            self.found.append("\n")
