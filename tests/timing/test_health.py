import json
import os
import re
import subprocess
import sys
import time
from dataclasses import asdict, replace
from pathlib import Path

import psutil
import pynvml
import pytest
from rows import each
from simulated_nvml import Card, SimulatedNvml

from grader.timing import cores, health
from grader.timing.gpus import SLOWDOWNS
from grader.timing.health import disturbance, find_unknown, observe

OURS, OTHER, CHILD = 100, 200, 101


def write_process(proc, pid, parent=1, name="a (b) c"):
    folder = proc / str(pid)
    folder.mkdir(exist_ok=True)
    (folder / "stat").write_text(f"{pid} ({name}) S {parent} {'0 ' * 17}99 {'0 ' * 30}\n")


def write_books(proc, *, user=0, idle=0, steal=0, runnable=1):
    (proc / "stat").write_text(
        f"cpu  1 1 1 1 1 1 1 1 0 0\ncpu3 {user} 0 0 {idle} 0 0 0 {steal} 0 0\nbtime 1700000000\n"
    )
    (proc / "loadavg").write_text(f"0.50 0.40 0.30 {runnable}/90 4711\n")


@pytest.fixture(autouse=True)
def proc(tmp_path, monkeypatch):
    """What psutil and we read in place of /proc."""
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path))
    write_books(tmp_path)
    write_process(tmp_path, OURS)
    write_process(tmp_path, CHILD, parent=OURS)
    write_process(tmp_path, OTHER)
    return tmp_path


def see(*cards, used=(), **options):
    return observe("gpu", used=used, ours=[OURS], nvml=SimulatedNvml(*cards), environment={}, **options)


def between(before, after):
    return disturbance(see(before), see(after))


QUIET, IDLE = Card(pids=(CHILD,)), Card(pids=(CHILD, OTHER), samples=((OTHER, 4, 50), (CHILD, 5, 80)))
SILENT, SILENT_OF_OTHERS = (Card(pids=pids, unsupported={"nvmlDeviceGetProcessUtilization"}) for pids in ((), (OTHER,)))
SILENT_OF_US = replace(SILENT, pids=(CHILD,))
BUSY_OF_OTHERS, BUSY_OF_US = (replace(card, busy=97) for card in (SILENT_OF_OTHERS, SILENT_OF_US))
UNSEEN = Card(pids=(999,))
WAS_BUSY = "the GPU was busy for 97 % of the time before.*"
USED, BEGUN = "another process used the GPU: pid 200", "another process began to use the GPU: pid 200"
BETWEEN = {
    "our own process computes": (QUIET, replace(QUIET, samples=((CHILD, 5, 80),)), ""),
    "another computes": (QUIET, replace(IDLE, samples=((CHILD, 5, 80), (OTHER, 6, 3))), USED),
    "another computes, and older samples follow": (IDLE, replace(IDLE, samples=((OTHER, 6, 3), *IDLE.samples)), USED),
    "another only keeps a context": (IDLE, IDLE, ""),
    "another only keeps a context, and newer samples say so": (IDLE, replace(IDLE, samples=((OTHER, 6, 0),)), ""),
    "another keeps a context, and NVML cannot tell who computes": (SILENT_OF_OTHERS, SILENT_OF_OTHERS, ""),
    "a context ends, and NVML cannot tell": (SILENT_OF_OTHERS, SILENT_OF_US, ""),
    "a context is made, and NVML cannot tell": (SILENT, SILENT_OF_OTHERS, BEGUN),
    "a context is made, and does not compute": (Card(), Card(pids=(OTHER,)), ""),
    "busy with a context of others, and NVML cannot tell": (BUSY_OF_OTHERS, BUSY_OF_OTHERS, WAS_BUSY),
    "busy with our own, and NVML cannot tell": (BUSY_OF_US, BUSY_OF_US, ""),
    "busy, and NVML knows nobody who computes": (Card(pids=(OTHER,), busy=97), Card(pids=(OTHER,), busy=97), ""),
    "busy with a context that cannot be seen": (replace(UNSEEN, busy=97), UNSEEN, ".*others have a context.*"),
    "a process of another container comes": (QUIET, Card(pids=(CHILD, 999)), ".*pid 999 of the host.*"),
    "one of another container follows another": (Card(pids=(998,)), UNSEEN, ""),
    "a context that cannot be seen stays, and may be ours": (UNSEEN, UNSEEN, ""),
    "idle, then at its power limit": (Card(throttle=0x1), Card(throttle=0x4), ""),
    "a new ECC error": (Card(errors=2), Card(errors=3), ".*ECC.*"),
    "an old ECC error": (Card(errors=2), Card(errors=2), ""),
    "another MIG mode": (Card(mig=0), Card(mig=1), ".*MIG.*"),
    "another GPU": (Card(), Card(uuid="GPU-2222"), ".*another GPU.*"),
}
"""What happens -> the GPU before it, after it, and what is said: all of it."""


