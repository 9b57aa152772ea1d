"""Gradings leave nothing behind, also those whose ranks halt; `make leftovers` looks at a hundred."""

import sys
from pathlib import Path

import pytest
from subprocesses import ended

pytest.importorskip("mpi4py")
PROGRAM = Path(__file__).parents[2] / "benchmarks/leftovers.py"


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ["auto", "limits"])
def test_no_process_file_or_shared_memory_is_left(sandbox):
    command = [sys.executable, str(PROGRAM), "--gradings", "4", "--sandbox", sandbox]
    done = ended(command, timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 gradings, of which 0 left something" in done.stdout
