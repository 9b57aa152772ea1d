"""The same pair of functions judged again and again beside busy processes: `make bench-verdict`.

There is no GPU in it: the reference's compiled `max_numba` stands for `max_gpu`, so that real workers, real clocks and
the real sampling loop decide whether it is at least 10 times as fast as the reference's `max_cpu`. The threshold is low
because the busy processes share the core: a call of 2 ms then waits longer for its turn than it computes. Each verdict
comes from workers of its own, as a grading's would. What observes the machine is left out: it would throw such sections
away.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from tables import parse_options, write_figures

from grader.assignment import load_assignment
from grader.assignments.hw1 import comparisons
from grader.authoring import Note
from grader.authoring.judges import speedup
from grader.model import File, Observation, Outcome, Submission, Threshold, Timed
from grader.sandbox.levels import choose_launcher
from grader.timing import lane, verdict
from grader.timing.conclusion import conclude
from grader.worker.client import Staff
from grader.worker.process import Limits, Settings, WorkerProcess
from grader.worker.student import Student

ROOT = Path(__file__).parents[2]
ALIAS = "\nmax_gpu = max_numba\n"


@contextmanager
def busy(count: int):
    started = [subprocess.Popen([sys.executable, "-c", "while True: sum(range(10**6))"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


@dataclass(frozen=True)
class Judged:
    """One verdict: what is printed of it, what a grading would have kept of it, and where student code ran."""

    figures: dict[str, object]
    observation: Observation
    sandbox: str


def judge_stand_in(at_least: float, seed: int) -> Judged:
    """Return the verdict on whether compiled Numba, in the place of `max_gpu`, is `at_least` times as fast."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        source = (ROOT / "reference/hw1/max_functions.py").read_text()
        files = Path(folder, "files")
        files.mkdir()
        (files / "max_functions.py").write_text(source + ALIAS)
        threshold = Threshold("speedup", at_least=at_least, timed=Timed())
        return judge_once(files, threshold, seed, choose_launcher("auto", "cpu").launcher)


def judge_once(submission: Path, threshold: Threshold, seed: int, launcher) -> Judged:
    assignment, note = load_assignment("hw1"), Note()

    start = partial(WorkerProcess, launcher=launcher)
    files = Submission("", "", (File("max_functions.py", 0, ""),))
    student = Student(Settings(submission, assignment.staff), files, assignment.graded, start)
    staff = Staff(partial(start, Settings(assignment.baselines, assignment.baselines)), Limits())
    began = time.perf_counter()
    try:
        with lane.Lane(lane.pick_core()) as core:
            bench = speedup.Bench(comparisons.MAX_WORKLOAD, student, staff, core, np.random.default_rng(seed))
            speedup.prepare(bench, note)
            taken = speedup.take(bench, threshold)
        speedup.explain(taken, threshold, bench, note)
    finally:
        student.close()
        staff.close()
    samples = note.facts[threshold.samples_fact]
    concluded = conclude(threshold, samples)
    figures = {
        "outcome": str(concluded.outcome),
        "sentence": concluded.finding.message,
        "ratio": verdict.judge(samples, threshold.timed).value,
        "blocks": taken.blocks,
        "seconds": round(time.perf_counter() - began, 1),
    }
    sentence = "Compiled Numba in the place of `max_gpu`."
    seen = Observation("max.gpu.speedup", sentence, Outcome.PASSED, flags=tuple(note.flags), facts=note.facts)
    return Judged(figures, seen, launcher.level)


def main() -> None:
    options = parse_options(__doc__, runs=50, busy=(2, "processes that keep the machine busy meanwhile"), at_least=10.0)
    runs = []
    with busy(options.busy):
        for seed in range(options.runs):
            runs.append(judge_stand_in(options.at_least, seed).figures)
            print(f"{seed + 1:3} {runs[-1]['outcome']:12} {runs[-1]['sentence']}", flush=True)
    outcomes = [run["outcome"] for run in runs]
    figures = {
        "verdicts": len(runs),
        "agreeing": max(outcomes.count(outcome) for outcome in set(outcomes)),
        **{outcome: outcomes.count(outcome) for outcome in ("passed", "failed", "inconclusive")},
        "ratio_lowest": min(run["ratio"] for run in runs),
        "ratio_highest": max(run["ratio"] for run in runs),
        "median_s": statistics.median(run["seconds"] for run in runs),
        "busy_processes": options.busy,
    }
    for name, value in figures.items():
        print(f"{name:15} {value:.4g}" if isinstance(value, float) else f"{name:15} {value}")
    write_figures("bench-verdict", figures)


if __name__ == "__main__":
    main()
