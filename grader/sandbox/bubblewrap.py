"""The command line of level full: a new root folder in which only bound paths exist.

Reasons for its form: older versions lack `--size` and `--disable-userns`, so the help text is searched for them; all
files keep their paths, so that messages, caches and links stay correct; a hidden folder is covered by an empty folder
before parts of it are bound again.
"""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from grader.machine import run_program
from grader.sandbox import view
from grader.sandbox.identity import Identity
from grader.worker.launcher import Settings

_SHARED_MEMORY_BYTES = 16 << 20
_TMP_BYTES = 64 << 20
_COVER_BYTES = 64 << 10
_ROOT_CAPABILITIES = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


@dataclass(frozen=True, slots=True)
class Bubblewrap:
    """An installed bwrap: its path, and which newer options it has."""

    path: str
    sizes: bool  # `--size`: the size of a tmpfs can be limited
    forbids_nesting: bool  # `--disable-userns`; without it the seccomp filter alone refuses further namespaces


@cache
def find_bubblewrap() -> Bubblewrap | None:
    """Return this machine's bubblewrap; None if there is none, or it does not run."""
    path = shutil.which("bwrap")
    if path is None:
        return None
    text, problem = run_program([path, "--help"])
    return None if problem else Bubblewrap(path, "--size " in text, "--disable-userns" in text)


def write_command(bwrap: Bubblewrap, settings: Settings, scratch: Path, identity: Identity, *, gpu: bool) -> list[str]:
    """Return bwrap and its options, ending with `--`; the program to run inside must follow.

    `scratch` becomes a tmpfs of limited size at this path, if `--size` exists. With `gpu`, GPU devices are bound. For
    root, `identity` says whether the program inside changes its user id.
    """
    installed = view.installed_view(view.gpu_folders() if gpu else ())
    staff = (settings.staff,) if settings.staff.is_dir() else ()
    gpus, scratch_bytes = view.gpu_devices() if gpu else (), settings.limits.scratch_bytes
    return [
        bwrap.path,
        *_namespaces(bwrap, identity),
        *("--proc", "/proc", "--ro-bind", "/proc/sys", "/proc/sys", "--dev", "/dev"),
        *_tmpfs(bwrap, Path("/dev/shm"), _SHARED_MEMORY_BYTES),  # noqa: S108 - the sandbox's own
        *(word for device in gpus for word in ("--dev-bind-try", str(device), str(device))),
        *(("--ro-bind", "/sys", "/sys") if gpu else ()),
        *("--remount-ro", "/dev"),
        *_tmpfs(bwrap, Path("/tmp"), _TMP_BYTES),  # noqa: S108 - the sandbox's own
        *_bind_all(bwrap, installed, (*staff, settings.submission)),
        # Without `--size`, the host's folder is bound; the supervisor watches it.
        *(_tmpfs(bwrap, scratch, scratch_bytes) if bwrap.sizes else ("--bind", str(scratch), str(scratch))),
        *("--remount-ro", "/"),
        *("--chdir", "/", "--"),
    ]


def _namespaces(bwrap: Bubblewrap, identity: Identity) -> Iterator[str]:
    yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try")
    yield from ("--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL")
    if os.geteuid() != 0 or not identity.drops:
        yield "--unshare-user"
        if bwrap.forbids_nesting:
            yield "--disable-userns"
    else:
        for name in (*_ROOT_CAPABILITIES, *(("CAP_DAC_READ_SEARCH",) if identity.reads else ())):
            yield from ("--cap-add", name)


def _tmpfs(bwrap: Bubblewrap, path: Path, size_bytes: int) -> Iterator[str]:
    yield from ("--perms", "1777")
    if bwrap.sizes:
        yield from ("--size", str(size_bytes))
    yield from ("--tmpfs", str(path))


def _bind_all(bwrap: Bubblewrap, installed: view.View, more: tuple[Path, ...]) -> Iterator[str]:
    """Yield options that bind and cover paths, upper folders first; at last, they make the covers read-only."""
    links = dict(installed.links)
    covers = dict.fromkeys(installed.hidden, True) | dict.fromkeys((*installed.read, *links, *more), False)
    for path in sorted({*covers, *_parents(covers)}, key=lambda path: len(path.parts)):
        if path not in covers:
            yield from ("--perms", "0755", "--dir", str(path))
        elif covers[path]:
            yield from _tmpfs(bwrap, path, _COVER_BYTES)
        elif path in links:
            yield from ("--symlink", str(links[path]), str(path))
        else:
            yield from ("--ro-bind", str(path), str(path))
    for path in installed.hidden:
        yield from ("--remount-ro", str(path))


def _parents(covers: dict[Path, bool]) -> Iterator[Path]:
    """Yield the folders above bound paths: if bwrap made them itself, a fresh user id could not enter them."""
    existing = {Path("/"), Path("/tmp")}  # noqa: S108 - the sandbox's own
    for folder in {parent for path in covers for parent in path.parents} - covers.keys() - existing:
        nearest = next((path for path in folder.parents if path in covers), None)
        if nearest is None or covers[nearest]:
            yield folder
