"""The handed-in code with findings beside its lines. The code is data: Pygments colours it, and it is never run."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup, escape
from pygments.lexers.python import PythonLexer
from pygments.lexers.special import TextLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, String, _TokenType

from grader.model import File, Finding, Outcome, Report, printable
from grader.reports import story

MAX_LINES = 2000
MAX_COLUMNS = 400
_COLOURED = 60_000  # characters; a longer file is shown in one colour, because a lexer has no time limit of its own
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Comment, "c"),
    (String, "s"),
    (Number, "n"),
    (Operator.Word, "k"),
    (Keyword, "k"),
    (Name.Decorator, "d"),
    (Name.Function, "f"),
    (Name.Class, "f"),
    (Name.Builtin, "b"),
)
_SAYS_NOTHING = {Outcome.PASSED, Outcome.SKIPPED, Outcome.NOT_MEASURED}  # their finding is about no line of the code
_SAID = story.OutcomeStyle("said", "comment", "✎")
_PLACE = re.compile(r"(?P<file>[^:\n]+):(?P<line>[0-9]{1,6})")
_NAMED = re.compile(r"`([A-Za-z_]\w{0,80})")
_DEFINED = re.compile(r"^[ \t]*def[ \t]+(\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Remark:
    """A finding of a check at a line, or a person's comment."""

    check: str  # empty for a person's comment
    style: story.OutcomeStyle
    message: str
    by: str = ""  # who wrote the comment; empty if the reader may not know


@dataclass(frozen=True, slots=True)
class Line:
    """One line of code as markup, with the remarks that belong to it."""

    number: int
    code: Markup
    remarks: tuple[Remark, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """One file; `is_cut` if it has more lines, or longer lines, than are shown."""

    name: str
    anchor: str
    lines: tuple[Line, ...]
    is_cut: bool
    digest: str = ""  # the beginning of the file's SHA-256

    @property
    def remarks(self) -> int:
        """The number of remarks beside its lines."""
        return sum(len(line.remarks) for line in self.lines)


def listings(report: Report) -> tuple[Listing, ...]:
    """Return the files whose text is in the evidence, in their order."""
    remarks, shown = _remarks(report), []
    files = [file for file in report.evidence.submission.files if file.text]
    for number, file in enumerate(files, start=1):
        rows, is_cut = shown_lines(file.text)
        beside = remarks.get(file.name, {})
        lines = tuple(Line(i, code, tuple(beside.get(i, ()))) for i, code in enumerate(rows, start=1))
        shown.append(Listing(file.name, f"source-{number}", lines, is_cut, file.sha256[:12]))
    return tuple(shown)


def places(shown: Iterable[Listing]) -> dict[str, str]:
    """Return `file:line` -> anchor of every line that has a remark."""
    return {
        f"{file.name}:{line.number}": f"{file.anchor}-{line.number}"
        for file in shown
        for line in file.lines
        if line.remarks
    }


def _remarks(report: Report) -> dict[str, dict[int, list[Remark]]]:
    """Return file -> line -> remarks."""
    remarks: dict[str, dict[int, list[Remark]]] = {}
    defined, same = _definitions(report.evidence.submission.files), story.repeats(report)
    for result in (result for result in report.results if result.criterion.id not in same):
        findings = [(remark, story.OutcomeStyle("warning", "remark", "!")) for remark in result.observation.remarks]
        if result.finding and result.outcome not in _SAYS_NOTHING:
            findings.insert(0, (result.finding, story.style_of(result)))
        for finding, style in findings:
            if place := _place(finding, result.observation.sentence, defined):
                lines = remarks.setdefault(place[0], {}).setdefault(place[1], [])
                remark = Remark(result.criterion.id, style, finding.message.partition("\n")[0])
                lines += [remark] if remark not in lines else []
    for comment in report.comments:
        remark = Remark("", _SAID, comment.text, comment.by)
        remarks.setdefault(comment.file, {}).setdefault(comment.line, []).append(remark)
    return remarks


def _place(finding: Finding, sentence: str, defined: Mapping[str, tuple[str, int]]) -> tuple[str, int] | None:
    """Return file and line of a finding: its own place, or the definition of the first function that it names."""
    if match := _PLACE.fullmatch(finding.location):
        return match["file"], int(match["line"])
    names = (name for text in (finding.message, sentence) for name in _NAMED.findall(text))
    return next((defined[name] for name in names if name in defined), None)


def _definitions(files: Iterable[File]) -> dict[str, tuple[str, int]]:
    """Return function -> file and line of its first definition."""
    places: dict[str, tuple[str, int]] = {}
    for file in files:
        for match in _DEFINED.finditer(file.text):
            places.setdefault(match[1], (file.name, file.text.count("\n", 0, match.start(1)) + 1))
    return places


@lru_cache(maxsize=32)
def shown_lines(text: str) -> tuple[tuple[Markup, ...], bool]:
    """Return the shown lines as markup, each cut to the shown length, and whether anything is left out.

    All text is escaped, and Python's tokens have classes for colours. Results are cached, because each page of a report
    shows the same files.
    """
    rows = printable(text, len(text) + 1).split("\n")
    if not rows[-1]:
        rows.pop()
    is_cut = len(rows) > MAX_LINES or any(len(row) > MAX_COLUMNS for row in rows) or text.endswith("…")
    shown = "\n".join(row[:MAX_COLUMNS] for row in rows[:MAX_LINES])
    lexer = PythonLexer if len(shown) <= _COLOURED else TextLexer
    lines: list[list[Markup]] = [[]]
    for kind, value in lexer(stripnl=False, ensurenl=False).get_tokens(shown):
        style = next((name for parent, name in _CLASSES if kind in parent), "")
        for place, piece in enumerate(value.split("\n")):
            if place:
                lines.append([])
            if piece:
                lines[-1].append(Markup('<span class="{}">{}</span>').format(style, piece) if style else escape(piece))
    return tuple(Markup().join(line) for line in lines), is_cut
