"""The process between parent and worker: starts the worker and outlives it, so that nothing else does.

    grader --control socket--> supervisor --fork--> worker --> whatever student code starts

The supervisor is a subreaper: daemons that leave their session or their parent still become its children. It ends
the whole tree when the worker exits, when the parent says so (the control socket closes), and when the parent dies
(the same). The worker's wait status goes back over the control socket as one decimal line.

A script for `python -I -S`: standard library only, and as little of it as possible, because its start-up is paid
for every worker.
"""

import contextlib
import os
import select
import signal
import sys
import time

_PR_SET_CHILD_SUBREAPER = 36
_PATIENCE_S = 3.0


def _become_subreaper() -> None:
    """Adopt orphans of the tree; elsewhere than on Linux only the worker's process group can be ended."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - costs 5 ms where it is of no use

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _descendants(root: int) -> list[int]:
    """Return the process ids below `root`, by one look through /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:  # noqa: PTH112, PTH208 - pathlib costs 8 ms
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:  # noqa: PTH123 - as above
                    fields = stat.read().rsplit(b")", 1)[1].split()
            except OSError:
                continue  # it ended meanwhile
            children.setdefault(int(fields[1]), []).append(int(name))
    found, queue = [], [root]
    while queue:
        below = children.get(queue.pop(), [])
        found += below
        queue += below
    return found


def _signal(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):  # gone already, or a set-uid program
        os.kill(pid, number)


def _reap() -> bool:
    """Collect ended children; return whether any child is left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            continue
    except ChildProcessError:
        return False
    return True


def _end_tree(worker: int) -> None:
    """Stop, then kill everything below; stopping first keeps a fork bomb from outrunning the walk."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)
    deadline = time.monotonic() + _PATIENCE_S
    while time.monotonic() < deadline:
        tree = _descendants(os.getpid())
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in tree:
                _signal(pid, number)
        if not _reap():
            return
        time.sleep(0.002)


def _wait(worker: int, control: int, woken: int) -> int | None:
    """Return the worker's wait status, or None when the parent wants it gone; orphans are reaped on the way."""
    while True:
        ready, _, _ = select.select([control, woken], [], [])
        if control in ready:
            return None
        os.read(woken, 512)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return None
            if pid == worker:
                return status
            if pid == 0:
                break


def main(control: int, command: list[str]) -> None:
    """Run `command` as the worker until it ends or the control socket closes; leave nothing behind."""
    _become_subreaper()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # Ctrl-C reaches the parent, which then closes the socket
    worker = os.fork()
    if worker == 0:
        signal.set_wakeup_fd(-1)
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.close(control)
        os.execv(command[0], command)  # noqa: S606 - an absolute path and arguments of ours, no shell
    status = _wait(worker, control, woken)
    _end_tree(worker)
    if status is not None:
        os.write(control, b"%d\n" % status)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2:])
