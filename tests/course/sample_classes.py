"""Classes of any size on the disk, for tests, benchmarks and pictures: no zip is opened and no student code runs."""

import random
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
sys.path.insert(0, str(Path(__file__).parents[2] / "reports"))

import handins
from sample_reports import LAST_BATCH, RUBRIC, RUN_CPU, RUN_GPU, all_right, passed, refused, submission

from grader.course.model import Job, Store, write_record
from grader.course.people import Handin, Roster, Student
from grader.model import Evidence, File, Finding, Outcome
from grader.reports.files import encode

FIRST = ("Noa", "Dana", "Omer", "Maya", "Yael", "Tamar", "Amit", "Gil", "Shira", "Adi", "Lior", "Eden", "דנה", "נועה")
LAST = ("Cohen", "Levi", "Mizrahi", "Peretz", "Biton", "Dahan", "Azulay", "Katz", "Friedman", "Shapiro", "כהן", "לוי")
HARD = {"utils.create_batches": 0.3, "max.gpu.launch": 0.25, "matmul.gpu.correct": 0.22, "max.numba.compiled": 0.08}
"""Share of the class that fails these checks; all others fail once in thirty."""


def make_class(root, size, seed=1):
    """Write a batch of `size` graded hand-ins into `root` and return its store."""
    rng, store = random.Random(seed), Store(root)
    found = []
    for number in range(size):
        name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        student = Student(f"{300000000 + number * 37:09}", name, f"s{number}@example.org")
        handin = Handin(f"hw1_{student.id}", (student,), root / "nowhere.zip", f"{number:064x}")
        found.append(handin)
        write_record(store.task(handin.key), Job(handin))
        store.folder(handin.key).mkdir(parents=True, exist_ok=True)
        store.evidence(handin.key).write_bytes(encode(make_evidence(handin, rng)))
    write_record(store.roster, Roster(tuple(found), (Student("299999999", "Absent One"),)))
    return store


def make_evidence(handin, rng):
    """Return what one student's grading could have observed."""
    if rng.random() < 0.01:
        return replace(refused().evidence, submission=replace(refused().evidence.submission, name=handin.key))
    with_gpu = rng.random() < 0.95
    seen = tuple(observe(row.id, rng, with_gpu) for row in RUBRIC.criteria)
    texts = {name: rng.choice(codes()[name]) for name in handins.SOURCES}  # code of the shapes that students write
    files = tuple(File(name, len(text), f"{hash(text) % 2**64:064x}", text) for name, text in texts.items())
    handed_in = replace(submission(), name=handin.key, files=files)
    return Evidence(handed_in, RUN_GPU if with_gpu else RUN_CPU, seen, "hw1", wall_s=12.0)


def observe(check, rng, with_gpu):
    if check == "max.gpu.speedup" and with_gpu:
        middle = rng.lognormvariate(4.3, 0.5)
        return passed(check, facts={"speedup": [0.97 * middle, 1.03 * middle]})
    if rng.random() < HARD.get(check, 0.033) and check not in {"report.explanation", "max.gpu.speedup"}:
        if rng.random() < 0.02:
            return passed(check, outcome=Outcome.ERROR, finding=Finding("The worker lost its shared memory."))
        return passed(check, outcome=Outcome.FAILED, finding=LAST_BATCH)
    flags = ("max_cpu is 1.9 times slower than the staff's loop.",) if rng.random() < 0.003 else ()
    if check == "report.explanation":
        return passed(check, outcome=Outcome.INCONCLUSIVE, finding=Finding("A TA reads this part."))
    return replace(all_right(check), flags=flags)


@cache
def codes():
    """Return file -> its versions."""
    changes = handins.changes("mistakes") + handins.changes("unusual")
    return {name: [c.applied().decode() for c in changes if c.target == name] for name in handins.SOURCES}
