"""A worker as its callers see it: `client.sums.add_gpu(A, B)` runs in there and returns data.

One worker is kept, so that the JIT compiles once, and replaced when it dies or hangs. A crash costs only the check that
caused it: memory that an earlier call corrupted can end the process in a later, innocent call. So a call that dies in a
used worker is repeated once in a fresh one before it fails. A call after which CUDA can run no further kernel in that
process is repeated, too, whatever the cause.

The grader grades what it can read. So one worker describes the slice of a function, another the function that the whole
file ends up with, and `CrossCheck` compares them. Both describe the function, and what it names, right after the
import, before any call: what a call changes is no difference.
"""

import functools
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from grader.errors import Inconclusive, StudentFault, StudentRaised, StudentStopped, StudentTooSlow, WorkerError
from grader.intake.selection import find_near
from grader.model import Finding, Submission, printable
from grader.slices.cutting import Slices
from grader.slices.policy import as_written
from grader.worker import faults
from grader.worker.allowance import Allowance
from grader.worker.process import Limits, WorkerProcess
from grader.worker.runs import Answer, receive_answer

_MAX_OUTPUT, _OWN_CODE = 8000, "grader.worker.sliced.owncode"
_STRIKES = 2  # a function or import that was stopped this often is not tried again: every try costs its full limit

_MOST_SHOWN = 3  # how many of the reasons that open a slice a message lists
_DIFFERS = "during the import, other lines change {}.{} or something that it uses"


class Module:
    """A module; its attributes are its functions, which return plain data or raise `StudentFault`."""

    def __init__(self, run: Callable[..., Answer], name: str) -> None:
        self._run, self._name = run, name

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return lambda *args: self._run(self._name, name, args).value


