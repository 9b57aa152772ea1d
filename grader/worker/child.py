"""The program inside the worker: take a request, call student code, send back the result.

Limits and the grader's own imports come first, student code last. Nothing in this process is trusted: student code can
forge any reply. So a reply is only an output, which the parent compares with values that this process never has.
"""

import faulthandler
import functools
import gc
import importlib
import io
import linecache
import os
import re
import resource
import socket
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from grader import cuda_cpu
from grader.slices.policy import as_written
from grader.worker import gpuprobe, wire
from grader.worker.channel import Channel, Closed
from grader.worker.launcher import Settings, read_settings
from grader.worker.launches import keep_transposing_kernel, recorded_launches
from grader.worker.sliced import worker as sliced
from grader.worker.sliced.calllog import current
from grader.worker.sliced.labels import unwrap

_MAX_RAISED_TEXT = 4000
_CAP_BYTES = 1 << 20  # what one request may print before the rest is dropped
_NOTE = b"\n[more output was dropped here]\n"
_NAMED_LINES = (
    re.compile(r"^(\w+\.py):(\d{1,6}): "),  # the executor, of a thread that did something wrong
    re.compile(r'^File "(\w+\.py)", line (\d{1,6}):', re.MULTILINE),  # Numba, of what it could not compile
    re.compile(r"\bat (\w+\.py) \((\d{1,6})\)"),  # Numba, where it names one of its own files first
)


def main() -> None:
    """Serve requests until the parent closes the channel."""
    settings = read_settings(sys.argv.pop())  # student code sees no arguments
    channel = Channel[wire.Request](socket.socket(fileno=settings.channel_fd), wire.Request)
    inbound, outbound = wire.Arena(settings.arena_in_fd), wire.Arena(settings.arena_out_fd)
    prints = redirect_prints(settings.output_fd)
    faulthandler.enable(settings.output_fd)
    ready = wire.Reply(0, raised=try_gpu(settings))
    set_limits(settings)
    # A sandbox without shared memory has no lock between processes, and needs none: nobody else runs Numba in it.
    warnings.filterwarnings("ignore", message="Could not obtain multiprocessing lock")
    open_files(settings)
    if settings.imports_mpi:
        keep_mpi_from_starting()
    gc.freeze()  # garbage collection, and `arrays.enter_call`, skip all objects that libraries have made by now
    channel.send(ready)
    while True:
        try:
            request = channel.receive()
        except Closed:
            return
        prints.reset()
        announce = functools.partial(channel.send, wire.Reply(request.ticket, phase=wire.RETURNED))
        try:
            channel.send(answer(request, settings, inbound, outbound, announce=announce))
        except wire.WireError as error:  # the value is too long for a message
            channel.send(wire.Reply(request.ticket, raised=wire.Raised("WireError", str(error))))


def open_files(settings: Settings) -> None:
    """Make the submission's files importable: as slices, or as they are; on the CPU, `numba.cuda` is the executor."""
    current.device = settings.device
    sys.path[:0] = map(str, [settings.staff] if settings.slices else [settings.submission, settings.staff])
    if settings.slices:
        sliced.open_slices(settings.submission, observed=settings.slices == "observed")
    if settings.device == "cpu":
        (cuda_cpu.install if settings.imports_numba else cuda_cpu.install_when_imported)()


def keep_mpi_from_starting() -> None:
    """Let an import of mpi4py start nothing: this process is no rank, and would wait for others.

    Calls that files make while they are imported, such as `rank = MPI.COMM_WORLD.Get_rank()`, get the answers of a
    single rank: MPI itself would end the process.
    """
    with suppress(ImportError):
        rules = importlib.import_module("mpi4py").rc
        rules.initialize = rules.finalize = False
        mpi: Any = importlib.import_module("mpi4py.MPI")
        answers = {"rank": 0, "size": 1, "Get_rank": lambda: 0, "Get_size": lambda: 1}

        class Alone(mpi.Intracomm):  # type: ignore[misc] # of a module that may be missing
            """A communicator of one rank, which communicates with nobody."""

            def __getattribute__(self, name: str) -> Any:
                if name in answers:
                    return answers[name]
                if name.startswith("__"):
                    return super().__getattribute__(name)
                raise RuntimeError(f"MPI has not started here: {name} needs ranks, and only functions run on ranks")

        mpi.COMM_WORLD = mpi.COMM_SELF = Alone()
        mpi.Wtime, mpi.Wtick, mpi.Get_processor_name = time.perf_counter, lambda: 1e-9, lambda: "localhost"


