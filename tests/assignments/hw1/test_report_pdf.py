"""The report has to show something: pages are drawn in a real worker, and what nobody can see is no report."""

import importlib
import shutil
from pathlib import Path
from types import SimpleNamespace

import handins
import matplotlib as mpl
import pytest
from attack_runs import hostile_pdf, packed_pdf
from fpdf import FPDF
from fpdf.enums import TextMode
from PIL import Image, ImageDraw
from rows import each

from grader.authoring import Note, Sources, StudentFault
from grader.authoring.judges import pdf as judges
from grader.model import Submission
from grader.worker.background import Background
from grader.worker.launcher import PlainLauncher, Settings
from grader.worker.pdf import describe_pdf
from grader.worker.process import WorkerProcess

pytestmark = pytest.mark.wide

STAFF = Path(importlib.import_module("grader.assignments.hw1").__file__).parent / "staff"
WORDS = "max_kernel and matmul_kernel write one element per thread, and the host waits for all of them. " * 3
GREY, WHITE, DARK = (211, 211, 211), (255, 255, 255), (20, 20, 30)
HEBREW_LETTERS = b" ".join(b"/afii%d" % number for number in range(57664, 57691))


def text_page(*, size=11.0, colour=(0, 0, 0), paper=None, mode=TextMode.FILL, at=None, opacity=1.0, owner=""):
    pdf = FPDF()
    if owner:
        pdf.set_encryption(owner_password=owner)
    pdf.add_page()
    if paper:
        pdf.set_fill_color(*paper)
        pdf.rect(0, 0, pdf.w, pdf.h, "F")
    pdf.set_font("Helvetica", size=size)
    pdf.set_text_color(*colour)
    with pdf.local_context(text_mode=mode, fill_opacity=opacity):
        if at:
            pdf.text(*at, WORDS)
        else:
            pdf.multi_cell(0, None, WORDS)
    return bytes(pdf.output())


def picture_page(picture, *, words=False, side=None):
    """Return a PDF of `picture`, which fills the page or has a side in mm, and perhaps of `WORDS` that nobody sees."""
    pdf = FPDF()
    pdf.add_page()
    pdf.image(picture, 0, 0, side or pdf.w, side or pdf.h)
    if words:
        pdf.set_font("Helvetica", size=11)
        with pdf.local_context(text_mode=TextMode.INVISIBLE):
            pdf.multi_cell(0, None, WORDS)
    return bytes(pdf.output())


def scan():
    """Return a page of text as a scanner sees it: grey on a paper that is not quite white."""
    image = Image.new("L", (1240, 1754), 235)
    for line in range(20):
        ImageDraw.Draw(image).text((100, 100 + 40 * line), WORDS[:90], fill=90)
    return image


def page_in(font, shown, kids=b"3 0 R"):
    """Return a PDF whose page 3 shows the string `shown` in `font`, which is not in the file; page 7 is empty."""
    content = b"BT /F1 12 Tf 50 700 Td %s Tj ET" % shown
    return packed_pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, kids.count(b"R")),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R"
        b" /Resources << /Font << /F1 5 0 R >> >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font %s /BaseFont /David /FontDescriptor 6 0 R >>" % font,
        b"<< /Type /FontDescriptor /FontName /David /Flags 4 /FontBBox [0 -200 1000 800] /ItalicAngle 0"
        b" /Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] >>",
    )


def embedded_hebrew():
    pdf = FPDF()
    pdf.add_page()
    pdf.add_font("DejaVu", fname=next(Path("/usr/share/fonts").rglob("DejaVuSans.ttf")))
    pdf.set_font("DejaVu", size=11)
    pdf.multi_cell(0, None, "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd " * 30)
    return bytes(pdf.output())


def text_pages(*texts):
    pdf = FPDF()
    for words in texts:
        pdf.add_page()
        pdf.set_font("Helvetica", size=11)
        pdf.multi_cell(0, None, words)
    return bytes(pdf.output())


def outlines():
    """Return a PDF without text or pictures: what some printers make of letters."""
    pdf = FPDF()
    pdf.add_page()
    for x in range(20, 180, 4):
        pdf.line(x, 30, x + 2, 36)
    return bytes(pdf.output())


