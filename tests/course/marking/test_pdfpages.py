"""A report is opened in the sandbox and comes back as pictures; whatever is wrong with it is a sentence."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from fpdf import FPDF
from PIL import Image
from rows import each
from sample_reviews import REFERENCE

from grader.course.marking import pdfpages
from grader.course.marking.pdfpages import DrawnPdf, Page, PdfCache, draw_pdf, make_cache
from grader.course.people import Handin, Student
from grader.errors import UsageError
from grader.sandbox.levels import LimitsLauncher

HANDIN = Handin("hw1_1", (Student("1"),), REFERENCE, "0" * 64)


def handed_in(folder, content):
    folder.mkdir()
    (folder / "hw1.pdf").write_bytes(content)
    return replace(HANDIN, path=folder)


def draw(handin):
    return draw_pdf(handin, "hw1.pdf", LimitsLauncher())


def test_pages_come_as_pictures_with_their_text(tmp_path):
    made = FPDF()
    for text in ("max_kernel <script>", "matmul_kernel"):
        made.add_page()
        made.set_font("Helvetica", size=30)
        made.cell(text=text)
    drawn = draw(handed_in(tmp_path / "hw1", bytes(made.output())))
    assert (drawn.count, drawn.problem) == (2, "")
    assert [page.text.strip() for page in drawn.pages] == ["max_kernel <script>", "matmul_kernel"]
    with Image.open(io.BytesIO(drawn.pages[0].picture)) as image:
        assert (image.format, image.size) == ("JPEG", (drawn.pages[0].width_px, drawn.pages[0].height_px))
        assert image.size[0] == pytest.approx(pdfpages.WIDTH_PX, abs=2)
        assert np.asarray(image).min() < 80, "something is drawn"
        assert np.asarray(image).mean() > 230, "on white"


def test_what_is_no_pdf_or_lies_behind_a_password_is_a_sentence(tmp_path):
    drawn = draw(handed_in(tmp_path / "hw1", b"<script>alert(1)</script>"))
    assert drawn.pages == ()
    assert drawn.problem.startswith("hw1.pdf cannot be drawn")
    assert "\n" not in drawn.problem
    made = blank(1)
    made.set_encryption(owner_password="owner", user_password="user")
    drawn = draw(handed_in(tmp_path / "hw2", bytes(made.output())))
    assert drawn.pages == ()
    assert "cannot be drawn" in drawn.problem
    assert "password" in drawn.problem.lower()


def blank(pages, **how):
    """Return a PDF of so many empty pages, which can be changed."""
    made = FPDF(**how)
    for _ in range(pages):
        made.add_page()
    return made


@pytest.mark.parametrize("size", [(14400, 14400), (3, 14400), (14400, 3)])
def test_pages_of_any_size_stay_within_bounds(tmp_path, size):
    drawn = draw(handed_in(tmp_path / "hw1", bytes(blank(2, unit="pt", format=size).output())))
    assert drawn.problem == ""
    assert all(max(page.width_px, page.height_px) <= 4100 for page in drawn.pages)


@pytest.mark.parametrize(("pages", "said"), [(30, ""), (31, "The first 30 of 31 pages are shown.")])
def test_of_a_long_report_the_first_pages_are_shown(tmp_path, pages, said):
    drawn = draw(handed_in(tmp_path / "hw1", bytes(blank(pages, unit="pt", format=(400, 4)).output())))
    assert (len(drawn.pages), drawn.count, drawn.problem) == (30, pages, said)


def test_pages_before_a_broken_one_are_shown(monkeypatch, tmp_path):
    whole = pdfpages._draw_one

    def break_second(worker, name, number):
        return whole(worker, name, number + 7 * number)

    monkeypatch.setattr(pdfpages, "_draw_one", break_second)
    drawn = draw(handed_in(tmp_path / "hw1", bytes(blank(3).output())))
    assert (len(drawn.pages), drawn.count) == (1, 3)
    assert drawn.problem.startswith("Page 2 and what follows cannot be drawn")


HERE = Path(__file__)
WITHOUT = {"/nowhere": "not where it was graded from", HERE.parent: "none of hw1.pdf", HERE: "cannot be opened"}


@each("path, said", WITHOUT.items())
def test_a_hand_in_that_is_gone_or_without_a_report_is_a_sentence(path, said):
    drawn = draw(replace(HANDIN, path=Path(path)))
    assert drawn.pages == ()
    assert said in drawn.problem


def test_a_zip_that_was_replaced_since_is_not_shown_as_the_graded_one(tmp_path):
    with zipfile.ZipFile(tmp_path / "hw1.zip", "w") as archive:
        archive.write(REFERENCE / "hw1.pdf", "hw1.pdf")
    drawn = draw(replace(HANDIN, path=tmp_path / "hw1.zip"))
    assert drawn.pages == ()
    assert "not the file that was graded" in drawn.problem


@each(
    "answer",
    *(None, [], ["pixels", "text"], [np.zeros((4, 4, 3), np.uint8), 7], [np.zeros((4, 4, 3), np.float64), "text"]),
    *([np.zeros(shape, np.uint8), "text"] for shape in ((4, 4, 4), (0, 4, 3), (1, 50_000, 3), 12)),
)
def test_a_worker_that_a_pdf_took_over_cannot_answer_anything_else(answer):
    with pytest.raises(UsageError, match="answered something else"):
        pdfpages._checked(answer)


def test_a_paper_is_drawn_once_old_ones_make_room_and_what_is_new_or_could_not_be_drawn_is_drawn_again(monkeypatch):
    drawn = []

    def count(handin, _name):
        drawn.append(handin.key)
        return DrawnPdf((Page(b"x" * 60, 1, 1, ""),), 1)

    monkeypatch.setattr(pdfpages, "_KEPT_BYTES", 130)
    pdfs = PdfCache(count)
    for key, digest in ("a0", "b0", "a0", "c0", "a0", "b0", "b1"):
        pdfs.draw(replace(HANDIN, key=key, sha256=digest), "hw1.pdf")
    assert drawn == ["a", "b", "c", "b", "b"]
    answers = [DrawnPdf(problem="gone"), DrawnPdf((Page(b"x", 1, 1, ""),), 1)]
    pdfs = PdfCache(lambda _handin, _name: answers.pop(0))
    assert pdfs.draw(HANDIN, "hw1.pdf").problem == "gone"
    assert pdfs.draw(HANDIN, "hw1.pdf").pages


def test_without_a_sandbox_no_pdf_is_opened(monkeypatch):
    def refuse(_wanted, _device):
        raise UsageError("Level full does not work here.")

    monkeypatch.setattr(pdfpages, "choose_launcher", refuse)
    assert "not opened without a sandbox" in make_cache("auto").draw(HANDIN, "hw1.pdf").problem
    with pytest.raises(UsageError, match="Level full"):
        make_cache("full")


def test_the_reference_is_drawn_in_the_sandbox_of_this_machine():
    drawn = make_cache("auto").draw(HANDIN, "hw1.pdf")
    assert drawn.problem == ""
    assert len(drawn.pages) == drawn.count > 1
