"""Chooses the sandbox level: tries levels, the strongest first, by running `probe` in each like a worker."""

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock, Thread

from grader.errors import GraderError, UsageError
from grader.machine import TRIAL_LIMIT_S, choose_device, run_program
from grader.sandbox import CONFINED, advice, bubblewrap, landlock, seccomp, view
from grader.sandbox.confine import Policy, count_tasks
from grader.sandbox.identity import Identity, identities, let_through
from grader.worker.folders import temporary_folder
from grader.worker.launcher import Launcher, Settings, worker_environment

FULL, LANDLOCK, LIMITS = "full", "landlock", "limits"
WANTED = ("auto", FULL, LANDLOCK, LIMITS)
_COUNTS_APART = (5, 14)
_OTHERS, _OTHERS_PER_CORE = 512, 32
_READABLE_DEVICES = ("/dev/zero", "/dev/urandom", "/dev/random", "/proc/cpuinfo", "/proc/meminfo", "/proc/self")
_WRITABLE_DEVICES = ("/dev/null",)
_GPU_LISTED = ("/sys", "/proc/driver/nvidia", "/proc/driver/nvidia-uvm", "/proc/driver/nvidia-caps")
_OPEN_NAMES = "The names and sizes of files on this machine stay visible to submissions."
_READABLE = "Nothing hides this machine's files from submissions: whatever this user may read, they may read."
_STAYS = Identity()
_TRYING = Lock()  # a second caller waits for the trial of the first
_AS_ROOT = "Submissions run under root's user id, without its rights: how many processes they start is watched only."


@dataclass(frozen=True, slots=True)
class FullLauncher:
    """Own namespaces by bubblewrap: only bound paths exist."""

    bwrap: bubblewrap.Bubblewrap
    identity: Identity = _STAYS
    gpu: bool = False
    level: str = FULL

    def wrap(self, command: Sequence[str], settings: Settings, scratch: Path) -> list[str]:
        """Return bwrap's command line around `command`, a `python -I -m module ...`."""
        user_id = self.identity.fresh_id()
        if not self.bwrap.sizes:
            _give(scratch, user_id)
        policy = Policy(
            tasks=settings.limits.most_tasks + _uncounted_tasks(),
            shares_tasks=False,
            folder=str(scratch),
            user_id=user_id,
            reads=self.identity.reads,
            namespaces=True,
            gpu=self.gpu,
        )
        outer = bubblewrap.write_command(self.bwrap, settings, scratch, self.identity, gpu=self.gpu)
        return [*outer, *_confined(command, policy)]


@dataclass(frozen=True, slots=True)
class LandlockLauncher:
    """No namespaces: Landlock, and a seccomp filter that refuses more. Names and sizes of files stay visible."""

    abi: int
    identity: Identity = _STAYS
    gpu: bool = False
    level: str = LANDLOCK

    def wrap(self, command: Sequence[str], settings: Settings, scratch: Path) -> list[str]:
        """Return `command`, a `python -I -m module ...`, with `confine` before its module."""
        user_id = self.identity.fresh_id()
        _give(scratch, user_id)
        policy = Policy(
            tasks=settings.limits.most_tasks + (0 if user_id else _room_for_others()),
            user_id=user_id,
            reads=self.identity.reads,
            gpu=self.gpu,
            abi=self.abi,
            rules=write_rules(settings, scratch, gpu=self.gpu),
        )
        return _confined(command, policy)


@dataclass(frozen=True, slots=True)
class LimitsLauncher:
    """Limits only: not a sandbox."""

    level: str = LIMITS

    def wrap(self, command: Sequence[str], settings: Settings, scratch: Path) -> list[str]:
        """Return `command`; on Linux, with a limit on processes and threads."""
        del scratch
        if sys.platform != "linux":
            return list(command)
        return _confined(command, Policy(tasks=settings.limits.most_tasks + _room_for_others(), refuses_calls=False))


@dataclass(frozen=True, slots=True)
class Choice:
    """The chosen level, which works here, and a note about it for readers of the report."""

    launcher: Launcher
    note: str = ""  # empty at level full, unless submissions run under root's user id


@dataclass(frozen=True, slots=True)
class Trial:
    """The result of trying one level; `problem` is empty if its launcher confines workers and starts them."""

    launcher: Launcher | None
    problem: str = ""


def choose_launcher(wanted: str, device: str) -> Choice:
    """Return the launcher for `wanted`, one of `WANTED`; `auto` means the strongest level that works and hides files.

    Raises:
        UsageError: the wanted level does not work here, or, with `auto`, no level that hides files works.
    """
    if wanted == LIMITS:
        return Choice(LimitsLauncher(), f"Sandbox level {LIMITS}, as was asked for. {_READABLE}")
    levels = (FULL, LANDLOCK) if wanted == "auto" else (wanted,)
    missing: list[str] = []
    for level in levels:
        with _TRYING:
            trial = try_level(level, device)
        if trial.launcher is not None:
            return Choice(trial.launcher, _note(trial.launcher, missing))
        missing.append(f"Level {level} does not work here: {trial.problem}")
    without_gpu = " To grade without the GPU and its times, say --device cpu." if device == "gpu" else ""
    unguarded = f"To grade without a sandbox, in a place with nothing to steal, say --sandbox={LIMITS}."
    raise UsageError(f"{' '.join(missing)} {unguarded}{without_gpu}")


