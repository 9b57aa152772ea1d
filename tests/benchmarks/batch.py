"""Throughput of a batch of mixed submissions, against the ideal: `make bench-batch`.

Ten kinds take turns: right ones, wrong ones, one that hangs, one that crashes, one that is no zip. The ideal is

    ideal_s = student compute / cores

where student compute is the processor time of the workers and all that they start, less what a worker takes before its
first request (measured once, times the workers). It is sampled from /proc ten times a second: the efficiency is a bit
too low, never too high. While a hanging submission sleeps, it computes nothing.

Memory is sampled, too: the most that the batch's own process, one grading and one worker had (proportional set size),
and what the batch's own grew by after its first fifth (resident size: it shares much with gradings, which end).
"""

import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tests"))

import handins  # noqa: E402 - a sibling's folder, which is no package
from tables import parse_options, write_figures  # noqa: E402 - as above

from grader.machine import count_cores  # noqa: E402 - as above

LOOK_S = 0.1
WEIGHED = 50
"""Memory is looked at with every so many looks."""
READY_S = 3
"""A worker that nobody asks for anything is ready long before, and takes no more processor time."""
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
WRONG = (
    *("utils/batches_without_the_last", "utils/sigmoid_is_tanh", "utils/random_weights_transposed"),
    *("max_functions/gpu_off_by_one", "max_functions/numba_without_njit", "max_functions/gpu_ten_blocks"),
    *("matmul_functions/gpu_without_syncthreads", "matmul_functions/numba_last_column_forgotten"),
)
HANGING = ("max_functions/cpu_endless_loop", "utils/sleep_at_import", "utils/endless_loop_in_a_call")
CRASHING = ("utils/segfault_in_a_call", "utils/os_exit_at_import", "max_functions/exit_at_import")
KINDS = ("right", "wrong", "right", "wrong", "hanging", "right", "wrong", "crashing", "right", "malformed")


def build(number: int, kinds: Sequence[str] = KINDS) -> bytes:
    """Return the hand-in of that number: of the kind whose turn it is, and unlike all others of its kind."""
    kind, turn = kinds[number % len(kinds)], number // len(kinds)
    if kind == "malformed":
        return b"PK\x03\x04 cut off" + bytes([number % 256])
    files = handins.reference_files()
    if kind == "template":
        files |= {path.name: path.read_bytes() for path in (ROOT / "student_template/hw1").glob("*.py")}
    pools = {"wrong": WRONG, "hanging": HANGING, "crashing": CRASHING}
    if kind in pools:
        name = WRONG[number % len(WRONG)] if kind == "wrong" else pools[kind][turn % len(pools[kind])]
        change = next(change for change in handins.changes("mistakes") if f"{change.module}/{change.name}" == name)
        files[change.target] = change.applied()
    files["utils.py"] += f"\n# hand-in {number}\n".encode()
    return handins.packed(files)


class Watch:
    """Processor time and memory of all workers below one process, by sampling.

    A look reads one small file per process of the machine, so that what is measured keeps the processors to itself.
    """

    def __init__(self, root: int) -> None:
        self._root = root
        self._is_workers: dict[int, bool] = {}
        self.taken_s: dict[int, float] = {}
        self.ours_s: dict[int, float] = {}
        self.workers: set[int] = set()
        self._looks = 0
        self.most_bytes = {"batch": 0, "grading": 0, "worker": 0}
        self.batch_bytes: list[int] = []
        """Resident size of the batch's own process, look by look."""

    def look(self) -> None:
        """Take a look; a process is a worker's if its command is one, or a worker started it."""
        parents, cpu_s = read_processes()
        children: dict[int, list[int]] = {}
        for pid, parent in parents.items():
            children.setdefault(parent, []).append(pid)
        below = [(self._root, False)]
        while below:
            pid, inside = below.pop()
            inside = self._note(pid, inside, cpu_s.get(pid, 0.0))
            below += ((child, inside) for child in children.get(pid, ()))
        self._looks += 1
        if self._looks % WEIGHED == 0:
            self._weigh()

    def _note(self, pid: int, inside: bool, cpu_s: float) -> bool:
        """Note what a process has taken; return whether it is a worker's, which it may become by a later `exec`."""
        if not inside and not self._is_workers.get(pid) and is_a_worker(pid):
            self.workers.add(pid)
        self._is_workers[pid] = inside or pid in self.workers
        taken_s = self.taken_s if self._is_workers[pid] else self.ours_s
        taken_s[pid] = max(cpu_s, taken_s.get(pid, 0.0))
        return self._is_workers[pid]

    def _weigh(self) -> None:
        for pid, is_workers in self._is_workers.items():
            kind = "batch" if pid == self._root else "worker" if is_workers else "grading"
            with contextlib.suppress(psutil.Error):  # it has ended
                held = psutil.Process(pid).memory_full_info()
                self.most_bytes[kind] = max(self.most_bytes[kind], held.pss)
                if kind == "batch":
                    self.batch_bytes.append(held.rss)