@each("before, after, said", BETWEEN)
def test_what_disturbs_is_said_and_nothing_else(before, after, said):
    assert re.fullmatch(said, between(before, after)), between(before, after)


def test_whoever_has_a_context_where_nvml_cannot_tell_is_named_and_other_gradings_of_a_batch_are_ours(monkeypatch):
    assert find_unknown(see(replace(SILENT, pids=(CHILD, OTHER)))).endswith("whether they compute: pid 200.")
    assert find_unknown(see(SILENT_OF_US)) == ""
    assert find_unknown(see(UNSEEN)).startswith("The GPU's processes cannot be seen from in here")
    monkeypatch.setattr(health, "_find_batch", lambda: OTHER)
    assert see(Card(pids=(CHILD, OTHER))).strangers == ()


def test_a_batch_is_found_by_its_forks_and_by_nothing_that_it_starts(tmp_path):
    program = tmp_path / "batch.py"
    program.write_text(
        "import os\nfrom grader.timing.health import _find_batch\nprint(_find_batch() == os.getpid(), flush=True)\n"
        "if os.fork() == 0:\n    print(_find_batch() == os.getppid(), flush=True)\n    os._exit(0)\nos.wait()\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "True"]


@pytest.mark.parametrize("reason", SLOWDOWNS)
def test_each_slowdown_disturbs(reason):
    slow = Card(throttle=getattr(SimulatedNvml, f"nvmlClocksThrottleReason{reason}"), temperature=93)
    assert SLOWDOWNS[reason] in between(Card(), slow)
    assert "93 °C" in between(Card(), slow)


def test_a_gpu_that_falls_off_the_bus_disturbs_and_what_a_virtual_one_does_not_tell_is_unknown():
    lost = observe("gpu", nvml=SimulatedNvml(broken=True))
    assert "was lost: no NVML: Driver Not Loaded" in disturbance(see(Card()), lost)
    questions = {name for name in dir(SimulatedNvml) if name.startswith("nvmlDeviceGet")}
    kept = {"nvmlDeviceGetHandleByIndex", "nvmlDeviceGetUUID", "nvmlDeviceGetCount"}
    silent = Card(unsupported=questions - kept)
    seen = see(silent)
    told = {name for name, value in asdict(seen)["gpu"].items() if value is not None}
    assert (told, disturbance(seen, see(silent))) == ({"uuid", "name", "sampled_us"}, "")
    assert find_unknown(seen) == "The GPU's driver does not say which processes use it."
    assert "MIG" in find_unknown(see(Card(mig=1)))


def test_what_nvml_cannot_tell_at_all_is_a_sentence():
    nvml = SimulatedNvml(Card(unsupported={"nvmlDeviceGetUUID"}))
    seen = observe("gpu", nvml=nvml, environment={})
    assert (seen.gpu_unknown, nvml.open) == ("NVML does not tell about the GPU: Not Supported", 0)
    seen = observe("gpu", nvml=SimulatedNvml(), environment={"CUDA_VISIBLE_DEVICES": "GPU-9"})
    assert seen.gpu is None
    assert "Not Found" in seen.gpu_unknown
    blind = observe("gpu", nvml=SimulatedNvml(broken=True))
    assert blind.gpu_unknown == "no NVML: Driver Not Loaded"
    assert "not known here (no NVML: Driver Not Loaded)" in find_unknown(blind)
    assert observe("cpu").gpu_unknown == "CUDA kernels are executed on the CPU"


@each("visible, uuid", ("", "GPU-1111"), *((name, "GPU-2222") for name in ("1", "1,0", "GPU-22", "GPU-2222", "MIG-7")))
def test_the_gpu_is_the_one_that_workers_see_and_cards_of_other_jobs_do_not_hide_it(visible, uuid):
    for first in (Card(), Card(of_others=True)) if visible.startswith("GPU") else (Card(),):
        nvml = SimulatedNvml(first, Card("GPU-2222", temperature=55))
        seen = observe("gpu", nvml=nvml, environment={"CUDA_VISIBLE_DEVICES": visible})
        assert (seen.gpu.uuid, seen.gpu.temperature_c) == (uuid, 55 if uuid == "GPU-2222" else 41)


def test_the_simulation_has_the_names_of_the_real_library():
    asked = [name for name in vars(SimulatedNvml) if name.startswith(("nvml", "NVML_", "NVMLError"))]
    real = [name for name in asked if not name.startswith("NVMLError_")]
    assert [name for name in real if not hasattr(pynvml, name)] == []
    for name in (name for name in asked if "ThrottleReason" in name and not name.startswith("nvmlDevice")):
        assert getattr(SimulatedNvml, name) == getattr(pynvml, name)
    assert issubclass(pynvml.NVMLError_NotFound, pynvml.NVMLError)


@pytest.fixture
def section(proc, monkeypatch):
    """Let a second of core 3 pass: ticks of others, of ours, of nobody, of other virtual machines."""

    def passes(others=0, ours=0, idle=0, steal=0):
        monkeypatch.setattr(cores, "spent_cpu_s", lambda pids, used: 5.0 if (OURS in pids and used == [3]) else None)
        write_books(proc, user=1000, idle=1000)
        before = observe("cpu", used=[3], ours=[OURS])
        monkeypatch.setattr(cores, "spent_cpu_s", lambda _pids, _used: 5.0 + ours / 100)
        write_books(proc, user=1000 + others + ours, idle=1000 + idle, steal=steal)
        return disturbance(before, observe("cpu", used=[3], ours=[OURS]))

    return passes


TICKS = {
    "our own work": ({"ours": 100}, ""),
    "others": ({"others": 11, "ours": 89}, "others used core 3 for 11% of the time"),
    "a little of others": ({"others": 9, "ours": 91}, ""),
    "a section too short for the ticks": ({"others": 20, "ours": 10}, ""),
}


@each("ticks, said", TICKS)
def test_others_on_the_core_disturb_unless_it_is_little(section, ticks, said):
    assert section(**ticks) == said


def test_several_cores_count_together_and_are_unknown_if_one_of_them_is(proc):
    def see_at(busy, ours_s):
        cpus = f"cpu2 {busy} 0 0 {2000 - busy} 0 0 0\ncpu3 0 0 0 {1000 + busy} 0 0 0\n"
        (proc / "stat").write_text(f"{cpus}btime 1700000000\n")
        seen = observe("cpu", used=(2, 3), ours=[OURS])
        return replace(seen, used=replace(seen.used, ours_s=ours_s))

    before = see_at(100, 1.0)
    assert disturbance(before, see_at(1900, 19.0)) == ""
    assert disturbance(before, see_at(1900, 10.0)) == "others used cores 2, 3 for 50% of the time"
    assert observe("cpu", used=(1, 2), ours=[OURS]).used is None


def test_stolen_time_disturbs_and_without_a_core_of_its_own_a_crowded_machine_does(section, proc):
    assert "did not get core 3 for 40%" in section(ours=60, steal=40)

    def crowd(runnable):
        write_books(proc, runnable=runnable)
        return replace(observe("cpu", ours=[OURS]), cores=4)

    assert disturbance(crowd(9), crowd(6)) == "6 tasks wanted to run on 4 cores"
    assert disturbance(crowd(9), crowd(2)) == ""


def test_a_machine_without_books_is_unknown(tmp_path, monkeypatch):
    monkeypatch.setattr(psutil, "PROCFS_PATH", str(tmp_path / "nowhere"))
    seen = observe("cpu", used=[3])
    assert (seen.used, seen.load_1min, seen.runnable) == (None, None, None)
    assert disturbance(seen, seen) == ""


def test_facts_are_json_and_a_family_has_its_grandchildren_and_nobody_else(proc):
    facts = asdict(see(Card(pids=(OTHER,), samples=((OTHER, 6, 3),)), used=[3]))
    assert json.loads(json.dumps(facts)) == {**facts, "strangers": [OTHER], "unseen": []} | {
        "used": {**facts["used"], "numbers": [3]},
        "gpu": {**facts["gpu"], "slowdowns": [], "pids": [OTHER], "last_active_us": {str(OTHER): 6}},
    }
    write_process(proc, 102, parent=CHILD)
    assert cores.find_family([OURS]) == {OURS, CHILD, 102}


def test_cpu_time_of_real_processes_counts_awaited_children_and_only_on_a_core_of_their_own(monkeypatch):
    monkeypatch.setattr(psutil, "PROCFS_PATH", "/proc")
    mine = os.sched_getaffinity(0)
    core, family = min(mine), [os.getpid()]
    os.sched_setaffinity(0, {core})
    try:
        before_s = cores.spent_cpu_s(family, {core})
        subprocess.run([sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"], check=True)
        assert cores.spent_cpu_s(family, {core}) - before_s >= 0.25
        assert cores.spent_cpu_s(family, {core + 1}) == 0
    finally:
        os.sched_setaffinity(0, mine)


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="needs Linux")
def test_a_real_core_has_real_books(monkeypatch):
    monkeypatch.setattr(psutil, "PROCFS_PATH", "/proc")
    core = min(os.sched_getaffinity(0))
    before = cores.read_times([core], [os.getpid()])
    time.sleep(0.05)
    after = cores.read_times([core], [os.getpid()])
    assert after.total_s > before.total_s
    assert 0 <= after.busy_s <= after.total_s
