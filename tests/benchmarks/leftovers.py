"""What gradings of distributed leave behind: processes, temporary files, shared memory. Every other hand-in hangs.

    python tests/benchmarks/leftovers.py [--gradings 100] [--sandbox limits]

Prints a line for each grading, and ends with exit code 1 if anything is left. This process adopts orphans.
"""

import itertools
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import handins
from handins import DISTRIBUTED
from left_behind import memory_of_nobody, memory_that_stays, orphans_adopted, processes, what_stays
from tables import parse_options

from grader.assignment import load_assignment
from grader.grading import Options, grade

HANGING = (
    *(("data_parallel", "cycle_of_blocking_sends"), ("data_parallel", "rank_1_never_comes")),
    *(("data_parallel", "last_rank_stops_early"), ("data_parallel", "barrier_on_rank_0_only")),
    *(("collectives", "ring_wrong_neighbour"), ("model_parallel", "pipeline_waits_for_an_answer")),
)


def left_by(files, folder, sandbox):
    """Grade a hand-in, and return what it left and how many of its checks passed."""
    before = processes()
    zip_path = Path(folder, "distributed.zip")
    zip_path.write_bytes(handins.packed(files))
    report = grade(zip_path, load_assignment("distributed"), Options(device="cpu", sandbox=sandbox))
    zip_path.unlink()
    left = what_stays(lambda: processes() - before) | {path.name for path in Path(folder).iterdir()}
    return left, sum(str(result.outcome) == "passed" for result in report.results), handins.errors(report)


def look(gradings, sandbox="auto"):
    """Yield for each grading which hand-in it was, how many checks passed, and what it left; at the end, all memory."""
    before = memory_of_nobody()
    hanging = itertools.cycle(DISTRIBUTED.change_of("mistakes", *name) for name in HANGING)
    usual = tempfile.tempdir
    with orphans_adopted(), tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)  # noqa: PTH101 - workers have users of their own
        tempfile.tempdir = folder
        try:
            for number in range(gradings):
                change = next(hanging) if number % 2 else None
                changed = {change.target: change.applied()} if change else {}
                left, passed, errors = left_by(DISTRIBUTED.reference_files() | changed, folder, sandbox)
                yield change.name if change else "reference", passed, left | {*errors}
        finally:
            tempfile.tempdir = usual
    yield "all together", 0, memory_that_stays(before)


def main():
    asked = parse_options(__doc__, gradings=100, sandbox="auto")
    dirty = 0
    for number, (name, passed, left) in enumerate(look(asked.gradings, asked.sandbox), 1):
        what = ", ".join(sorted(left)) or "nothing"
        print(f"{number:4} {name:30} {passed:3} checks passed; left: {what}", flush=True)
        dirty += bool(left)
    print(f"{asked.gradings} gradings, of which {dirty} left something")
    return 1 if dirty else 0


if __name__ == "__main__":
    sys.exit(main())
