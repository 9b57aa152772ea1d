"""The process between parent and worker: starts the worker and outlives it, so that nothing else does.

    grader --control socket--> supervisor --fork--> worker --> whatever student code starts

The supervisor is a subreaper: daemons that leave their session or their parent still become its children. It ends
the whole tree when the worker exits, when the tree exceeds a limit, when the parent says so, and when the parent dies
(its end of the control socket closes without `ORDERLY`). Then it removes the scratch folder and, if the parent died,
the parent's temporary folder. It sends one line over the control socket: the worker's wait status, and a limit's name.

A script for `python -I -S`: standard library only, and as little of it as possible, because its start-up is paid
for every worker. Arguments: control socket, limits (memory, scratch and output in bytes, processes), scratch folder,
the parent's temporary folder or nothing, command.
"""

import contextlib
import os
import select
import signal
import sys
import time

ORDERLY = b"."  # what the parent sends before it closes the control socket on purpose
_PR_SET_CHILD_SUBREAPER, _WAIT_S = 36, 3.0
_LAST_BREATH_S = 1.0  # how long a dying parent may still look alive after its sockets are closed
_LOOK_S = (0.02, 0.25)  # the shortest and longest time between two looks at the tree
_BYTES_PER_S = 8e9  # how fast a tree may take memory: the nearer the limit, the sooner the next look
_SCRATCH_EVERY = 4
_CROWDED = 4  # a tree with a fourth of the processes that it may have is looked at as often as can be
_ENTRY_BYTES = 16 << 10
_STDOUT, _STDERR = 1, 2
_PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")


def _become_subreaper() -> None:
    """Adopt orphans of the tree; elsewhere than on Linux only the worker's process group can be ended."""
    if sys.platform == "linux":
        import ctypes  # noqa: PLC0415 - costs 5 ms where it is of no use

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1)


def _descendants(root: int) -> list[int]:
    """Return the process ids below `root`, by one look through /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc") else []:  # noqa: PTH112, PTH208 - pathlib costs 8 ms
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as stat:  # noqa: PTH123 - as above
                    fields = stat.read().rsplit(b")", 1)[1].split()
            except OSError:
                continue  # the process ended meanwhile
            children.setdefault(int(fields[1]), []).append(int(name))
    pids, queue = [], [root]
    while queue:
        below = children.get(queue.pop(), [])
        pids += below
        queue += below
    return pids


def _reap_until(worker: int = 0) -> tuple[int | None, bool]:
    """Collect ended children up to `worker`; return its wait status if it is among them, and whether any is left."""
    try:
        while (ended := os.waitpid(-1, os.WNOHANG))[0]:
            if ended[0] == worker:
                return ended[1], True
    except ChildProcessError:
        return None, False
    return None, True


def _end_tree(worker: int) -> None:
    """Stop all processes below, then kill them: a stopped process cannot fork meanwhile."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(worker, signal.SIGKILL)
    deadline = time.monotonic() + _WAIT_S
    while time.monotonic() < deadline:
        tree = _descendants(os.getpid())
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in tree:
                with contextlib.suppress(ProcessLookupError, PermissionError):  # gone already, or a set-uid program
                    os.kill(pid, number)
        if not _reap_until()[1]:
            return
        time.sleep(0.002)


class Watch:
    """Compares what the process tree takes with its limits; a look is cheap, so that timed calls are not disturbed."""

    def __init__(self, memory_bytes: int, scratch_bytes: int, output_bytes: int, tasks: int, scratch: str) -> None:
        self._memory_bytes = memory_bytes
        self._scratch_bytes = scratch_bytes
        self._output_bytes = output_bytes
        self._tasks = tasks
        self._scratch = scratch
        self._looks = 0
        self._list = _below if os.path.exists(f"/proc/self/task/{os.getpid()}/children") else _descendants  # noqa: PTH110 - pathlib costs 8 ms
        self.next_s = _LOOK_S[0]

    def look(self) -> str:
        """Return the name of a limit that is exceeded, empty if none is; set `next_s`, when to look again."""
        tree = self._list(os.getpid())
        held_bytes = sum(map(_resident_bytes, tree))
        if held_bytes > self._memory_bytes:  # pages that several processes share were counted for each
            held_bytes = sum(map(_proportional_bytes, tree))
        is_crowded = len(tree) > self._tasks / _CROWDED
        soonest_s = (self._memory_bytes - held_bytes) / _BYTES_PER_S
        self.next_s = _LOOK_S[0] if is_crowded else min(max(soonest_s, _LOOK_S[0]), _LOOK_S[1])
        self._looks += 1
        if held_bytes > self._memory_bytes:
            return "memory"
        if len(tree) > self._tasks:
            return "tasks"
        if os.fstat(_STDOUT).st_size > self._output_bytes:
            return "output"
        return "scratch" if self._looks % _SCRATCH_EVERY == 0 and _exceeds(self._scratch, self._scratch_bytes) else ""


def _below(root: int) -> list[int]:
    """Return the process ids below `root` by the kernel's own lists; far cheaper than a look through all of /proc."""
    pids, queue = [], [root]
    while queue:
        pid = queue.pop()
        with contextlib.suppress(OSError):  # the process ended meanwhile, or this is no Linux
            for thread in os.listdir(f"/proc/{pid}/task"):  # noqa: PTH208 - pathlib costs 8 ms
                with open(f"/proc/{pid}/task/{thread}/children", "rb") as listed:  # noqa: PTH123 - as above
                    queue += map(int, listed.read().split())
        pids.append(pid)
    return pids[1:]


