"""A small batch for the marking view, whose hand-ins have a PDF."""

import sys
import threading
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from sample_batches import make_batch

from grader.commands.review import serve
from grader.course.marking.app import create_app
from grader.course.marking.pdfpages import DrawnPdf, Page, PdfCache
from grader.course.marking.settings import Guard, Settings
from grader.course.model import read_record, write_record
from grader.course.people import Roster

REFERENCE = Path(__file__).parents[3] / "reference" / "hw1"
GUARD = Guard(5000, "t0ken-of-this-run")
PLAIN, ANONYMOUS = Settings("dana"), Settings("dana", anonymous=True)


def make_review(root):
    """Write a batch of four hand-ins of five students; all have the reference's PDF. Return its store."""
    return give_papers(make_batch(root))


def give_papers(store):
    """Let all hand-ins of a batch have the reference's files, and return it."""
    roster = read_record(store.roster, Roster)
    handins = tuple(replace(handin, path=REFERENCE) for handin in roster.handins)
    write_record(store.roster, replace(roster, handins=handins))
    return store


def draw(handin, name):
    """Stand in for the worker: two pages, whose text says what it was asked for."""
    return DrawnPdf((Page(b"one", 600, 800, f"{name} of {handin.key}"), Page(b"two", 600, 800, "</script><b>")), 2)


def client_of(store, settings=PLAIN):
    """Return a client of the marking view of a TA."""
    return create_app(store, GUARD, settings, PdfCache(draw)).test_client()


@contextmanager
def served(store, by):
    """Serve the marking view of a batch to a TA, and give its address."""
    server, guard = serve(store, 0, Settings(by))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"{guard.origin}/{guard.token}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
