"""A platform's container on this machine: Podman, with a root file system of debootstrap's; no daemon and no image.

It has the capabilities of a container of Docker's, and the seccomp profile of Debian's containers-common, which is
made from Docker's. Needs root and `apt install debootstrap podman crun`.
"""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from subprocesses import ended

PROGRAMS = ("debootstrap", "podman", "crun", "unshare")
PROFILE = Path("/usr/share/containers/seccomp.json")
DOCKERS = "MKNOD,NET_RAW,AUDIT_WRITE"
"""What a container of Docker's may by default, and one of Podman's may not."""
_LANDLOCK = {"landlock_add_rule", "landlock_create_ruleset", "landlock_restrict_self"}
_WITHOUT_HYBRID = ("sh", "-c", 'umount -l /sys/fs/cgroup/unified 2>/dev/null; exec "$@"', "sh")
"""crun refuses a machine with both versions of cgroups; in a mount namespace of its own it need not see the second."""
_OF_REGISTRIES = ("etc/pip.conf", "etc/ssl/certs/ca-certificates.crt")
"""What this machine needs to reach its registries."""
_LIMIT_S = 600


def what_is_missing() -> str:
    """Return why no container can be had here; empty if one can."""
    if os.geteuid() != 0:
        return "a container needs root here"
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    return f"apt install {' '.join(missing)}" if missing or not PROFILE.is_file() else ""


def make_root(folder: Path, *packages: str) -> Path:
    """Unpack a small Debian with `packages` into `folder`; its network is the registry's, and set up takes a minute."""
    wanted = ",".join(("ca-certificates", *packages))
    command = ["debootstrap", "--variant=minbase", f"--include={wanted}", "bookworm", str(folder)]
    done = ended(command, timeout=_LIMIT_S)
    assert done.returncode == 0, done.stdout[-2000:]
    return folder


def profile_without_landlock(path: Path) -> Path:
    """Write the seccomp profile of a container runtime that does not know Landlock yet, as of 2021 or before."""
    profile = json.loads(PROFILE.read_text())
    for group in profile["syscalls"]:
        group["names"] = [name for name in group["names"] if name not in _LANDLOCK]
    path.write_text(json.dumps(profile))
    return path


@dataclass(frozen=True)
class Container:
    """One root file system, and what runs in it; Podman's own files lie in `state`."""

    root: Path
    state: Path

    def run(self, *command: str, folder: str = "/", seccomp: Path = PROFILE, user: str = "0", online: bool = False):
        """Run `command` in a container, and return what it printed and its exit code; `online` with our network."""
        limits = ["--cgroups=disabled", "--ulimit=nofile=1024:1024", "--ulimit=nproc=4096:4096", "--pull=never"]
        rights = [f"--cap-add={DOCKERS}", f"--security-opt=seccomp={seccomp}", f"--user={user}"]
        inside = [f"--workdir={folder}", "--rootfs", str(self.root), *command]
        network = "--network=host" if online else "--network=none"
        return self.podman("run", "--rm", network, *limits, *rights, *inside, online=online)

    def let_reach_registries(self):
        for name in _OF_REGISTRIES:
            if Path("/", name).is_file():
                shutil.copy(Path("/", name), self.root / name)

    def podman(self, *words: str, online: bool = False):
        private = ("unshare", "--mount", *(() if online else ("--net",)), *_WITHOUT_HYBRID)
        own = ["--root", str(self.state / "root"), "--runroot", str(self.state / "run"), "--storage-driver", "overlay"]
        own += ["--cgroup-manager", "cgroupfs", "--runtime", "crun"]
        return ended([*private, "podman", *own, *words], timeout=_LIMIT_S)

    def list_files(self, *left_out: str) -> dict[str, tuple[int, int, float]]:
        """Return path -> mode, size and time of change of all in the root; no times of folders, and none `left_out`."""
        found = {}
        for path in self.root.rglob("*"):
            name = f"/{path.relative_to(self.root)}"
            if not name.startswith(left_out or ("//",)):
                status = path.lstat()
                found[name] = (status.st_mode, status.st_size, 0 if path.is_dir() else status.st_mtime)
        return found
