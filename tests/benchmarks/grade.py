"""What grading the reference costs beside the student's own `main.py`: `make bench-grade`.

In turns, `--runs` times: the grading as a user starts it, `python main.py` of the reference on the same data, a grading
of one check that runs nothing, and `grader --help`. Medians are printed and written to out/bench/bench-grade.json:

    grade_s, main_py_s    wall time; `ratio` is their quotient
    cpu_ratio             the same of CPU time: all that this machine spent meanwhile, so that it should have nothing
                          else to do (workers are no children of the grader that a parent's books would show)
    student_s             how long checks waited for student code, as the evidence of the grading has it
    fixed_s, help_s       the grading of one check, and the list of commands
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "reference/hw1"
GRADER = (sys.executable, "-m", "grader")


def measure(name: str, *command: str) -> dict[str, float]:
    """Run a command to its end; return its wall time and the machine's CPU time meanwhile.

    Raises:
        subprocess.CalledProcessError: it failed.
    """
    before, began = _busy_s(), time.perf_counter()
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    return {f"{name}_s": time.perf_counter() - began, f"{name}_cpu_s": _busy_s() - before}


def _busy_s() -> float:
    """Return how long all cores together have been busy since the machine was started."""
    times = psutil.cpu_times()
    return float(times.user + times.nice + times.system)


def run_once(data: str, out: Path) -> dict[str, float]:
    """Measure each command once; return all figures."""
    grade = (*GRADER, "grade", str(REFERENCE), "--data", data, "--out", str(out))
    figures = measure("grade", *grade)
    evidence = json.loads((out / REFERENCE.name / "evidence.json").read_text())
    figures["student_s"] = sum(observation["student_s"] for observation in evidence["observations"])
    figures |= measure("main_py", sys.executable, str(REFERENCE / "main.py"), data)
    figures |= measure("fixed", *grade, "--only", "submission.files")
    return figures | measure("help", *GRADER, "--help")


def main() -> None:
    """Run, print a table, write out/bench/bench-grade.json."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as out:
        runs = [run_once(str(options.data.resolve()), Path(out)) for _ in range(options.runs)]
    middle = {name: statistics.median(run[name] for run in runs) for name in runs[0]}
    figures = {
        "ratio": middle["grade_s"] / middle["main_py_s"],
        "cpu_ratio": middle["grade_cpu_s"] / middle["main_py_cpu_s"],
        **middle,
    }
    for name, value in figures.items():
        print(f"{name:15} {value:.2f}")
    target = ROOT / "out/bench/bench-grade.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
