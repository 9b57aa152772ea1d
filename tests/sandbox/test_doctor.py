"""The doctor says what is there, for a driver too, and what would help; 1 only where nothing can be graded."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from rows import each

from grader.__main__ import run
from grader.sandbox import advice, doctor, gpudriver, landlock, levels

pytestmark = pytest.mark.usefixtures("untried")
EVERYWHERE = [
    *("Python", "numba", "CUDA driver", "GPU", "bubblewrap", "Landlock", "seccomp", "user namespaces"),
    *("sandbox level full", "sandbox level landlock"),
]


def find(items, name):
    return next(item for item in items if item.name == name)


def test_every_part_has_a_line_and_what_is_absent_has_a_way(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    items = doctor.examine(tmp_path)
    names = [item.name for item in items]
    assert names == [*EVERYWHERE, "data", "chromium", "Slurm"]
    assert find(items, "bubblewrap").help == "apt install bubblewrap"
    assert find(items, "chromium").state == doctor.State.ABSENT
    assert "make data" in find(items, "data").help
    text = doctor.render(items)
    assert "\x1b" not in text
    assert all(name in text for name in names)


def test_without_any_sandbox_the_doctor_ends_with_1(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(landlock, "find_abi", lambda: 0)
    monkeypatch.setattr(advice, "_read", lambda path: "1" if "apparmor" in str(path) else "")
    assert run(["doctor", "--data", "digits"]) == 1
    printed = capsys.readouterr().out
    assert "MISSING  sandbox level full" in printed
    assert "bwrap-userns-restrict" in printed


@pytest.mark.parametrize("learns", [True, False])
def test_in_a_package_nothing_is_said_of_what_no_upload_needs(tmp_path, monkeypatch, learns):
    monkeypatch.setenv("PATH", str(tmp_path))
    items = doctor.examine_package(None, learns=learns)
    assert [item.name for item in items] == [*EVERYWHERE, *(["data"] if learns else [])]
    assert not re.search("srun|chromium|Slurm|make data", doctor.render(items))
    assert not learns or find(items, "data").help == "make the package again with DATA=folder"


def test_a_damaged_data_folder_is_missing_data_and_so_is_that_of_a_package(tmp_path, capsys):
    (tmp_path / "train-images-idx3-ubyte").write_bytes(b"x")
    item = doctor._examine_data(tmp_path)
    assert (item.state, item.help) == (doctor.State.NEEDED, "make data")
    (tmp_path / "settings.json").write_text('{"assignment": "hw1"}')
    (tmp_path / "data").mkdir()
    (tmp_path / "data/train-images-idx3-ubyte").write_bytes(b"x")
    assert run(["doctor", "--package", str(tmp_path)]) == 1
    assert "MISSING  data" in capsys.readouterr().out


def test_where_a_sandbox_works_the_doctor_ends_with_0(capsys):
    if all(levels.try_level(level, "cpu").problem for level in ("full", "landlock")):
        pytest.skip("no sandbox works here")
    assert run(["doctor", "--data", "digits"]) == 0
    assert "tried, works" in capsys.readouterr().out


@each(
    "sinfo, state, said",
    ("echo 'gpu* gpu:h200:8(S:0-1)'", doctor.State.OK, "partitions and GPUs: gpu* gpu:h200:8"),
    ("echo 'cpu* (null)'", doctor.State.OK, "no partition offers a GPU"),
    ("exit 1", doctor.State.ABSENT, "its controller does not answer"),
)
def test_slurm_is_asked_for_its_partitions(tmp_path, monkeypatch, sinfo, state, said):
    for name, body in {"sbatch": "echo slurm-wlm 22.05.8", "sinfo": sinfo}.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    item = doctor._examine_slurm()
    assert item.state == state
    assert said in doctor.render((item,))


@each(
    "version, capability, extra",
    *((0, None, ""), (11080, (8, 0), ""), (12000, (7, 0), "gpu12"), (12020, None, "gpu12")),
    *((12090, (9, 0), "gpu12"), (13000, None, "gpu13"), (13000, (7, 5), "gpu13"), (13000, (12, 0), "gpu13")),
    *((13000, (7, 0), "gpu12"), (13000, (6, 1), "gpu12")),
)
def test_a_driver_and_its_cards_get_what_they_can_run(version, capability, extra):
    driver = gpudriver.Driver(version, capability)
    assert driver.extra == extra
    assert extra in str(driver)
    assert "\n" not in str(driver)
    assert ("compiles nothing for a card" in str(driver)) == (version == 13000 and extra == "gpu12")


def test_a_driver_that_is_too_old_is_named_with_the_way_out_and_nothing_need_be_installed_for_that():
    assert "CUDA 11.8, which is too old: update it to 525" in str(gpudriver.Driver(11080))
    command = [sys.executable, "-I", "-S", gpudriver.__file__, "staff"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(".[staff")
    assert (done.stderr.count("\n"), Path(gpudriver.__file__).name) == (1, "gpudriver.py")


@each(
    "reach, state, said",
    {
        "55 to 85 were foreseen": (70, "ok", "allow 70, needed 40"),
        "right code may miss it": (55, "absent", "right code may miss it"),
        "nobody fails": (45, "absent", "points of who misses it stay undecided"),
    },
)
def test_a_server_whose_copies_leave_too_little_of_a_threshold_is_named(reach, state, said):
    item = doctor.compare_reach("it.speedup", reach, 40)
    assert item.state == state
    assert said in item.description
    assert (item.help == "grade on a server that allows 60") == (state == "absent")
