"""A level is chosen by trying it; what is missing is said in a sentence with the command that would help."""

import errno
import os
import stat
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest
from rows import each

from grader import machine
from grader.errors import UsageError
from grader.sandbox import advice, bubblewrap, landlock, levels, seccomp
from grader.sandbox.identity import Identity, identities
from grader.worker.process import PlainLauncher, Settings

UBUNTU_24_04 = "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted"


pytestmark = pytest.mark.usefixtures("untried")


@pytest.fixture
def no_bubblewrap(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))


@pytest.fixture
def refusing_bubblewrap(monkeypatch, tmp_path):
    """A bwrap that says what Ubuntu 24.04 makes it say."""
    program = tmp_path / "bwrap"
    program.write_text(
        f'#!/bin/sh\n[ "$1" = --help ] && exec echo "--size --disable-userns "\necho "{UBUNTU_24_04}" >&2; exit 1\n'
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")


needs_landlock = pytest.mark.skipif(not landlock.find_abi(), reason="this kernel has no Landlock")


@needs_landlock
@pytest.mark.usefixtures("no_bubblewrap")
def test_without_bubblewrap_the_level_is_landlock_and_the_note_says_what_would_help():
    choice = levels.choose_launcher("auto", "cpu")
    assert choice.launcher.level == "landlock"
    assert choice.note.startswith("Sandbox level landlock. The names and sizes of files")
    assert "apt install bubblewrap" in choice.note


@needs_landlock
@pytest.mark.usefixtures("refusing_bubblewrap")
def test_a_refused_namespace_names_the_profile_to_load(monkeypatch, tmp_path):
    switch = tmp_path / "apparmor_restrict_unprivileged_userns"
    switch.write_text("1\n")
    monkeypatch.setattr(advice, "_APPARMOR", switch)
    choice = levels.choose_launcher("auto", "cpu")
    assert choice.launcher.level == "landlock"
    assert "apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict" in choice.note
    assert "Failed RTM_NEWADDR" in choice.note


@each(
    "name, cure",
    ("kernel/unprivileged_userns_clone", "sysctl -w kernel.unprivileged_userns_clone=1"),
    ("user/max_user_namespaces", "sysctl -w user.max_user_namespaces=15000"),
)
def test_a_switched_off_namespace_names_the_switch(monkeypatch, name, cure):
    monkeypatch.setattr(advice, "_read", lambda path: "0" if str(path) == f"/proc/sys/{name}" else "")
    assert cure in advice.explain("bwrap: Creating new namespace failed: Operation not permitted")


@pytest.mark.usefixtures("no_bubblewrap")
def test_a_level_that_was_asked_for_is_not_replaced_and_grading_without_one_must_be_said_aloud(monkeypatch):
    with pytest.raises(UsageError, match="Level full does not work here: bubblewrap is not installed"):
        levels.choose_launcher("full", "cpu")
    monkeypatch.setattr(landlock, "find_abi", lambda: 0)
    with pytest.raises(UsageError, match="--sandbox=limits"):
        levels.choose_launcher("auto", "cpu")
    choice = levels.choose_launcher("limits", "cpu")
    assert choice.launcher.level == "limits"
    assert "whatever this user may read, they may read" in choice.note


def test_a_processor_without_a_filter_has_no_sandbox(monkeypatch):
    monkeypatch.setattr(seccomp, "is_supported", lambda: False)
    with pytest.raises(UsageError, match="x86-64 and aarch64"):
        levels.choose_launcher("auto", "cpu")


def test_other_systems_than_linux_are_told_so(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(UsageError, match="it needs Linux"):
        levels.choose_launcher("auto", "cpu")


@dataclass(frozen=True)
class Leaky:
    """Landlock without a filter: files are closed, sockets are open."""

    level: str = "landlock"

    def wrap(self, command, settings, scratch):
        rules, abi = levels.write_rules(settings, scratch, gpu=False), min(landlock.find_abi(), 3)
        policy = levels.Policy(tasks=settings.limits.most_tasks, abi=abi, rules=rules, refuses_calls=False)
        return levels._confined(command, policy)


def test_a_launcher_that_confines_nothing_or_leaves_the_network_open_fails_its_trial():
    assert levels.run_probe(PlainLauncher()) == "it could read a file of the grader"
    if landlock.find_abi():
        assert levels.run_probe(Leaky()) == "it could open a network socket"


def test_a_trials_problem_is_its_last_line_or_that_its_command_does_not_exist():
    says = [sys.executable, "-c", "raise SystemExit('Traceback:\\n  a line\\nthe disk is full\\n')"]
    launcher = SimpleNamespace(level="full", wrap=lambda *_: says)
    assert levels.run_probe(launcher) == "the disk is full"
    for code, said in ((0, "'well'"), (3, repr(levels.CONFINED))):
        says[-1] = f"import sys\nprint({said}, end='')\nsys.exit({code})"
        assert levels.run_probe(launcher) == said.strip("'"), "which is no success, as it needs both"
    launcher = levels.FullLauncher(bubblewrap.Bubblewrap("/no/bwrap", sizes=True, forbids_nesting=True))
    assert "could not be started" in levels.run_probe(launcher)


def test_a_trial_is_made_once_per_run(monkeypatch):
    probes = []
    monkeypatch.setattr(levels, "run_probe", lambda launcher: probes.append(launcher) or "")
    for _ in range(3):
        levels.try_level("landlock", "cpu")
    assert len(probes) <= 1


def test_whoever_asks_while_a_trial_runs_waits_for_its_outcome(monkeypatch):
    asked, goes_on = [], threading.Event()

    def probe(launcher):
        asked.append(launcher.level)
        goes_on.wait(10)
        return ""

    monkeypatch.setattr(levels, "run_probe", probe)
    monkeypatch.setattr(levels, "_landlock", lambda *_given: SimpleNamespace(level="landlock"))
    levels.begin_trial("landlock", "cpu")
    threading.Timer(0.2, goes_on.set).start()
    assert (levels.choose_launcher("landlock", "cpu").launcher.level, asked) == ("landlock", ["landlock"])


def test_root_is_left_first_and_an_ordinary_user_has_nothing_to_leave(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert identities()[0] == Identity(drops=True)
    assert identities()[0].fresh_id() >= 61184
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert (identities(), Identity().fresh_id()) == ((Identity(),), 0)


@needs_landlock
@pytest.mark.skipif(os.geteuid() != 0, reason="about root")
@pytest.mark.parametrize("level", ["full", "landlock"])
def test_root_that_may_not_change_its_id_stays_and_says_so(monkeypatch, level):
    """As in a container that maps one user id only."""
    if level == "full" and bubblewrap.find_bubblewrap() is None:
        pytest.skip("bubblewrap is not installed")
    if levels.try_level(level, "cpu").launcher is None:
        pytest.skip(f"level {level} does not work here")
    levels.try_level.cache_clear()
    monkeypatch.setattr(Identity, "fresh_id", lambda self: 2**33 if self.drops else 0)
    monkeypatch.setattr(os, "chown", refuse)
    choice = levels.choose_launcher(level, "cpu")
    assert choice.launcher.identity == Identity()
    assert "under root's user id" in choice.note


def refuse(*_):
    raise OSError(errno.EINVAL, "Invalid argument")


def command_line(folder, gpu):
    launcher = levels.FullLauncher(bubblewrap.Bubblewrap("/usr/bin/bwrap", sizes=True, forbids_nesting=True), gpu=gpu)
    settings = Settings(folder / "files", folder / "staff")
    return " ".join(launcher.wrap(["python", "-I", "-m", "module"], settings, folder / "scratch"))


def test_the_command_line_binds_the_devices_and_sys_of_a_gpu_and_without_one_none(tmp_path, monkeypatch):
    monkeypatch.setenv("CUDA_HOME", str(tmp_path))
    text = command_line(tmp_path, gpu=True)
    for device in ("nvidiactl", "nvidia0", "nvidia7", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-caps"):
        assert f"--dev-bind-try /dev/{device} /dev/{device}" in text
    assert text.index("--dev /dev") < text.index("/dev/nvidia0") < text.index("--remount-ro /dev ")
    assert "--ro-bind /sys /sys" in text
    assert f"--ro-bind {tmp_path} {tmp_path}" in text, "where CUDA_HOME says"
    text = command_line(tmp_path, gpu=False)
    assert "nvidia" not in text
    assert "--ro-bind /sys /sys " not in text


@needs_landlock
def test_a_gpu_that_does_not_answer_inside_fails_the_trial():
    """Kernels that cannot run there would be everybody's wrong zero."""
    try:
        machine.choose_device("gpu")
    except UsageError:
        trial = levels.try_level("landlock", "gpu")
        assert trial.launcher is None
        assert "no kernel runs on the GPU inside it" in trial.problem
    else:
        assert levels.choose_launcher("auto", "gpu").launcher.level in {"full", "landlock"}


def test_where_no_level_works_with_the_gpu_both_reasons_and_the_ways_out_are_named(monkeypatch):
    monkeypatch.setattr(levels, "try_level", lambda level, _device: levels.Trial(None, f"{level}'s reason."))
    with pytest.raises(UsageError) as refused:
        levels.choose_launcher("auto", "gpu")
    words = ("Level full does not work here: full's reason.", "landlock's reason.", "--sandbox=limits", "--device cpu")
    assert all(word in str(refused.value) for word in words)


def test_landlock_rules_of_a_gpu_open_its_devices_and_a_policy_survives_the_command_line(tmp_path):
    settings = Settings(tmp_path / "files", tmp_path / "staff")
    rules = levels.write_rules(settings, tmp_path, gpu=True)
    assert {"/dev/nvidiactl", "/dev/nvidia-uvm", "/proc/self/task"} <= set(rules.devices)
    assert {"/sys", "/proc/driver/nvidia", "/proc/driver/nvidia-uvm"} <= set(rules.read)
    assert "/dev/nvidiactl" not in levels.write_rules(settings, tmp_path, gpu=False).devices
    rules = landlock.Rules(read=("/usr", "/with space"), write=("/tmp/x",))
    policy = levels.Policy(tasks=5, user_id=7, abi=3, rules=rules)
    assert levels.Policy.from_text(policy.to_text()) == policy


def test_the_grader_itself_is_never_confined():
    assert "NoNewPrivs:\t0" in Path("/proc/self/status").read_text()
