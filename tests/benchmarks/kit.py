"""How long a student waits: `make bench-kit`.

Unpacks the wheel of the handout, and runs `python -m hw1check` on the reference as a student would, without a memory of
earlier runs, `--runs` times; prints the medians. `again_s` is a run in which nothing changed, `saved_s` one in which
only utils.py did.
"""

import io
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from tables import DATA, named, parse_options, write_figures

from grader.assignment import load_assignment
from grader.kit.handout import make_wheel
from grader.kit.settings import load_settings

ROOT = Path(__file__).parents[2]
FILES = ("utils.py", "max_functions.py", "matmul_functions.py", "hw1.pdf")
GOALS_S = {"first_answer_s": 3.0, "all_s": 15.0}


def check(folder: Path, kit: Path, data: Path) -> tuple[float, float]:
    """Return the seconds until the first line and until the end."""
    began = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "hw1check", *named(data)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(kit)},
        stdout=subprocess.PIPE,
    )
    process.stdout.readline()
    first_s = time.perf_counter() - began
    text = process.stdout.read().decode()
    if process.wait() != 0:
        sys.exit(f"the reference lost points:\n{text}")
    return first_s, time.perf_counter() - began


def measure(kit: Path, data: Path) -> dict[str, float]:
    """Return the figures of one student's afternoon."""
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home)
        for name in FILES:
            shutil.copy(ROOT / "reference/hw1" / name, folder)
        first_s, all_s = check(folder, kit, data)
        _, again_s = check(folder, kit, data)
        source = (folder / "utils.py").read_text("utf-8")
        (folder / "utils.py").write_text(f"{source}\nREMARK = 1\n", "utf-8")
        _, saved_s = check(folder, kit, data)
    return {"first_answer_s": first_s, "all_s": all_s, "again_s": again_s, "saved_s": saved_s}


def main() -> None:
    options = parse_options(__doc__, data=DATA, runs=3)
    wheel = make_wheel(load_settings(load_assignment("hw1")))
    with tempfile.TemporaryDirectory() as kit, zipfile.ZipFile(io.BytesIO(wheel.data)) as archive:
        archive.extractall(kit)
        runs = [measure(Path(kit), options.data) for _ in range(options.runs)]
    figures = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    for name, value in figures.items():
        goal = f"   goal: below {GOALS_S[name]:g}" if name in GOALS_S else ""
        print(f"{name:16}{value:6.2f}{goal}")
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count()
    write_figures("bench-kit", {**figures, "cores": cores, "data": options.data.exists()})


if __name__ == "__main__":
    main()
