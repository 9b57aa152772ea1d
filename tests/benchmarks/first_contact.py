"""First contact with a borrowed server: `make first-contact OUT=folder` runs what has to be seen there before students.

Each step is a command of at most eight minutes; together they take about forty. What a step printed, and the reports
that it wrote, stay in `OUT/<step>/`. Begun again, the command goes on behind the last step that ended. Nothing needs a
network. At the end `OUT/README.md` sets what was predicted (tests/evidence/predicted.json) beside what was measured,
and names each assumption that did not hold. Keep the folder.

Without a GPU it says what is missing, and ends with exit code 1.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from grader.assignment import load_assignment
from grader.errors import GraderError
from grader.machine import choose_device
from grader.reports.files import decode
from grader.timing import verdict
from grader.trial.changes import replaced

ROOT = Path(__file__).parents[2]
PREDICTED = ROOT / "tests/evidence/predicted.json"
LIMIT_S = 480
CALL = "A_on_gpu, B_on_gpu = cuda.to_device(A), cuda.to_device(B); {}; max_kernel[{}, 1000](A_on_gpu, B_on_gpu, C); {}"
FRESH, BACK = "C = cuda.device_array(A.shape, A.dtype)", "return C.copy_to_host()"
PINNED = "host = cuda.pinned_array(A.shape, A.dtype); C.copy_to_host(host); return host"
BODIES = {
    "numpy_args": "C = np.empty(A.shape, A.dtype); max_kernel[1000, 1000](A, B, C); return C",
    "zeroed": CALL.format("C = cuda.to_device(np.zeros(A.shape, A.dtype))", 1000, BACK),
    "one_thread_per_row": CALL.format(FRESH, 1, BACK),
    "pinned": CALL.format(FRESH, 1000, PINNED),
    "jit_inside": CALL.format(FRESH, 1, BACK).replace("max_kernel[", "cuda.jit(write_maximum)["),
    "synchronised": CALL.format(FRESH, 1000, f"cuda.synchronize(); {BACK}"),
    "hang": CALL.format(FRESH, 1, BACK),
    "oom": f"C = cuda.device_array(46_000_000_000); {FRESH}; {BACK}",
    "beyond": CALL.format(FRESH, 1, BACK),
}
"""Variant of `max` -> what `max_gpu` does."""
ROWS = """
@cuda.jit
def max_kernel(A, B, C):
    i = cuda.threadIdx.x
    if i < C.shape[0]:
        for j in range(C.shape[1]):
            C[i, j] = max(A[i, j], B[i, j])
"""
KERNELS = {
    "one_thread_per_row": ROWS,
    "jit_inside": ROWS.replace("@cuda.jit\ndef max_kernel", "def write_maximum"),
    "hang": ROWS.replace("for j in range(C.shape[1]):", "j = 0\n        while j < C.shape[1]:"),
    "beyond": ROWS.replace("C[i, j] =", "C[i + 1_000_000_000, j] ="),
}
"""Variant -> its kernel, if it is not the reference's."""
FAULTS = ("hang", "oom", "beyond")
BUSY = """
from numba import cuda
import numpy as np

@cuda.jit
def spin(x):
    for k in range(1 << 20):
        x[cuda.grid(1)] = x[cuda.grid(1)] * 1.000001 + k

x = cuda.to_device(np.ones(1 << 18))
while True:
    spin[1 << 10, 256](x)
    cuda.synchronize()
"""


@dataclass(frozen=True)
class Step:
    """A command, and whether another program keeps the card busy meanwhile; `{out}` is the step's folder."""

    name: str
    command: tuple[str, ...]
    is_disturbed: bool = False


def steps(data: Path) -> list[Step]:
    """Return all steps in the order in which they are run."""
    python = sys.executable
    named = ("--data", str(data.absolute())) if data.is_dir() else ()

    def grade(name: str, path: str, *more: str, is_disturbed: bool = False) -> Step:
        command = (python, "-m", "grader", "grade", path, "--device", "gpu", "--out", "{out}", *named, *more)
        return Step(name, command, is_disturbed)

    only = tuple(word for check in ("max.gpu.correct", "max.gpu.speedup") for word in ("--only", check))
    bench = "tests/benchmarks"
    return [
        Step("smi", ("nvidia-smi", "-q", "-d", "COMPUTE,CLOCK,PERFORMANCE,ECC,UTILIZATION,PIDS")),
        Step("doctor", (python, "-m", "grader", "doctor", *named)),
        *(grade(name, f"reference/{name}", "--assignment", name) for name in ("hw1", "layers", "gemm")),
        *(Step(f"{name}_ladder", (python, f"{bench}/{name}_ladder.py", "--time")) for name in ("kernel", "gemm")),
        *(grade(name, "{variant}", *only[: 2 if name in FAULTS else 4]) for name in BODIES),
        grade("busy", "reference/hw1", *only, is_disturbed=True),
        *(grade(level, "reference/hw1", "--sandbox", level, *only[:2]) for level in ("full", "landlock", "limits")),
        Step("evidence", (python, f"{bench}/evidence.py", *named, "--verdicts", "10", "--out", "{out}")),
        Step("smi_after", ("nvidia-smi",)),
    ]


