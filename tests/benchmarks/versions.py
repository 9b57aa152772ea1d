"""Another version's benchmarks beside this one's, in turns: `make bench-versions AGAINST=f6002c3` (an hour).

Each version runs its own `bench-kit` and `bench-pages`, with the same packages, and this version's `bench-batch` and
`bench-executor`; each packs its handout, whose `make setup` is timed; then each is cloned into an empty folder, where
`make grade` sets up its environment, and once more for what CI does. The table is printed, and written into
docs/generated/performance.md. With `ARGS="--turns 2"` everything runs again in the opposite order, and medians count.
"""

import argparse
import contextlib
import json
import math
import os
import re
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
import venv
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tables import write_tables

ROOT = Path(__file__).parents[2]
Figures = dict[str, float]
KERNELS = {"maximum": "maximum", "tiled X·Xᵀ": "tiles", "block reduction": "reduction", "softmax of rows": "softmax"}


def per_hand_in(found: dict, whose: str) -> float:
    """Return processor seconds per hand-in of a batch, of the `student` workers or of the `grader` itself."""
    return found[f"{whose}_compute_s"] / found["submissions"]


@dataclass(frozen=True, slots=True)
class Bench:
    """A benchmark that every version has, and the rows that come of what it writes."""

    name: str
    arguments: tuple[str, ...]
    rows: dict[str, Callable[[dict], float]]
    is_common: bool = False
    """Whether all versions run this version's script."""
    runs_here: bool = False
    """Whether this version runs it, and is told whose Python to start."""


BENCHES = (
    Bench(
        "kit",
        ("--runs", "3"),
        {
            "student kit: first answer, s": lambda found: found["first_answer_s"],
            "student kit: everything, s": lambda found: found["all_s"],
            "student kit: nothing changed, s": lambda found: found["again_s"],
        },
    ),
    Bench(
        "batch",
        ("--submissions", "50", "--python", "{python}"),
        {
            "batch of 50 mixed hand-ins: ideal ÷ wall time": lambda found: found["efficiency"],
            "the same: hand-ins per hour": lambda found: found["per_hour"],
            "the same: CPU of the students' workers per hand-in, s": lambda found: per_hand_in(found, "student"),
            "the same: grader's own CPU per hand-in, s": lambda found: per_hand_in(found, "grader"),
            "the same: most memory of the batch's own process, MB": lambda found: found["most_batch_bytes"] / 1e6,
            "the same: most memory of a grading's process, MB": lambda found: found["most_grading_bytes"] / 1e6,
            "the same: most memory of a worker, MB": lambda found: found["most_worker_bytes"] / 1e6,
        },
        runs_here=True,
    ),
    Bench(
        "pages",
        ("--sizes", "1000,10000", "--compare", "20"),
        {
            "page of a class of 1,000: open, s": lambda found: found["1000"]["open_ms"] / 1e3,
            "page of a class of 10,000: open, s": lambda found: found["10000"]["open_ms"] / 1e3,
            "page of a class of 10,000: search, s": lambda found: found["10000"]["find_ms"] / 1e3,
        },
    ),
    Bench(
        "executor",
        ("--loops",),
        {
            f"executor, {words}: {unit}": lambda found, key=f"{kernel}_{figure}": found[key]
            for words, kernel in KERNELS.items()
            for figure, unit in {"vs_njit": "÷ `njit`, one core", "times_as_fast": "one core ÷ all"}.items()
        },
        is_common=True,
    ),
)
CLONE = "clone to first report, s"
SET_UP = "student kit: `make setup`, s"
TESTS = "tests of `make test`, minutes"
CI = "CI in an empty folder, minutes"


@dataclass(frozen=True, slots=True)
class Version:
    name: str
    commit: str
    folder: Path
    python: str


@contextlib.contextmanager
def checked_out(commit: str) -> Iterator[tuple[Path, str]]:
    """Check a commit out; give its folder, and a Python that finds it and the packages of this one."""
    with tempfile.TemporaryDirectory() as name:
        folder, python = Path(name, "tree"), Path(name, "venv")
        subprocess.run(["git", "worktree", "add", "-q", "--detach", folder, commit], check=True, cwd=ROOT)
        try:
            venv.create(python, symlinks=True)
            packages = Path(sysconfig.get_path("purelib", vars={"base": str(python)}))
            (packages / "here.pth").write_text(f"{folder}\n{sysconfig.get_path('purelib')}\n")
            yield folder, str(python / "bin/python")
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", folder], check=True, cwd=ROOT)


def refuse_changes() -> None:
    """Exit where a tracked file is changed: the benchmarks would run it, and the clone would not have it."""
    command = ["git", "status", "--porcelain", "--untracked-files=no"]
    changed = subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True).stdout
    if changed:
        sys.exit(f"The table would mix two versions: commit or undo the changes in these files.\n{changed.rstrip()}")


