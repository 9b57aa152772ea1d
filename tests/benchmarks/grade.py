"""How long grading the reference takes on this machine: `make bench-grade`.

Grades it `--runs` times as a user would, by the command line, and prints the median. `student_s` is the time that
checks spent waiting for student code, as the evidence of the same run has it.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]


def grade_once(data: Path, out: Path) -> dict[str, object]:
    """Grade the reference and return the figures of that run."""
    command = [
        sys.executable,
        "-m",
        "grader",
        "grade",
        str(ROOT / "reference/hw1"),
        "--data",
        str(data),
        "--out",
        str(out),
    ]
    began = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    wall_s = time.perf_counter() - began
    evidence = json.loads((out / "hw1" / "evidence.json").read_text())
    student_s = sum(observation["student_s"] for observation in evidence["observations"])
    return {
        "grade_s": wall_s,
        "student_s": student_s,
        "device": evidence["run"]["device"],
        "data": evidence["run"]["data"],
    }


def main() -> None:
    """Run, print a table, write out/bench/bench-grade.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("data"))
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as out:
        runs = [grade_once(options.data, Path(out)) for _ in range(options.runs)]
    figures = {name: statistics.median(run[name] for run in runs) for name in ("grade_s", "student_s")}
    figures |= {
        "ratio": figures["grade_s"] / figures["student_s"],
        "device": runs[0]["device"],
        "data": runs[0]["data"],
    }
    for name, value in figures.items():
        print(f"{name:10} {value:.2f}" if isinstance(value, float) else f"{name:10} {value}")
    target = Path("out/bench/bench-grade.json")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
