"""Starts a worker and keeps it until its input is closed: a part of batch.py, which looks for that of each version."""

import sys
import tempfile
from contextlib import closing
from pathlib import Path

from grader.sandbox.levels import choose_launcher
from grader.worker.launcher import Settings
from grader.worker.process import WorkerProcess

with tempfile.TemporaryDirectory() as folder:
    settings = Settings(Path(folder), Path(folder), device="cpu")
    with closing(WorkerProcess(settings, choose_launcher("auto", "cpu").launcher)):
        sys.stdin.read()
