import os
import select
import signal
import stat
import subprocess
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from waiting import wait_until

from grader.errors import GraderError
from grader.timing import locks
from grader.timing.locks import hold, resources

HOLDER = """
import sys, time
from pathlib import Path
from grader.timing.locks import hold
with hold(sys.argv[2].split(","), folder=Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.readline()
"""
WAIT_S = 30


class Holder:
    """A process that takes locks and keeps them until it is told to let go, or dies."""

    def __init__(self, folder, *names):
        command = [sys.executable, "-c", HOLDER, str(folder), ",".join(names)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def has_it(self, within_s=0.0):
        ready, _, _ = select.select([self.process.stdout], [], [], within_s)
        return bool(ready) and self.process.stdout.readline() == "held\n"

    def waiting(self):
        """Return it when the process has marked its turn in a lock file, so that the order of coming is known."""
        wait_until(self._has_a_turn, WAIT_S)
        return self

    def _has_a_turn(self):
        with suppress(OSError):
            descriptors = Path(f"/proc/{self.process.pid}/fdinfo").iterdir()
            return any("OFDLCK" in descriptor.read_text() for descriptor in descriptors)

    def let_go(self):
        self.process.communicate("\n", timeout=WAIT_S)

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(WAIT_S)


@pytest.fixture
def start(tmp_path):
    started = []

    def start(*names):
        started.append(Holder(tmp_path / "locks", *names))
        return started[-1]

    yield start
    for holder in started:
        holder.kill()
        holder.process.stdout.close()
        holder.process.stdin.close()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "locks"


def test_a_free_resource_costs_no_wait_and_an_exception_inside_lets_go(folder):
    told = []
    with hold("gpu-1", told.append, folder=folder) as waited_s:
        assert waited_s < 1
    assert told == []
    with pytest.raises(ZeroDivisionError), hold("gpu-1", folder=folder):
        raise ZeroDivisionError
    with hold("gpu-1", limit_s=0.05, folder=folder):
        pass


@pytest.mark.parametrize("end", [Holder.let_go, Holder.kill])
def test_two_processes_never_hold_the_same_resource_and_a_killed_one_holds_nothing(start, end):
    first = start("gpu-1")
    assert first.has_it(WAIT_S)
    second = start("gpu-1").waiting()
    assert not second.has_it(0.1)
    end(first)
    assert second.has_it(WAIT_S)


def test_different_resources_do_not_wait_for_each_other(start):
    first, second = start("gpu-1", "core-1"), start("gpu-2", "core-2")
    assert first.has_it(WAIT_S)
    assert second.has_it(WAIT_S)


def test_a_process_killed_while_it_waits_keeps_nobody_waiting(start):
    first = start("gpu-1")
    assert first.has_it(WAIT_S)
    second, third = (start("gpu-1").waiting() for _ in range(2))
    second.kill()
    first.let_go()
    assert third.has_it(WAIT_S)


@pytest.mark.skipif(not hasattr(__import__("fcntl"), "F_OFD_GETLK"), reason="turns come in order on Linux only")
def test_turns_come_in_the_order_of_coming(start):
    first = start("gpu-1")
    assert first.has_it(WAIT_S)
    queue = [start("gpu-1").waiting() for _ in range(4)]
    first.let_go()
    for position, holder in enumerate(queue):
        assert holder.has_it(WAIT_S)
        assert not any(later.has_it() for later in queue[position + 1 :])
        holder.let_go()


def test_processes_that_want_the_same_in_different_order_never_wait_for_each_other(start):
    waiting = [start("a", "b"), start("b", "a")]
    while waiting:
        streams = [holder.process.stdout for holder in waiting]
        ready, _, _ = select.select(streams, [], [], WAIT_S)
        assert ready, "both wait for each other"
        winner = waiting.pop(streams.index(ready[0]))
        assert winner.has_it()
        assert not any(other.has_it() for other in waiting)
        winner.let_go()


def test_threads_of_one_process_exclude_each_other_and_the_wait_is_told(folder):
    came, go, told, waits = threading.Event(), threading.Event(), [], []

    def keep():
        with hold("gpu-1", folder=folder):
            came.set()
            go.wait(WAIT_S)

    keeper = threading.Thread(target=keep)
    keeper.start()
    came.wait(WAIT_S)

    def tell(text):
        told.append(text)
        threading.Timer(0.2, go.set).start()

    with hold("gpu-1", tell, folder=folder) as waited_s:
        waits.append(waited_s)
    keeper.join()
    assert told == ["waiting for gpu-1, which another grading is measuring on"]
    assert waits[0] >= 0.2


def test_a_wait_ends_at_its_limit_with_a_sentence(start, folder):
    assert start("gpu-1").has_it(WAIT_S)
    with (
        pytest.raises(GraderError, match=r"gpu-1 was not free in time.*gpu-1\.lock"),
        hold("gpu-1", limit_s=0.05, folder=folder),
    ):
        pass


def test_a_child_that_was_forked_meanwhile_keeps_nothing(folder):
    ready, write = os.pipe()
    with hold("gpu-1", folder=folder):
        child = os.fork()
        if not child:
            os.read(ready, 1)
            os._exit(0)
    with hold("gpu-1", limit_s=0.05, folder=folder):
        pass
    os.write(write, b"x")
    os.waitpid(child, 0)


def test_names_cannot_leave_the_folder_which_is_for_everybody_and_whose_files_are_only_read(folder):
    with hold(["../../etc/passwd", "gpu-1/../x"], folder=folder):
        assert {path.name for path in folder.iterdir()} == {".._.._etc_passwd.lock", "gpu-1_.._x.lock"}
    old = os.umask(0o077)
    try:
        with hold("gpu-1", folder=folder):
            pass
    finally:
        os.umask(old)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o1777
    assert stat.S_IMODE((folder / "gpu-1.lock").stat().st_mode) == 0o644


def test_a_link_or_pipe_in_place_of_a_lock_or_its_folder_is_refused_and_not_followed(folder, tmp_path):
    for made in (folder, tmp_path / "elsewhere"):
        made.mkdir()
    (folder / "link.lock").symlink_to(tmp_path / "victim")
    os.mkfifo(folder / "pipe.lock")
    (tmp_path / "other").symlink_to(tmp_path / "elsewhere")
    said = {"link": (folder, "it is a link"), "pipe": (folder, "no plain file"), "a": (tmp_path / "other", "mode 1777")}
    for name, (place, why) in said.items():
        with pytest.raises(GraderError, match=why), hold(name, folder=place):
            pass
    assert not (tmp_path / "victim").exists()
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two users")
def test_two_users_exclude_each_other():
    program = (
        "import os, sys; from pathlib import Path; from grader.errors import GraderError\n"
        "from grader.timing.locks import hold\n"
        "os.setgid(65534); os.setuid(65534)\n"
        "try:\n"
        "    with hold('gpu-1', limit_s=0.1, folder=Path(sys.argv[1])): print('held')\n"
        "except GraderError: print('waited')\n"
    )
    with tempfile.TemporaryDirectory() as shared:
        Path(shared).chmod(0o755)
        folder = Path(shared, "locks")
        command = [sys.executable, "-c", program, str(folder)]
        with hold("gpu-1", folder=folder):
            assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "waited\n"
        assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "held\n"


def test_core_sets_that_overlap_share_a_lock_and_nothing_wanted_is_nothing_waited_for():
    assert resources("GPU-1", [3, 1, 3]) == ("gpu-GPU-1", "core-1", "core-3")
    assert (set(resources(cores=[1, 2])) & set(resources(cores=[2, 3])), resources()) == ({"core-2"}, ())
    with hold([]) as waited_s:
        assert waited_s < 1


def test_the_folder_is_the_first_that_everybody_may_write_to(tmp_path, monkeypatch):
    for name, mode in (("private", 0o755), ("shared", 0o1777)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    monkeypatch.setattr(locks, "FOLDERS", (tmp_path / "missing", tmp_path / "private", tmp_path / "shared"))
    assert locks.choose_folder() == tmp_path / "shared" / "gpu-grader"
