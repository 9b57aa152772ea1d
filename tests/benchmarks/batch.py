"""Throughput of a batch of mixed submissions, against the ideal: `make bench-batch`.

Ten kinds take turns: right ones, wrong ones, one that hangs, one that crashes, one that is no zip. The ideal is

    ideal_s = student compute / cores

where student compute is the processor time of the workers and of all that they start, less what a worker takes before
its first request (Python, NumPy and the sandbox: measured once here, times the number of workers). Sampled from /proc
ten times a second, so that the last tenth of each worker is missed: the printed efficiency is a little too low, never
too high. Time that a hanging submission sleeps is no compute; only its turn in a pool can hide it.

Once a second, memory is looked at, too (proportional set size: what processes share counts once): the most that the
batch's own process, one grading and one worker had, and what the batch's own grew by after its first fifth.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import handins  # noqa: E402 - a sibling's folder, which is no package

from grader.machine import count_cores  # noqa: E402 - as above
from grader.sandbox.levels import choose_launcher  # noqa: E402 - as above
from grader.worker.launcher import Limits, Place  # noqa: E402 - as above
from grader.worker.process import WorkerProcess  # noqa: E402 - as above

LOOK_S = 0.1
SECOND = 10
"""Looks."""
WRONG = (
    "utils/batches_without_the_last",
    "utils/sigmoid_is_tanh",
    "utils/random_weights_transposed",
    "max_functions/gpu_off_by_one",
    "max_functions/numba_without_njit",
    "max_functions/gpu_ten_blocks",
    "matmul_functions/gpu_without_syncthreads",
    "matmul_functions/numba_last_column_forgotten",
)
HANGING = ("max_functions/cpu_endless_loop", "utils/sleep_at_import", "utils/endless_loop_in_a_call")
CRASHING = ("utils/segfault_in_a_call", "utils/os_exit_at_import", "max_functions/exit_at_import")
KINDS = ("right", "wrong", "right", "wrong", "hanging", "right", "wrong", "crashing", "right", "malformed")


def build(number: int) -> bytes:
    """Return the hand-in of that number: of the kind whose turn it is, and unlike all others of its kind."""
    kind, turn = KINDS[number % len(KINDS)], number // len(KINDS)
    if kind == "malformed":
        return b"PK\x03\x04 cut off" + bytes([number % 256])
    files = handins.reference_files()
    pools = {"wrong": WRONG, "hanging": HANGING, "crashing": CRASHING}
    if kind in pools:
        name = WRONG[number % len(WRONG)] if kind == "wrong" else pools[kind][turn % len(pools[kind])]
        change = next(change for change in handins.changes("mistakes") if f"{change.target[:-3]}/{change.name}" == name)
        files[change.target] = change.applied()
    files["utils.py"] += f"\n# hand-in {number}\n".encode()
    return handins.packed(files)


class Watch:
    """Processor time and memory of all workers below one process, by sampling."""

    def __init__(self, root: int) -> None:
        self._root = root
        self._is_workers: dict[int, bool] = {}
        self.taken_s: dict[int, float] = {}
        self.ours_s: dict[int, float] = {}
        self.workers: set[int] = set()
        self._children: dict[int, list[int]] = {}
        self._looks = 0
        self.most_bytes = {"batch": 0, "grading": 0, "worker": 0}
        self.batch_bytes: list[int] = []
        """Of the batch's own process, once a second."""

    def look(self) -> None:
        """Take a look; a process is a worker's if its command is one, or a worker started it."""
        self._looks += 1
        self._children.clear()
        for process in psutil.process_iter(["ppid"]):
            self._children.setdefault(process.info["ppid"], []).append(process.pid)
        self._visit(self._root, False)
        if self._looks % SECOND == 0:
            self._weigh()

    def _weigh(self) -> None:
        """Note the memory of all processes."""
        for pid, is_workers in self._is_workers.items():
            kind = "batch" if pid == self._root else "worker" if is_workers else "grading"
            held = pss_bytes(pid)
            self.most_bytes[kind] = max(self.most_bytes[kind], held)
            if kind == "batch" and held:
                self.batch_bytes.append(held)

    def _visit(self, pid: int, inside: bool) -> None:
        if pid not in self._is_workers or not self._is_workers[pid]:
            is_worker = is_a_worker(pid)
            self._is_workers[pid] = inside or is_worker
            if is_worker:
                self.workers.add(pid)
        taken_s = self.taken_s if self._is_workers[pid] else self.ours_s
        taken_s[pid] = max(cpu_s(pid), taken_s.get(pid, 0.0))
        for child in self._children.get(pid, ()):
            self._visit(child, self._is_workers[pid])


