"""Draws the PDF of a submission, page by page, in a sandboxed worker.

A PDF can attack the program that reads it. So it is opened where student code runs, and only pixels and text come back:
the marking page never loads the PDF. Pictures look the same in every browser, and the page keeps the keyboard focus,
which a browser's own PDF viewer takes.
"""

import io
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from grader.course.people import Handin
from grader.errors import GraderError, Inconclusive, StudentFault, SubmissionRefused, UsageError
from grader.intake.archive import read_submission
from grader.model import printable
from grader.sandbox.identity import let_through
from grader.sandbox.levels import choose_launcher
from grader.worker.client import WorkerClient
from grader.worker.folders import temporary_folder
from grader.worker.launcher import Launcher, Limits, Settings
from grader.worker.process import WorkerProcess

MAX_PAGES = 30
WIDTH_PX = 1400
TEXT_LIMIT = 8000
_QUALITY = 88
_KEPT_BYTES = 200 << 20
_LIMITS = Limits(grading_s=60.0)
_READER = "grader.worker.pdf"
_GIVEN_BACK = 2
_COLOURS = 3
_LONGEST_PX = 4100


@dataclass(frozen=True, slots=True)
class Page:
    """One page: a JPEG, its size in pixels, and its text."""

    picture: bytes
    width_px: int
    height_px: int
    text: str


@dataclass(frozen=True, slots=True)
class DrawnPdf:
    """The drawn pages, and a sentence if some pages are missing."""

    pages: tuple[Page, ...] = ()
    count: int = 0  # number of pages of the document, including pages that are not drawn
    problem: str = ""


class PdfCache:
    """Keeps PDFs that were drawn recently, so that going back to one is fast. Safe for threads."""

    def __init__(self, draw: Callable[[Handin, str], DrawnPdf]) -> None:
        self._draw = draw
        self._drawn: OrderedDict[tuple[str, ...], DrawnPdf] = OrderedDict()
        self._lock = threading.Lock()
        self._drawing: dict[tuple[str, ...], threading.Lock] = {}

    def draw(self, handin: Handin, name: str) -> DrawnPdf:
        """Return the pages of the file `name` of `handin`; threads that ask for the same PDF wait for one drawing."""
        about = (handin.key, handin.sha256, name)  # a later run may grade another file under this key
        with self._lock:
            one_at_a_time = self._drawing.setdefault(about, threading.Lock())
        with one_at_a_time:
            with self._lock:
                known = self._drawn.pop(about, None)
            drawn = known or self._draw(handin, name)
            with self._lock:
                if drawn.pages:  # without pages: try again, the file may be back
                    self._drawn[about] = drawn
                while len(self._drawn) > 1 and sum(map(_size_bytes, self._drawn.values())) > _KEPT_BYTES:
                    self._drawn.popitem(last=False)
            return drawn


def _size_bytes(drawn: DrawnPdf) -> int:
    return sum(len(page.picture) for page in drawn.pages)


def draw_pdf(handin: Handin, name: str, launcher: Launcher) -> DrawnPdf:
    """Return the pages of the file `name` of a hand-in. If it cannot be drawn, `problem` says why."""
    with temporary_folder("review") as folder:
        settings = Settings(folder / "files", folder / "none", limits=_LIMITS)
        try:
            extract_pdf(handin, name, settings.submission)
            return _draw_all(partial(WorkerProcess, settings, launcher), name)
        except StudentFault as fault:
            return DrawnPdf(problem=f"{name} cannot be drawn: {printable(fault.finding.message, 400)}")
        except Inconclusive as why:
            return DrawnPdf(problem=f"{name} cannot be drawn here: {why}")
        except GraderError as error:
            return DrawnPdf(problem=str(error))


def extract_pdf(handin: Handin, name: str, into: Path) -> Path:
    """Write the file `name` of a hand-in into the new folder `into` and return it; `UsageError` if that fails."""
    try:
        submission = read_submission(handin.path, into, (name,))
    except UsageError as error:
        raise UsageError(
            f"the hand-in is not where it was graded from ({error}): put it back to see {name} here."
        ) from error
    except (SubmissionRefused, OSError) as error:
        raise UsageError(f"the hand-in cannot be opened: {error}") from error
    if handin.path.is_file() and submission.sha256 != handin.sha256:
        raise UsageError(f"{handin.path} is not the file that was graded: put that one back, or run the batch again.")
    let_through(str(into.parent))
    return into / name


def _draw_all(start: Callable[[], WorkerProcess], name: str) -> DrawnPdf:
    """Return the pages up to the first that cannot be drawn; `StudentFault` if that is the first page."""
    worker, pages, problem = WorkerClient(start, _LIMITS), [], ""
    try:
        worker.begin_check()
        count = worker.call(_READER, "count_pages", (name,)).value
        if not isinstance(count, int) or isinstance(count, bool):
            count = 0
        for number in range(min(count, MAX_PAGES)):
            pages.append(_draw_one(worker, name, number))  # noqa: PERF401 - what is drawn before a fault is kept
    except StudentFault as fault:
        if not pages:
            raise
        problem = f"Page {len(pages) + 1} and what follows cannot be drawn: {printable(fault.finding.message, 400)}"
    finally:
        worker.close()
    if count > MAX_PAGES:
        problem = problem or f"The first {MAX_PAGES} of {count} pages are shown."
    return DrawnPdf(tuple(pages), count, problem if pages else f"{name} has no pages.")


def _draw_one(worker: WorkerClient, name: str, number: int) -> Page:
    pixels, text = _checked(worker.call(_READER, "draw_page", (name, number, WIDTH_PX)).value)
    picture = io.BytesIO()
    Image.fromarray(pixels).save(picture, "JPEG", quality=_QUALITY, subsampling=0)
    return Page(picture.getvalue(), pixels.shape[1], pixels.shape[0], printable(text, TEXT_LIMIT))


def _checked(answer: Any) -> tuple[Any, str]:
    """Return the worker's pixels and text if they are valid; a PDF that controls the worker may send anything."""
    if isinstance(answer, list) and len(answer) == _GIVEN_BACK:
        pixels, text = answer
        if isinstance(text, str) and isinstance(pixels, np.ndarray) and (pixels.dtype, pixels.ndim) == (np.uint8, 3):
            height, width, colours = pixels.shape
            if colours == _COLOURS and min(height, width) > 0 and max(height, width) <= _LONGEST_PX:
                return pixels, text
    raise UsageError("the worker that draws pages answered something else: look at the file itself.")


def make_cache(sandbox: str) -> PdfCache:
    """Return a cache that draws at the level `sandbox`, or nothing if `auto` finds none; `UsageError` if it fails."""
    try:
        launcher = choose_launcher(sandbox, "cpu").launcher
    except UsageError as error:
        if sandbox != "auto":
            raise
        why = DrawnPdf(problem=f"PDFs are not opened without a sandbox: {error}")
        return PdfCache(lambda _handin, _name: why)
    return PdfCache(partial(draw_pdf, launcher=launcher))
