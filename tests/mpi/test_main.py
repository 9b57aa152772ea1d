"""The command that explains why an mpi4py program hangs."""

import subprocess
import sys

import pytest

from grader.mpi.__main__ import draw_calls, main

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
sys.exit(0)
"""


def trace(folder, *arguments, text=PROGRAM, options=()):
    path = folder / "program.py"
    path.write_text(text)
    command = [sys.executable, "-m", "grader.mpi", "-n", "3", *options, str(path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.wide
def test_a_right_program_runs_as_it_is_and_its_calls_are_listed(tmp_path):
    done = trace(tmp_path)
    assert (done.returncode, done.stdout.split("\n")[:3]) == (0, ["sum 3.0"] * 3)
    assert "All 3 ranks came to an end" in done.stderr
    assert "allreduce (program.py:9)" in done.stderr


@pytest.mark.wide
def test_a_halt_is_explained(tmp_path):
    done = trace(tmp_path, "hang")
    assert done.returncode == 1
    assert "rank 0 waits in Bcast (program.py:8); ranks 1 and 2 wait in allreduce (program.py:9)" in done.stderr
    assert "rank 0 took a branch of the `if` in line 7" in done.stderr


INSIDE = """\
import numpy as np
from mpi4py import MPI

class Team(MPI.Intracomm):
    "A class of one's own."

comm = Team(MPI.COMM_WORLD)
window = MPI.Win.Create(np.zeros(1), comm=comm)
if comm.rank < 2:
    window.Fence()
else:
    comm.barrier()
"""


@pytest.mark.wide
def test_a_halt_inside_a_call_that_is_not_followed_is_told_and_drawn(tmp_path):
    drawing = tmp_path / "out.svg"
    done = trace(tmp_path, text=INSIDE, options=["--halt-after", "1", "--diagram", str(drawing)])
    assert done.returncode == 1
    assert "The MPI library does not come back: ranks 0 and 1 are in Win.Fence (program.py:10)" in done.stderr
    assert "which is not followed; rank 2 waits in barrier (program.py:12)" in done.stderr
    assert "3 calls of Win.Create, not followed" in done.stderr
    assert drawing.read_text().count(", which did not end</title>") == 3


def test_messages_are_drawn_from_rank_to_rank():
    columns = {"rank": [0, 1], "name": ["Send", "Recv"], "line": ["a.py:<1>", "a.py:2"], "at_s": [1.0, 1.5]}
    drawn = draw_calls({**columns, "done_s": [2.0, 2.0], "sent_by": [-1, 0]}, 2)
    assert '<line x1="60.0" y1="17" x2="980.0" y2="51"' in drawn
    assert "<title>Send a.py:&lt;1&gt;</title>" in drawn


def test_a_file_that_is_not_there_is_wrong_usage(tmp_path, capsys):
    assert main([str(tmp_path / "absent.py")]) == 2
    assert "there is no file" in capsys.readouterr().err
