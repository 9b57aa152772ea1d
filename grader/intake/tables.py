"""Tables of people: reads CSV, ODS and XLSX, writes CSV. Cells are data: none becomes a formula or is executed."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from grader.errors import UsageError, install_command

MAX_BYTES = 20 << 20
MAX_ROWS = 50_000
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - full-width twins work too
_HARMLESS = re.compile(r"-|[+-]?[0-9]{1,15}(\.[0-9]{1,15})?")
_UNUSUAL = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}(?!\d)|.*_")
_SEPARATORS = ",;\t"
BOM = "\ufeff"

Cells = list[list[str]]


def defused(text: str) -> str:
    """Return `text` in a form that a spreadsheet does not compute; numbers and a single dash stay unchanged."""
    is_formula = text.lstrip(" ").startswith(_FORMULA) and not _HARMLESS.fullmatch(text)
    return f"'{text}" if is_formula else text


def csv_bytes(rows: Iterable[Sequence[str]], *, bom: bool, separator: str = ",") -> bytes:
    """Return `rows` as UTF-8 CSV. Excel needs the byte order mark (`bom`) to read letters outside ASCII."""
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=separator).writerows(rows)
    return ((BOM if bom else "") + text.getvalue()).encode("utf-8", "replace")


def read_records(
    path: Path, columns: Mapping[str, Sequence[str]], optional: Sequence[str] = ()
) -> list[tuple[int, dict[str, str]]]:
    """Return the number of each row that is not empty, and its texts by our names of columns; of the first sheet only.

    Args:
        path: The table; its first row, with number 1, has the headings.
        columns: Our name of a column -> other headings that people use, the most reliable first. Case, spaces, dots
            and _ do not matter.
        optional: Our names of columns that may be missing.

    Raises:
        UsageError: the file cannot be read, is too large, is no table, or lacks a column.
    """
    raw = read_bounded(path)
    rows = _read_sheet(raw, path) if path.suffix.lower() in {".ods", ".xlsx"} else decode_csv(raw, path)[0]
    header, *lines = rows or [[]]
    places = find_columns(header, columns)
    if lacking := [name for name in columns if name not in places and name not in optional]:
        has = ", ".join(filter(None, header)) or "nothing"
        raise UsageError(
            f"{path} has no column {lacking[0]!r}, only {has[:300]}: name the columns {', '.join(columns)}."
        )
    for at, line in enumerate(lines, start=2):
        if "".join(line[len(header) :]).strip():
            raise UsageError(f"{path}, row {at}: more cells than in the first row: put texts with commas in quotes.")
    records = ({name: cell(line, places.get(name)) for name in columns} for line in lines)
    return [(number, record) for number, record in enumerate(records, start=2) if any(record.values())]


def number(text: str, where: str, what: str) -> float:
    """Return `text`, with point or comma, as a number below a million; else `UsageError` with `where` and `what`.

    `1,000` is none: it is one in some countries, and a thousand in others. Nor are `8%`, of what?, and `1_0`.
    """
    try:
        value = float(text.strip().replace(",", "."))
        if abs(value) < 1e6 and not _UNUSUAL.match(text.strip()):  # noqa: PLR2004 - no homework has a million points
            return value
    except ValueError:
        pass
    raise UsageError(f"{where}: {text[:60]!r} is no number of {what}: write it like 7.5 and try again.")


def read_bounded(path: Path) -> bytes:
    """Return the bytes of `path`; `UsageError` if it cannot be read or is too large for a list of a course."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise UsageError(
                f"{path} is larger than {MAX_BYTES >> 20} MiB, so it is no list of a course: name another file."
            )
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): check its name.") from error


def decode_csv(raw: bytes, path: Path) -> tuple[Cells, str]:
    """Return the rows of a CSV and its separator; `UsageError` if it is not UTF-8 or UTF-16, broken, or too large."""
    encoding = "utf-16" if raw.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        text = raw.decode(encoding)
        separator = max(_SEPARATORS, key=text.partition("\n")[0].count)
        rows = _bounded(csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True), path)
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not UTF-8 (byte {error.start}): save it as `CSV UTF-8`.") from error
    except csv.Error as error:
        raise UsageError(f"{path} is a broken CSV ({error}): open it in a spreadsheet and save it again.") from error
    return rows, separator


def _bounded(rows: Iterator[list[str]], path: Path) -> Cells:
    cells: Cells = []
    for row in rows:
        if len(cells) >= MAX_ROWS:
            raise UsageError(f"{path} has more than {MAX_ROWS} rows, so it is no list of a course: name another file.")
        cells.append(row)
    return cells


def _read_sheet(raw: bytes, path: Path) -> Cells:
    """Return the rows of the first sheet of a spreadsheet."""
    try:
        import python_calamine as calamine  # noqa: PLC0415 - belongs to the `staff` extra
    except ImportError as error:
        raise UsageError(f"{path} needs python-calamine: {install_command('staff')}, or save it as CSV.") from error
    try:
        rows = calamine.CalamineWorkbook.from_filelike(io.BytesIO(raw)).get_sheet_by_index(0).iter_rows()
        texts = ([f"{value:.15g}" if isinstance(value, float) else str(value) for value in row] for row in rows)
        return _bounded(texts, path)
    except calamine.CalamineError as error:
        raise UsageError(
            f"{path} is no table that can be read ({error}): save it as CSV (UTF-8), ODS or XLSX."
        ) from error


def find_columns(header: Sequence[str], columns: Mapping[str, Sequence[str]]) -> dict[str, int]:
    """Return our name -> index of each column in the header, by its most reliable heading; see `read_records`."""
    words = [_plain(cell) for cell in header]
    places_of = {
        name: [words.index(word) for word in map(_plain, (name, *others)) if word in words]
        for name, others in columns.items()
    }
    return {name: places[0] for name, places in places_of.items() if places}


def _plain(text: str) -> str:
    return "".join(re.sub("[_.]", "", text.casefold().replace("״", '"')).split())


def points_cell(value: float) -> str:
    """Return points as a cell: at most two decimals, without zeros at the end."""
    return f"{round(value, 2) or 0.0:.10g}"


def cell(line: Sequence[str], place: int | None) -> str:
    """Return the stripped text at index `place` of a row; empty if the row is shorter or `place` is None."""
    return line[place].strip() if place is not None and place < len(line) else ""
