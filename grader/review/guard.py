"""Who may ask the marking view, and what a browser may do with its answers.

Host        must be this server's own, or a page elsewhere could point a name of its own at 127.0.0.1
token       part of every address; compared in constant time; another one for PDFs
Origin      of whatever changes something must be the page itself
answers     are never stored, never framed by others, never sniffed, never sent on as a referrer
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

PAGE_HOST, PDF_HOST = "127.0.0.1", "localhost"


@dataclass(frozen=True, slots=True)
class Guard:
    """The secrets and names of one running server."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def origin(self) -> str:
        """Where the marking page lives."""
        return f"http://{PAGE_HOST}:{self.port}"

    @property
    def pdf_origin(self) -> str:
        """Where PDFs live: the same server, and to a browser a stranger."""
        return f"http://{PDF_HOST}:{self.port}"

    @property
    def pdf_token(self) -> str:
        """The token of PDFs, from which the other cannot be told."""
        return hmac.new(self.token.encode(), b"pdf", hashlib.sha256).hexdigest()[:32]

    def allows_page(self, host: str, token: str) -> bool:
        """Return whether a request for the marking page may be answered."""
        return host == f"{PAGE_HOST}:{self.port}" and _equal(token, self.token)

    def allows_pdf(self, host: str, token: str) -> bool:
        """Return whether a request for a PDF may be answered."""
        return host == f"{PDF_HOST}:{self.port}" and _equal(token, self.pdf_token)

    def allows_change(self, origin: str | None) -> bool:
        """Return whether a change may come from `origin`; browsers send it with every form."""
        return origin == self.origin


HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Of every answer. Browsers send no usable Origin with forms under `no-referrer`."""


def frame_header(guard: Guard, *, is_pdf: bool) -> str:
    """Return the policy of who may show an answer in a frame: the marking page shows PDFs, nobody shows it."""
    return f"frame-ancestors {guard.origin}" if is_pdf else "frame-ancestors 'none'"


def _equal(one: str, other: str) -> bool:
    return hmac.compare_digest(one.encode(), other.encode())
