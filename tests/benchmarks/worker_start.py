"""Starts a worker and keeps it until its input is closed: a part of batch.py, for whichever grader its Python finds."""

import sys
import tempfile
from contextlib import closing
from pathlib import Path

from grader.sandbox.levels import choose_launcher
from grader.worker.launcher import Limits, Place
from grader.worker.process import WorkerProcess

with tempfile.TemporaryDirectory() as folder:
    place = Place(Path(folder, "files"), Path(folder, "staff"))
    place.submission.mkdir()
    place.staff.mkdir()
    with closing(WorkerProcess(place, "cpu", Limits(), choose_launcher("auto", "cpu").launcher)):
        sys.stdin.read()
