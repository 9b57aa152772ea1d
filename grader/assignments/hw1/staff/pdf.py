"""What the worker runs for `report.pdf`: a hostile PDF is student code too, so it is opened here."""

import re
import sys
from pathlib import Path

from pypdf import PdfReader

MAX_PAGES = 40
KEPT_TEXT = 20_000


def describe_pdf(name, enough_ink=0):
    """Return pages, images, words, whether it is encrypted, and which kernels the text of PDF `name` mentions.

    Only the first 40 pages are read. Any exception of pypdf goes to the parent as it is.

    Args:
        name: The file.
        enough_ink: If not 0, pages are drawn until one has so many pixels of ink, and what `measure_ink` returns is
            there as well; PDFium's exceptions go to the parent too.
    """
    reader = PdfReader(Path(sys.path[0], name))
    encrypted = reader.is_encrypted and not reader.decrypt("")
    pages = [] if encrypted else [reader.pages[number] for number in range(min(len(reader.pages), MAX_PAGES))]
    text = "\n".join(page.extract_text() or "" for page in pages)[:KEPT_TEXT]
    return {
        "pages": 0 if encrypted else len(reader.pages),
        "images": sum(len(page.images.keys()) for page in pages),
        "words": len(re.findall(r"\w{2,}", text)),
        "encrypted": bool(encrypted),
        "mentions": [kernel for kernel in ("max_kernel", "matmul_kernel") if _mentions(text, kernel)],
        **(_measure_ink(name, enough_ink) if enough_ink and not encrypted else {}),
    }


def _measure_ink(name, enough):
    """Return what `ink.measure_ink` returns; where PDFium is not installed, text can be read all the same."""
    from ink import measure_ink  # noqa: PLC0415 - the reason stands above

    return measure_ink(name, enough)


def _mentions(text, kernel):
    """Search without regard to case, spaces or underscores: line breaks and fonts tear names apart."""
    return kernel.replace("_", "") in re.sub(r"[\W_]+", "", text.lower())
