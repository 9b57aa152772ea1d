"""``python -m grader.cuda_cpu [switches] script.py [arguments]``: run a script on this executor."""

from __future__ import annotations

import runpy
import signal
import sys
import timeit
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from grader.cuda_cpu import checking, counting, install

if TYPE_CHECKING:
    from grader.cuda_cpu.tracing.costs import CostRecord
    from grader.cuda_cpu.tracing.races import CheckRecord

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

With any of the first three, what the script times with timeit is called once: how long it takes then says nothing.
"""
_SWITCHES = ("--check", "--count")
_TRACE = "--trace"
_KEEP = "--keep-routines"


class _CalledOnce(timeit.Timer):
    """A timer that calls what it times once, however often it is asked to.

    Where launches are watched, times say nothing, and a script that measures 60 calls on the CPU first would keep its
    user waiting for minutes.
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


def _write_races(record: CheckRecord) -> None:
    found = record.describe() or ["no data race found"]
    sys.stderr.write(f"checked {record.launches} kernel launches\n" + "".join(f"- {line}\n" for line in found))


def _write_costs(record: CostRecord) -> None:
    from grader.cuda_cpu.tracing.costs import describe_costs

    explained = set()
    for costs in record.launches:
        kind = (costs.kernel, costs.grid, costs.block)
        if kind not in explained:
            explained.add(kind)
            sys.stderr.write("".join(f"{line}.\n" for line in describe_costs(costs)) + "\n")
    sys.stderr.write("".join(f"{note}\n" for note in record.notes))


def _read_thread(text: str) -> tuple[int, int] | None:
    """Return block and thread from `1,2`, or None where it does not name two."""
    parts = text.split(",")
    if len(parts) != 2 or not all(part.strip().isdecimal() for part in parts):  # noqa: PLR2004 - block and thread
        return None
    return int(parts[0]), int(parts[1])


def _run_followed(arguments: list[str], thread: tuple[int, int]) -> int:
    """Run the script and write what one thread did."""
    from grader.cuda_cpu.tracing.following import following

    _prepare(arguments)
    _time_once()
    with following(*thread) as record:
        try:
            runpy.run_path(arguments[0], run_name="__main__")
        finally:
            lines = record.describe() or ["no kernel was launched"]
            sys.stderr.write("".join(f"{line}\n" for line in lines))
    return 0


def _keep_routines() -> int:
    """Compile every routine that kernels may need, and keep its object code."""
    from grader.cuda_cpu import scheduler
    from grader.cuda_cpu.routines import compile_object, write_object
    from grader.cuda_cpu.tracing import trace
    from grader.cuda_cpu.tracing.layout import OPTIONS

    for routine in scheduler.ROUTINES:
        write_object(*compile_object(routine, ()))
    for routine in trace.ROUTINES:
        write_object(*compile_object(routine, OPTIONS))
    return 0


def _prepare(arguments: list[str]) -> None:
    install()
    # A kernel that never ends cannot be interrupted from Python: let Ctrl-C end the process.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.argv = arguments
    sys.path[0] = str(Path(arguments[0]).resolve().parent)


def _time_once() -> None:
    """Let the script's timers call once what they time."""
    timeit.Timer = _CalledOnce  # type: ignore[misc] # the module's functions make theirs of it


def _run(arguments: list[str], switches: list[str]) -> int:
    _prepare(arguments)
    if switches:
        _time_once()
    with ExitStack() as stack:
        races = stack.enter_context(checking()) if "--check" in switches else None
        costs = stack.enter_context(counting()) if "--count" in switches else None
        try:
            runpy.run_path(arguments[0], run_name="__main__")
        finally:
            if races is not None:
                _write_races(races)
            if costs is not None:
                _write_costs(costs)
    return 1 if races is not None and races.races else 0


def main(arguments: list[str]) -> int:
    """Run the script as ``__main__``; return 2 for wrong usage, 1 for data races in check mode, else 0.

    Args:
        arguments: switches, the script's path and its own arguments.
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
    return _run_followed(arguments, thread) if thread else _run(arguments, switches)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
