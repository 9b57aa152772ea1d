"""What this machine says about the reference, kept small: `make evidence` writes tests/evidence/<machine>/.

    evidence.json, results.json    one grading of the reference
    rubric.toml                    the rubric that it was scored with
    bench.csv, bench-*.svg         the sheet's comparisons
    verdicts.json                  the speed verdict again and again, beside busy processes
    report.html, kernels.json      with a GPU: the page with its plots; each rung of the ladder, and the copies, timed
    verdict/                       without a GPU: evidence of one verdict on compiled Numba in its place
    README.md                      the command, the machine, what was asked for and what was seen

`tests/evidence` scores all of it again, on any machine. With a GPU this takes a quarter of an hour for 50 verdicts.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import kernel_ladder
import numpy as np
from tables import DATA, named, parse_options

from grader.assignment import load_assignment
from grader.assignments.hw1 import comparisons
from grader.authoring import Note
from grader.authoring.judges import speedup
from grader.machine import choose_device, describe_hardware, describe_versions
from grader.model import Evidence, File, Observation, Outcome, Run, Submission, Threshold, Timed
from grader.reports.files import write_reports
from grader.sandbox.doctor import compare_reach
from grader.sandbox.levels import choose_launcher
from grader.scoring.score import score
from grader.timing import lane, verdict
from grader.timing.verdict import conclude
from grader.worker.client import Staff
from grader.worker.process import Limits, Settings, WorkerProcess
from grader.worker.student import Student

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests/evidence"
SPEEDUP = "max.gpu.speedup"
MOST_OF_COPYING, LEAST_OF_PEAK = 1.3, 0.5
STAND_IN_AT_LEAST = 10.0
"""Low, as busy processes share the core: a call of 2 ms then waits longer for its turn than it computes."""
NEEDS_GPU = "needs a GPU"


def main() -> None:
    busy, out = (2, "processes that keep the machine busy during verdicts"), (KEPT, "where this machine's folder goes")
    options = parse_options(__doc__, data=DATA, verdicts=50, busy=busy, out=out)
    device, name = choose_device("auto")
    hardware = describe_hardware(name if device == "gpu" else "")
    name = hardware["cuda"] or f"{hardware['cpu']} {hardware['cores']} cores"
    folder = options.out / re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    folder.mkdir(parents=True, exist_ok=True)
    keep_grading(folder, options.data, ("report.html",) if device == "gpu" else ())
    with tempfile.TemporaryDirectory() as out:
        run_grader("bench", "reference/hw1", "--out", out)
        for path in (*Path(out).glob("bench*.csv"), *Path(out).glob("bench*.svg")):
            shutil.copyfile(path, folder / path.name)
    verdicts = keep_verdicts(folder, device, options.verdicts, options.busy)
    timed = kernel_ladder.ask_gpu(kernel_ladder.__file__) if device == "gpu" else {}
    if timed:
        (folder / "kernels.json").write_text(json.dumps(timed, indent=1) + "\n")
    page = "\n".join(describe(folder, hardware, verdicts, timed)) + "\n"
    (folder / "README.md").write_text(page)
    print(page)


def run_grader(*arguments: str) -> None:
    """Run the command line as a TA would; exit codes 0 and 1 are both a report."""
    done = subprocess.run([sys.executable, "-m", "grader", *arguments], cwd=ROOT, stdout=sys.stderr, check=False)
    if done.returncode not in {0, 1}:
        sys.exit(f"grader {' '.join(arguments)} ended with exit code {done.returncode}")


def keep_grading(folder: Path, data: Path, more: tuple[str, ...]) -> None:
    with tempfile.TemporaryDirectory() as out:
        run_grader("grade", "reference/hw1", "--out", out, *named(data), "--seed", "1")
        for name in ("evidence.json", "results.json", *more):
            shutil.copyfile(Path(out, "hw1", name), folder / name)
    shutil.copyfile(load_assignment("hw1").folder / "rubric.toml", folder / "rubric.toml")


def keep_verdicts(folder: Path, device: str, count: int, busy: int) -> list[dict[str, object]]:
    with keep_busy(busy):
        judge = judge_reference if device == "gpu" else judge_stand_in
        verdicts = [judge(folder, seed) for seed in range(count)]
    (folder / "verdicts.json").write_text(json.dumps({"busy_processes": busy, "verdicts": verdicts}, indent=1))
    return verdicts


@contextmanager
def keep_busy(count: int) -> Iterator[None]:
    until_orphaned = "import os; ours = os.getppid()\nwhile os.getppid() == ours: sum(range(10**6))"
    started = [subprocess.Popen([sys.executable, "-c", until_orphaned]) for _ in range(count)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def judge_reference(_folder: Path, seed: int) -> dict[str, object]:
    with tempfile.TemporaryDirectory() as out:
        run_grader("grade", "reference/hw1", "--out", out, "--seed", str(seed), "--only", "max")
        evidence = json.loads(Path(out, "hw1/evidence.json").read_text())
        results = json.loads(Path(out, "hw1/results.json").read_text())
    seen = next(one for one in evidence["observations"] if one["check"] == SPEEDUP)
    said = next(one for one in results["tests"] if one["name"] == SPEEDUP)
    return {
        "outcome": results["extra_data"]["outcome"][SPEEDUP],
        "sentence": said.get("output", "").partition("\n")[0],
        "raw_ratios": seen["facts"].get("raw_ratios", {}),
    }


def judge_stand_in(folder: Path, seed: int) -> dict[str, object]:
    """Return the verdict on compiled Numba in the place of `max_gpu`; the last one's evidence is kept."""
    # What observes the machine is left out: it would throw sections beside busy processes away.
    assignment, note = load_assignment("hw1"), Note()
    threshold, launcher = (
        Threshold("speedup", at_least=STAND_IN_AT_LEAST, timed=Timed()),
        choose_launcher("auto", "cpu"),
    )
    start = partial(WorkerProcess, launcher=launcher.launcher)
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as files:
        Path(files).chmod(0o755)
        source = (ROOT / "reference/hw1/max_functions.py").read_text()
        Path(files, "max_functions.py").write_text(f"{source}\nmax_gpu = max_numba\n")
        submission = Submission("stand-in", "", (File("max_functions.py", 0, ""),))
        student = Student(Settings(Path(files), assignment.staff), submission, assignment.graded, start)
        staff = Staff(partial(start, Settings(assignment.baselines, assignment.baselines)), Limits())
        with closing(student), closing(staff):
            with lane.Lane(lane.pick_core()) as core:
                bench = speedup.Bench(comparisons.MAX_WORKLOAD, student, staff, core, np.random.default_rng(seed))
                speedup.prepare(bench, note)
                taken = speedup.take(bench, threshold)
            speedup.explain(taken, threshold, bench, note)
    samples = note.facts[threshold.samples_fact]
    concluded = conclude(threshold, samples)
    print(f"{seed + 1:3} {concluded.outcome}", file=sys.stderr)
    sentence = "Compiled Numba in the place of `max_gpu`."
    seen = Observation(SPEEDUP, sentence, Outcome.PASSED, flags=tuple(note.flags), facts=note.facts)
    remark = "There is no GPU here: compiled Numba stands in the place of max_gpu, so that clock and samples are real."
    run = Run("cpu", "", launcher.launcher.level, seed, describe_versions(), describe_hardware("none"), (remark,))
    report = score(Evidence(submission, run, (seen,), assignment.name), assignment.rubric)
    write_reports(report, folder / "verdict")
    return {
        "outcome": str(concluded.outcome),
        "sentence": concluded.finding.message,
        "ratio": verdict.judge(samples, threshold.timed).value,
        "blocks": taken.blocks,
        "seconds": round(time.perf_counter() - began, 1),
    }