SEEN = {
    "the reference": lambda: handins.reference_files()["hw1.pdf"],
    "text": text_page,
    "light-grey text": lambda: text_page(colour=GREY),
    "light text on dark paper": lambda: text_page(colour=GREY, paper=DARK),
    "yellow text": lambda: text_page(colour=(255, 255, 0)),
    "small text": lambda: text_page(size=6),
    "text that only its owner may change": lambda: text_page(owner="a password"),
    "a scan": lambda: picture_page(scan()),
    "a scan with a hidden layer of words": lambda: picture_page(scan(), words=True),
    "a screenshot of a dark window": lambda: picture_page(scan().point(lambda value: 255 - value)),
    "text in an unknown font": lambda: page_in(
        b"/Subtype /TrueType /Encoding /WinAnsiEncoding", b"(%s)" % (b"word " * 30)
    ),
    "text after two blank pages": lambda: text_pages("", "", WORDS),
    "outlines": outlines,
}
UNSEEN = {
    "neither filled nor stroked": lambda: text_page(mode=TextMode.INVISIBLE),
    "white on white": lambda: text_page(colour=WHITE),
    "dark on dark": lambda: text_page(colour=DARK, paper=DARK),
    "of 0.1 points": lambda: text_page(size=0.1),
    "beyond the edge": lambda: text_page(at=(-3000, 50)),
    "transparent": lambda: text_page(opacity=0),
    "beside a white dot that fills the page": lambda: picture_page(Image.new("L", (1, 1), 255), words=True),
    "beside a white dot of 0.1 mm": lambda: picture_page(Image.new("L", (1, 1), 255), words=True, side=0.1),
    "as the insider's": lambda: hostile_pdf("unseen"),
}


@pytest.fixture
def judge(tmp_path):
    """Return a function that runs the check on a PDF, with the modules `instead` in place of installed ones."""
    check = importlib.import_module("grader.assignments.hw1.checks.test_handin")
    started = []

    def run(content, **instead):
        submission, staff, note = tmp_path / "submission", tmp_path / "staff", Note()
        submission.mkdir()
        (submission / "hw1.pdf").write_bytes(content)
        shutil.copytree(STAFF, staff)
        for module, source in instead.items():
            (staff / f"{module}.py").write_text(source)
        settings = Settings(submission, staff)
        reader = SimpleNamespace(start_whole=lambda **_how: WorkerProcess(settings, PlainLauncher()), spare=())

        def background(*call, reads):
            assert reads, "no file of the submission is imported"
            worker = Background(reader, (*call[:2], call[2:]), reads=reads)
            started.append(worker)
            return worker

        fault = None
        try:
            check.test_report(background, Sources(submission, Submission("", "")), note)
        except StudentFault as failed:
            fault = failed.finding
        return SimpleNamespace(fault=fault, flags=note.flags, facts=note.facts)

    yield run
    for worker in started:
        worker.close()


@pytest.mark.parametrize("make", SEEN.values(), ids=SEEN)
def test_what_can_be_seen_is_a_report(judge, make):
    judged = judge(make())
    assert judged.fault is None
    assert judged.facts["visible_pixels"] >= 200
    assert not any("blank" in flag or "not drawn" in flag for flag in judged.flags)


@pytest.mark.skipif(not any(Path("/usr/share/fonts").rglob("DejaVuSans.ttf")), reason="no font with Hebrew letters")
def test_hebrew_is_a_report(judge):
    assert judge(embedded_hebrew()).fault is None


@pytest.mark.parametrize("make", UNSEEN.values(), ids=UNSEEN)
def test_text_that_nobody_can_see_is_none(judge, make):
    judged = judge(make())
    assert judged.facts["words"] > 20
    assert judged.fault.message == "The pages of hw1.pdf look blank: what the file holds cannot be seen."
    assert "words" in judged.fault.got
    assert "Open it and look" in judged.fault.hint


def test_an_empty_page_is_none(judge):
    assert judge(handins.empty_pdf()).fault.message == "hw1.pdf has no content."


@pytest.mark.parametrize("kids", [b"3 0 R", b"3 0 R 7 0 R"], ids=["alone", "before an empty page"])
def test_hebrew_in_a_font_that_is_not_in_the_file_is_for_a_ta(judge, kids):
    font = b"/Subtype /TrueType /Encoding << /Differences [224 %s] >>" % HEBREW_LETTERS
    judged = judge(page_in(font, b"(%s)" % (b"\xe0\xe1\xe2\xe3 " * 30), kids=kids))
    assert judged.fault is None
    assert any("looks blank here" in flag for flag in judged.flags)


PICTURES = "2 pictures (it has "
SPEED, CORES = "the speed-ups", "the runs with 2, 4 and 8 cores"
LONG = "max_kernel and matmul_kernel write one element per thread, and the host waits until all is done. " * 7
WHOLE = f"{LONG} The speed-up is 80. On 2, 4 and 8 cores it is the same."
HEBREW = (
    "max_kernel \u05d5-matmul_kernel. \u05d4\u05d0\u05e6\u05d4 \u05e9\u05dc 80 \u05e2\u05dc \u05e9\u05ea\u05d9"
    " \u05dc\u05d9\u05d1\u05d5\u05ea. " + "\u05e9\u05dc\u05d5\u05dd \u05e2\u05d5\u05dc\u05dd " * 60
)
"""Hebrew for: a speed-up of 80 on two cores."""
SHORT = ["explanations (it has 28 words)", f"{PICTURES}1)", "max_kernel", "matmul_kernel", SPEED, CORES]
STUFFED = "max_kernel matmul_kernel speed-up cores " * 5
LACKING = {
    "thirty words and one picture": ("Both kernels work, everything is very fast. " * 4, 1, SHORT),
    "no runs on more cores": (f"{LONG} The speed-up is 80.", 2, [CORES]),
    "one kernel": (WHOLE.replace("matmul_kernel", "the other kernel"), 2, ["matmul_kernel"]),
    "no picture": (WHOLE, 0, [f"{PICTURES}0)"]),
    "words about everything, and no explanation": (STUFFED, 2, ["explanations (it has 25 words)"]),
    "nothing": (WHOLE, 2, []),
    "nothing, in Hebrew": (HEBREW, 2, []),
    "nothing, in a long report": ("Some words. " * 3000 + WHOLE, 2, []),
}


