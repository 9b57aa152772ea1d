"""An import of mpi4py by a file of a hand-in starts no MPI: a worker is no rank."""

import subprocess
import sys

import pytest

pytest.importorskip("mpi4py")

PROGRAM = """\
from grader.worker.child import keep_mpi_from_starting
keep_mpi_from_starting()
from mpi4py import MPI
print(MPI.Is_initialized())
"""


def test_an_import_starts_nothing():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
