"""`grader batch` on a real Slurm: the same sheet as on this machine, and one sentence where the cluster refuses."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
FAST = ("--device", "cpu", "--sandbox", "limits", "--seed", "7", "--only-check", "utils", "--plain")
QUICK = ("--backend", "slurm", "--slurm", "poll_s=0.2", "--slurm", "grace_s=1")


def write_command(source, out, *options):
    data = ("--data", os.environ.get("GRADER_DATA", "digits"))
    command = (sys.executable, "-m", "grader", "batch", source, "--out", out, *FAST, *options, *data)
    return [str(word) for word in command]


def run_batch(source, out, *options, environment=None):
    how = {"cwd": ROOT, "env": environment, "capture_output": True, "text": True, "timeout": 120}
    done = subprocess.run(write_command(source, out, *options), **how, check=False)
    return done.returncode, done.stderr


def sheet(out):
    return (out / "handed-in" / "grades.csv").read_bytes()


@pytest.fixture
def source(tmp_path):
    """A folder with a right, an unfinished and a broken hand-in."""
    folder = tmp_path / "handed-in"
    folder.mkdir()
    for name, files in {"right": ROOT / "reference/hw1", "empty": ROOT / "student_template/hw1"}.items():
        with zipfile.ZipFile(folder / f"{name}.zip", "w") as archive:
            for file in ("utils.py", "max_functions.py", "matmul_functions.py"):
                archive.write(files / file, file)
    (folder / "broken.zip").write_bytes(b"no archive")
    return folder


@pytest.mark.usefixtures("slurm")
def test_a_batch_gives_the_same_sheet_through_slurm_as_on_this_machine(source, tmp_path):
    here = run_batch(source, tmp_path / "here")
    there = run_batch(source, tmp_path / "there", *QUICK)
    assert (here[0], there[0]) == (0, 0), here[1] + there[1]
    assert sheet(tmp_path / "here") == sheet(tmp_path / "there")
    assert b"right" in sheet(tmp_path / "here")


@pytest.mark.usefixtures("slurm")
def test_a_batch_that_is_killed_and_started_again_gives_the_same_sheet(source, tmp_path):
    undisturbed = run_batch(source, tmp_path / "whole", *QUICK)
    killed = subprocess.Popen(
        write_command(source, tmp_path / "killed", *QUICK), cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    assert any(b"1 of 3 done" in line for line in killed.stderr)
    killed.kill()
    killed.wait()
    killed.stderr.close()
    again = run_batch(source, tmp_path / "killed", *QUICK)
    assert (undisturbed[0], again[0]) == (0, 0), again[1]
    assert "of an earlier run are still with Slurm" in again[1]
    assert sheet(tmp_path / "whole") == sheet(tmp_path / "killed")


@pytest.mark.usefixtures("slurm")
def test_a_partition_that_does_not_exist_is_one_sentence_and_exit_code_2(source, tmp_path):
    code, err = run_batch(source, tmp_path / "out", *QUICK, "--slurm", "partition=nope")
    said = "grader: Slurm refuses (sbatch: Invalid partition name specified): change the --slurm settings"
    assert (code, err.splitlines()[-1]) == (2, said)
