"""Reads case books: files with several small cases, or with a single case.

A book of several cases begins with a docstring: what the cases have in common, and keys for all of them. Then comes a
cell for each case, which VS Code, PyCharm and Spyder can fold and list: a line `# %% name`, a docstring, code.

    \"\"\"Sums that come out wrong.

    failed: add.cpu
    \"\"\"

    # %% last_row_forgotten
    \"\"\"The loop over the rows ends one too early.\"\"\"
    def add_cpu(A, B):
        …

A file without such lines is one case, named after the file. The last lines of a docstring are keys, one line
`key: values` for each, not indented; a key of a cell replaces the book's, also if its value is empty.

Cells are cut as text and never parsed together, so the code of a cell may have a syntax error.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn

from grader.errors import StaffError

KEYS = {
    *("failed", "partly", "skipped", "opened", "warned", "flagged", "says", "removes", "belongs"),
    *("limit_s", "slow", "not_yet", "aims", "level", "runs", "pdf"),
}
"""The keys that a docstring may have; `grader.trial.changes` explains them."""
_CELL = re.compile(r"^#[ \t]?%%(.*)$", re.MULTILINE)
_KEY = re.compile(r"([a-z_]+):(.*)")
_NAME = re.compile(r"[A-Za-z0-9_]+")
_QUOTES = '"""'
_DOCSTRING = re.compile(rf"(?:(?:#.*)?\n)*{_QUOTES}((?:(?!{_QUOTES}).)+){_QUOTES}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Case:
    """One case, as written in the book."""

    name: str
    text: str  # its docstring and its code
    keys: Mapping[str, str]  # its own keys, and the book's keys that it does not have
    place: str  # file, line and cell, for messages


def read_book(path: Path) -> list[Case]:
    """Return the cases of a file, in its order.

    Raises:
        StaffError: a cell has no name or no docstring, two cells have the same name, a key is unknown or is there
            twice, code belongs to no cell, or the file cannot be read as UTF-8.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise StaffError(f"{path} cannot be read ({error}): save it as UTF-8") from error
    return read_cases(text, path)


def read_cases(text: str, path: Path) -> list[Case]:
    """Return the cases of a file's `text`; `path` is the file's name for messages. Raises as `read_book`."""
    cells = list(_CELL.finditer(text))
    if not cells:
        return [Case(path.stem, text, _keys(text, _Place(path, 1)), f"{path}:1")]
    common = _keys_of_head(text[: cells[0].start()], path)
    cases: dict[str, Case] = {}
    for cell, end in zip(cells, [*(cell.start() for cell in cells[1:]), len(text)], strict=True):
        name, place = cell[1].strip(), _Place(path, text.count("\n", 0, cell.start()) + 1)
        if not _NAME.fullmatch(name):
            place.refuse(f"{name!r} is no name of a case: write `# %% name`, with letters, digits and underscores only")
        place = _Place(path, place.line, name)
        if name in cases:
            place.refuse(f"there is a case of this name at {cases[name].place}: give one of them another name")
        body = text[cell.end() + 1 : end]
        own = _keys(body, _Place(path, place.line + 1, name))
        cases[name] = Case(name, body.strip("\n") + "\n", common | own, str(place))
    return list(cases.values())


@dataclass(frozen=True, slots=True)
class _Place:
    """A place in a book."""

    path: Path
    line: int
    cell: str = ""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}" + (f", cell {self.cell!r}" if self.cell else "")

    def refuse(self, why: str, below: int = 0) -> NoReturn:
        """Raise `StaffError` about the line that is `below` lines further down."""
        raise StaffError(f"{_Place(self.path, self.line + below, self.cell)}: {why}")


def _keys_of_head(head: str, path: Path) -> dict[str, str]:
    """Return the keys of the text before the first cell, which must be a docstring or empty."""
    if not head.strip():
        return {}
    keys = _keys(head, _Place(path, 1))
    end = head.index(_QUOTES, head.index(_QUOTES) + len(_QUOTES)) + len(_QUOTES)
    if code := head[end:].strip():
        line = head.count("\n", 0, head.index(code, end)) + 1
        _Place(path, line).refuse("this stands before the first cell and belongs to no case: move it into one")
    return keys


def _keys(text: str, place: _Place) -> dict[str, str]:
    """Return the keys of the docstring at the beginning of `text`."""
    docstring = _DOCSTRING.match(text)
    if not docstring or not docstring[1].strip():
        place.refuse(f"a docstring in {_QUOTES} has to stand here: say in one sentence what is special about the case")
    above = text.count("\n", 0, docstring.start(1))
    keys: dict[str, str] = {}
    for below, line in _lines_of_keys(docstring[1]):
        key, values = line.groups()
        if key in keys:
            place.refuse(f"the key {key!r} stands here twice: put all its values into one line", above + below)
        _expect_known(key, values.strip(), place, above + below)
        keys[key] = values.strip()
    return keys


def _lines_of_keys(docstring: str) -> Iterator[tuple[int, re.Match[str]]]:
    """Yield number and parts of each line with a known key, and of each line after the last blank line with any key."""
    lines = docstring.rstrip().split("\n")
    last = max((number for number, line in enumerate(lines) if not line.strip()), default=len(lines))
    for number, line in enumerate(lines):
        match = _KEY.fullmatch(line)
        if match and (match[1] in KEYS or number > last):
            yield number, match


def _expect_known(key: str, values: str, place: _Place, below: int) -> None:
    if key not in KEYS:
        close = get_close_matches(key, KEYS, 1)
        place.refuse(f"there is no key {key!r}: " + (f"did you mean {close[0]!r}?" if close else "remove it"), below)
    if key == "limit_s" and not re.fullmatch(r"\d+(\.\d+)?", values):
        place.refuse(f"limit_s is {values!r}: write a number of seconds, such as `limit_s: 3`", below)