def described(_module, _function, *call, reads):
    """Do in this process what a check asks of a worker."""
    assert reads
    return SimpleNamespace(result=lambda _limit_s: describe_pdf(*call))


@each("text, pictures, lacking", LACKING)
def test_what_a_program_does_not_find_is_flagged_by_name(tmp_path, monkeypatch, text, pictures, lacking):
    pdf = FPDF()
    pdf.add_page()
    pdf.add_font("DejaVu", fname=Path(mpl.get_data_path(), "fonts/ttf/DejaVuSans.ttf"))
    pdf.set_font("DejaVu", size=9)
    pdf.multi_cell(0, None, text)
    for number in range(pictures):
        pdf.image(Image.new("RGB", (40, 40), (number, 99, 0)), w=20)
    (tmp_path / "hw1.pdf").write_bytes(bytes(pdf.output()))
    monkeypatch.syspath_prepend(tmp_path)
    note = Note()
    check = importlib.import_module("grader.assignments.hw1.checks.test_handin")
    check.test_report(described, Sources(tmp_path, Submission("", "")), note)
    found = [flag.removeprefix("hw1.pdf seems to lack what the sheet asks for: ") for flag in note.flags]
    assert found == ["; ".join(lacking) + ". Add it if it is not there"] * bool(lacking)


@pytest.fixture
def give_up_soon(monkeypatch):
    limits = importlib.import_module("grader.authoring.judges.pdf")
    return lambda: monkeypatch.setattr(limits, "LIMIT_S", 3.0)


REFUSED = b"\n" * 2000 + handins.reference_files()["hw1.pdf"]
"""PDFium looks for the header in the first 1024 bytes, pypdf anywhere."""
UNDRAWN = [
    pytest.param(REFUSED, "", "Failed to load document", id="PDFium refuses it"),
    pytest.param(b"", "raise ModuleNotFoundError('no pypdfium2')", "pypdfium2", id="PDFium is not installed"),
    pytest.param(b"", "import os\nos.abort()", "died", id="PDFium crashes"),
    pytest.param(b"", "while True:\n    pass", "ran longer than 3 s", id="PDFium never ends", marks=pytest.mark.wide),
]


@pytest.mark.parametrize(("content", "pypdfium2", "why"), UNDRAWN)
def test_a_failure_of_the_drawing_costs_nobody_a_point(judge, give_up_soon, content, pypdfium2, why):
    if "while" in pypdfium2:
        give_up_soon()
    judged = judge(content or text_page(), **({"pypdfium2": pypdfium2} if pypdfium2 else {}))
    assert judged.fault is None
    assert "visible_pixels" not in judged.facts
    (flag,) = [flag for flag in judged.flags if flag.startswith("hw1.pdf was not drawn")]
    assert why in flag


@pytest.mark.parametrize("kind", ["junk", "bomb", "loop"])
def test_a_hostile_report_fails_before_it_is_drawn(judge, give_up_soon, kind):
    if kind == "bomb":
        give_up_soon()
    judged = judge(hostile_pdf(kind))
    assert "cannot be read" in judged.fault.message
    assert "visible_pixels" not in judged.facts


def test_pages_without_end_are_not_all_drawn(judge):
    pdf = FPDF(unit="pt", format=(14000, 14000))
    for _ in range(100):
        pdf.add_page()
        pdf.set_font("Helvetica", size=11)
        with pdf.local_context(text_mode=TextMode.INVISIBLE):
            pdf.text(50, 50, WORDS)
    assert "look blank" in judge(bytes(pdf.output())).fault.message


def test_more_pages_than_the_sheet_asks_for_are_flagged(monkeypatch, tmp_path):
    (tmp_path / "x.pdf").write_bytes(text_pages(*[WORDS] * 5))
    monkeypatch.syspath_prepend(tmp_path)
    for most, flags in ((5, []), (4, ["x.pdf has 5 pages, and the sheet asks for 4 at most"])):
        note = Note()
        wanted = judges.Wanted(most_pages=most)
        judges.expect_readable(described, Sources(tmp_path, Submission("", "")), "x.pdf", wanted, note)
        assert note.flags == flags
