"""What submissions try against the machine, tried for real at each level: nothing is read, changed or reached."""

import os
import socket
from pathlib import Path

import pytest
from rows import each

from grader.worker import child

CLOSED = {"EACCES", "EPERM"}
"""What Landlock and seccomp answer, each in its own way."""
NOT_THERE = {"ENOENT"}
NOBODY = {"ESRCH", "EPERM"}
VISIBLE = {"did"}
"""Without namespaces, that something exists cannot be hidden."""

CHANGES = ("chmod", "set_times", "set_attribute", "truncate", "write")
ON_FILES = dict.fromkeys(("read", *CHANGES), (NOT_THERE, CLOSED)) | {
    "stat": (NOT_THERE, VISIBLE),
    "hard_link": (NOT_THERE, {*CLOSED, "EXDEV"}),
}
ON_PROCESSES = ("renice", "pin", "limit", "signal", "trace", "read_memory")
UNNEEDED = (
    *("bpf", "io_uring_setup", "keyctl", "memfd_create", "mount", "open_by_handle_at", "perf_event_open"),
    *("unshare", "userfaultfd"),
)
FORBIDDEN = {
    **{f"{name}, which no homework needs": ("call_kernel", name, "EPERM") for name in UNNEEDED},
    "a call that is younger than the filter": ("call_kernel", "mseal", "ENOSYS"),
    "a further namespace by clone": ("clone_namespace", None, "EPERM"),
    "a call of another architecture": ("call_as_32_bit", None, "killed"),
    "shortening the arena under the parent": ("shorten_arena", None, "EPERM"),
}
NETWORK = {"ECONNREFUSED", "EPERM"}


def expected(pair, level):
    return pair[0] if level.startswith("full") else pair[1]


@each("attempt", [*ON_FILES])
def test_a_file_of_the_grader_is_out_of_reach(prisoner, host, level, attempt):
    before = host.secret.stat()
    assert getattr(prisoner.utils, attempt)(str(host.secret)) in expected(ON_FILES[attempt], level)
    after = host.secret.stat()
    assert (before.st_mode, before.st_mtime_ns, before.st_nlink) == (after.st_mode, after.st_mtime_ns, after.st_nlink)
    assert host.secret.read_text() == "42"


def test_a_graders_folder_cannot_be_listed_or_written_and_what_a_submission_gets_is_read_only(prisoner, host, level):
    assert prisoner.utils.list_folder(str(host.folder)) in expected((NOT_THERE, CLOSED), level)
    assert prisoner.utils.change_folder(str(host.folder)) in expected((NOT_THERE, VISIBLE), level)
    assert prisoner.utils.write(str(host.folder / "new")) != "did"
    assert not (host.folder / "new").exists()
    assert prisoner.utils.visible(".") == [], "the scratch folder is empty"
    assert prisoner.utils.read(child.__file__) == "did"
    assert prisoner.utils.write(child.__file__) in {"EROFS", "EACCES"}


ANSWERS = (
    *(f"grader/assignments/hw1/{name}" for name in ("rubric.toml", "comparisons.py", "checks/test_max.py")),
    *("grader/scoring/score.py", "reference/hw1/utils.py", "tests/sandbox/attempts.py", "pyproject.toml", ".git"),
)


@each("name", ANSWERS)
def test_the_answers_are_not_on_the_disk(prisoner, host, level, name):
    path = host.mine / name
    if name == ".git":
        if not path.is_dir():
            return  # this is no clone of its own: a worktree, or unpacked
        path /= "HEAD"
    assert path.exists(), "the test names a file of this project"
    assert prisoner.utils.read(str(path)) in expected((NOT_THERE, CLOSED), level)


@each("name", ("environ", "mem", "maps", "root/etc/hostname", "fd", "cwd"))
def test_the_graders_process_cannot_be_looked_into(prisoner, host, level, name):
    path = f"/proc/{host.pid}/{name}"
    attempt = prisoner.utils.list_folder if name in {"fd", "cwd"} else prisoner.utils.read
    assert attempt(path) in expected((NOT_THERE, CLOSED), level)


