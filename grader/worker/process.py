"""One worker process, seen from the parent: start it, talk to it, end its whole tree.

Only the `Launcher` knows how the worker is confined: it turns the plain command into the command that is really run.
Checks, and all callers above this module, do not see a difference.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.errors import WorkerError
from grader.model import printable
from grader.worker import supervisor, wire
from grader.worker.allowance import CallDeadline
from grader.worker.channel import Channel, Closed, new_arena
from grader.worker.folders import temporary_folder
from grader.worker.launcher import (
    Launcher,
    Limits,
    PlainLauncher,
    Settings,
    WorkerDied,
    describe_ending,
    worker_environment,
)

__all__ = ["Launcher", "Limits", "PlainLauncher", "Sent", "Settings", "WorkerDied", "WorkerProcess"]

_END_S = 10.0
_OF_THE_SANDBOX = 4  # processes between supervisor and worker, with a margin: they are not the submission's


class WorkerProcess:
    """A worker that runs, or is about to. `close` leaves no process, no file and no shared memory behind."""

    def __init__(self, settings: Settings, launcher: Launcher) -> None:
        self.calls_served = 0
        self.kept_s = 0.0  # for how long the machine kept a processor from the last call; 0 for a short one
        self.device = settings.device
        self._limits = settings.limits
        self._is_ready = False
        with contextlib.ExitStack() as resources:
            self._start(settings, launcher, resources)
            self._held = resources.pop_all()

    def _start(self, settings: Settings, launcher: Launcher, resources: contextlib.ExitStack) -> None:
        """Start the process; `resources` gets all that `close` must close or remove."""
        self._scratch = resources.enter_context(temporary_folder("worker"))
        self._output = resources.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - it is entered here
        (inbound, self._inbound), (outbound, self.outbound) = new_arena(), new_arena()
        resources.enter_context(inbound)
        resources.enter_context(outbound)
        channel, channel_inside = map(resources.enter_context, socket.socketpair())
        self._channel = Channel[wire.Reply](channel, wire.Reply)
        self._control, control_inside = map(resources.enter_context, socket.socketpair())
        settings = replace(
            settings,
            channel_fd=channel_inside.fileno(),
            arena_in_fd=inbound.fileno(),
            arena_out_fd=outbound.fileno(),
            output_fd=self._output.fileno(),
        )
        inside = [sys.executable, "-I", "-m", "grader.worker.child", settings.to_text()]
        with channel_inside, control_inside:
            command = launcher.wrap(inside, settings, self._scratch)
            self._process = self._supervise(command, settings, control_inside.fileno())

    def wait_until_ready(self) -> None:
        """Return once the worker takes requests; `send` does so by itself.

        Raises:
            WorkerError: it has not started in time, or has ended.
        """
        if self._is_ready:
            return
        try:
            reply = self.receive(0, self._limits.start_s)
        except (WorkerDied, TimeoutError, wire.WireError) as error:
            text = self.read_output()[-500:]
            self.close()
            raise WorkerError(f"the worker did not start ({error}); it printed: {text or 'nothing'}") from error
        if reply.raised is not None:
            self.close()
            raise WorkerError(f"no kernel runs on the GPU, without student code: {printable(reply.raised.text, 300)}")
        self._is_ready = True

    def _supervise(self, command: list[str], settings: Settings, control_fd: int) -> subprocess.Popen[bytes]:
        watched = (
            self._limits.memory_bytes,
            self._limits.scratch_bytes,
            self._limits.output_bytes,
            self._limits.most_tasks + _OF_THE_SANDBOX,
        )
        folders = (self._scratch, settings.temporary or "")
        inherited = (settings.channel_fd, settings.arena_in_fd, settings.arena_out_fd, settings.output_fd)
        arguments = [str(argument) for argument in (control_fd, *watched, *folders)]
        return subprocess.Popen(  # noqa: S603 - a fixed interpreter and arguments of ours, no shell
            [sys.executable, "-I", "-S", supervisor.__file__, *arguments, *command],
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=self._output,
            cwd=self._scratch,
            env=worker_environment(self._scratch, self._limits.threads),
            pass_fds=[*inherited, control_fd],
            start_new_session=True,  # a signal to the grader's process group does not end it, so that it cleans up
        )

    @property
    def pid(self) -> int:
        """The supervisor's process id: the worker and all that it started are below."""
        return self._process.pid

    def send(self, module: str, function: str, args: tuple[Any, ...], **wanted: bool) -> Sent:
        """Ask for `module.function(*args)` and return at once with what is needed to understand the answer.

        `wanted` are further fields of the request, such as `announce`.

        Raises:
            WorkerError: the worker did not start.
        """
        self.wait_until_ready()
        declared = wire.encode_args(args, self._inbound)
        request = wire.Request(secrets.randbits(62) + 1, module, function, declared, **wanted)
        return Sent(request, args, self._channel.send(request))

    def receive(self, ticket: int, limit_s: float, spent_s: float = 0.0) -> wire.Reply:
        """Wait for the answer to `ticket`; of `limit_s`, `spent_s` are over already.

        Raises:
            WorkerDied: the process ended instead.
            TimeoutError: nothing complete came within `limit_s` seconds, or longer on a busy machine: see
                `CallDeadline`.
            WireError: the message is no answer to `ticket`, or is not of the declared form.
        """
        deadline = CallDeadline(limit_s, spent_s)
        try:
            reply = self._receive(deadline)
        finally:
            self.kept_s = deadline.kept_s(self.pid)
        if reply.ticket != ticket:
            raise wire.WireError("a reply to a question that nobody asked")
        return reply

    def changed_inputs(self, sent: Sent) -> tuple[int, ...]:
        """Return the positions of the arguments in which the callee has overwritten an array."""
        pairs = enumerate(zip(sent.request.args.items, sent.args, strict=True))
        return tuple(position for position, (declared, value) in pairs if self._is_changed(declared, value))

    def _is_changed(self, declared: wire.Node, value: Any) -> bool:
        if isinstance(declared, wire.Sequence):
            return any(map(self._is_changed, declared.items, value))
        if not isinstance(declared, wire.Array) or declared.origin != "ndarray":
            return False
        return not np.array_equal(self._inbound.view(declared), value, equal_nan=True)

    def read_output(self) -> str:
        """Return what was printed since the last call of this method; an empty text after `close`."""
        if self._output.closed:
            return ""
        descriptor = self._output.fileno()
        text = os.pread(descriptor, min(os.fstat(descriptor).st_size, 1 << 20), 0).decode("utf-8", "replace")
        os.ftruncate(descriptor, 0)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return text

    def close(self) -> None:
        """End the whole process tree and remove everything that belonged to it."""
        self._channel.close()
        with contextlib.suppress(OSError):  # the supervisor has ended already
            self._control.sendall(supervisor.ORDERLY)
        self._control.close()
        try:
            self._process.wait(_END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._held.close()

    def _receive(self, deadline: CallDeadline) -> wire.Reply:
        """Return the next message; errors as of `receive`."""
        while True:
            try:
                return self._channel.receive(deadline.left_s)
            except TimeoutError:
                if not deadline.extend(self.pid):
                    raise
            except Closed:
                raise self._ending() from None

    def _ending(self) -> WorkerDied:
        """Return how the worker ended, as the supervisor tells it."""
        self._control.settimeout(_END_S)
        try:
            line = self._control.recv(64)
        except OSError:
            line = b""
        return describe_ending(line, self._limits)


@dataclass(frozen=True, slots=True)
class Sent:
    """A request on its way, and its arguments as the parent holds them."""

    request: wire.Request
    args: tuple[Any, ...]
    began_s: float  # when it was sent, by `time.perf_counter`
