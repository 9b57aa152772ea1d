"""Workers: started, watched, replaced when they die or hang."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from subprocess import DEVNULL
from typing import Final

from conformance.sources import find_package

FOLDERS: Final = ("cudapy", "doc_examples", "cudasim")
TEST_LIMIT_S: Final = 240
MAX_LOG: Final = 600
_POLL_S: Final = 0.1
_EVENTS: Final = ("started", "finished")


@dataclass(frozen=True)
class Outcome:
    """What became of one test: ``passed``, ``failed``, ``skipped``, ``expected_failure`` or ``unexpected_success``."""

    outcome: str
    reason: str


def find_modules(pattern: str = "") -> list[str]:
    """Return the names of the test modules whose name contains ``pattern``."""
    package = find_package()
    files = [path for folder in FOLDERS for path in sorted((package / "tests" / folder).glob("test_*.py"))]
    names = [f"numba.cuda.tests.{path.parent.name}.{path.stem}" for path in files]
    return [name for name in names if pattern in name]


def read_journal(path: Path) -> tuple[dict[str, Outcome], str]:
    """Return the outcomes in a journal, and the test that was running when it ended (empty if none)."""
    outcomes: dict[str, Outcome] = {}
    running = ""
    for line in path.read_text().splitlines() if path.exists() else ():
        entry = json.loads(line)
        running = entry["test"] if entry["outcome"] == "started" else ""
        known = outcomes.get(entry["test"])
        if entry["outcome"] not in _EVENTS and (known is None or known.outcome != "failed"):
            outcomes[entry["test"]] = Outcome(entry["outcome"], entry["reason"])
    return outcomes, running


def _watch(process: subprocess.Popen[bytes], journal: Path) -> str:
    """Wait for a worker; return why it ended, empty when it ended by itself and well."""
    last, size_bytes = time.monotonic(), -1
    while process.poll() is None:
        now_bytes = journal.stat().st_size if journal.exists() else -1
        if now_bytes != size_bytes:
            last, size_bytes = time.monotonic(), now_bytes
        if time.monotonic() - last > TEST_LIMIT_S:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return f"no answer within {TEST_LIMIT_S} s"
        time.sleep(_POLL_S)
    code = process.returncode
    return "" if code == 0 else f"the process ended with {signal.Signals(-code).name if code < 0 else code}"


def run_batch(device: str, modules: list[str], journal: Path) -> dict[str, Outcome]:
    """Run test modules one after the other; a crash or hang costs the test that was running.

    A worker that dies outside a test is a failure of its own, by the name of the module that it had reached.
    """
    command = [sys.executable, "-m", f"{__package__}.worker", device, str(journal), *modules]
    path = os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    log, own = journal.with_suffix(".log"), {**os.environ, "PYTHONPATH": path}
    while True:
        with log.open("ab") as out:
            process = subprocess.Popen(command, stdin=DEVNULL, stdout=out, stderr=out, start_new_session=True, env=own)
            why = _watch(process, journal)
        outcomes, running = read_journal(journal)
        lines = journal.read_text().splitlines() if journal.exists() else []
        name = running or f"{json.loads(lines[-1])['test'] if lines else journal.stem} (after it)"
        if not why or name in outcomes:
            return outcomes
        tail = log.read_text(errors="replace")[-MAX_LOG:]
        with journal.open("a") as stream:
            stream.write(json.dumps({"test": name, "outcome": "failed", "reason": f"{tail}\n{why}"}) + "\n")


def run_modules(device: str, modules: list[str], folder: Path, workers: int) -> dict[str, Outcome]:
    folder.mkdir(parents=True, exist_ok=True)
    batches = [modules[start :: 4 * workers] for start in range(4 * workers)]
    jobs = [(batch, folder / f"{device}-{number}.jsonl") for number, batch in enumerate(batches) if batch]
    with ThreadPoolExecutor(workers) as pool:
        parts = pool.map(lambda job: run_batch(device, *job), jobs)
        return {name: outcome for part in parts for name, outcome in part.items()}