class WorkerClient:
    """One worker. Faults of the submission are raised as `StudentFault`, faults of the grader as `WorkerError`.

    Args:
        start: Starts the process.
        limits: What a call, and all calls together, may take.
        submission: Which files are missing, and which were not unpacked; None where none is imported.
        allowance: What all workers of the submission may take together; None for one of its own.
        kind: What it runs: `whole` files, or slices that are `observed`, `plain` or for the `executor`.
    """

    def __init__(
        self,
        start: Callable[[], WorkerProcess],
        limits: Limits,
        submission: Submission | None = None,
        *,
        allowance: Allowance | None = None,
        kind: str = "whole",
    ) -> None:
        missing, spare = (submission.missing, submission.spare) if submission else ((), ())
        self.kind, self._start, self._limits, self._spare = kind, start, limits, spare
        self.allowance = allowance or Allowance(limits.grading_s)
        self._worker: WorkerProcess | None = None
        self._loaded: set[str] = set()
        self._broken: dict[str, StudentFault | Inconclusive] = {
            name.removesuffix(".py"): faults.missing_file(name, find_near(name, spare)) for name in missing
        }
        self._strikes: dict[str, int] = {}
        self._given_up: dict[str, StudentFault] = {}
        self._output = ""
        self.student_s = 0.0
        self.doubts: list[str] = []

    def __getattr__(self, module: str) -> Module:
        return Module(self.call, module)

    def start(self) -> None:
        """Start the worker, and return before it is ready: it may be needed only later."""
        self._running()

    def begin_check(self) -> None:
        """Forget the output, the time and the doubts of the previous check."""
        self._output = ""
        self.student_s = 0.0
        self.doubts = []

    @property
    def output(self) -> str:
        """What the submission printed since `begin_check`, printable and capped."""
        self._collect_output()
        return printable(as_written(self._output), _MAX_OUTPUT)

    def load(self, module: str) -> None:
        """Import `module` in the worker, unless it is there; `StudentFault` says why it cannot be."""
        self.expect_importable(module)
        if self._worker is not None and module in self._loaded:
            return
        try:
            try:
                self._ask(module, "", (), self._limits.load_s)
            except faults.MachineError:
                self._ask(module, "", (), self._limits.load_s)
        except StudentRaised as fault:
            self._broken[module] = fault
            raise
        except StudentStopped as fault:
            if self._strike(f"import {module}"):
                self._broken[module] = fault
            raise
        self._loaded.add(module)

    def expect_importable(self, module: str) -> None:
        """Raise the fault of the import of `module`, if it is not tried again: a call would import it, and wait."""
        if fault := self._broken.get(module):
            raise fault

    def call(
        self,
        module: str,
        function: str,
        args: tuple[Any, ...],
        *,
        limit_s: float | None = None,
        timed: bool = False,
        **options: bool,
    ) -> Answer:
        """Call `module.function(*args)` in the worker; `limit_s` is its wall time, by default the usual one.

        With `timed`, the answer says when the function returned, and when the parent had its value. Further options:
        `watch_inputs` fills `Answer.inputs_changed`; `record_launches` records launches of whole files, too; `full`
        records a slice's single reads and writes of arrays, too.

        Raises:
            StudentFault: the module cannot be imported, or the call raised, crashed, or took too long.
        """
        name = f"{module}.{function}"
        if fault := self._given_up.get(name):
            raise fault
        if self._strikes.get(name, 0) >= (_STRIKES if self.allowance.calls_again else 1):
            raise StudentStopped(Finding(f"`{function}` was not called again: it has been stopped before."))
        self.load(module)
        used = self._worker is not None and self._worker.calls_served > 0
        again = functools.partial(self._ask, module, function, args, limit_s=limit_s or self._limits.call_s, **options)
        try:
            return again(timed=timed)
        except (faults.Crashed, faults.KernelFailed, faults.MachineError) as failure:
            if not used and not isinstance(failure, faults.MachineError):
                raise
            self.load(module)
            if timed:
                again(timed=False)  # compiles, which must not be in the measured time
            answer = again(timed=timed)
            self.doubts.append(faults.only_once(function, failure))
            return answer
        except StudentStopped:
            self._strike(name)
            raise

    def give_up(self, module: str, function: str, fault: StudentFault) -> None:
        """Let every further call of a function that does not end fail at once, with `fault`."""
        self._given_up[f"{module}.{function}"] = fault

    @property
    def is_running(self) -> bool:
        """Whether there is a worker at present."""
        return self._worker is not None

    @property
    def pids(self) -> tuple[int, ...]:
        """The process above the worker; a worker is started if there is none."""
        return (self._running().pid,)

    def close(self) -> None:
        """End the worker and everything that it started."""
        if self._worker is not None:
            self._collect_output()
            self._worker.close()
            self._worker = None
            self._loaded.clear()

    def _ask(
        self,
        module: str,
        function: str,
        args: tuple[Any, ...],
        limit_s: float,
        *,
        watch_inputs: bool = False,
        timed: bool = False,
        **wanted: bool,
    ) -> Answer:
        """Let the worker run one function, or import the module if `function` is empty; a stopped worker is closed."""
        worker = self._running()
        allowed_s = self.allowance.limit(limit_s)
        subject = f"`{function or module + '.py'}`"
        used_up = faults.used_up("This" if "." in module else subject)  # only a module of observers has a dot
        if not allowed_s:
            raise used_up
        began_s = time.perf_counter()
        try:
            sent = worker.send(module, function, args, announce=timed, **wanted)
            began_s = sent.began_s  # before that, the worker may have been starting, which is not the student's time
            answer = receive_answer(worker, sent, allowed_s)
        except (StudentStopped, WorkerError, faults.KernelFailed) as failure:
            self.close()
            if isinstance(failure, StudentTooSlow) and allowed_s < limit_s:
                raise used_up from failure
            raise
        except StudentRaised as fault:
            if unjudged := faults.spare_file(f"{module}.py", fault, self._spare):
                raise unjudged from fault
            raise
        finally:
            took_s = time.perf_counter() - began_s
            self.student_s += took_s
            self.allowance.spend(min(max(took_s - worker.kept_s, 0.0), allowed_s))
        if function:
            worker.calls_served += 1
        return replace(answer, inputs_changed=worker.changed_inputs(sent)) if watch_inputs else answer

    def _running(self) -> WorkerProcess:
        if self._worker is None:
            self._worker = self._start()
        return self._worker

    def _strike(self, name: str) -> bool:
        """Count a stop of `name`; return whether it was the last that is tolerated."""
        self._strikes[name] = self._strikes.get(name, 0) + 1
        return self._strikes[name] >= _STRIKES

    def _collect_output(self) -> None:
        if self._worker is not None:
            self._output = (self._output + self._worker.read_output())[: 4 * _MAX_OUTPUT]


