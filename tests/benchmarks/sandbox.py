"""What the sandbox costs: `make bench-sandbox`.

`start_ms` is the median start of a worker at the strongest level that works here, until it can take a call; `bare_ms`
the same without one. `grade_ratio` is the time that grading the reference takes with the sandbox over without, the two
in turns, medians of `--runs` each.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tables import DATA, named, parse_options, write_figures

from grader.sandbox.levels import choose_launcher
from grader.worker.process import Launcher, PlainLauncher, Settings, WorkerProcess

ROOT = Path(__file__).parents[2]


def time_start_ms(launcher: Launcher, folder: Path) -> float:
    settings = Settings(folder, folder)
    began = time.perf_counter()
    worker = WorkerProcess(settings, launcher)
    worker.wait_until_ready()
    wall_ms = (time.perf_counter() - began) * 1000
    worker.close()
    return wall_ms


def measure_starts_ms(launcher: Launcher, runs: int) -> dict[str, float]:
    """Return the median starts with and without `launcher`, taken in turns so that both meet the same noise."""
    with tempfile.TemporaryDirectory() as folder:
        for warm_up in (PlainLauncher(), launcher):
            time_start_ms(warm_up, Path(folder))
        pairs = [[time_start_ms(one, Path(folder)) for one in (PlainLauncher(), launcher)] for _ in range(runs)]
    bare_ms, start_ms = (statistics.median(times) for times in zip(*pairs, strict=True))
    return {"bare_ms": bare_ms, "start_ms": start_ms}


def time_grade_s(level: str, data: Path) -> float:
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "grader", "grade", str(ROOT / "reference/hw1"), "--sandbox", level]
        began = time.perf_counter()
        subprocess.run([*command, *named(data), "--out", out], check=True, capture_output=True)
        return time.perf_counter() - began


def main() -> None:
    options = parse_options(__doc__, data=DATA, starts=20, runs=3)
    launcher = choose_launcher("auto", "cpu").launcher
    figures = measure_starts_ms(launcher, options.starts)
    pairs = [[time_grade_s(level, options.data) for level in ("limits", launcher.level)] for _ in range(options.runs)]
    without_s, with_s = (statistics.median(times) for times in zip(*pairs, strict=True))
    figures |= {"added_ms": figures["start_ms"] - figures["bare_ms"]}
    figures |= {"grade_without_s": without_s, "grade_with_s": with_s, "grade_ratio": with_s / without_s}
    rows = [f"{'level':16} {launcher.level}", *(f"{name:16} {value:.2f}" for name, value in figures.items())]
    sys.stdout.write("\n".join(rows) + "\n")
    write_figures("bench-sandbox", {"level": launcher.level, **figures})


if __name__ == "__main__":
    main()
