"""A batch of distributed on a real Slurm: each hand-in's ranks run inside its own allocation."""

import json
import os
import sys
from pathlib import Path

import handins
import pytest
import slurm_node
from assignment_handins import DISTRIBUTED
from subprocesses import ended

pytest.importorskip("mpi4py")
ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_a_batch_with_several_tasks_for_each_hand_in(tmp_path, monkeypatch):
    if obstacle := slurm_node.find_obstacle():
        pytest.skip(obstacle)
    source = tmp_path / "handed-in"
    source.mkdir()
    (source / "right.zip").write_bytes(handins.packed(DISTRIBUTED.reference_files()))
    with slurm_node.SlurmNode() as node:
        for name, value in node.environment.items():
            monkeypatch.setenv(name, value)
        words = ("ntasks=2", "gres=", "poll_s=0.2", "grace_s=1")
        given = [word for setting in words for word in ("--slurm", setting)]
        command = [sys.executable, "-m", "grader", "batch", str(source), "--assignment", "distributed", "--plain"]
        command += ["--out", str(tmp_path / "out"), "--backend", "slurm", "--device", "cpu", *given]
        done = ended(command, cwd=ROOT, env=os.environ, timeout=300)
    assert done.returncode == 0, done.stderr
    (found,) = (tmp_path / "out").glob("*/submissions/*/results.json")
    results = json.loads(found.read_text("utf-8"))
    outcomes = {outcome for check, outcome in results["extra_data"]["outcome"].items() if check != "report.explanation"}
    assert outcomes == {"passed"}
