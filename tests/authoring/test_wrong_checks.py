"""Checks that take evidence without an answer do not type-check."""

import sys
import textwrap

import pytest
from handins import TESTS
from subprocesses import ended

pytestmark = pytest.mark.wide

HEAD = """
import numpy as np
from grader.authoring import Note, Student, expect
from grader.authoring.judges import chains, kernels, loops, ranks, scenarios

def check(student: Student, note: Note, answer: ranks.RanksRun, scene: scenarios.SceneRun) -> None:
    run = student.run("sums", "add", (1, 2), record_launches=True)
"""
RIGHT = """
added = run.compared(lambda value: expect("it", value, 3), note)
kernels.expect_launches(added, "add", 1, 32, note)
answer.compared(lambda values: expect("it", values[0], 3), note, "sums.add").seen.calls.sent_bytes(0)
"""
CASES = {
    "what is compared may be counted": (RIGHT, []),
    "messages are counted of a run that nobody compared": ("answer.seen.calls.sent_bytes(0)", ["attr-defined"]),
    "one run is compared and the launches of another are counted": (
        'run.compared(lambda value: expect("it", value, 3), note)\nkernels.expect_launches(run, "add", 1, 32, note)',
        ["arg-type"],
    ),
    "kernels are asked for in a scenario that nobody compared": (
        'chains.expect_made_by_kernels(scene, ["C"], [], note)',
        ["arg-type"],
    ),
    "a comparison gives a truth value, and cannot fail": (
        'loops.expect_own_loops(run.compared(lambda value: np.array_equal(value, 3), note), "add", 1, 1, note)',
        ["arg-type"],
    ),
    "nothing is compared": ('loops.expect_own_loops(run.compared(), "add", 1, 1, note)', ["call-arg"]),
    "a call goes past the run": ('student.call("sums", "add", (1, 2)).seen', ["operator"]),
}


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    """Return, for each case, what mypy says of it; it reads all of them at once."""
    folder = tmp_path_factory.mktemp("checks")
    files = [folder / f"check_{place}.py" for place in range(len(CASES))]
    for file, (lines, _) in zip(files, CASES.values(), strict=True):
        file.write_text(HEAD + textwrap.indent(lines.strip(), "    ") + "\n")
    command = [sys.executable, "-m", "mypy", "--config-file=pyproject.toml", "--follow-imports=silent"]
    printed = ended([*command, *map(str, files)], cwd=TESTS.parent).stdout
    errors = [line for line in printed.splitlines() if "error:" in line]
    return {
        name: [line.rpartition("[")[2].rstrip("]") for line in errors if file.name in line]
        for name, file in zip(CASES, files, strict=True)
    }


@pytest.mark.parametrize("name", CASES)
def test_a_check_that_takes_evidence_without_an_answer_is_refused(said, name):
    assert said[name] == CASES[name][1]
