"""Markup, formulas and escape sequences go through the whole way, from a zip to every report, and stay texts."""

import io
import json
import xml.etree.ElementTree as ET
import zipfile

import handins
import pytest
from fpdf import FPDF
from parsed_pages import Page
from rows import some

from grader.__main__ import run

MARK = "<script>alert(1)</script><img src=x onerror=alert(2)>]]>&quot;'\"{{7*7}}"
ESCAPES = "\x1b[31mred\x1b]0;title\x07\u202egnp\x00\x9b1m"
UTILS = f'''"""{MARK}"""
import numpy as np
from reference_parts import *

MARK, ESCAPES = {MARK!r}, {ESCAPES!r}

class Marked(Exception):
    """{MARK}"""

NAME = (MARK + ESCAPES).replace(chr(0), "")
Marked.__name__ = Marked.__qualname__ = NAME

def sigmoid(x):
    print(MARK, ESCAPES, "=HYPERLINK(1)")
    raise Marked(MARK + ESCAPES)  # {MARK}

def sigmoid_prime(x):
    return {{MARK + ESCAPES: [MARK, Marked]}}

def random_weights(sizes):
    return Marked

def zeros_weights(sizes):
    return [MARK + ESCAPES] * 3

def zeros_biases(sizes):
    exec(compile("raise ValueError(MARK)", MARK + ".py", "exec"))

def create_batches(data, labels, batch_size):
    return type(NAME, (), {{"__str__": lambda self: MARK + ESCAPES}})()
'''.replace("from reference_parts import *\n", "")


def marked_pdf() -> bytes:
    pdf = FPDF()
    pdf.set_title(MARK)
    pdf.set_author(MARK)
    pdf.add_page()
    pdf.set_font("Helvetica", size=12)
    pdf.multi_cell(0, 8, f"{MARK} max_kernel =HYPERLINK(1) " * 10)
    return bytes(pdf.output())


def grade(files, folder, code):
    """Grade `files` as a zip with a hostile name; return what was printed, and the reports by name."""
    path = folder / "<b onmouseover=alert(4)>&amp;.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    arguments = ["grade", str(path), "--out", str(folder / "out"), "--device", "cpu", "--seed", "3"]
    stdout, stderr = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdout", stdout)
        patch.setattr("sys.stderr", stderr)
        assert run([*arguments, "--only", "utils", "--only", "submission", "--only", "report.pdf"]) == code
    (made,) = (folder / "out").iterdir()
    return stdout.getvalue() + stderr.getvalue(), {file.name: file.read_text("utf-8") for file in made.iterdir()}


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade a hand-in that is hostile wherever a text can stand."""
    files = handins.reference_files() | {"utils.py": UTILS.encode(), "hw1.pdf": marked_pdf()}
    files |= {"<img src=x onerror=alert(3)>.py": b"", "=cmd|' calc'!A0.txt": b""}
    return grade(files, tmp_path_factory.mktemp("hostile"), 0)


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """Grade a zip that is refused because of a file's name, which the report quotes."""
    files = handins.reference_files() | {f"../{MARK}{ESCAPES}".replace("\0", ""): b""}
    return grade(files, tmp_path_factory.mktemp("refused"), 2)


def expect_harmless(text):
    page = Page(text)
    assert not {"script", "img", "b"} & set(page.tags)
    assert not {name for name, _ in page.attributes if name.startswith("on") or name == "src"}


@pytest.mark.parametrize("name", ["report.html", "staff.html"])
def test_the_page_has_no_tag_and_no_attribute_of_a_student(graded, name):
    _, reports = graded
    expect_harmless(reports[name])
    page = Page(reports[name])
    assert any("alert(1)" in text for text in page.texts), "the text itself is shown"
    assert "49" not in "".join(text for text in page.texts if "7*7" in text)


def test_a_refusal_quotes_a_name_as_a_text_and_the_reports_are_whole(refused, graded):
    expect_harmless(refused[1]["report.html"])
    ET.fromstring(refused[1]["junit.xml"])
    json.loads(refused[1]["results.json"])
    _, reports = graded
    ET.fromstring(reports["junit.xml"])
    outcomes = json.loads(reports["results.json"])["extra_data"]["outcome"]
    assert outcomes["utils.sigmoid"] == "failed"
    assert "error" not in outcomes.values()
    assert json.loads(reports["evidence.json"])


@pytest.mark.parametrize("case", ["graded", "refused"])
def test_no_report_has_a_control_character(case, request):
    printed, reports = request.getfixturevalue(case)
    for name, text in some({"terminal": printed, **reports}.items()):
        wild = {char for char in text if char in "\x00\x07\x1b\x9b\u202e"}
        assert not wild, f"{name}: {wild}"