def cpu_s(pid: int) -> float:
    """Return the processor time that `pid` itself has taken, in seconds; 0 if it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return times.user + times.system


def pss_bytes(pid: int) -> int:
    """Return the proportional set size of `pid`, in bytes; 0 if it is gone."""
    try:
        return int(psutil.Process(pid).memory_full_info().pss)
    except psutil.Error:
        return 0


def is_a_worker(pid: int) -> bool:
    """Whether the process runs `grader.worker.child` itself; supervisor and bwrap only have it in their arguments."""
    try:
        words = psutil.Process(pid).cmdline()
    except psutil.Error:
        return False
    return words[1:3] == ["-I", "-m"] and "grader.worker.child" in words


def measure_start_s() -> float:
    """Return the processor time that a worker has taken when it is ready for its first request: the least of three."""
    launcher = choose_launcher("auto", "cpu").launcher
    taken = []
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            place = Place(Path(folder, "files"), Path(folder, "staff"))
            place.submission.mkdir()
            place.staff.mkdir()
            with closing(WorkerProcess(place, "cpu", Limits(), launcher)) as worker:
                worker.wait_until_ready()
                taken.append(
                    sum(
                        cpu_s(child.pid)
                        for child in psutil.Process().children(recursive=True)
                        if is_a_worker(child.pid)
                    )
                )
    return min(taken)


def run_batch(folder: Path, out: Path, workers: int, data: Path) -> tuple[float, Watch]:
    """Grade `folder` as a user would; return the wall time in seconds, and what the workers took."""
    command = [sys.executable, "-m", "grader", "batch", str(folder), "--out", str(out), "--seed", "1", "--plain"]
    command += ["--data", str(data), "--device", "cpu", *(("--workers", str(workers)) if workers else ())]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as batch:
        watch = Watch(batch.pid)
        while batch.poll() is None:
            watch.look()
            time.sleep(LOOK_S)
        wall_s = time.perf_counter() - began
    if batch.returncode:
        sys.exit(f"the batch ended with exit code {batch.returncode}")
    return wall_s, watch


def main() -> None:
    """Run, print a table, write out/bench/bench-batch.json."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--submissions", type=int, default=100)
    parser.add_argument("--workers", type=int, default=0, help="gradings at a time (default: what a batch takes)")
    parser.add_argument("--data", type=Path, default=Path("none"), help="folder with MNIST (default: the digits)")
    options = parser.parse_args()
    start_s = measure_start_s()
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder, "course")
        inside.mkdir()
        numbers = list(range(options.submissions))
        random.Random(1).shuffle(numbers)
        for place, number in enumerate(numbers):
            (inside / f"hw1_{100000000 + place}.zip").write_bytes(build(number))
        wall_s, watch = run_batch(inside, Path(folder, "out"), options.workers, options.data)
        errors = count_errors(Path(folder, "out/course"))
    starts_s = start_s * len(watch.workers)
    student_s = sum(watch.taken_s.values()) - starts_s
    grader_s = sum(watch.ours_s.values()) + starts_s
    ideal_s = student_s / count_cores()
    figures = {
        "submissions": options.submissions,
        "wall_s": wall_s,
        "ideal_s": ideal_s,
        "efficiency": ideal_s / wall_s,
        "per_hour": 3600 * options.submissions / wall_s,
        "student_compute_s": student_s,
        "grader_compute_s": grader_s,
        "student_share": student_s / (student_s + grader_s),
        "workers_started": len(watch.workers),
        "worker_start_s": start_s,
        "cores": count_cores(),
        "busy_share_of_machine": busy_share(),
        "graders_errors": errors,
        "growth_bytes": watch.batch_bytes[-2] - watch.batch_bytes[len(watch.batch_bytes) // 5],
        **{f"most_{kind}_bytes": most for kind, most in watch.most_bytes.items()},
    }
    for name, value in figures.items():
        print(f"{name:22} {value:.3f}" if isinstance(value, float) else f"{name:22} {value}")
    target = ROOT / "out/bench/bench-batch.json"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(figures, indent=1) + "\n")


def count_errors(batch: Path) -> int:
    """Return how many checks the grader itself failed in: none, ever."""
    found = 0
    for file in batch.glob("submissions/*/evidence.json"):
        found += sum(seen["outcome"] == "error" for seen in json.loads(file.read_text())["observations"])
    return found


def busy_share() -> float:
    """Return the load that is left when the batch has ended, per core: others disturbed the figures if it is high."""
    return psutil.cpu_percent(interval=1) / 100


if __name__ == "__main__":
    main()
