"""Tables of people: CSV, ODS and XLSX in, CSV out. Cells are data: none becomes a formula, none is executed."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from grader.errors import UsageError

MAX_BYTES = 20 << 20
MAX_ROWS = 50_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - full-width twins work too
_HARMLESS = re.compile(r"-|[+-]?[0-9]{1,15}(\.[0-9]{1,15})?")
_SEPARATORS = ",;\t"
BOM = "\ufeff"

Cells = list[list[str]]


def defused(text: str) -> str:
    """Return `text` so that a spreadsheet shows it and computes nothing; numbers and a lone dash are no formulas."""
    is_formula = text.lstrip(" ").startswith(_FORMULA) and not _HARMLESS.fullmatch(text)
    return f"'{text}" if is_formula else text


def csv_bytes(rows: Iterable[Sequence[str]], *, bom: bool, separator: str = ",") -> bytes:
    """Return `rows` as UTF-8 CSV. Excel needs the mark at the beginning to read anything but English."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    return ((BOM if bom else "") + text.getvalue()).encode("utf-8", "replace")


def read_cells(path: Path) -> Cells:
    """Return all rows of the first sheet as texts, without empty rows.

    Raises:
        UsageError: the file cannot be read, is too large, or is no table.
    """
    raw = read_bounded(path)
    readers = {".ods": _ods, ".xlsx": _xlsx}
    try:
        rows = readers.get(path.suffix.lower(), _csv)(raw, path)
    except (csv.Error, zipfile.BadZipFile, KeyError, ValueError, OSError) as error:
        message = f"{path} is no table that can be read ({error}): save it as CSV (UTF-8), ODS or XLSX."
        raise UsageError(message) from error
    return [row for row in rows if any(cell.strip() for cell in row)]


def read_records(
    path: Path, columns: Mapping[str, Sequence[str]], optional: Sequence[str] = ()
) -> list[dict[str, str]]:
    """Return one dict per row of the table at `path`, with the keys of `columns`.

    Args:
        path: The table; its first row names the columns.
        columns: Names of ours, each with other words that people write for it. Case, spaces and _ do not matter.
        optional: Names of ours that may be missing.

    Raises:
        UsageError: as `read_cells`, or a column is missing.
    """
    cells = read_cells(path)
    if not cells:
        message = f"{path} is empty: its first row has to name the columns {', '.join(columns)}."
        raise UsageError(message)
    found = _places(cells[0], columns)
    if lacking := [name for name in columns if name not in found and name not in optional]:
        has = ", ".join(filter(None, cells[0])) or "nothing"
        message = f"{path} has no column {lacking[0]!r}, only {has[:300]}: name the columns {', '.join(columns)}."
        raise UsageError(message)
    return [{name: _cell(row, found.get(name)) for name in columns} for row in cells[1:]]


def number(text: str, where: str, what: str) -> float:
    """Return `text` as a finite number, with a point or a comma; `UsageError` names `where` it is and of `what`."""
    try:
        value = float(text.strip().replace(",", ".").removesuffix("%"))
        if abs(value) < 1e6:  # noqa: PLR2004 - no homework has a million points; excludes NaN and infinity
            return value
    except ValueError:
        pass
    message = f"{where}: {text[:60]!r} is no number of {what}: correct it and try again."
    raise UsageError(message)


def read_bounded(path: Path) -> bytes:
    """Return the bytes of `path`; `UsageError` if it cannot be read or is larger than any list of a course."""
    try:
        if path.stat().st_size > MAX_BYTES:
            message = f"{path} is larger than {MAX_BYTES >> 20} MiB, so it is no list of a course: name another file."
            raise UsageError(message)
        return path.read_bytes()
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror}): check its name."
        raise UsageError(message) from error


def decode_csv(raw: bytes, path: Path) -> tuple[Cells, str]:
    """Return the rows of a CSV and its separator.

    Raises:
        UsageError: it is not UTF-8 (nor UTF-16 with its mark), or broken.
    """
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
        separator = max(_SEPARATORS, key=text.partition("\n")[0].count)
        rows = _bounded(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True), path)
    except UnicodeDecodeError as error:
        message = f"{path} is not UTF-8 (byte {error.start}): save it as `CSV UTF-8`."
        raise UsageError(message) from error
    except csv.Error as error:
        message = f"{path} is a broken CSV ({error}): open it in a spreadsheet and save it again."
        raise UsageError(message) from error
    return rows, separator


def _bounded(rows: Iterator[list[str]], path: Path) -> Cells:
    found: Cells = []
    for row in rows:
        if len(found) >= MAX_ROWS:
            message = f"{path} has more than {MAX_ROWS} rows, so it is no list of a course: name another file."
            raise UsageError(message)
        found.append(row)
    return found


def _csv(raw: bytes, path: Path) -> Cells:
    return decode_csv(raw, path)[0]


def _xlsx(raw: bytes, path: Path) -> Cells:
    book = _staff_module("openpyxl", path).load_workbook(io.BytesIO(raw), read_only=True, data_only=True)
    return _bounded(([_text(value) for value in row] for row in book.worksheets[0].iter_rows(values_only=True)), path)


def _ods(raw: bytes, path: Path) -> Cells:
    """Return the rows of the first sheet. Repeated cells stand once in the file, with a number."""
    load = _staff_module("odf.opendocument", path).load
    table = _staff_module("odf.table", path)
    teletype = _staff_module("odf.teletype", path)
    sheet = load(io.BytesIO(raw)).spreadsheet.getElementsByType(table.Table)[0]
    return _bounded((_ods_row(row, table, teletype) for row in sheet.getElementsByType(table.TableRow)), path)


def _ods_row(row: Any, table: Any, teletype: Any) -> list[str]:
    cells: list[str] = []
    for cell in row.getElementsByType(table.TableCell):
        value = cell.getAttribute("value")
        text = str(value) if value is not None else "\n".join(teletype.extractText(line) for line in cell.childNodes)
        cells += [text] * min(int(cell.getAttribute("numbercolumnsrepeated") or 1), 100)
    return cells


def _staff_module(name: str, path: Path) -> Any:
    try:
        return import_module(name)
    except ImportError as error:
        message = (
            f"{path} needs the package {name.partition('.')[0]}: pip install 'gpu-grader[staff]', or save it as CSV."
        )
        raise UsageError(message) from error


def _text(value: Any) -> str:
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def _places(header: Sequence[str], columns: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return the index of each column that the header names, in the order of preference of its words."""
    words = [_plain(cell) for cell in header]
    found = {}
    for name, others in columns.items():
        index = next((words.index(_plain(word)) for word in (name, *others) if _plain(word) in words), None)
        if index is not None:
            found[name] = index
    return found


def _plain(text: str) -> str:
    return "".join(text.casefold().replace("_", "").replace(".", "").split())


def _cell(row: Sequence[str], index: int | None) -> str:
    return row[index].strip() if index is not None and index < len(row) else ""
