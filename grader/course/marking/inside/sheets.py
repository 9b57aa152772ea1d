"""What the worker runs for the marking view: a PDF becomes pictures of its pages, and their text.

Runs confined, with the PDF as the only file of the submission. Nothing of the grader is imported here.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pypdfium2

LONGEST_PX = 4000
KEPT_TEXT = 8000


def count_pages(name: str) -> int:
    """Return how many pages the PDF `name` has."""
    with pypdfium2.PdfDocument(Path(sys.path[0], name)) as document:
        return len(document)


def draw_page(name: str, number: int, width_px: int) -> list[Any]:
    """Draw page `number`, counted from 0, of the PDF `name`.

    Returns:
        The pixels as an array of shape (height, width, 3), red first, and the text of the page.
    """
    with pypdfium2.PdfDocument(Path(sys.path[0], name)) as document:
        page = document[number]
        width, height = page.get_size()
        scale = min(width_px / max(width, 1.0), LONGEST_PX / max(height, 1.0))
        pixels = page.render(scale=scale, rev_byteorder=True, prefer_bgrx=True).to_numpy()
        text = page.get_textpage().get_text_bounded()
        return [np.ascontiguousarray(pixels[..., :3]), text[:KEPT_TEXT]]