def take_turns(versions: Sequence[Version], chosen: Sequence[str], data: str, turns: int) -> dict[str, Figures]:
    """Return the medians of each version: every second turn begins with the last version."""
    found: dict[str, dict[str, list[float]]] = {version.name: {} for version in versions}
    for turn in range(turns):
        for name in chosen:
            for version in reversed(versions) if turn % 2 else versions:
                print(f"{name}, {version.name} …", file=sys.stderr, flush=True)
                for row, figure in measure(name, version, data).items():
                    found[version.name].setdefault(row, []).append(figure)
    return {name: {row: statistics.median(figures) for row, figures in rows.items()} for name, rows in found.items()}


def measure(name: str, version: Version, data: str) -> Figures:
    if name in {"clone", "ci"}:
        return (clone_and_grade if name == "clone" else clone_and_test)(version.commit, data)
    if name == "setup":
        return set_up_kit(version)
    return run_bench(next(bench for bench in BENCHES if bench.name == name), version, data)


def run_bench(bench: Bench, version: Version, data: str) -> Figures:
    folder = ROOT if bench.runs_here else version.folder
    file = (ROOT if bench.is_common else folder) / f"out/bench/bench-{bench.name}.json"  # beside the script
    file.unlink(missing_ok=True)
    arguments = [word.format(python=version.python) for word in bench.arguments]
    more = ("--data", data) if bench.name == "kit" and data else ()
    script = Path("tests/benchmarks", f"{bench.name}.py")
    python = sys.executable if bench.runs_here else version.python
    command = [python, ROOT / script if bench.is_common else script, *arguments, *more]
    subprocess.run(command, check=True, cwd=folder, stdout=subprocess.DEVNULL)
    found = json.loads(file.read_text())
    return {row: take(found) for row, take in bench.rows.items()}


def set_up_kit(version: Version) -> Figures:
    with tempfile.TemporaryDirectory() as name:
        command = [version.python, "-m", "grader", "handout", "--out", name]
        subprocess.run(command, check=True, cwd=version.folder, capture_output=True)
        shutil.unpack_archive(next(Path(name).glob("*.zip")), name)
        (makefile,) = Path(name).glob("*/Makefile")
        began = time.perf_counter()
        subprocess.run(["make", "setup"], check=True, cwd=makefile.parent, capture_output=True)
        return {SET_UP: time.perf_counter() - began}


def clone_and_grade(commit: str, data: str) -> Figures:
    with tempfile.TemporaryDirectory() as name:
        began = time.perf_counter()
        folder = clone(commit, Path(name))
        command = ["make", "grade", "SUBMISSION=reference/hw1", f"DATA={data}"]
        subprocess.run(command, check=True, cwd=folder, capture_output=True)
        return {CLONE: time.perf_counter() - began}


def clone_and_test(commit: str, data: str) -> Figures:
    """Return what pytest says of the fast tests, and how long all that CI does takes in an empty folder.

    Both are NaN where it fails; what it printed is in out/bench/bench-ci-COMMIT.log.
    """
    log = ROOT / f"out/bench/bench-ci-{commit}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, log.open("w+") as printed:
        began = time.perf_counter()
        folder = clone(commit, Path(name))
        environment = {**os.environ, "DATA": data}
        done = subprocess.run([".ci/run"], check=False, cwd=folder, env=environment, stdout=printed, stderr=printed)
        ci_s = time.perf_counter() - began
        printed.seek(0)
        tests_s = re.search(r" passed.* in ([\d.]+)s", printed.read())
    if done.returncode or not tests_s:
        print(f"CI of {commit} failed: see {log}", file=sys.stderr, flush=True)
        return {TESTS: math.nan, CI: math.nan}
    return {TESTS: float(tests_s[1]) / 60, CI: ci_s / 60}


def clone(commit: str, parent: Path) -> Path:
    folder = parent / "clone"
    subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
    subprocess.run(["git", "checkout", "-q", commit], check=True, cwd=folder)
    return folder


def main() -> None:
    names = [*(bench.name for bench in BENCHES), "setup", "clone", "ci"]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder with MNIST (default: data, if there)")
    parser.add_argument("--against", metavar="COMMIT", required=True)
    parser.add_argument("--only", nargs="*", choices=names, help="the table then has no other rows")
    parser.add_argument("--turns", type=int, default=1, help="how often everything runs (default: 1)")
    options = parser.parse_args()
    if options.turns < 1:
        parser.error("--turns needs 1 or more")
    refuse_changes()
    os.environ.pop("MAKEFLAGS", None)  # what this `make` was told is not for those below
    data = str(options.data.resolve()) if options.data.is_dir() else ""
    chosen = [name for name in names if name in (options.only or names)]
    with checked_out(options.against) as (folder, python):
        old = Version(options.against, options.against, folder, python)
        figures = take_turns((old, Version("now", "HEAD", ROOT, sys.executable)), chosen, data, options.turns)
    table = [f"| | {' | '.join(figures)} |", f"|---|{'---|' * len(figures)}"]
    for row in figures["now"]:
        shown = (f"{found[row]:.3g}".replace("nan", "failed") for found in figures.values())
        table += [f"| {row} | {' | '.join(shown)} |"]
    print("\n".join(table))
    write_tables(ROOT / "docs/generated/performance.md", {"versions": table})


if __name__ == "__main__":
    main()
