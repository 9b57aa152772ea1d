"""The page of a batch while it runs: the same `index.html`, written again as hand-ins are graded."""

from __future__ import annotations

import time

from grader.course.grades.graded import Memory, load_batch
from grader.course.grades.likeness import read_likeness
from grader.course.pages.index import render_index
from grader.course.store import Store
from grader.errors import GraderError
from grader.reports import write_atomically

PAUSE_S = 5.0
_SHARE = 20
"""Of the batch's time, at most one part in so many goes into the page."""


class LivePage:
    """Writes the page now and then; what it cannot write, the batch writes when it ends."""

    def __init__(self, store: Store) -> None:
        self._store, self._memory = store, Memory()
        self._next_s = 0.0

    def renew(self, progress: str) -> None:
        """Write the page, unless that was done a moment ago; `progress` says how far the batch is."""
        began_s = time.monotonic()
        if began_s < self._next_s:
            return
        said = f"This batch is running: {progress}. As of {time.strftime('%H:%M:%S')}; a time that stands still means "
        said += "that it has ended, and the same command goes on."
        try:
            results = load_batch(self._store, read=self._memory.read)
            page = render_index(results, read_likeness(self._store), said)
            write_atomically(self._store.root / "index.html", page.encode())
        except GraderError:
            pass  # such as a full disk, or a table that somebody is writing: the batch itself says so at its end
        now_s = time.monotonic()
        self._next_s = now_s + max(PAUSE_S, _SHARE * (now_s - began_s))