def write_variant(name: str, folder: Path) -> None:
    """Write the reference of hw1 with another `max_gpu`."""
    shutil.copytree(ROOT / "reference/hw1", folder, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    text = f'"""A variant."""\n{KERNELS.get(name, "")}\ndef max_gpu(A, B):\n    {BODIES[name]}\n'
    file = folder / "max_functions.py"
    file.write_text(replaced(file.read_text(), text))


@contextmanager
def disturbance(*, is_wanted: bool) -> Iterator[None]:
    """Keep the card busy, if that is wanted."""
    if not is_wanted:
        yield
        return
    process = subprocess.Popen([sys.executable, "-c", BUSY])
    try:
        time.sleep(10)  # until it has compiled its kernel
        yield
    finally:
        process.kill()
        process.wait()


def run(step: Step, out: Path) -> None:
    """Run a step that has not ended before; keep what it printed, its exit code and its seconds."""
    folder = out / step.name
    if (folder / "done.json").exists():
        return
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if step.name in BODIES:
        write_variant(step.name, folder / "variant")
    command = [word.format(out=folder / "report", variant=folder / "variant") for word in step.command]
    print(f"{step.name}: {' '.join(command)}", file=sys.stderr)
    began_s = time.monotonic()
    with (folder / "log.txt").open("w") as log, disturbance(is_wanted=step.is_disturbed):
        try:
            code = subprocess.run(command, cwd=ROOT, stdout=log, stderr=log, timeout=LIMIT_S, check=False).returncode
        except (subprocess.TimeoutExpired, OSError) as error:
            log.write(f"{error}\n")
            code = 124 if isinstance(error, subprocess.TimeoutExpired) else 127  # what a shell says
    (folder / "done.json").write_text(json.dumps({"code": code, "wall_s": round(time.monotonic() - began_s)}))


def measure(out: Path, figure: str) -> float | str | None:
    """Return what a step measured, or None: `hw1 points` (the lowest), `hw1 outcome CHECK` or `hw1 value CHECK`."""
    step, kind, *check = figure.split()
    found = [*(out / step / "report").rglob("evidence.json")]
    if not found:
        return None
    report = json.loads(found[0].with_name("results.json").read_text())["extra_data"]
    if kind == "points":
        return float(report["score_range"][0])
    return report["outcome"].get(check[0]) if kind == "outcome" else value_of(found[0], check[0])


def value_of(path: Path, check: str) -> float | None:
    """Return what a check's threshold refers to, by the evidence at `path`."""
    evidence = decode(path.read_bytes())
    rows = load_assignment(evidence.assignment).rubric.criteria
    threshold = next(row.threshold for row in rows if row.id == check)
    facts = next((seen.facts for seen in evidence.observations if seen.check == check), {})
    samples = facts.get(threshold.samples_fact)
    return verdict.judge(samples, threshold.timed).value if samples else None


def holds(predicted: dict, measured: float | str | None) -> bool:
    """Return whether a figure is as predicted: a word, or a number in a range."""
    if isinstance(measured, str) or "is" in predicted:
        return measured == predicted.get("is")
    return measured is not None and predicted["least"] <= measured <= predicted["most"]


def page(out: Path, card: str, table: Path = PREDICTED) -> Iterator[str]:
    """Yield the lines of a page: predicted beside measured, and what that means."""
    known = json.loads(table.read_text())
    figures = known.pop("any") | next((known[name] for name in known if name in card), {})
    yield f"# First contact with {card}"
    yield ""
    yield "| figure | predicted | measured | |"
    yield "|---|---|---|---|"
    broken = []
    for figure, predicted in figures.items():
        measured = measure(out, figure)
        shown = f"{measured:.3g}" if isinstance(measured, float) else measured or "not measured"
        wanted = predicted.get("is") or f"{predicted['least']:g} to {predicted['most']:g}"
        is_broken = measured is not None and not holds(predicted, measured)
        broken += [f"- **{figure}**: {predicted['source']}"] if is_broken else []
        yield f"| {figure} | {wanted} | {shown} | {'broken' if is_broken else ''} |"
    yield from ("", "Assumptions that broke:" if broken else "Every assumption that was measured held.", "", *broken)
    yield from ("", "| step | exit code (124: cut off, 127: not installed) | seconds |", "|---|---|---|")
    for path in sorted(out.glob("*/done.json"), key=lambda path: path.stat().st_mtime):
        done = json.loads(path.read_text())
        yield f"| {path.parent.name} | {done['code']} | {done['wall_s']} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path("data"), help="folder with MNIST")
    parser.add_argument("--out", type=Path, default=Path("out/first-contact"), help="where all of it is kept")
    options = parser.parse_args()
    try:
        _, card = choose_device("gpu")
    except GraderError as error:
        sys.exit(f"make first-contact needs a GPU, see docs/gpu.md: {error}")
    out = options.out.absolute()
    for step in steps(options.data):
        run(step, out)
    (out / "README.md").write_text("\n".join(page(out, card)) + "\n")
    print(f"Read {out / 'README.md'}, and keep the folder.")


if __name__ == "__main__":
    os.chdir(ROOT)
    main()