def read_processes() -> tuple[dict[int, int], dict[int, float]]:
    """Return the parent and the processor time in seconds of each process: psutil reads several files for the same."""
    parents, cpu_s = {}, {}
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):  # noqa: PTH208 - a tenth of the time of a Path each
        with contextlib.suppress(OSError):
            words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            parents[pid], cpu_s[pid] = int(words[1]), (int(words[11]) + int(words[12])) / TICKS_PER_S
    return parents, cpu_s


def is_a_worker(pid: int) -> bool:
    """Whether the process runs `grader.worker.child` itself; supervisor and bwrap only have it in their arguments."""
    try:
        words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False
    return words[1:3] == [b"-I", b"-m"] and b"grader.worker.child" in words


def measure_start_s(python: str) -> float:
    """Return the least of three processor times that a worker of that Python's grader takes before any request."""
    where = [python, "-c", "import grader; print(grader.__path__[0])"]
    tree = Path(subprocess.run(where, check=True, cwd="/", capture_output=True, text=True).stdout.strip()).parent
    taken = []
    for _ in range(3):
        with subprocess.Popen([python, tree / "tests/benchmarks/worker_start.py"], stdin=subprocess.PIPE) as staff:
            time.sleep(READY_S)
            watch = Watch(staff.pid)
            watch.look()
            taken.append(sum(watch.taken_s.values()))
            staff.communicate()
    return min(taken)


def run_batch(python: str, folder: Path, out: Path, workers: int, data: Path) -> tuple[float, Watch]:
    """Grade `folder` as a user would; return the wall time in seconds, and what the workers took."""
    command = [python, "-m", "grader", "batch", str(folder), "--out", str(out), "--seed", "1", "--plain"]
    command += ["--device", "cpu", "--data", str(data.absolute()) if data.is_dir() else "digits"]
    command += ["--workers", str(workers)] if workers else []
    began = time.perf_counter()
    # `-m` looks into the current folder first: that of another version's Python must not be this checkout.
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=folder.parent) as batch:
        watch = Watch(batch.pid)
        while batch.poll() is None:
            watch.look()
            time.sleep(LOOK_S)
        wall_s = time.perf_counter() - began
    if batch.returncode:
        sys.exit(f"the batch ended with exit code {batch.returncode}")
    return wall_s, watch


def main() -> None:
    options = parse_options(
        __doc__,
        submissions=100,
        workers=(0, "gradings at a time; 0: what a batch takes"),
        data=(Path("none"), "folder with MNIST; none: the digits"),
        python=(sys.executable, "whose grader is measured"),
        kinds=(",".join(KINDS), "what takes turns, separated by commas; or template"),
    )
    start_s = measure_start_s(options.python)
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder, "course")
        inside.mkdir()
        numbers = list(range(options.submissions))
        random.Random(1).shuffle(numbers)
        for place, number in enumerate(numbers):
            (inside / f"hw1_{100000000 + place}.zip").write_bytes(build(number, options.kinds.split(",")))
        wall_s, watch = run_batch(options.python, inside, Path(folder, "out"), options.workers, options.data)
        graded = [
            json.loads(file.read_text()) for file in Path(folder, "out/course").glob("submissions/*/evidence.json")
        ]
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
        "busy_share_of_machine": psutil.cpu_percent(interval=1) / 100,  # when the batch has ended: others disturbed it
        "graders_errors": sum(seen["outcome"] == "error" for one in graded for seen in one["observations"]),
        "growth_bytes": watch.batch_bytes[-2] - watch.batch_bytes[len(watch.batch_bytes) // 5],
        **{f"most_{kind}_bytes": most for kind, most in watch.most_bytes.items()},
    }
    for name, value in figures.items():
        print(f"{name:22} {value:.3f}" if isinstance(value, float) else f"{name:22} {value}")
    write_figures("bench-batch", figures)


if __name__ == "__main__":
    main()