def try_gpu(settings: Settings) -> wire.Raised | None:
    """Run a kernel of the grader on the GPU of this worker; return the error that it raises, None if it works.

    Compiling it also loads what the submission will need. It runs before the limits, which are for the submission.
    """
    if settings.device != "gpu" or not settings.imports_numba:
        return None
    try:
        gpuprobe.run_kernel(importlib.import_module("numba.cuda"))
        keep_transposing_kernel()
    except Exception as error:  # noqa: BLE001 - whatever a driver raises, no student code has run
        return wire.Raised(type(error).__name__, f"{type(error).__name__}: {' '.join(str(error).split())}")
    return None


def set_limits(settings: Settings) -> None:
    """Set limits that the operating system enforces, soft and hard ones, so that student code cannot raise them."""
    limits = {
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_AS: (settings.address_space_bytes,) * 2,
        resource.RLIMIT_FSIZE: (settings.limits.file_bytes,) * 2,
        # At the soft limit the process ends by SIGXCPU, which tells the parent that it was this limit.
        resource.RLIMIT_CPU: (settings.limits.cpu_s, settings.limits.cpu_s + 1),
    }
    for kind, wanted in limits.items():
        if any(wanted) or kind == resource.RLIMIT_CORE:
            ceiling = resource.getrlimit(kind)[1]  # such as a batch system's: it cannot be raised
            soft, hard = (most if ceiling == resource.RLIM_INFINITY else min(most, ceiling) for most in wanted)
            resource.setrlimit(kind, (soft, hard))


def answer(
    request: wire.Request,
    settings: Settings,
    inbound: wire.Arena,
    outbound: wire.Arena,
    *,
    announce: Callable[[], object] | None = None,
    first: tuple[Any, ...] = (),
) -> wire.Reply:
    """Do what the request asks, and return the reply; an exception of student code becomes part of the reply.

    `announce` tells the parent that the function has returned, if the request wants that. `first` are arguments from
    this process, before those of the request; the latter are then copied, so that no other numbers lie beside them.
    """
    slices = sliced.the_slices() if settings.slices and sliced.the_slices().holds(request.module) else None
    outbound.reset()
    phase = "load"
    try:
        loaded = slices.load(request.module) if slices else importlib.import_module(request.module)
        function = take_callable(loaded, request.module, request.function)
        phase = "call"
        args = (*first, *wire.decode(request.args, inbound, copy=bool(first)))
        value, launches, seen = call(function, args, request, slices)
        if announce and request.announce:
            gpuprobe.synchronise(settings.device)
            announce()
        encoded = wire.encode(unwrap(value, is_answer=True) if slices else value, outbound)
    except BaseException as error:  # noqa: BLE001 - the worker's main loop: SystemExit and KeyboardInterrupt included
        return wire.Reply(request.ticket, raised=describe(error, settings.submission), phase=phase)
    return wire.Reply(request.ticket, encoded, launches=launches, seen=seen)


def call(
    function: Callable[..., Any], args: Sequence[Any], request: wire.Request, slices: sliced.Slices | None
) -> tuple[Any, tuple[wire.Launch, ...], wire.Seen | None]:
    """Call a function, observed if `slices` has it; else as it is, with its launches recorded if the request asks."""
    if slices is not None:
        value, seen = slices.call(function, args, full=request.full)
        return value, slices.seen_launches(), seen
    if not request.record_launches:
        return function(*args), (), None
    with recorded_launches() as launches:
        return function(*args), tuple(launches), None


