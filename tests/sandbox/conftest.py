"""A hostile submission behind each level of the sandbox, and a host with things worth stealing."""

import contextlib
import os
import socket
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from grader.sandbox.bubblewrap import find_bubblewrap
from grader.sandbox.identity import Identity
from grader.sandbox.levels import LimitsLauncher, try_level
from grader.worker.client import WorkerClient
from grader.worker.process import Launcher, Limits, Settings, WorkerProcess

ATTEMPTS = Path(__file__).with_name("attempts.py")
SHORT = Limits(load_s=10, call_s=10)
VARIANTS = {
    "": lambda launcher: launcher,
    "old bwrap": lambda launcher: replace(launcher, bwrap=replace(launcher.bwrap, sizes=False, forbids_nesting=False)),
    "as root": lambda launcher: replace(launcher, identity=Identity()),
    "ABI 1": lambda launcher: replace(launcher, abi=1),
    "ABI 4": lambda launcher: replace(launcher, abi=4),
}
"""Older systems: of Ubuntu 22.04 (bwrap 0.6, Linux 5.15) and 24.04 (Linux 6.8)."""
OLDER = ("full, old bwrap", "full, as root", "landlock, ABI 1", "landlock, ABI 4")


def find_launcher(level: str) -> Launcher:
    """Return the launcher of `level`; skip where this machine cannot have it, and say why."""
    if level == "limits":
        return LimitsLauncher()
    kind, _, variant = level.partition(", ")
    trial = try_level(kind, "cpu")
    if trial.launcher is None:
        pytest.skip(f"level {kind} does not work here: {trial.problem}")
    return VARIANTS[variant](trial.launcher)


def start_student(folder: Path, launcher: Launcher, limits: Limits, source: str | None = None) -> WorkerClient:
    """Return a student whose utils.py is `source`, by default all attempts."""
    submission, staff = folder / "submission", folder / "staff"
    for made in (submission, staff):
        made.mkdir(exist_ok=True)
    (submission / "utils.py").write_text(source or ATTEMPTS.read_text())
    student = WorkerClient(lambda: WorkerProcess(Settings(submission, staff, limits=limits), launcher), limits)
    student.begin_check()
    return student


@pytest.fixture(
    scope="module", params=["full", "landlock", *(pytest.param(one, marks=pytest.mark.wide) for one in OLDER)]
)
def level(request) -> str:
    find_launcher(request.param)
    return request.param


@pytest.fixture(scope="module")
def prisoner(level, tmp_path_factory) -> Iterator[WorkerClient]:
    """A hostile student at `level`, one worker for all attempts of a module."""
    student = start_student(tmp_path_factory.mktemp("prison"), find_launcher(level), SHORT)
    with contextlib.closing(student):
        yield student


@pytest.fixture
def untried() -> Iterator[None]:
    """No level has been tried: trials are remembered for a run, and in a test that asks for this, each is one."""
    try_level.cache_clear()
    find_bubblewrap.cache_clear()
    yield
    try_level.cache_clear()
    find_bubblewrap.cache_clear()


@pytest.fixture
def launcher_of() -> Callable[[str], Launcher]:
    return find_launcher


@pytest.fixture
def submit(tmp_path: Path) -> Iterator[Callable[..., WorkerClient]]:
    """Return a function that hands in the attempts, or other source, at a level and with limits."""
    with contextlib.ExitStack() as started:

        def make(level: str, limits: Limits = SHORT, source: str | None = None) -> WorkerClient:
            student = start_student(tmp_path, find_launcher(level), limits, source)
            return started.enter_context(contextlib.closing(student))

        yield make


class Host:
    """What lies about on the machine of a grader."""

    def __init__(self, folder: Path, stack: contextlib.ExitStack) -> None:
        self.pid = os.getpid()
        self.folder = folder
        self.secret = folder / "secret"
        self.secret.write_text("42")
        self.mine = Path(__file__).parents[2]
        self.tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        self.udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        self.udp.bind(("127.0.0.1", 0))
        self.path = str(folder / "socket")
        self.unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        self.unix.bind(self.path)
        self.unix.listen()
        self.datagrams = stack.enter_context(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM))
        self.datagrams.bind(str(folder / "datagrams"))
        self.abstract = f"grader-test-{self.pid}"
        self.named = stack.enter_context(socket.socket(socket.AF_UNIX))
        self.named.bind("\0" + self.abstract)
        self.named.listen()
        for path in (self.path, self.secret, folder / "datagrams"):
            Path(path).chmod(0o777)
        folder.chmod(0o777)


@pytest.fixture(scope="module")
def host(tmp_path_factory) -> Iterator[Host]:
    """Return the host's treasures; everything is open to everybody, as a careless user would have it."""
    with contextlib.ExitStack() as stack:
        yield Host(tmp_path_factory.mktemp("host"), stack)
