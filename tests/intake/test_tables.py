"""Tables of people come from spreadsheets: every format reads the same, and no cell computes anything."""

import csv
import io

import odf.opendocument
import odf.table
import odf.text
import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.errors import UsageError
from grader.intake.tables import csv_bytes, decode_csv, defused, number, read_records

ROWS = [["Student ID", "Check", "Points", "Comment"], ["012345678", "report.explanation", "8", "ברור, but short"]]
COLUMNS = {"student": ("student id",), "check": (), "points": ("score",), "comment": ()}


def as_csv(path, encoding="utf-8", separator=","):
    with path.open("w", encoding=encoding, newline="") as file:
        csv.writer(file, delimiter=separator).writerows(ROWS)


def as_xlsx(path):
    book = openpyxl.Workbook()
    for row in [ROWS[0], [*ROWS[1][:2], 8, ROWS[1][3]]]:
        book.active.append(row)
    book.save(path)


def as_ods(path):
    book = odf.opendocument.OpenDocumentSpreadsheet()
    table = odf.table.Table(name="marks")
    for cells in ROWS:
        row = odf.table.TableRow()
        for text in cells:
            kind = {"valuetype": "float", "value": text} if text == "8" else {"valuetype": "string"}
            cell = odf.table.TableCell(**kind)
            cell.addElement(odf.text.P(text=text))
            row.addElement(cell)
        table.addElement(row)
    book.spreadsheet.addElement(table)
    book.save(path)


WRITERS = {
    "marks.csv": as_csv,
    "excel.csv": lambda path: as_csv(path, "utf-8-sig"),
    "utf16.csv": lambda path: as_csv(path, "utf-16", "\t"),
    "german.csv": lambda path: as_csv(path, separator=";"),
    "marks.xlsx": as_xlsx,
    "marks.ods": as_ods,
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_reads_the_same(tmp_path, name):
    WRITERS[name](tmp_path / name)
    ((place, row),) = read_records(tmp_path / name, COLUMNS)
    assert place == 2
    assert row == {"student": "012345678", "check": "report.explanation", "points": "8", "comment": "ברור, but short"}


def test_columns_stand_in_any_order_a_missing_one_is_named_and_a_list_that_is_too_long_refused(tmp_path):
    (tmp_path / "t.csv").write_text("SCORE;other;student_id;check\n7;of a, b, c, d, e, f, g and h;1;a.b\n")
    ((_place, row),) = read_records(tmp_path / "t.csv", COLUMNS, optional=("comment",))
    assert row == {"student": "1", "check": "a.b", "points": "7", "comment": ""}
    (tmp_path / "t.csv").write_text("student,check,points,comment\n,,,\n1,a.b,2,\n\n")
    assert [place for place, _row in read_records(tmp_path / "t.csv", COLUMNS)] == [3]
    (tmp_path / "t.csv").write_text("name,points\nx,1\n")
    with pytest.raises(UsageError, match="no column 'student', only name, points"):
        read_records(tmp_path / "t.csv", COLUMNS)
    (tmp_path / "t.csv").write_text("student,points\n1,7,\n2,7,5\n")
    with pytest.raises(UsageError, match="row 3: more cells than in the first row"):  # 7.5, of a comma's half
        read_records(tmp_path / "t.csv", COLUMNS, optional=("check", "comment"))
    (tmp_path / "t.csv").write_text("a\n" * 50_001)
    with pytest.raises(UsageError, match="50000 rows"):
        read_records(tmp_path / "t.csv", COLUMNS)


BROKEN = (
    *(("empty.csv", b""), ("broken.csv", b'student,check\n"open,1\n'), ("nul.csv", b"student\0,check\n")),
    *(("latin.csv", "student,naïve".encode("latin-1")), ("cut.xlsx", b"PK\x03\x04 cut off")),
    *(("no.xlsx", b"not a workbook"), ("no.ods", b"not a spreadsheet")),
)


@each("name, content", BROKEN)
def test_what_is_no_table_is_one_sentence_that_names_it(tmp_path, name, content):
    with pytest.raises(UsageError, match=rf"{name} cannot be read \(No such file"):
        read_records(tmp_path / name, COLUMNS)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UsageError, match=name):
        read_records(tmp_path / name, COLUMNS)


FORMULAS = (
    *("=1+1", "+1+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "  =1+1", '=HYPERLINK("http://evil")'),
    *("\N{FULLWIDTH EQUALS SIGN}1+1", "-cmd|' /C calc'!A0"),
)


PLAIN = ("", "-", "-5", "+3.25", "012345678", "דנה כהן", "O'Brien", "a=b", "12-13")


@each("text, shown", [*((text, f"'{text}") for text in FORMULAS), *zip(PLAIN, PLAIN, strict=True)])
def test_formulas_are_defused_and_what_is_none_stays(text, shown):
    assert defused(text) == shown


@given(st.lists(st.lists(st.text(st.characters(codec="utf-8")), min_size=1, max_size=4), min_size=1, max_size=4))
def test_what_was_written_is_read_back_cell_by_cell(tmp_path_factory, rows):
    path = tmp_path_factory.getbasetemp() / "any.csv"
    raw = csv_bytes(rows, bom=True)
    assert raw.startswith(b"\xef\xbb\xbf")
    assert list(csv.reader(io.StringIO(raw.decode("utf-8-sig"), newline=""))) == rows
    with_comma = [["a", "b"], *rows]
    assert decode_csv(csv_bytes(with_comma, bom=False), path)[0] == with_comma


@pytest.mark.parametrize(("text", "value"), [("8", 8), (" 7,5 ", 7.5), ("-3", -3), ("0,125", 0.125)])
def test_numbers_are_read_as_people_write_them(text, value):
    assert number(text, "row 2", "points") == value


@each(
    "text", ["", "eight", "nan", "inf", "-inf", "1e400", "0x10", "8 points", "8%", "1,000", "-12,500", "1_0", "9" * 400]
)
def test_what_is_no_number_is_named(text):
    with pytest.raises(UsageError, match="row 2"):
        number(text, "row 2", "points")
