"""What the worker runs to see what a reader of a PDF sees: pages are drawn, and the ink on them is counted."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2
import pypdfium2.raw as pdfium

MAX_PAGES = 40
PIXELS = 1_000_000
"""Of a drawn page, whatever its size: lines of text on A4 are about 17 pixels high then."""
LONGEST_PX = 8000
NOTICEABLE = 8
"""Of 255, in one of the three colours: light grey text is ink, a 0.1-point font melts into the page."""
INVISIBLE = 3
"""PDF's text rendering mode 3: neither filled nor stroked."""


def measure_ink(name: str, enough: int) -> dict[str, Any]:
    """Draw the PDF `name` page by page, at most 40 of them, until one has `enough` pixels of ink.

    Returns:
        A dict: `ink_pixels` of the page that has most, of about a million pixels; `lacks_fonts`, whether some text was
        not drawn because neither the file nor PDFium has its font. PDFium's exceptions go to the parent as they are.
    """
    ink_pixels, lacks_fonts = 0, False
    with pypdfium2.PdfDocument(Path(sys.path[0], name)) as document:
        for number in range(min(len(document), MAX_PAGES)):
            page = document[number]
            ink_pixels = max(ink_pixels, count_ink(draw(page)))
            if ink_pixels >= enough:
                break
            lacks_fonts = lacks_fonts or has_undrawn_text(page)
    return {"ink_pixels": ink_pixels, "lacks_fonts": lacks_fonts}


def draw(page: Any) -> npt.NDArray[np.uint8]:
    """Return `page` on white paper as an array of shape (height, width, 4), of which three are colours."""
    width, height = page.get_size()
    scale = min((PIXELS / (width * height)) ** 0.5, LONGEST_PX / max(width, height))
    return np.ascontiguousarray(page.render(scale=scale, prefer_bgrx=True).to_numpy())


def count_ink(pixels: npt.NDArray[np.uint8]) -> int:
    """Return how many of `pixels` differ from the page's most frequent colour, light on dark as well."""
    codes, counts = np.unique(pixels.view(np.uint32) & 0xFFFFFF, return_counts=True)
    background = codes[counts.argmax()].reshape(1).view(np.uint8)[:3].astype(np.int16)
    differs = np.abs(pixels[..., :3].astype(np.int16) - background) > NOTICEABLE
    return int(differs.any(axis=2).sum())


def has_undrawn_text(page: Any) -> bool:
    """Return whether `page` has text that is meant to be seen, but for whose letters PDFium has no shapes."""
    texts = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage())
    return any(_is_undrawn(text) for text in texts)


def _is_undrawn(text: Any) -> bool:
    """Without shapes, letters have a width, which the file says, and no height."""
    left, bottom, right, top = text.get_bounds()
    has_shapes = text.get_font().is_embedded or min(right - left, top - bottom) > 0
    return not has_shapes and pdfium.FPDFTextObj_GetTextRenderMode(text) != INVISIBLE and bool(text.extract().strip())