def describe(folder: Path, hardware: dict, verdicts: list[dict], timed: dict):
    report = json.loads((folder / "results.json").read_text())["extra_data"]
    low, high = report["score_range"]
    yield f"# Evidence of {hardware['cuda'] or 'a machine without a GPU'}"
    yield ""
    yield f"`make evidence`, {datetime.now(UTC):%Y-%m-%d}: {hardware['cpu']}, {hardware['cores']} cores,"
    yield ", ".join(f"{package} {number}" for package, number in describe_versions().items()) + "."
    yield ""
    yield "| asked | seen |"
    yield "|---|---|"
    yield f"| the reference's score | {low:g} to {high:g} of 100 |"
    yield f"| speed-up of `max_gpu` at least 40 | {report['outcome'][SPEEDUP].replace('_', ' ')} |"
    outcomes = [one["outcome"] for one in verdicts]
    least = "" if hardware["cuda"] else f" (at least {STAND_IN_AT_LEAST:g}, compiled Numba in the GPU's place)"
    counts = ", ".join(f"{outcomes.count(outcome)} {outcome}" for outcome in dict.fromkeys(outcomes))
    yield f"| the same verdict each time, beside busy processes{least} | {counts or 'none tried'} |"
    yield f"| `max_gpu` within {MOST_OF_COPYING:g} times of copying | {copying(folder)} |"
    yield f"| what plain copies leave of the threshold | {leaving(folder)} |"
    best = kernel_ladder.best_rung(timed)
    of_peak = f"{best[1]:.0%} (`{best[0]}`)" if best else NEEDS_GPU
    yield f"| one block at {LEAST_OF_PEAK:.0%} of a multiprocessor's FP64 peak | {of_peak} |"


def copying(folder: Path) -> str:
    gpu = facts(folder).get("gpu")
    return f"{gpu['call_s'] / gpu['copying_s']:.2f} times" if gpu else NEEDS_GPU


def leaving(folder: Path) -> str:
    """Return the sentence of the doctor, from what was measured while the reference was graded."""
    if not (gpu := facts(folder).get("gpu")):
        return NEEDS_GPU
    threshold = next(row.threshold for row in load_assignment("hw1").rubric.criteria if row.id == SPEEDUP)
    reach = verdict.find_reach(facts(folder)[threshold.samples_fact], gpu["copying_s"])
    return compare_reach(SPEEDUP, reach, threshold.bound).description


def facts(folder: Path) -> dict:
    seen = json.loads((folder / "evidence.json").read_text())["observations"]
    return next((one["facts"] for one in seen if one["check"] == SPEEDUP), {})


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
