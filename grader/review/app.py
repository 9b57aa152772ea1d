"""The addresses of the marking view, on flask.

GET  /TOKEN/                    to the first hand-in that waits for marks
GET  /TOKEN/handin/KEY          one hand-in
POST /TOKEN/handin/KEY          points and a comment for one check; stored at once
GET  /TOKEN/report/KEY          its staff.html
GET  /PDFTOKEN/pdf/KEY          its PDF, on the other origin
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import quote

import flask
from werkzeug.wrappers import Response

from grader.batch.marks import MarkConflict, give_mark
from grader.batch.store import Store
from grader.errors import GraderError, UsageError
from grader.model import Mark
from grader.reports.pages import render_page
from grader.review import desk
from grader.review.guard import HEADERS, Guard, frame_header

FORM_LIMIT_BYTES = 100_000
_FOREIGN_FORM = "that form is not one of this page's: load it again."


def create_app(store: Store, guard: Guard, by: str) -> flask.Flask:
    """Return the application that marks the batch in `store`, signed `by`."""
    app, views = flask.Flask("grader.review", static_folder=None), Views(store, guard, by)
    app.config["MAX_CONTENT_LENGTH"] = FORM_LIMIT_BYTES
    app.before_request(views.check)
    app.after_request(views.protect)
    app.add_url_rule("/<token>/", "start", views.start)
    app.add_url_rule("/<token>/handin/<key>", "show", views.show)
    app.add_url_rule("/<token>/handin/<key>", "mark", views.mark, methods=["POST"])
    app.add_url_rule("/<token>/report/<key>", "report", views.report)
    app.add_url_rule("/<token>/pdf/<key>", "pdf", views.pdf)
    return app


@dataclass(frozen=True, slots=True)
class Views:
    """What each address answers."""

    store: Store
    guard: Guard
    by: str

    def check(self) -> None:
        """Refuse whoever has not the token, or sends a form from elsewhere."""
        request, token = flask.request, (flask.request.view_args or {}).get("token", "")
        allows = self.guard.allows_pdf if request.endpoint == "pdf" else self.guard.allows_page
        if not allows(request.host, token):
            flask.abort(404)
        if request.method not in {"GET", "HEAD"} and not self.guard.allows_change(request.headers.get("Origin")):
            flask.abort(403)

    def protect(self, response: flask.Response) -> flask.Response:
        """Return `response` with the headers that every answer has."""
        response.headers.update(HEADERS)
        is_pdf = flask.request.endpoint == "pdf"
        response.headers["Content-Security-Policy"] = frame_header(self.guard, is_pdf=is_pdf)
        return response

    def start(self, token: str) -> Response:
        """Lead to the first hand-in that waits for marks."""
        return flask.redirect(_address(token, desk.first_key(self.store)), 303)

    def show(self, token: str, key: str) -> str:
        """Show one hand-in."""
        return self._page(token, self._task(key))

    def mark(self, token: str, key: str) -> Response | tuple[str, int]:
        """Store a mark and show the page again, or show why it cannot be stored, with what was typed."""
        task, form = self._task(key), flask.request.form
        try:
            give_mark(self.store, read_form(form, task, self.by), expected_version=int(form.get("version", "")))
        except MarkConflict as error:
            return self._page(token, self._task(key), str(error), form), 409
        except GraderError as error:
            return self._page(token, task, str(error), form), 400
        except ValueError:
            return self._page(token, task, _FOREIGN_FORM, form), 400
        return flask.redirect(_address(token, key) + "#stored", 303)

    def report(self, token: str, key: str) -> flask.Response:  # noqa: ARG002 - `check` has looked at the token
        """Show the staff's report of one hand-in."""
        self._task(key)
        try:
            return flask.Response((self.store.folder(key) / "staff.html").read_bytes(), mimetype="text/html")
        except OSError:
            flask.abort(404)

    def pdf(self, token: str, key: str) -> flask.Response:  # noqa: ARG002 - `check` has looked at the token
        """Hand out the PDF of one hand-in, as nothing but a PDF."""
        content = desk.read_pdf(self.store, key)
        if content is None:
            flask.abort(404)
        return flask.Response(content, mimetype="application/pdf")

    def _task(self, key: str) -> desk.Task:
        task = desk.read_task(self.store, key)
        if task is None:
            flask.abort(404)
        return task

    def _page(self, token: str, task: desk.Task, problem: str = "", form: Mapping[str, str] | None = None) -> str:
        """Return the page of one hand-in; `form` is what could not be stored, and is kept."""
        handin, files = task.graded.handin, task.graded.evidence.submission.files
        near = {"previous": task.previous, "next": task.next, "next_open": task.next_open}
        has_report = (self.store.folder(handin.key) / "staff.html").is_file()
        context = {
            "task": task,
            "report": task.graded.report,
            "problem": problem,
            "form": {name: (form or {}).get(name, "") for name in ("check", "points", "comment")},
            "links": {name: _address(token, key) if key else "" for name, key in near.items()},
            "here": _address(token, handin.key),
            "places": [(_address(token, place.key), place) for place in task.places],
            "report_link": f"/{token}/report/{quote(handin.key)}" if has_report else "",
            "pdf_link": self._pdf_link(handin.key) if any(file.name.endswith(".pdf") for file in files) else "",
        }
        allowed = {"form-action": "'self'", "frame-src": self.guard.pdf_origin}
        return render_page("review.html", context, ("report.css", "review.css"), "review.js", allowed)

    def _pdf_link(self, key: str) -> str:
        return f"{self.guard.pdf_origin}/{self.guard.pdf_token}/pdf/{quote(key)}"


def read_form(form: Mapping[str, str], task: desk.Task, by: str) -> Mark:
    """Return the mark that a form gives; it is the first student's, and partners share it.

    Raises:
        UsageError: no number, or a check that is not to be marked here.
    """
    check, points = form.get("check", ""), form.get("points", "")
    if check not in {result.criterion.id for result in task.to_mark}:
        message = f"{check[:80]!r} is not to be marked here: load the page again."
        raise UsageError(message)
    try:
        value = float(points.replace(",", "."))
    except ValueError as error:
        message = f"{points[:20]!r} are no points: give a number."
        raise UsageError(message) from error
    return Mark(task.graded.handin.students[0].id, check, value, form.get("comment", ""), by)


def _address(token: str, key: str) -> str:
    return f"/{token}/handin/{quote(key)}"
