"""Who may ask the marking view, and what a browser may do with its answers.

Host        must be this server's own, or a page elsewhere could point a name of its own at 127.0.0.1
token       part of every address, compared in constant time, another one for PDFs; no cookie, because a browser sends
            those of 127.0.0.1 to every port of it, whoever listens there
Origin      of whatever changes something must be the page itself; where one is named at all, it must be
answers     are never stored, never framed by others, never sniffed, never sent on as a referrer
"""

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
        """Where PDFs live as they are: the same server, but another origin to a browser."""
        return f"http://{PDF_HOST}:{self.port}"

    @property
    def pdf_token(self) -> str:
        """The token of PDFs, from which the page's token cannot be computed."""
        return hmac.new(self.token.encode(), b"pdf", hashlib.sha256).hexdigest()[:32]

    def allows_page(self, host: str, token: str) -> bool:
        """Return whether a request for the marking page may be answered."""
        return host == f"{PAGE_HOST}:{self.port}" and _equal(token, self.token)

    def allows_pdf(self, host: str, token: str) -> bool:
        """Return whether a request for a PDF may be answered."""
        return host == f"{PDF_HOST}:{self.port}" and _equal(token, self.pdf_token)

    def allows_change(self, origin: str | None) -> bool:
        """Return whether a request may come from `origin`; browsers send it with every form."""
        return origin == self.origin


HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
"""Of every answer. Browsers send no usable Origin with forms under `no-referrer`."""
_NOTHING = "default-src 'none'; frame-ancestors 'none'; sandbox"
_PAGES = {"show", "mark", "comments", "failures", "sheets", "pdf"}
_NO_SCRIPT = "script-src 'none'; frame-ancestors 'none'; sandbox allow-popups"


def policy_header(endpoint: str) -> str:
    """Return the policy of an answer; the marking page says in itself what else it may do. None is shown in a frame.

    A browser's PDF viewer shows nothing under a policy that restricts its contents, so that a PDF has only this.
    """
    if endpoint == "report":
        return _NO_SCRIPT
    return "frame-ancestors 'none'" if endpoint in _PAGES else _NOTHING


def _equal(token: str, right: str) -> bool:
    return hmac.compare_digest(token.encode(), right.encode())
