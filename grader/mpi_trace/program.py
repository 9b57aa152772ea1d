"""What each rank of a traced program does: run the file as `python` would, with its communicator traced."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from typing import Any


def run_program(_here: Any, path: str, arguments: Sequence[str]) -> dict[str, Any]:
    """Run a file as the main program; its `MPI.COMM_WORLD` is the traced communicator already."""
    sys.argv = [path, *arguments]
    sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
    if sys.stdout is not None:
        sys.stdout.reconfigure(line_buffering=True)  # so that lines of several ranks do not run into each other
    runpy.run_path(path, run_name="__main__")
    return {}
