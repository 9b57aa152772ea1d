"""Gradings of distributed: where ranks cannot start, on a real Slurm, and that nothing is left behind."""

import json
import os
import sys

import handins
import pytest
from handins import DISTRIBUTED
from subprocesses import ended

from grader.assignment import load_assignment
from grader.errors import UsageError
from grader.grading import Options, grade

pytest.importorskip("mpi4py")


@pytest.mark.slow
def test_points_stay_open_where_ranks_cannot_start():
    options = Options(device="cpu", sandbox="landlock", only=("sequential.cost", "ring.values", "data.costs"))
    try:
        report = grade(DISTRIBUTED.reference, load_assignment("distributed"), options)
    except UsageError as error:
        pytest.skip(str(error))
    outcomes = {one.criterion.id: str(one.outcome) for one in report.results if one.criterion.id in options.only}
    assert outcomes == {"sequential.cost": "passed", "ring.values": "not_measured", "data.costs": "not_measured"}


@pytest.mark.slow
def test_a_function_that_is_missing_costs_its_own_points_alone(tmp_path):
    for name, content in DISTRIBUTED.reference_files().items():
        (tmp_path / name).write_bytes(content.replace(b"def tree_broadcast(", b"def _nothing("))
    report = grade(tmp_path, load_assignment("distributed"), Options(device="cpu", only=("ring", "tree")))
    rows = (row for row in report.results if row.criterion.id[:4] in {"ring", "tree"})
    outcomes = {row.criterion.id: str(row.outcome) for row in rows}
    ring, tree = ("ring.values", "ring.bytes"), ("tree.values", "tree.messages")
    assert outcomes == dict.fromkeys(ring, "passed") | dict.fromkeys(tree, "failed")


PROGRAM = handins.TESTS / "benchmarks/leftovers.py"


@pytest.mark.slow
@pytest.mark.parametrize("sandbox", ["auto", "limits"])
def test_no_process_file_or_shared_memory_is_left(sandbox):
    done = ended([sys.executable, str(PROGRAM), "--gradings", "4", "--sandbox", sandbox], timeout=500)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "4 gradings, of which 0 left something" in done.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("slurm")
def test_a_batch_with_several_tasks_for_each_hand_in(tmp_path):
    source = tmp_path / "handed-in"
    source.mkdir()
    (source / "right.zip").write_bytes(handins.packed(DISTRIBUTED.reference_files()))
    given = [word for setting in ("ntasks=2", "gres=", "poll_s=0.2", "grace_s=1") for word in ("--slurm", setting)]
    command = [sys.executable, "-m", "grader", "batch", str(source), "--assignment", "distributed", "--plain"]
    command += ["--out", str(tmp_path / "out"), "--backend", "slurm", "--device", "cpu", *given]
    done = ended(command, cwd=handins.TESTS.parent, env=os.environ, timeout=300)
    assert done.returncode == 0, done.stderr
    (found,) = (tmp_path / "out").glob("*/submissions/*/results.json")
    results = json.loads(found.read_text("utf-8"))
    others = {check for check, outcome in results["extra_data"]["outcome"].items() if outcome != "passed"}
    assert others <= {"report.explanation", "data.speedup"}  # the latter is not measured where others use the cores
