"""The command that explains why an mpi4py program hangs."""

import subprocess
import sys

import pytest

from grader.mpi_trace.__main__ import main

pytest.importorskip("mpi4py")

PROGRAM = """\
import sys
import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
values = np.full(4, float(comm.rank))
if comm.rank == 0 and "hang" in sys.argv:
    comm.Bcast(values)
print("sum", comm.allreduce(values)[0])
"""


def trace(folder, *arguments):
    path = folder / "program.py"
    path.write_text(PROGRAM)
    command = [sys.executable, "-m", "grader.mpi_trace", "-n", "3", str(path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.wide
def test_a_right_program_runs_as_it_is_and_its_calls_are_listed(tmp_path):
    done = trace(tmp_path)
    assert done.returncode == 0
    assert done.stdout.split("\n")[:3] == ["sum 3.0"] * 3
    assert "All 3 ranks came to an end" in done.stderr
    assert "3" in done.stderr
    assert "allreduce (program.py:9)" in done.stderr


@pytest.mark.wide
def test_a_halt_is_explained(tmp_path):
    done = trace(tmp_path, "hang")
    assert done.returncode == 1
    assert "rank 0 waits in Bcast (program.py:8); ranks 1 and 2 wait in allreduce (program.py:9)" in done.stderr
    assert "rank 0 took a branch of the `if` in line 7" in done.stderr


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path, capsys):
    assert main([str(tmp_path / "absent.py")]) == 2
    assert "there is no file" in capsys.readouterr().err
