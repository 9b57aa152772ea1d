"""Describe a PDF, inside the worker: a hostile PDF is as dangerous as student code.

To find what a reader sees, it draws pages, and counts pixels that differ from the background.
"""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pypdf import PdfReader

MAX_PAGES = 40
KEPT_TEXT = 200_000
PIXELS = 1_000_000  # pixels of a drawn page, whatever its size; then a line of text on A4 is about 17 pixels high
LONGEST_PX = 8000
SHOWN_PX, SHOWN_TEXT = 4000, 8000  # limits of a page for a reader: its height in pixels, and the characters of its text
NOTICEABLE = 8
"""A pixel is visible if one of its colours differs by more, of 255: light grey text is, a font of 0.1 points is not."""
INVISIBLE = 3  # PDF's text rendering mode 3: neither filled nor stroked


def describe_pdf(name: str, words: Sequence[str] = (), enough_visible: int = 0) -> dict[str, Any]:
    """Return pages, images, words, whether it is encrypted, and which of `words` the text of PDF `name` mentions.

    Only the first 40 pages are read. Any exception of pypdf goes to the parent as it is.

    Args:
        name: The file, in the folder of the submission.
        words: Names to look for.
        enough_visible: If not 0, pages are drawn until one has so many visible pixels, and the result also holds what
            `measure_visible` returns; PDFium's exceptions go to the parent, too.
    """
    reader = PdfReader(Path(sys.path[0], name))
    encrypted = reader.is_encrypted and not reader.decrypt("")
    pages = [] if encrypted else [reader.pages[number] for number in range(min(len(reader.pages), MAX_PAGES))]
    text = "\n".join(page.extract_text() or "" for page in pages)[:KEPT_TEXT]
    squeezed = re.sub(r"[\W_]+", "", text.lower())  # line breaks and fonts tear names apart
    visible: dict[str, Any] = {}
    if enough_visible and not encrypted:
        visible = measure_visible(name, enough_visible)
    return {
        **visible,
        "pages": 0 if encrypted else len(reader.pages),
        "images": sum(len(page.images.keys()) for page in pages),
        "words": len(re.findall(r"\w{2,}", text)),
        "encrypted": bool(encrypted),
        "mentions": [word for word in words if re.sub(r"[\W_]+", "", word.lower()) in squeezed],
    }


def measure_visible(name: str, enough: int) -> dict[str, Any]:
    """Draw the PDF `name` page by page, at most 40 of them, until one has `enough` visible pixels.

    Returns:
        A dict: `visible_pixels` of the page that has most, of about a million pixels; `lacks_fonts`, whether some text
        was not drawn because neither the file nor PDFium has its font. PDFium's exceptions go to the parent
        as they are.
    """
    visible_pixels, lacks_fonts = 0, False
    with _open(name) as document:
        for number in range(min(len(document), MAX_PAGES)):
            page = document[number]
            visible_pixels = max(visible_pixels, count_visible(draw(page)))
            if visible_pixels >= enough:
                break
            lacks_fonts = lacks_fonts or has_undrawn_text(page)
    return {"visible_pixels": visible_pixels, "lacks_fonts": lacks_fonts}


def _open(name: str) -> Any:
    import pypdfium2  # noqa: PLC0415 - without PDFium, text is read all the same

    return pypdfium2.PdfDocument(Path(sys.path[0], name))


def count_pages(name: str) -> int:
    """Return how many pages the PDF `name` has."""
    with _open(name) as document:
        return len(document)


def draw_page(name: str, number: int, width_px: int) -> list[Any]:
    """Return page `number` of the PDF `name`, counted from 0, as pixels of shape (height, width, 3), and its text."""
    with _open(name) as document:
        page = document[number]
        width, height = page.get_size()
        scale = min(width_px / max(width, 1.0), SHOWN_PX / max(height, 1.0))
        pixels = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=True).to_numpy()  # red first
        return [np.ascontiguousarray(pixels[..., :3]), page.get_textpage().get_text_bounded()[:SHOWN_TEXT]]


def draw(page: Any) -> npt.NDArray[np.uint8]:
    """Return `page` on white paper as an array of shape (height, width, 4), of which three are colours."""
    width, height = page.get_size()
    scale = min((PIXELS / (width * height)) ** 0.5, LONGEST_PX / max(width, height))
    return np.ascontiguousarray(page.render(scale=scale, prefer_bgrx=True).to_numpy())


def count_visible(pixels: npt.NDArray[np.uint8]) -> int:
    """Return how many of `pixels` differ from the page's most frequent colour, light on dark as well."""
    codes, counts = np.unique(pixels.view(np.uint32) & 0xFFFFFF, return_counts=True)
    background = codes[counts.argmax()].reshape(1).view(np.uint8)[:3].astype(np.int16)
    return int((np.abs(pixels[..., :3].astype(np.int16) - background) > NOTICEABLE).any(axis=2).sum())


def has_undrawn_text(page: Any) -> bool:
    """Return whether `page` has text that is meant to be seen, but for whose letters PDFium has no shapes."""
    from pypdfium2 import raw as pdfium  # noqa: PLC0415 - as above

    texts = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage())
    return any(pdfium.FPDFTextObj_GetTextRenderMode(text) != INVISIBLE and _is_undrawn(text) for text in texts)


def _is_undrawn(text: Any) -> bool:
    """Return whether letters have no shapes: then they have a width, which the file says, and no height."""
    left, bottom, right, top = text.get_bounds()
    has_shapes = text.get_font().is_embedded or min(right - left, top - bottom) > 0
    return not has_shapes and bool(text.extract().strip())
