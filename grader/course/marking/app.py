"""The addresses of the marking view, on flask: `create_app` lists them, and each view says what it does.

The key in an address is that of the hand-in. If marking is anonymous, it is a digest of the key that is different in
each run of the server. With `?check=ID`, the TA marks only this check, in all hand-ins.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import flask
from werkzeug.wrappers import Response

from grader.course.grades.comments import (
    Comment,
    Group,
    group_findings,
    mark_group,
    remove_comment,
    start_points,
    store_comment,
)
from grader.course.grades.graded import BatchResults, load_batch
from grader.course.grades.marks import MarkConflict, give_mark, withdraw_mark
from grader.course.grades.sheets import SheetWriter
from grader.course.marking import viewmodel
from grader.course.marking.pdfpages import PdfCache
from grader.course.marking.settings import HEADERS, NO_POLICY, POLICIES, Guard, Labels, Settings, make_labels, share_of
from grader.course.model import Store, read_record
from grader.course.people import Handin, Roster
from grader.errors import GraderError, UsageError
from grader.intake.tables import number
from grader.model import Mark
from grader.reports import html
from grader.reports.html import render_page
from grader.reports.story import counted, listed
from grader.scoring.marks import ADJUSTMENT, line_in

FORM_LIMIT_BYTES = 100_000
_ALLOWED = {"form-action": "'self'", "img-src": "'self' data:", "connect-src": "'self'"}
_NOTES_SHOWN = 10
_SHOWN = 80


def create_app(
    store: Store, guard: Guard, settings: Settings, pdfs: PdfCache, sheets: SheetWriter | None = None
) -> flask.Flask:
    """Return the application in which a TA marks the batch in `store`.

    `sheets` writes the grade sheets after each change; without it, reports are only written on request.
    """
    app = flask.Flask("grader.course.marking", static_folder=None)
    views = Views(store, guard, settings, pdfs, sheets or SheetWriter(store))
    app.config["MAX_CONTENT_LENGTH"] = FORM_LIMIT_BYTES
    app.config["MAX_FORM_MEMORY_SIZE"] = FORM_LIMIT_BYTES
    app.before_request(views.check)
    app.after_request(views.protect)
    app.register_error_handler(GraderError, views.explain)
    app.add_url_rule("/<token>/", "start", views.start)
    app.add_url_rule("/<token>/handin/<key>", "show", views.show)
    app.add_url_rule("/<token>/handin/<key>", "mark", views.mark, methods=["POST"])
    app.add_url_rule("/<token>/comments/<key>", "comments", views.comments, methods=["POST"])
    app.add_url_rule("/<token>/failures", "failures", views.failures, methods=["GET", "POST"])
    app.add_url_rule("/<token>/sheets/<key>", "sheets", views.sheets, methods=["POST"])
    app.add_url_rule("/<token>/drawing/<key>", "drawing", views.drawing)
    app.add_url_rule("/<token>/page/<key>/<int:number>", "page", views.page)
    app.add_url_rule("/<token>/report/<key>", "report", views.report)
    return app


@dataclass(frozen=True, slots=True)
class Views:
    """The views, one method for each address."""

    store: Store
    guard: Guard
    settings: Settings
    pdfs: PdfCache
    writer: SheetWriter

    def check(self) -> None:
        """Refuse requests without the token and forms from other origins; the views do not get the token."""
        request = flask.request
        if not self.guard.allows(request.host, (request.view_args or {}).pop("token", "")):
            flask.abort(404)
        origin = request.headers.get("Origin")
        changes = request.method not in {"GET", "HEAD"}
        if (changes or origin is not None) and origin != self.guard.origin:  # browsers always send it with forms
            flask.abort(403)

    def protect(self, response: flask.Response) -> flask.Response:
        """Return `response` with the common headers and the policy of its endpoint."""
        response.headers.update(HEADERS)
        response.headers["Content-Security-Policy"] = POLICIES.get(flask.request.endpoint or "", NO_POLICY)
        return response

    def explain(self, error: GraderError) -> tuple[str | flask.Response, int]:
        """Show an error on the page that sent the form; if there is no such page, answer with the text alone.

        There is no page if a file of the batch has been damaged.
        """
        request = flask.request
        if request.method == "POST":
            code = 500 if request.endpoint == "sheets" else 409 if isinstance(error, MarkConflict) else 400
            typed = request.form if request.endpoint == "mark" else None
            with suppress(GraderError):
                if request.endpoint == "failures":
                    return self._failures(problem=str(error)), code
                return self._page(self._task((request.view_args or {})["key"]), str(error), typed), code
        return flask.Response(f"{error}\n", mimetype="text/plain"), 500

    def start(self) -> Response:
        """Redirect to the first hand-in with something to mark."""
        return flask.redirect(self._link("show", key=viewmodel.first_address(self.store, self.settings)), 303)

    def show(self, key: str) -> str:
        """Show one hand-in."""
        return self._page(self._task(key))

    def mark(self, key: str) -> Response:
        """Store or withdraw a mark or a comment on a line, and redirect to the next hand-in if this one is done."""
        task, form = self._task(key), flask.request.form
        self._store_mark(form, task)
        self.writer.write_grades()
        after = self._task(key, task.check)
        stays = "withdraw" in form or form.get("check") not in {row.criterion.id for row in task.to_mark}
        goes = after.is_done and not stays and after.next_open
        place = line_in(form.get("check", ""), task.graded.evidence.submission.files)
        at = next((f"#{source.anchor}-{place[1]}" for source in task.sources if place and source.name == place[0]), "")
        there = self._link("show", key=after.next_open if goes else key, check=task.check or None)
        return flask.redirect(there + at, 303)

    def comments(self, key: str) -> str:
        """Add, change or remove a reusable comment, and show the page again. Marks that use it change with it."""
        form = flask.request.form
        check, was = form.get("check", ""), form.get("was", "")
        if "remove" in form:
            remove_comment(self.store, check, was)
            sentence = "The comment is not offered any more; marks that have it keep it."
        else:
            comment = Comment(check, form.get("text", ""), _points(form))
            marks, kept = store_comment(self.store, comment, was, self.settings.by)
            sentence = f"Stored, and written into {counted(marks, 'mark')}." if marks else "Stored."
            sentence += f" {listed(kept)}: the points were given otherwise, and stay." if kept else ""
        self.writer.write_grades()
        return self._page(self._task(key), notes=(sentence,))

    def failures(self) -> str:
        """Show hand-ins with the same finding in groups, or store one mark for a whole group."""
        form = flask.request.form
        if flask.request.method == "GET":
            return self._failures()
        group = {group.id: group for group in self._groups(load_batch(self.store))}.get(form.get("group", ""))
        if group is None:
            raise UsageError("this group has changed since the page was shown: look at it again.")
        mark_group(self.store, group, _points(form), form.get("comment", ""), self.settings.by, _version(form))
        self.writer.write_grades()
        return self._failures(f"Stored for {counted(len(group.members), 'hand-in')}: {group.criterion.id}.")

    def sheets(self, key: str) -> str:
        """Write the sheets, one request at a time, and show the page again with the notes."""
        written = self.writer.write_everything()
        more = len(written.notes) - _NOTES_SHOWN
        notes = (*written.notes[:_NOTES_SHOWN], *([f"and {more} more notes"] if more > 0 else []))
        lines = (f"Written: {', '.join(path.name for path in written.files)}.", *notes)
        return self._page(self._task(key), notes=lines)

    def drawing(self, key: str) -> flask.Response:
        """Return the number, sizes and texts of the pages of a hand-in's PDF, and its problem, as JSON."""
        drawn = self.pdfs.draw(*self._handin(key))
        pages = [{"width": page.width_px, "height": page.height_px, "text": page.text} for page in drawn.pages]
        return flask.jsonify({"count": drawn.count, "problem": self._labels().cleaned(drawn.problem), "pages": pages})

    def page(self, key: str, number: int) -> flask.Response:
        """Return one page of a PDF as a picture."""
        pages = self.pdfs.draw(*self._handin(key)).pages
        if not 1 <= number <= len(pages):
            flask.abort(404)
        return flask.Response(pages[number - 1].picture, mimetype="image/jpeg")

    def report(self, key: str) -> flask.Response:
        """Show the staff's report of one hand-in."""
        task = self._task(key)
        if self.settings.anonymous:
            report = viewmodel.nameless(task.graded, self._labels())
            return flask.Response(html.render_staff(replace(report, students=())))
        try:
            return flask.Response(self._report_file(task).read_bytes(), mimetype="text/html")
        except OSError:
            flask.abort(404)

    def _store_mark(self, form: Mapping[str, str], task: viewmodel.Task) -> None:
        """Store a mark, or withdraw it. Partners share a mark of a check; an adjustment belongs to one student."""
        ids = [student.id for student in task.graded.handin.students]
        version, check, whose = _version(form), form.get("check", ""), form.get("student", "")
        student = self._labels().key_at(whose) if whose else ids[0]
        if student not in ids:
            raise UsageError(f"{whose[:_SHOWN]!r} did not hand this in: load the page again.")
        if form.get("file", task.graded.handin.sha256) != task.graded.handin.sha256:
            raise MarkConflict("meanwhile another file was handed in: look at it first.")
        may_mark = check == ADJUSTMENT or check in task.may_mark
        if not may_mark and not line_in(check, task.graded.evidence.submission.files):
            raise UsageError(f"{check[:_SHOWN]!r} is not to be marked here: load the page again.")
        for_all = task.holders(student, check)
        if "withdraw" in form:
            for number, who in enumerate(for_all):  # after the first, the version is another
                withdraw_mark(self.store, who, check, self.settings.by, expected_version=None if number else version)
        else:
            marks = [Mark(who, check, _points(form), form.get("comment", ""), self.settings.by) for who in for_all]
            give_mark(self.store, *marks, expected_version=version)

    def _task(self, key: str, check: str | None = None) -> viewmodel.Task:
        check = flask.request.args.get("check", "") if check is None else check
        return viewmodel.read_task(self.store, key, self.settings, check) or flask.abort(404)

    def _handin(self, address: str) -> tuple[Handin, str]:
        key, name = self._labels().key_at(address), viewmodel.pdf_name(self.store)
        known = (handin for handin in read_record(self.store.roster, Roster).handins if handin.key == key)
        handin = next(known, None) if name and self.store.evidence(key).is_file() else None
        return (handin, name) if handin else flask.abort(404)

    def _link(self, endpoint: str, **values: Any) -> str:
        """Return the address of an endpoint, with the token."""
        return flask.url_for(endpoint, token=self.guard.token, **values)

    def _page(
        self,
        task: viewmodel.Task,
        problem: str = "",
        form: Mapping[str, str] | None = None,
        notes: tuple[str, ...] = (),
    ) -> str:
        """Return the page of one hand-in; `form` is a form that could not be stored, and is filled in again."""
        labels = self._labels()
        context: dict[str, Any] = {
            "task": task,
            "shown": task.shown,
            "report": task.graded.report,
            "problem": labels.cleaned(problem),
            "notes": tuple(map(labels.cleaned, notes)),
            "form": {
                name: (form or {}).get(name, "") for name in ("check", "student", "points", "comment", "withdraw")
            },
            "filters": viewmodel.FILTERS,
            "link": self._link,
            "asked": partial(self._link, check=task.check or None),
            "start_points": start_points,
            "on_lines": json.dumps(task.shown["on_lines"]),
            "labels": labels,
            "has_report": self._report_file(task).is_file(),
            "pages_link": self._link("page", key=task.address, number=0).removesuffix("/0"),
        }
        return render_page("review.html", context, ("report.css", "review.css"), "review.js", _ALLOWED)

    def _failures(self, note: str = "", problem: str = "") -> str:
        results, labels = load_batch(self.store), self._labels()
        context: dict[str, Any] = {
            "groups": self._groups(results),
            "version": results.marks.version,
            "labels": labels,
            "link": self._link,
            "note": note,
            "problem": labels.cleaned(problem),
        }
        return render_page("failures.html", context, ("report.css", "review.css"), "", _ALLOWED)

    def _groups(self, results: BatchResults) -> tuple[Group, ...]:
        """Return the groups of alike failures in this TA's share."""
        mine = share_of(results.roster, self.settings)
        return group_findings(replace(results, graded=tuple(one for one in results.graded if one.handin.key in mine)))

    def _labels(self) -> Labels:
        return make_labels(read_record(self.store.roster, Roster), self.settings)

    def _report_file(self, task: viewmodel.Task) -> Path:
        return self.store.folder(task.graded.handin.key) / "staff.html"


def _version(form: Mapping[str, str]) -> int:
    text = form.get("version", "")
    if not (text.isascii() and text.isdecimal() and len(text) < _SHOWN):
        raise UsageError("that form is not one of this page's: load it again.")
    return int(text)


def _points(form: Mapping[str, str]) -> float:
    return number(form.get("points", ""), "this form", "points")
