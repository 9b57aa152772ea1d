"""Write docs/generated/sandbox.md: `make sandbox-table`. Every cell is what an attempt met just now."""

import contextlib
import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from benchmarks.tables import write_tables

from grader.errors import StudentFault
from grader.worker.process import Limits

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "docs/generated/sandbox.md"
LEVELS = ("limits", "landlock", "full")
FILES = {"read a file of the grader": "read", "see that it exists, and its size": "stat", "change its mode": "chmod"}
FILES |= {"change its times": "set_times", "shorten it": "truncate", "link to it": "hard_link"}
PROCESSES = {"signal the grader": "signal", "trace it": "trace", "read its memory": "read_memory"}
PROCESSES |= {"slow it down (nice, affinity)": "pin", "lower its limits": "limit"}
CALLS = {"a new user namespace": "unshare", "bpf": "bpf", "io_uring": "io_uring_setup"}
CALLS |= {"memory that no limit counts (memfd)": "memfd_create"}


def load_shared():
    """Return the fixtures' module of this folder, which pytest alone would import."""
    spec = importlib.util.spec_from_file_location("shared", HERE / "conftest.py")
    shared = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(shared)
    return shared


def try_all(student, host):
    utils = student.utils
    for words, name in FILES.items():
        yield words, getattr(utils, name)(str(host.secret))
    yield "list the grader's folder", utils.list_folder(str(host.folder))
    yield "read the rubric", utils.read(str(host.mine / "grader/assignments/hw1/rubric.toml"))
    yield "read the reference", utils.read(str(host.mine / "reference/hw1/utils.py"))
    yield "read `/proc/<grader>/environ`", utils.read(f"/proc/{host.pid}/environ")
    yield "write into the grader's folder", utils.write(str(host.folder / "new"))
    yield "TCP to the host", utils.connect_tcp(host.tcp.getsockname()[1])
    yield "UDP to the host", utils.send_udp(host.udp.getsockname()[1])
    yield "Unix socket of the host, by path", utils.connect_unix(host.path)
    yield "Unix socket of the host, abstract", utils.connect_abstract(host.abstract)
    for words, name in PROCESSES.items():
        yield words, getattr(utils, name)(host.pid)
    for words, name in CALLS.items():
        yield words, utils.call_kernel(name)
    yield "shorten the shared arena", utils.shorten_arena(None)


def try_limits(student):
    """Yield what a submission may take, and what it met beyond."""
    yield "300 forks (20 allowed, and 2 per core)", met(lambda: f"{student.utils.count_forks(300)} forks")
    yield "a file of 20 MiB (10 allowed)", student.utils.fill_file(20 << 20)
    yield "40 MiB in small files (20 allowed)", met(student.utils.fill_scratch, 4 << 20, 10)


def met(attempt, *args):
    try:
        return attempt(*args)
    except StudentFault as fault:
        return fault.finding.message


def measure(shared, level):
    limits = Limits(tasks=20, file_bytes=10 << 20, scratch_bytes=20 << 20)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        at_host = Path(folder, "host")
        at_host.mkdir()
        student = shared.start_student(Path(folder), shared.find_launcher(level), limits)
        stack.callback(student.close)
        host = shared.Host(at_host, stack)
        victim = stack.enter_context(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]))
        stack.callback(victim.kill)
        host.pid = victim.pid  # at level limits, the attempts succeed
        return {**dict(try_all(student, host)), **dict(try_limits(student))}


def main():
    shared = load_shared()
    outcomes = {level: measure(shared, level) for level in LEVELS}
    rows = [f"| attempt | {' | '.join(LEVELS)} |", "|---|---|---|---|"]
    for attempt in outcomes["full"]:
        cells = [outcomes[level][attempt] for level in LEVELS]
        rows.append(f"| {attempt} | {' | '.join('**did**' if cell == 'did' else cell for cell in cells)} |")
    write_tables(PAGE, {"attacks": rows})
    sys.stdout.write("\n".join(rows) + "\n")


if __name__ == "__main__":
    main()