def take_callable(loaded: ModuleType, module: str, function: str) -> Callable[..., Any]:
    """Return a module's `function`; for an empty name, return a function that lists the module's names.

    Raises:
        AttributeError: the module has none of that name.
    """
    if not function:
        return lambda: sorted(name for name in vars(loaded) if not name.startswith("__"))
    value = getattr(loaded, function)
    if not callable(value):
        msg = f"`{function}` in {module}.py is not a function but a {type(value).__name__}"
        raise AttributeError(msg)  # noqa: TRY004 - for the parent the name is missing
    return value  # type: ignore[no-any-return] # whatever the student defined under this name


def describe(error: BaseException, submission: Path) -> wire.Raised:
    """Describe an exception, and where in the submission it was raised; its own `__str__` may raise again."""
    try:
        text = as_written(str(error)[:_MAX_RAISED_TEXT])
        for folder in (submission, os.path.relpath(submission)):  # Numba's messages have the relative path
            text = text.replace(f"{folder}{os.sep}", "")
    except BaseException as again:  # noqa: BLE001 - `__str__` is student code
        text = f"(no text: its __str__ raised {type(again).__name__})"
    location, line = find_named_line(text, submission)
    if not location:
        location, line = find_line(error, submission)
    return wire.Raised(type(error).__name__, text.encode("utf-8", "replace").decode(), location, line)


def find_named_line(text: str, submission: Path) -> tuple[str, str]:
    """Return `file:line` and the text of a line that the message of a compiler or kernel names, else two empties.

    The message names the line in the compiled function; the traceback has only the line that called the function.
    """
    for pattern in _NAMED_LINES:
        for name, number in pattern.findall(text):  # the innermost function comes first
            path = submission / name
            if path.is_file():
                return f"{name}:{number}", linecache.getline(str(path), int(number)).strip()[:200]
    return "", ""


def find_line(error: BaseException, submission: Path) -> tuple[str, str]:
    """Return `file:line` and the line's text of the innermost frame that lies in the submission, else two empties."""
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).parent == submission:
        return f"{Path(error.filename).name}:{error.lineno}", (error.text or "").strip()[:200]
    for frame, number in reversed(list(traceback.walk_tb(error.__traceback__))):
        path = Path(frame.f_code.co_filename)
        if path.parent == submission:
            return f"{path.name}:{number}", linecache.getline(str(path), number).strip()[:200]
    return "", ""


class CappedFile(io.RawIOBase):
    """A raw stream onto file descriptor `fd` that drops, without an error, what exceeds the cap.

    Printing too much is untidy, not wrong: an exception here would turn a right answer into a failure.
    """

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self.reset()

    def reset(self) -> None:
        """Give the next request its full allowance."""
        self._left_bytes = _CAP_BYTES
        self._noted = False

    def writable(self) -> bool:
        """Return True: this is a stream to print to."""
        return True

    def fileno(self) -> int:
        """Return the descriptor below, for libraries that ask."""
        return self._fd

    def write(self, data: bytes | bytearray | memoryview) -> int:  # type: ignore[override] # the stub says Buffer
        """Write what fits under the cap, and return that everything was written."""
        kept = bytes(data[: self._left_bytes])
        self._left_bytes -= len(kept)
        os.write(self._fd, kept)
        if len(kept) < len(data) and not self._noted:
            os.write(self._fd, _NOTE)
            self._noted = True
        return len(data)


def redirect_prints(fd: int) -> CappedFile:
    """Send `sys.stdout` and `sys.stderr` to `fd`, line by line, and return the cap to reset between requests."""
    raw = CappedFile(fd)
    stream = io.TextIOWrapper(
        io.BufferedWriter(raw, 1),  # type: ignore[type-var] # the stub knows no RawIOBase subclass
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=True,
        write_through=True,
    )
    sys.stdout = sys.stderr = stream
    return raw


if __name__ == "__main__":
    main()
    os._exit(0)  # the parent is gone, so nobody needs student threads and exit handlers
