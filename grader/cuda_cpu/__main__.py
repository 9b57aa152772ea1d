"""``python -m grader.cuda_cpu [switches] script.py [arguments]``: run a script on this executor."""

import runpy
import signal
import sys
import threading
import time
import timeit
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import grader.cuda_cpu
from grader.cuda_cpu.launches import observe_progress

_USAGE = """\
usage: python -m grader.cuda_cpu [--check] [--count] script.py [arguments]
       python -m grader.cuda_cpu --trace BLOCK,THREAD script.py [arguments]

Runs a script that uses numba.cuda, without a GPU.

  --check   look for data races between threads and list them at the end; the exit code is then 1
  --trace BLOCK,THREAD
            list at the end what one thread read and wrote in each launch, line by line, with the values; for small
            launches; numbers count from 0 along x, then y, then z
  --count   explain at the end what each kernel asks of a GPU's memory and warps (counted, not timed)
  --keep-routines
            compile the executor's own routines and keep their code beside its sources; needs no script, and is done
            when the environment is set up

examples:
  python -m grader.cuda_cpu softmax.py 1000          run softmax.py with the argument 1000
  python -m grader.cuda_cpu --check softmax.py       name data races: the array, both lines, both threads
  python -m grader.cuda_cpu --trace 1,2 softmax.py   what thread 2 of block 1 reads and writes

A launch of more than two seconds says how far it is. With any of the first three, what the script times with timeit is
called once: how long it takes then says nothing.
"""
_SWITCHES = {"--check": "checking", "--count": "counting"}
_TRACE = "--trace"
_KEEP = "--keep-routines"


class _CalledOnce(timeit.Timer):
    """A timer that calls the timed code once, however many calls a script asks for.

    Times of watched launches mean nothing. A script that first measures 60 calls on the CPU would keep its user waiting
    for minutes.
    """

    has_said_so = False

    def timeit(self, number: int = 1) -> float:
        """Return the seconds of one call; the first time, say that they mean nothing."""
        if not _CalledOnce.has_said_so:
            _CalledOnce.has_said_so = True
            sys.stderr.write("what timeit measures is called once here: its times say nothing\n")
        return super().timeit(1)

    def repeat(self, repeat: int = 5, number: int = 1) -> list[float]:
        """Return the seconds of one call, as often as asked for."""
        return [self.timeit()] * repeat

    def autorange(self, callback: object = None) -> tuple[int, float]:
        """Return 1, and the seconds of one call."""
        return 1, self.timeit()


class Progress:
    """Reports on stderr, every `period_s` seconds, how far a launch is that takes longer than `period_s`."""

    def __init__(self, period_s: float = 2.0) -> None:
        self._period_s = period_s
        self._running: tuple[str, int, int] | None = None
        self._began_s = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def __call__(self, kernel: str, done: int, blocks: int) -> None:
        """Record how many blocks of a launch are done; the first call for a launch marks its beginning."""
        if self._running is None:
            self._began_s = time.monotonic()
        self._running = (kernel, done, blocks) if done < blocks else None

    def _watch(self) -> None:
        while True:
            time.sleep(self._period_s)
            running, wall_s = self._running, time.monotonic() - self._began_s
            if running and wall_s >= self._period_s:
                kernel, done, blocks = running
                left = f", about {wall_s * (blocks - done) / done:,.0f} s to go" if done else ""
                sys.stderr.write(f"kernel {kernel}: {done:,} of {blocks:,} blocks after {wall_s:,.0f} s{left}\n")


def _read_thread(text: str) -> tuple[int, int] | None:
    """Return block and thread from a text such as `1,2`; None if the text is not two numbers."""
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):  # noqa: PLR2004 - block and thread
        return None
    return int(parts[0]), int(parts[1])


def _keep_routines() -> int:
    """Compile every routine that kernels may need, and store its object code."""
    from grader.cuda_cpu import scheduler
    from grader.cuda_cpu.routines import compile_object, write_object
    from grader.cuda_cpu.tracing import trace
    from grader.cuda_cpu.tracing.layout import OPTIONS

    for routine in scheduler.ROUTINES:
        write_object(*compile_object(routine, ()))
    for routine in trace.ROUTINES:
        write_object(*compile_object(routine, OPTIONS))
    return 0


def _run(arguments: list[str], switches: list[str], thread: tuple[int, int] | None) -> int:
    """Run the script, and write what its watchers saw; return 1 for data races in check mode, else 0."""
    grader.cuda_cpu.install()
    from grader.cuda_cpu.tracing.following import following

    # A kernel that never ends cannot be interrupted from Python: let Ctrl-C end the process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.argv = arguments
    sys.path[0] = str(Path(arguments[0]).resolve().parent)
    sessions: list[Any] = [getattr(grader.cuda_cpu, _SWITCHES[switch])() for switch in sorted({*switches})]
    if thread:
        sessions.append(following(*thread))
    if sessions:
        timeit.Timer = _CalledOnce  # type: ignore[misc] # the module's functions make theirs of it
    with ExitStack() as stack:
        stack.enter_context(observe_progress(Progress()))
        watchers = [stack.enter_context(session) for session in sessions]
        try:
            runpy.run_path(arguments[0], run_name="__main__")
        finally:
            sys.stderr.write("".join(f"{line}\n" for watcher in watchers for line in watcher.summary()))
    return int(any(watcher.has_failed for watcher in watchers))


def main(arguments: list[str]) -> int:
    """Run a script as ``__main__``; return 2 for wrong usage, 1 for data races in check mode, else 0.

    `arguments` are switches, the script's path and its own arguments.
    """
    switches: list[str] = []
    thread = None
    if arguments and arguments[0] == _TRACE:
        thread, arguments = _read_thread(arguments[1] if len(arguments) > 1 else ""), arguments[2:]
        if thread is None:
            sys.stderr.write("--trace needs a block and a thread, as in: --trace 0,5 script.py\n")
            return 2
    while arguments and arguments[0] in _SWITCHES:
        switches.append(arguments[0])
        arguments = arguments[1:]
    if thread and switches:
        sys.stderr.write(f"--trace follows one thread alone: leave {switches[0]} out\n")
        return 2
    if arguments == [_KEEP]:
        return _keep_routines()
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.stderr.write(_USAGE)
        return 0 if arguments else 2
    if not Path(arguments[0]).is_file():
        sys.stderr.write(f"{arguments[0]} is no file: name a Python script\n")
        return 2
    return _run(arguments, switches, thread)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
