"""The program inside the worker: take a request, call student code, send back what came of it.

Limits and our own imports come first, student code last. Nothing in this process is trusted: a student can forge
any reply, which is why a reply is only ever an output, compared by the parent with values that never were here.
"""

from __future__ import annotations

import faulthandler
import functools
import gc
import importlib
import linecache
import os
import re
import resource
import socket
import sys
import traceback
import warnings
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from grader.worker import gpuprobe, wire
from grader.worker.channel import Channel, Closed
from grader.worker.launcher import Settings, read_settings
from grader.worker.launches import recorded_launches, use_device
from grader.worker.output import redirect_prints
from grader.worker.sliced import worker as sliced
from grader.worker.synchronise import synchronise

_MAX_RAISED_TEXT = 4000
_NAMED_LINES = (
    re.compile(r"^(\w+\.py):(\d{1,6}): "),  # the executor, of a thread that did something wrong
    re.compile(r'^File "(\w+\.py)", line (\d{1,6}):', re.MULTILINE),  # Numba, of what it could not compile
    re.compile(r"\bat (\w+\.py) \((\d{1,6})\)"),  # Numba, where it names one of its own files first
)


def main() -> None:
    """Serve requests until the parent closes the channel."""
    settings = read_settings(sys.argv.pop())  # what runs here is given no arguments
    channel = Channel(socket.socket(fileno=settings.channel_fd))
    inbound, outbound = wire.Arena(settings.arena_in_fd), wire.Arena(settings.arena_out_fd)
    prints = redirect_prints(settings.output_fd)
    faulthandler.enable(settings.output_fd)
    ready = wire.Reply(0, raised=try_gpu(settings))
    set_limits(settings)
    # A sandbox without shared memory has no lock between processes, and needs none: nobody else runs Numba in it.
    warnings.filterwarnings("ignore", message="Could not obtain multiprocessing lock")
    sys.path[:0] = map(str, [settings.staff] if settings.slices else [settings.submission, settings.staff])
    if settings.slices:
        sliced.open_slices(settings.submission, settings.device, observed=settings.slices == "observed")
    if settings.imports_numba and settings.device == "cpu":
        importlib.import_module("grader.cuda_cpu").install()
    if settings.imports_mpi:
        keep_mpi_from_starting()
    gc.freeze()  # neither collections nor the search for a submission's arrays walk through what libraries made
    channel.send(wire.pack(ready))
    while True:
        try:
            request = wire.unpack_request(channel.receive())
        except Closed:
            return
        prints.reset()
        outbound.reset()
        announce = functools.partial(channel.send, wire.pack(wire.Reply(request.ticket, phase=wire.RETURNED)))
        channel.send(pack_reply(answer(request, settings, inbound, outbound, announce=announce)))


def keep_mpi_from_starting() -> None:
    """Let an import of mpi4py start nothing: this process is no rank, and would wait for others."""
    with suppress(ImportError):
        rules = importlib.import_module("mpi4py").rc
        rules.initialize = rules.finalize = False


def try_gpu(settings: Settings) -> wire.Raised | None:
    """Run a kernel of ours on the GPU that this worker will use; return what is wrong with it, None if nothing is.

    Compiling it also loads what the submission will need. It comes before the limits, which are the submission's.
    """
    if settings.device != "gpu" or not settings.imports_numba:
        return None
    try:
        gpuprobe.run_kernel(importlib.import_module("numba.cuda"))
    except Exception as error:  # noqa: BLE001 - whatever a driver raises, no student code has run
        return wire.Raised(type(error).__name__, f"{type(error).__name__}: {' '.join(str(error).split())}")
    return None


def set_limits(settings: Settings) -> None:
    """Set the limits that the kernel keeps; soft and hard alike, so that student code cannot raise them again."""
    limits = {
        resource.RLIMIT_CORE: (0, 0),
        resource.RLIMIT_AS: (settings.address_space_bytes,) * 2,
        resource.RLIMIT_FSIZE: (settings.limits.file_bytes,) * 2,
        # The soft one ends the process by SIGXCPU, which tells this limit from other ends.
        resource.RLIMIT_CPU: (settings.limits.cpu_s, settings.limits.cpu_s + 1),
    }
    for kind, wanted in limits.items():
        if any(wanted) or kind == resource.RLIMIT_CORE:
            given = resource.getrlimit(kind)[1]  # such as a batch system's: it cannot be raised
            soft, hard = (most if given == resource.RLIM_INFINITY else min(most, given) for most in wanted)
            resource.setrlimit(kind, (soft, hard))