class Staff(WorkerClient):
    """The staff's own modules in a worker that never loads student code: every failure there is the grader's."""

    def call(self, module: str, function: str, args: tuple[Any, ...], **options: Any) -> Answer:
        """Call `module.function(*args)`, as `WorkerClient.call` does; `WorkerError` if that fails for any reason."""
        try:
            return super().call(module, function, args, **options)
        except StudentFault as fault:
            raise WorkerError(f"the staff's own {module}.{function} failed: {fault.finding.message}") from fault


class CrossCheck:
    """Compares the slices of a submission with its whole files, each in a worker of its own."""

    def __init__(self, slices: Slices, whole: WorkerClient, sliced: WorkerClient) -> None:
        self._slices, self._whole, self._sliced = slices, whole, sliced
        self._has_compared = False
        self._differences: dict[str, dict[str, str]] = {}
        """Module -> function -> how the file's function differs from its slice."""

    def why_open(self, module: str, function: str) -> str:
        """Return why a TA must give a function's points: what opens its slice, or how the file differs from the slice.

        Empty if the slice is closed and is the function that the whole file ends up with.
        """
        piece = self._slices.of(module, function)
        if not piece.is_closed:
            shown = list(map(str, piece.openings[:_MOST_SHOWN]))
            rest = len(piece.openings) - len(shown)
            return "; ".join([*shown, f"and {rest} more"] if rest else shown)
        self.compare_all()
        if module not in self._differences:
            self._differences[module] = self._compare(module)
        return self._differences[module].get(function, "")

    def note(self, module: str, function: str, words: str) -> None:
        """Treat a function as open from now on, because its file does something else than its slice."""
        self._differences.setdefault(module, {})[function] = words

    def compare_all(self) -> None:
        """Compare all modules, once."""
        for module in self._slices.modules() if not self._has_compared else ():
            self._has_compared = True
            with suppress(StudentFault, Inconclusive):  # raised again when a check needs the module
                self._differences[module] = self._compare(module)

    def _compare(self, module: str) -> dict[str, str]:
        """Return function -> how the whole file's function differs from its slice, for the functions that differ."""
        names = [name for name in self._slices.functions(module) if self._slices.of(module, name).is_closed]
        if not names:
            return {}
        try:
            as_sliced = self._sliced.call(_OWN_CODE, "describe", (module, names, True)).value
        except StudentFault as fault:
            where, why = fault.finding.location or f"{module}.py", fault.finding.message
            return dict.fromkeys(names, f"a part of {where} cannot run alone: {why.removeprefix('`describe` raised ')}")
        self._whole.expect_importable(module)
        as_whole = self._whole.call(_OWN_CODE, "describe", (module, names, False)).value
        pairs = ((name, _digest_of(as_whole, name), _digest_of(as_sliced, name)) for name in names)
        return {name: _DIFFERS.format(module, name) for name, whole, sliced in pairs if whole != sliced or not whole}


def _digest_of(described: Any, name: str) -> str:
    """Return a worker's digest of a function, as a text whatever the worker sent."""
    return str(described.get(name, "")) if isinstance(described, dict) else ""
