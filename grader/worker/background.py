"""A call that goes on beside the checks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from grader.errors import StudentFault, StudentRaised
from grader.worker import faults
from grader.worker.answers import receive_answer
from grader.worker.process import WorkerProcess


class Background:
    """A call that runs in a worker of its own while the checks go on; `result` waits for it.

    Args:
        start: Starts the worker.
        module: The module that it imports.
        function: The function that it calls, with `args`.
        args: Data.
        start_whole: Starts a worker that has the whole files, for a call that raises where only slices are: perhaps
            only because a slice may not have what the file uses.
        holds: Asked when the answer is awaited: are the slices what the whole files end up with? If not, the call is
            made with the whole files. So nobody need know that before it starts.
        spare: Further files of the hand-in, which were not unpacked.
    """

    def __init__(
        self,
        start: Callable[[], WorkerProcess],
        module: str,
        function: str,
        args: tuple[Any, ...],
        start_whole: Callable[[], WorkerProcess] | None = None,
        holds: Callable[[], bool] = lambda: True,
        spare: Iterable[str] = (),
    ) -> None:
        self._call = module, function, args
        self._start_whole = start_whole
        self._holds = holds
        self._spare = tuple(spare)
        self.doubt = ""
        """What was raised where only slices are, if the whole files gave the result; empty else."""
        self._outcome: tuple[Any, Exception | None] | None = None
        self._began_s = time.monotonic()
        self._worker = start()
        self._sent = self._worker.send(module, function, args)

    def result(self, limit_s: float) -> Any:
        """Return what the call came to; `limit_s` counts from its start, and anew where the whole files are taken.

        Whoever asks again is told the same.

        Raises:
            StudentFault: as for a usual call.
            Inconclusive: a file imports another one that was not unpacked, or a usual package is missing here.
            WorkerError: we failed, or the system.
        """
        if self._outcome is None:
            try:
                self._outcome = self._find_result(limit_s), None
            except Exception as error:  # noqa: BLE001 - kept, whatever it is: a ticket is good for one answer
                self._outcome = None, error
        value, raised = self._outcome
        if raised is not None:
            raise raised
        return value

    def _find_result(self, limit_s: float) -> Any:
        if self._start_whole and not self._holds():
            self._start_again(self._start_whole)
            self._start_whole = None
        try:
            return self._await(limit_s)
        except StudentRaised as fault:
            if self._start_whole is None:
                raise
            self._start_again(self._start_whole)
            try:
                value = self._await(limit_s)
            except StudentFault:
                raise fault from None
            self.doubt = fault.finding.message
            return value

    def _start_again(self, start: Callable[[], WorkerProcess]) -> None:
        self.close()
        self._began_s = time.monotonic()
        self._worker = start()
        self._sent = self._worker.send(*self._call)

    def _await(self, limit_s: float) -> Any:
        try:
            return receive_answer(self._worker, self._sent, limit_s, time.monotonic() - self._began_s).value
        except StudentRaised as fault:
            if unjudged := faults.spare_file("A file of the sheet", fault, self._spare):
                raise unjudged from fault
            raise

    def close(self) -> None:
        """End the worker."""
        self._worker.close()
