"""An import of mpi4py by a file of a hand-in starts no MPI: a worker is no rank, and answers as the only one."""

import subprocess
import sys

import pytest

pytest.importorskip("mpi4py")

PROGRAM = """\
from grader.worker.child import keep_mpi_from_starting
keep_mpi_from_starting()
from mpi4py import MPI
comm = MPI.COMM_WORLD
print(MPI.Is_initialized(), comm.Get_rank(), comm.size, MPI.Wtime() <= MPI.Wtime(), MPI.Get_processor_name())
try:
    comm.Barrier()
except RuntimeError as error:
    print(error)
"""


def test_an_import_starts_nothing():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    asked, refused = done.stdout.splitlines()
    assert asked == "False 0 1 True localhost"
    assert refused == "MPI has not started here: Barrier needs ranks, and only functions run on ranks"