def _resident_bytes(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", "rb") as statm:  # noqa: PTH123 - pathlib costs 8 ms
            return int(statm.read().split()[1]) * _PAGE_BYTES
    except (OSError, IndexError):
        return 0


def _proportional_bytes(pid: int) -> int:
    """Return the process's memory with each shared page divided by its users; else as `_resident_bytes`."""
    try:
        with open(f"/proc/{pid}/smaps_rollup", "rb") as rollup:  # noqa: PTH123 - pathlib costs 8 ms
            line = next(line for line in rollup if line.startswith(b"Pss:"))
    except (OSError, StopIteration):
        return _resident_bytes(pid)
    return int(line.split()[1]) << 10


def _exceeds(folder: str, most_bytes: int) -> bool:
    """Return whether the files below `folder` take more than `most_bytes`; an empty one counts, as removing it does."""
    taken, queue = 0, [folder]
    while queue:
        with contextlib.suppress(OSError), os.scandir(queue.pop()) as entries:
            for entry in entries:
                taken += max(entry.stat(follow_symlinks=False).st_blocks * 512, _ENTRY_BYTES)
                if taken > most_bytes:
                    return True
                if entry.is_dir(follow_symlinks=False):
                    queue.append(entry.path)
    return False


def remove_tree(folder: str) -> None:
    """Remove `folder` with all that is in it, however deep, and although its owner made parts of it unreadable.

    Folders are moved up and emptied there: a path that is too long for the system, or for a recursion, never arises.
    """
    moved = time.monotonic_ns()  # so that a removal that was cut short can be taken up again
    queue, emptied = [folder], set()
    while queue:
        current = queue[-1]
        if current in emptied:
            queue.pop()
            with contextlib.suppress(OSError):
                os.rmdir(current)  # noqa: PTH106 - pathlib costs 8 ms
            continue
        emptied.add(current)
        for entry in _entries(current):
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False):
                    moved += 1
                    if os.geteuid():  # root needs no permission, and must not be led elsewhere by a link
                        os.chmod(entry.path, 0o700)  # noqa: PTH101 - as above
                    os.rename(entry.path, f"{folder}/.moved-{moved}")  # noqa: PTH104 - as above
                    queue.append(f"{folder}/.moved-{moved}")
                else:
                    os.unlink(entry.path)  # noqa: PTH108 - as above


def _entries(folder: str) -> list[os.DirEntry[str]]:
    try:
        if os.path.islink(folder):  # noqa: PTH114 - pathlib costs 8 ms; it was exchanged in the last moment
            os.unlink(folder)  # noqa: PTH108 - as above
            return []
        os.chmod(folder, 0o700)  # noqa: PTH101 - pathlib costs 8 ms
        return list(os.scandir(folder))
    except OSError:
        return []


def _wait(worker: int, control: int, woken: int, watch: Watch) -> tuple[int | None, str]:
    """Return the worker's wait status, None when it must be ended, and the limit that was exceeded; reap orphans."""
    looked = time.monotonic()
    while True:
        ready, _, _ = select.select([control, woken], [], [], watch.next_s)
        if control in ready:
            return None, ""
        if woken in ready:
            os.read(woken, 512)
            status, any_left = _reap_until(worker)
            if status is not None or not any_left:
                return status, ""
        if time.monotonic() - looked >= watch.next_s:
            if excess := watch.look():
                return None, excess
            looked = time.monotonic()


def _start(control: int, command: list[str]) -> int:
    """Start the worker in a session of its own; return its process id."""
    worker = os.fork()
    if worker == 0:
        signal.set_wakeup_fd(-1)
        os.setsid()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD):
            signal.signal(number, signal.SIG_DFL)
        os.close(control)
        os.execv(command[0], command)  # noqa: S606 - an absolute path and arguments of ours, no shell
    return worker


def _close_all_but(*kept: int) -> None:
    """Close the worker's descriptors here: while this process holds them, the parent cannot see the worker end."""
    for descriptor in map(int, os.listdir("/dev/fd")):  # noqa: PTH208 - pathlib costs 8 ms
        if descriptor > _STDERR and descriptor not in kept:
            with contextlib.suppress(OSError):  # the descriptor that listed them
                os.close(descriptor)


def _parent_died(control: int, parent: int) -> bool:
    """Return whether the parent died: it closed the control socket without `ORDERLY`, and this process has another.

    The socket alone proves little: it also closes if a grader that still runs has forgotten the worker.
    """
    ready, _, _ = select.select([control], [], [], 0)
    if not ready or os.read(control, 1) == ORDERLY:
        return False
    deadline = time.monotonic() + _LAST_BREATH_S
    while os.getppid() == parent and time.monotonic() < deadline:
        time.sleep(_LOOK_S[0])
    return os.getppid() != parent


def main(control: int, watch: Watch, scratch: str, temporary: str, command: list[str]) -> None:
    """Run `command` as the worker until it ends or the control socket closes; leave nothing behind."""
    parent = os.getppid()
    _become_subreaper()
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake)
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # Ctrl-C reaches the parent, which then closes the socket
    worker = _start(control, command)
    _close_all_but(control, woken, wake)
    status, excess = _wait(worker, control, woken, watch)
    _end_tree(worker)
    remove_tree(scratch)
    if status is not None or excess:
        with contextlib.suppress(OSError):  # the parent is gone
            os.write(control, f"{signal.SIGKILL if status is None else status} {excess}\n".encode())
        select.select([control], [], [])
    if temporary and _parent_died(control, parent):
        remove_tree(temporary)


if __name__ == "__main__":
    _memory, _scratched, _output, _tasks = map(int, sys.argv[2:6])
    _scratch, _temporary, *_command = sys.argv[6:]
    _watch = Watch(_memory, _scratched, _output, _tasks, scratch=_scratch)
    main(int(sys.argv[1]), _watch, _scratch, _temporary, command=_command)
