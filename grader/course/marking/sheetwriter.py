"""Keeps the sheets of a batch up to date while somebody marks: grades at once, reports and archives shortly after."""

from __future__ import annotations

import threading
from collections.abc import Callable

from grader.course.grades.graded import Read
from grader.course.grades.sheets import Sheets, write_grades, write_sheets
from grader.course.store import Store
from grader.errors import GraderError

PAUSE_S = 2.0
"""Without a further mark for so long, what takes longer than the grades is written."""


class SheetWriter:
    """Writes the sheets of one batch, one writing at a time; `follow` in a thread of its own, until `stop`."""

    def __init__(self, store: Store, read: Read) -> None:
        self._store, self._read = store, read
        self._writing, self._changed = threading.Lock(), threading.Condition()
        self._waits = self._stops = False

    def write_grades(self) -> None:
        """Write the grade sheets; afterwards every mark is in them. Everything else follows."""
        self._write(write_grades)
        with self._changed:
            self._waits = True
            self._changed.notify()

    def write_everything(self) -> Sheets:
        """Write all sheets and reports now; raises as `write_sheets`."""
        with self._changed:
            self._waits = False
        return self._write(write_sheets)

    def follow(self) -> None:
        """Write what `write_grades` leaves, whenever no mark has come for `PAUSE_S`; return when stopped."""
        while self._wait_for_quiet():
            try:
                self.write_everything()
            except GraderError:
                continue  # such as a full disk: said where somebody asks for the sheets, and at the end

    def stop(self) -> None:
        """Let `follow` return."""
        with self._changed:
            self._stops = True
            self._changed.notify()

    def _write(self, write: Callable[..., Sheets]) -> Sheets:
        with self._writing:
            return write(self._store, read=self._read)

    def _wait_for_quiet(self) -> bool:
        """Wait until something is to be written and no mark comes any more; return whether to go on."""
        with self._changed:
            self._changed.wait_for(lambda: self._waits or self._stops)
            while not self._stops and self._changed.wait(PAUSE_S):
                pass
            return not self._stops
