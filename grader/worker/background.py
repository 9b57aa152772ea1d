"""A call that runs while the checks go on."""

import time
from collections.abc import Callable
from functools import partial
from typing import Any

from grader.errors import StudentFault, StudentRaised
from grader.worker import faults
from grader.worker.process import WorkerProcess
from grader.worker.runs import receive_answer
from grader.worker.student import Parts, Student


class Background:
    """A call that runs in a worker of its own while the checks go on; `result` waits for it.

    `uses` are the graded functions that take part: their slices run first, if reading finds all of them closed. With
    `reads`, no file of the submission is imported. `subject` names the function in messages; by default its own name.
    """

    def __init__(
        self,
        student: Student,
        call: tuple[str, str, tuple[Any, ...]],
        uses: Parts = (),
        *,
        reads: bool = False,
        subject: str = "",
    ) -> None:
        self._student, self._call, self._uses, self._subject = student, call, uses, subject
        self._start = partial(student.start_whole, reads=reads)
        self.doubt = ""
        """Why the grader cannot say how the answer was computed, if the whole files gave it; `result` sets it."""
        self._outcome: tuple[Any, Exception | None] | None = None
        self._runs_slices = bool(uses) and student.are_closed(uses)
        self._begin(student.start_training if self._runs_slices else self._start)

    def _begin(self, start: Callable[[], WorkerProcess]) -> None:
        self._began_s = time.monotonic()
        self._worker = start()
        self._sent = self._worker.send(*self._call)

    def result(self, limit_s: float) -> Any:
        """Return the value of the call; `limit_s` counts from its start, and again if the whole files then run.

        A second call of this method returns, or raises, the same.

        Raises:
            StudentFault: as for a usual call.
            Inconclusive: a file imports another one that was not unpacked, or a usual package is missing here.
            WorkerError: the grader failed, or the system.
        """
        if self._outcome is None:
            try:
                self._outcome = self._find_result(limit_s), None
            except StudentFault as fault:
                module, function, _ = self._call
                self._outcome = None, faults.speak_of(self._subject or f"`{function}`", fault, module, function)
            except Exception as error:  # noqa: BLE001 - kept, whatever it is: a worker answers a request only once
                self._outcome = None, error
        value, raised = self._outcome
        if raised is not None:
            raise raised
        return value

    def _find_result(self, limit_s: float) -> Any:
        if not self._uses:
            return self._await(limit_s)
        value, self.doubt = self._student.try_slices(
            self._uses, lambda: self._await(limit_s), lambda left_s: self._await_whole(left_s or limit_s), limit_s
        )
        return value

    def _await_whole(self, limit_s: float) -> Any:
        if self._runs_slices:
            self.close()
            self._begin(self._start)
        return self._await(limit_s)

    def _await(self, limit_s: float) -> Any:
        try:
            return receive_answer(self._worker, self._sent, limit_s, time.monotonic() - self._began_s).value
        except StudentRaised as fault:
            if unjudged := faults.spare_file("A file of the sheet", fault, self._student.spare):
                raise unjudged from fault
            raise

    def close(self) -> None:
        """End the worker."""
        self._worker.close()
