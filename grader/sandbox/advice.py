"""Sentences that say why a level does not work here, with the command that would help."""

from pathlib import Path

from grader.model import printable

NO_BUBBLEWRAP = "bubblewrap is not installed (`apt install bubblewrap`)."
NO_LANDLOCK = (
    "this kernel has no Landlock, or it is switched off: Linux 5.13 or newer, with `landlock` in "
    "/sys/kernel/security/lsm (kernel parameter `lsm=`)."
)
NO_FILTER = "there is no seccomp filter for this machine's processor: only for x86-64 and aarch64."
_REFUSED = (
    "no permissions to create new namespace",
    "creating new namespace failed",
    "setting up uid map",
    "failed rtm_newaddr",
    "can't mount proc",
)
_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_SWITCHES = (Path("/proc/sys/kernel/unprivileged_userns_clone"), Path("/proc/sys/user/max_user_namespaces"))
PROFILE = (
    "apt install apparmor-profiles && install -m 0644 /usr/share/apparmor/extra-profiles/bwrap-userns-restrict "
    "/etc/apparmor.d/ && apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict"
)


def explain(problem: str) -> str:
    """Return the sentence for the problem that a trial reported."""
    quoted = f"({printable(problem, 200)})"
    if any(text in problem.lower() for text in _REFUSED):
        outside = "this machine refuses new namespaces, as many containers do: run the grader outside of one"
        return f"{find_switch() or outside} {quoted}."
    if "no GPU answers" in problem:
        return f"CUDA does not start inside it: try once more after any CUDA program ran outside {quoted}."
    return f"the trial failed {quoted}."


def find_switch() -> str:
    """Return which setting of the kernel refuses unprivileged user namespaces, and its remedy; empty if none does."""
    if _read(_APPARMOR) == "1":
        return f"AppArmor refuses unprivileged user namespaces; the admin can allow bubblewrap's: `{PROFILE}`"
    for switch in _SWITCHES:
        if _read(switch) == "0":
            setting = ".".join(switch.parts[3:])
            value = 15000 if "max" in setting else 1
            return f"user namespaces are switched off; the admin can allow them: `sysctl -w {setting}={value}`"
    return ""


def _read(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