def answer(
    request: wire.Request,
    settings: Settings,
    inbound: wire.Arena,
    outbound: wire.Arena,
    announce: Callable[[], None],
) -> wire.Reply:
    """Do what was asked; whatever student code throws becomes part of the reply.

    `announce` tells the parent that the function has returned, if the request wants that.
    """
    is_slice = bool(settings.slices) and sliced.the_slices().holds(request.module)
    phase = "load"
    try:
        loaded = sliced.load(request.module) if is_slice else load_file(request.module, settings)
        function = take_callable(loaded, request.module, request.function)
        phase = "call"
        args = wire.decode(request.args, inbound, copy=False)
        value, launches, seen = (call_slice if is_slice else call_file)(function, args, request)
        if request.announce:
            synchronise(settings.device)
            announce()
        encoded = wire.encode(sliced.plain(value) if is_slice else value, outbound)
    except BaseException as error:  # noqa: BLE001 - the worker's main loop: SystemExit and KeyboardInterrupt included
        raised = describe(error, settings.submission)
        return wire.Reply(request.ticket, raised=raised, phase=phase)
    return wire.Reply(request.ticket, encoded, launches=launches, seen=seen)


def load_file(module: str, settings: Settings) -> ModuleType:
    """Import a module of the submission as it is, or one of the staff's."""
    use_device(settings.device, settings.submission / f"{module}.py")
    return importlib.import_module(module)


def call_file(
    function: Callable[..., Any], args: Any, request: wire.Request
) -> tuple[Any, tuple[wire.Launch, ...], wire.Seen | None]:
    """Call a function of a file as it is; only launches are recorded, and only where that is asked for."""
    launches: list[wire.Launch] = []
    with recorded_launches(launches) if request.record_launches else nullcontext():
        value = function(*args)
    return value, tuple(launches), None


def call_slice(
    function: Callable[..., Any], args: Any, request: wire.Request
) -> tuple[Any, tuple[wire.Launch, ...], wire.Seen | None]:
    """Call a function of a slice; every call is observed."""
    slices = sliced.the_slices()
    value, seen = slices.call(function, args, full=request.full)
    return value, slices.seen_launches(), seen


def take_callable(loaded: ModuleType, module: str, function: str) -> Callable[..., Any]:
    """Return a module's `function`; an empty name only asks what the module holds.

    Raises:
        AttributeError: the module has none of that name.
    """
    if not function:
        return lambda: sorted(name for name in vars(loaded) if not name.startswith("__"))
    found = getattr(loaded, function)
    if not callable(found):
        msg = f"`{function}` in {module}.py is not a function but a {type(found).__name__}"
        raise AttributeError(msg)  # noqa: TRY004 - for the parent the name is missing
    return found  # type: ignore[no-any-return] # whatever the student defined under this name


def describe(error: BaseException, submission: Path) -> wire.Raised:
    """Say what was raised and where in the submission; the error's own code may misbehave once more."""
    try:
        text = str(error)[:_MAX_RAISED_TEXT]
        for folder in (submission, os.path.relpath(submission)):  # Numba's messages have the latter
            text = text.replace(f"{folder}{os.sep}", "")
    except BaseException as again:  # noqa: BLE001 - `__str__` is student code
        text = f"(no text: its __str__ raised {type(again).__name__})"
    location, line = find_named_line(text, submission)
    if not location:
        location, line = find_line(error, submission)
    return wire.Raised(type(error).__name__, text.encode("utf-8", "replace").decode(), location, line)


def find_named_line(text: str, submission: Path) -> tuple[str, str]:
    """Return `file:line` and the line's text where a compiler or a kernel names a line of the submission, else empties.

    They know the line in the compiled function; the traceback only knows the one that called it.
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


def pack_reply(reply: wire.Reply) -> bytes:
    """Pack the reply; a value that is too long for a message becomes a failure that says so."""
    try:
        return wire.pack(reply)
    except wire.WireError as error:
        return wire.pack(wire.Reply(reply.ticket, raised=wire.Raised("WireError", str(error))))


if __name__ == "__main__":
    main()
    os._exit(0)  # the parent is gone: student threads and exit handlers have nobody left to work for