def begin_trial(wanted: str, device: str) -> None:
    """Start the trial in a thread, while this process does other work; `choose_launcher` waits for its result."""

    def choose() -> None:
        with suppress(GraderError):  # `choose_launcher` raises it again for the grading
            choose_launcher(wanted, choose_device(device)[0])

    Thread(target=choose, daemon=True).start()


@cache
def try_level(level: str, device: str) -> Trial:
    """Try `full` or `landlock`, once per run, with each identity that this user can take, the best first."""
    try_as = {FULL: _full, LANDLOCK: _landlock}[level]
    problem = ""
    for identity in identities() if sys.platform == "linux" else ():
        launcher = try_as(identity, device == "gpu")
        if isinstance(launcher, str) or not seccomp.is_supported():
            return Trial(None, launcher if isinstance(launcher, str) else advice.NO_FILTER)
        if not (problem := run_probe(launcher)):
            return Trial(launcher)
    return Trial(None, advice.explain(problem) if problem else "it needs Linux.")


def write_rules(settings: Settings, scratch: Path, *, gpu: bool) -> landlock.Rules:
    """Return the paths that a worker without namespaces may access."""
    installed = view.installed_view(view.gpu_folders() if gpu else ())
    parts = [part for path in installed.read for part in view.carve(path, installed.hidden)]
    return landlock.Rules(
        read=_texts([path for path, whole in parts if whole], [settings.staff, settings.submission], _READABLE_DEVICES)
        + (_GPU_LISTED if gpu else ()),
        listed=_texts([path for path, whole in parts if not whole], [view.PACKAGE]),
        write=_texts([scratch]),
        devices=_WRITABLE_DEVICES + (_texts(view.gpu_devices(), ["/proc/self/task"]) if gpu else ()),
    )


def run_probe(launcher: Launcher) -> str:
    """Run the trial program as `launcher` would run a worker; return its problem, empty if there is none."""
    with temporary_folder("probe") as folder:
        let_through(str(folder))
        settings, scratch = Settings(folder / "files", folder / "staff"), folder / "scratch"
        for made in (settings.submission, settings.staff, scratch):
            made.mkdir()
        canary, handed_in = folder / "canary", settings.submission / "handed_in.py"
        canary.touch(0o644)
        handed_in.touch(0o644)
        libraries = (view.PACKAGE / "worker/child.py", *view.library_files(), Path(sys.executable))
        needed = [str(path) for path in (handed_in, settings.staff, *libraries)]
        hides_names = "1" if launcher.level == FULL else "0"
        has_gpu = "1" if getattr(launcher, "gpu", False) else "0"
        inside = [sys.executable, "-I", "-m", "grader.sandbox.probe", str(canary), hides_names, has_gpu, *needed]
        try:
            command = launcher.wrap(inside, settings, scratch)
        except OSError as error:  # for example, root in a container that may not change the owner of files
            return f"its folders could not be prepared ({error.strerror})"
        said, problem = run_program(command, TRIAL_LIMIT_S, scratch, worker_environment(scratch, 0))
        return problem or ("" if said == CONFINED else said or "the trial said nothing")


def _full(identity: Identity, gpu: bool) -> Launcher | str:
    bwrap = bubblewrap.find_bubblewrap()
    return FullLauncher(bwrap, identity, gpu) if bwrap else advice.NO_BUBBLEWRAP


def _landlock(identity: Identity, gpu: bool) -> Launcher | str:
    abi = landlock.find_abi()
    return LandlockLauncher(abi, identity, gpu) if abi else advice.NO_LANDLOCK


def _note(launcher: Launcher, missing: list[str]) -> str:
    weakness = _OPEN_NAMES if launcher.level == LANDLOCK else ""
    stays_root = os.geteuid() == 0 and not getattr(launcher, "identity", _STAYS).drops
    sentences = [weakness, *missing, _AS_ROOT if stays_root else ""]
    remarks = " ".join(filter(None, sentences))
    return f"Sandbox level {launcher.level}. {remarks}" if remarks else ""


def _give(scratch: Path, user_id: int) -> None:
    """Make the worker's user id the owner of the scratch folder, if the worker gets its own id."""
    if user_id:
        os.chown(scratch, user_id, user_id)


def _confined(command: Sequence[str], policy: Policy) -> list[str]:
    """Put `confine` before the module that `python -I -m module ...` runs, in the same process."""
    python, isolated, is_module, *rest = command
    return [python, isolated, is_module, "grader.sandbox.confine", policy.to_text(), *rest]


def _uncounted_tasks() -> int:
    """Return the number of this user's tasks if the kernel counts them in each user namespace; newer ones do not."""
    version = tuple(int(part) for part in re.findall(r"\d+", os.uname().release)[:2])
    return 0 if version >= _COUNTS_APART or os.geteuid() == 0 else count_tasks(os.getuid())


def _room_for_others() -> int:
    """Return how many tasks this user's other programs may start meanwhile, such as other workers of a batch.

    If the kernel counts all tasks together, its limit only slows down a fork bomb; the supervisor ends it.
    """
    return _OTHERS + _OTHERS_PER_CORE * (os.cpu_count() or 1)


def _texts(*groups: Sequence[Path] | Sequence[str]) -> tuple[str, ...]:
    return tuple(str(path) for group in groups for path in group)
