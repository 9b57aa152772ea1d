"""What the worker says of a PDF: a hostile one is student code, too, so that it is opened here."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pypdf import PdfReader

MAX_PAGES = 40
KEPT_TEXT = 20_000


def describe_pdf(name: str, words: Sequence[str] = (), enough_ink: int = 0) -> dict[str, Any]:
    """Return pages, images, words, whether it is encrypted, and which of `words` the text of PDF `name` mentions.

    Only the first 40 pages are read. Any exception of pypdf goes to the parent as it is.

    Args:
        name: The file, in the folder of the submission.
        words: Names to look for.
        enough_ink: If not 0, pages are drawn until one has so many pixels of ink, and what `measure_ink` returns is
            there as well; PDFium's exceptions go to the parent too.
    """
    reader = PdfReader(Path(sys.path[0], name))
    encrypted = reader.is_encrypted and not reader.decrypt("")
    pages = [] if encrypted else [reader.pages[number] for number in range(min(len(reader.pages), MAX_PAGES))]
    text = "\n".join(page.extract_text() or "" for page in pages)[:KEPT_TEXT]
    squeezed = re.sub(r"[\W_]+", "", text.lower())  # line breaks and fonts tear names apart
    ink: dict[str, Any] = {}
    if enough_ink and not encrypted:
        from grader.worker.ink import measure_ink  # noqa: PLC0415 - without PDFium, text is read all the same

        ink = measure_ink(name, enough_ink)
    return {
        **ink,
        "pages": 0 if encrypted else len(reader.pages),
        "images": sum(len(page.images.keys()) for page in pages),
        "words": len(re.findall(r"\w{2,}", text)),
        "encrypted": bool(encrypted),
        "mentions": [word for word in words if word.replace("_", "").lower() in squeezed],
    }
