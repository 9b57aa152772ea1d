"""A program for any installation: grades hand-ins on the stand-in's GPU, and prints what came of each as JSON.

Its input is a list of jobs, one object each:

    name, changes    which reference with which changes of the case books, as `kind/module/name`
    assignment       whose; hw1 without it
    only             the checks to run; none for all
    sandbox          the level
    failures         which calls fail once the GPU has been tried, as in `machine.conf`
    once             how many workers meet them; later ones find all well. 0 for all
    template         whether to grade the template instead

The speed-up's threshold is lowered, other programs disturb nothing, and the training that is timed is a small one: an
interpreter's times say nothing of a GPU's.
"""

import functools
import json
import os
import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import handins
from handins import GEMM, LAYERS

from grader.assignment import load_assignment
from grader.assignments.gemm import speed
from grader.assignments.layers import recipe
from grader.grading import Options, grade
from grader.machine import choose_device
from grader.sandbox.levels import choose_launcher
from grader.timing import health
from grader.worker import process

CONF = Path(os.environ["LD_LIBRARY_PATH"].split(os.pathsep)[0], "machine.conf")


def main():
    health.undisturbed = functools.partial(health.undisturbed, find=lambda *_observed: "")
    recipe.TIMED_SHAPE = 24, 20
    speed.GRADED, speed.SHOWN, speed.ROOFLINE = 32, (16,), (2, 8, 1000)
    healthy = CONF.read_text()
    for job in json.load(sys.stdin):
        try:
            print(json.dumps(graded(job, eased(job.get("assignment", "hw1")), healthy)), flush=True)
        finally:
            CONF.write_text(healthy)


@functools.cache
def eased(name):
    rubric = handins.TESTS.parent / "grader" / "assignments" / name / "rubric.toml"
    text, count = re.subn(r'(fact = "(?:speedup|share_of_\w+)", at_least =) [\d.]+', r"\1 0.000001", rubric.read_text())
    assert count
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "rubric.toml").write_text(text)
        return load_assignment(name, Path(folder, "rubric.toml"))


def graded(job, assignment, healthy):
    sandbox = job.get("sandbox", "auto")
    choose_launcher(sandbox, choose_device("gpu")[0])  # both are tried once, while all is well
    strike(job.get("failures", ()), job.get("once", 0), healthy)
    with tempfile.TemporaryDirectory() as folder:
        for name, data in files(job).items():
            Path(folder, name).write_bytes(data)
        options = Options(device="gpu", sandbox=sandbox, seed=1, only=tuple(job.get("only", ())))
        report = grade(Path(folder), assignment, options)
    ran, facts = report.evidence.run, [seen.facts for seen in report.evidence.observations]
    findings = {result.criterion.id: result.finding for result in report.results if result.finding}
    told = {"name": job.get("name", ""), "low": report.score_low, "high": report.score_high, "sandbox": ran.sandbox}
    told |= {"cuda": ran.hardware["cuda"], "gpu": ran.hardware["gpu"], "flags": [list(flag) for flag in report.flags]}
    return told | {
        "outcomes": {result.criterion.id: str(result.outcome) for result in report.results},
        "texts": {check: " ".join(filter(None, (found.message, found.hint))) for check, found in findings.items()},
        "speed": next((seen["gpu"] for seen in facts if "gpu" in seen), None),
        "shares": {fact: value for seen in facts for fact, value in seen.items() if fact.endswith("_by_size")},
    }


def strike(failures, once, healthy):
    started = 0
    original = START

    def start(self, *args, **options):
        nonlocal started
        started += 1
        if once and started > once:
            CONF.write_text(healthy)
        original(self, *args, **options)

    process.WorkerProcess.__init__ = start
    CONF.write_text(healthy + "".join(f"fail {failure}\n" for failure in failures))


START = process.WorkerProcess.__init__


def files(job):
    name = job.get("assignment", "hw1")
    if job.get("template"):
        return {path.name: path.read_bytes() for path in load_assignment(name).template.iterdir() if path.is_file()}
    course = {"hw1": handins, "layers": LAYERS, "gemm": GEMM}[name]
    found = course.reference_files()
    for change in job.get("changes", ()):
        found |= course.change_of(*change.split("/")).changed_files()
    return found


if __name__ == "__main__":
    main()
