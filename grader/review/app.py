"""The addresses of the marking view, on flask.

GET  /TOKEN/                    to the first hand-in that waits for marks
GET  /TOKEN/handin/KEY          one hand-in
POST /TOKEN/handin/KEY          points and a comment for one check; stored at once, then on to what is next
POST /TOKEN/sheets/KEY          writes the sheets of the batch, and comes back
GET  /TOKEN/drawing/KEY       its PDF: how many pages, their sizes and texts
GET  /TOKEN/page/KEY/NUMBER     one page of it as a picture
GET  /TOKEN/report/KEY          its staff.html
GET  /PDFTOKEN/pdf/KEY          its PDF as it is, on the other origin
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import flask
from werkzeug.wrappers import Response

from grader.batch.grades.marks import MarkConflict
from grader.batch.grades.sheets import write_sheets
from grader.batch.store import Store
from grader.errors import GraderError
from grader.lms.model import Handin
from grader.reports.pages import render_page
from grader.review import forms, viewmodel
from grader.review.guard import HEADERS, Guard, policy_header
from grader.review.pdfpages import DrawnPdf, PdfCache, extract_pdf

FORM_LIMIT_BYTES = 100_000
_PDF = b"%PDF-"
_ALLOWED = {"form-action": "'self'", "img-src": "'self' data:", "connect-src": "'self'"}
_NOTES_SHOWN = 10


def create_app(store: Store, guard: Guard, by: str, pdfs: PdfCache) -> flask.Flask:
    """Return the application that marks the batch in `store`, signed `by`; `pdfs` has the pages of the PDFs."""
    app, views = flask.Flask("grader.review", static_folder=None), Views(store, guard, by, pdfs)
    app.config["MAX_CONTENT_LENGTH"] = FORM_LIMIT_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = FORM_LIMIT_BYTES
    app.before_request(views.check)
    app.after_request(views.protect)
    app.register_error_handler(GraderError, views.explain)
    app.add_url_rule("/<token>/", "start", views.start)
    app.add_url_rule("/<token>/handin/<key>", "show", views.show)
    app.add_url_rule("/<token>/handin/<key>", "mark", views.mark, methods=["POST"])
    app.add_url_rule("/<token>/sheets/<key>", "sheets", views.sheets, methods=["POST"])
    app.add_url_rule("/<token>/drawing/<key>", "drawing", views.drawing)
    app.add_url_rule("/<token>/page/<key>/<int:number>", "page", views.page)
    app.add_url_rule("/<token>/report/<key>", "report", views.report)
    app.add_url_rule("/<token>/pdf/<key>", "pdf", views.pdf)
    return app


@dataclass(frozen=True, slots=True)
class Views:
    """What each address answers."""

    store: Store
    guard: Guard
    by: str
    pdfs: PdfCache
    memory: viewmodel.Memory = field(default_factory=viewmodel.Memory)
    writing: threading.Lock = field(default_factory=threading.Lock)
    """Held by the one request that writes sheets."""

    def check(self) -> None:
        """Refuse requests without the token, and forms from other origins."""
        request, token = flask.request, (flask.request.view_args or {}).get("token", "")
        allows = self.guard.allows_pdf if request.endpoint == "pdf" else self.guard.allows_page
        if not allows(request.host, token):
            flask.abort(404)
        origin = request.headers.get("Origin")
        changes = request.method not in {"GET", "HEAD"}
        if (changes or origin is not None) and not self.guard.allows_change(origin):
            flask.abort(403)

    def protect(self, response: flask.Response) -> flask.Response:
        """Return `response` with the headers that every answer has."""
        response.headers.update(HEADERS)
        response.headers["Content-Security-Policy"] = policy_header(flask.request.endpoint or "")
        return response

    def explain(self, error: GraderError) -> tuple[flask.Response, int]:
        """Say in a sentence why there is no page, such as for a file of the batch that is damaged by now."""
        return flask.Response(f"{error}\n", mimetype="text/plain"), 500

    def start(self, token: str) -> Response:
        """Lead to the first hand-in that waits for marks."""
        return flask.redirect(_address(token, viewmodel.first_key(self.store)), 303)

    def show(self, token: str, key: str) -> str:
        """Show one hand-in."""
        return self._page(token, self._task(key))

    def mark(self, token: str, key: str) -> Response | tuple[str, int]:
        """Store a mark and go on, or show why it cannot be stored, with what was typed."""
        task, form = self._task(key), flask.request.form
        try:
            forms.store_form(self.store, form, task, self.by)
        except MarkConflict as error:
            return self._page(token, self._task(key), str(error), form), 409
        except GraderError as error:
            return self._page(token, task, str(error), form), 400
        after = self._task(key)
        stays = "withdraw" in form or form.get("check") not in {row.criterion.id for row in task.to_mark}
        goes = after.is_done and not stays and after.next_open
        return flask.redirect(_address(token, after.next_open if goes else key), 303)

    def sheets(self, token: str, key: str) -> str | tuple[str, int]:
        """Write the sheets, one request at a time, and show the page again with what there is to know."""
        try:
            with self.writing:
                written = write_sheets(self.store)
        except GraderError as error:
            return self._page(token, self._task(key), str(error)), 500
        more = len(written.notes) - _NOTES_SHOWN
        notes = (*written.notes[:_NOTES_SHOWN], *([f"and {more} more notes"] if more > 0 else []))
        said = (f"Written: {', '.join(path.name for path in written.files)}.", *notes)
        return self._page(token, self._task(key), notes=said)

    def drawing(self, token: str, key: str) -> flask.Response:  # noqa: ARG002 - `check` has looked at the token
        """Return what there is to see of the PDF of one hand-in."""
        drawn = self._drawn_pdf(key)
        pages = [{"width": one.width_px, "height": one.height_px, "text": one.text} for one in drawn.pages]
        return flask.jsonify({"count": drawn.count, "problem": drawn.problem, "pages": pages})

    def page(self, token: str, key: str, number: int) -> flask.Response:  # noqa: ARG002 - as above
        """Return one page of a PDF as a picture."""
        pages = self._drawn_pdf(key).pages
        if not 1 <= number <= len(pages):
            flask.abort(404)
        return flask.Response(pages[number - 1].picture, mimetype="image/jpeg")

    def report(self, token: str, key: str) -> flask.Response:  # noqa: ARG002 - as above
        """Show the staff's report of one hand-in."""
        self._handin(key)
        try:
            return flask.Response((self.store.folder(key) / "staff.html").read_bytes(), mimetype="text/html")
        except OSError:
            flask.abort(404)

    def pdf(self, token: str, key: str) -> flask.Response:  # noqa: ARG002 - as above
        """Hand out the PDF of one hand-in, as nothing but a PDF."""
        handin, name = self._handin(key)
        with tempfile.TemporaryDirectory(prefix="grader-review-") as folder:
            try:
                content = extract_pdf(handin, name, Path(folder, "files")).read_bytes()
            except (GraderError, OSError):
                flask.abort(404)
        if not content.startswith(_PDF):
            flask.abort(404)
        return flask.Response(content, mimetype="application/pdf")

    def _task(self, key: str) -> viewmodel.Task:
        return viewmodel.read_task(self.store, key, self.by, self.memory) or flask.abort(404)

    def _handin(self, key: str) -> tuple[Handin, str]:
        return viewmodel.read_handin(self.store, key) or flask.abort(404)

    def _drawn_pdf(self, key: str) -> DrawnPdf:
        return self.pdfs.draw(*self._handin(key))

    def _page(
        self,
        token: str,
        task: viewmodel.Task,
        problem: str = "",
        form: Mapping[str, str] | None = None,
        notes: tuple[str, ...] = (),
    ) -> str:
        """Return the page of one hand-in; `form` is what could not be stored, and is kept."""
        key = task.graded.handin.key
        near = {"previous": task.previous, "next": task.next, "next_open": task.next_open}
        context: dict[str, Any] = {
            "task": task,
            "report": task.graded.report,
            "problem": problem,
            "notes": notes,
            "form": {
                name: (form or {}).get(name, "") for name in ("check", "student", "points", "comment", "withdraw")
            },
            "by": self.by,
            "filters": viewmodel.FILTERS,
            "links": {name: _address(token, each) if each else "" for name, each in near.items()},
            "here": _address(token, key),
            "key": key,
            "places": [(_address(token, place.key), place) for place in task.places],
            "sheets_link": f"/{token}/sheets/{quote(key)}",
            "report_link": f"/{token}/report/{quote(key)}" if self._has_report(key) else "",
            "drawing_links": [f"/{token}/{what}/{quote(key)}" for what in ("drawing", "page")],
            "drawing_after": f"/{token}/drawing/{quote(task.next_open)}" if task.next_open else "",
            "pdf_link": self._pdf_link(key) if task.pdf else "",
        }
        return render_page("review.html", context, ("report.css", "review.css"), "review.js", _ALLOWED)

    def _has_report(self, key: str) -> bool:
        return (self.store.folder(key) / "staff.html").is_file()

    def _pdf_link(self, key: str) -> str:
        return f"{self.guard.pdf_origin}/{self.guard.pdf_token}/pdf/{quote(key)}"


def _address(token: str, key: str) -> str:
    return f"/{token}/handin/{quote(key)}"