def test_a_private_proc_shows_the_sandbox_only_and_memory_segments_of_the_host_cannot_be_made(prisoner, level):
    if level.startswith("full"):
        assert len(prisoner.utils.processes()) <= 3
    # With namespaces they are the sandbox's own, and end with it
    assert prisoner.utils.call_kernel("shmget") == expected(("did", "EPERM"), level)


@each("attempt", ON_PROCESSES)
def test_the_graders_process_cannot_be_touched(prisoner, host, attempt):
    assert getattr(prisoner.utils, attempt)(host.pid) in NOBODY


@each("name", ("kernel/core_pattern", "kernel/hostname", "vm/overcommit_memory"))
def test_the_kernels_settings_cannot_be_changed(prisoner, name):
    assert prisoner.utils.open_for_writing(f"/proc/sys/{name}") in {"EROFS", *CLOSED}


def test_a_descriptor_cannot_be_made_to_signal_the_grader(prisoner, host, level):
    """Landlock from ABI 6 on keeps the signal in; before, the filter refuses to ask for it."""
    if level in {"landlock, ABI 1", "landlock, ABI 4"}:
        assert prisoner.utils.signal_by_descriptor(host.pid) == "EPERM"
    elif level.startswith("full"):
        assert prisoner.utils.signal_by_descriptor(host.pid) in NOBODY


@each("folder", ("/tmp", "/var/tmp", "/dev/shm", "/", str(Path.home())))
def test_nothing_is_left_in_a_shared_folder(prisoner, host, folder):
    path = f"{folder}/left-by-a-submission-{host.pid}"
    prisoner.utils.write(path)
    assert not os.path.lexists(path)


def test_neither_the_network_nor_unix_sockets_of_the_host_are_there(prisoner, host, level):
    assert prisoner.utils.connect_tcp(host.tcp.getsockname()[1]) in NETWORK
    assert prisoner.utils.send_udp(host.udp.getsockname()[1]) in {"ENETUNREACH", *NETWORK}
    gone = expected(({"ENOENT", "ECONNREFUSED"}, {"EPERM"}), level)
    assert prisoner.utils.connect_unix(host.path) in gone
    assert prisoner.utils.connect_abstract(host.abstract) in gone
    assert prisoner.utils.send_from_a_pair(str(host.folder / "datagrams")) in gone
    host.datagrams.settimeout(0.05)
    with pytest.raises(TimeoutError):
        host.datagrams.recv(1)


@each("attempt, argument, answer", FORBIDDEN)
def test_a_forbidden_call_is_refused(prisoner, attempt, argument, answer):
    assert getattr(prisoner.utils, attempt)(argument) == answer


def test_no_right_is_left_none_can_come_back_and_no_descriptor_leaks(prisoner, level):
    found = prisoner.utils.identity()
    assert (found["no_new_privs"], found["seccomp"]) == (1, 2), "a filter is active"
    assert found["capabilities"] in ({0} if level.startswith("full") else {0, 1 << 2}), "that of reading"
    if os.geteuid() == 0 and "as root" not in level:
        assert found["uid"] != 0
    # Input from nowhere, the file of prints, one socket, two arenas; a map keeps a second descriptor of its file
    found = prisoner.utils.open_descriptors()
    assert found.pop("0") == "/dev/null"
    prints = found["1"]
    others = [path for path in found.values() if path != prints]
    arenas = [path for path in others if "grader-arena" in path]
    rest = [path for path in others if path not in arenas]
    assert len(arenas) <= 4
    assert len(rest) == 1, found
    assert rest[0].startswith("socket:")


def test_a_listening_host_never_heard_anything(host):
    for server in (host.tcp, host.unix, host.named):
        server.settimeout(0.05)
        with pytest.raises(socket.timeout):
            server.accept()


WORKER = Path(child.__file__).parent
MODULES = {".".join(path.relative_to(WORKER).with_suffix("").parts) for path in WORKER.rglob("*.py")}
PARENTS_ONLY = {"background", "client", "student"}
"""What puts workers together leans on the reading of archives, which no worker sees."""


@each("module", sorted(name for name in MODULES - PARENTS_ONLY if "__init__" not in name))
def test_every_module_of_the_worker_can_be_imported_behind_the_sandbox(prisoner, module):
    """A module that leans on something which is not bound would fail every submission, and only with a sandbox."""
    assert prisoner.utils.load(f"grader.worker.{module}") == "did"
