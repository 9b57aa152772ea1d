"""What tests of batches on a cluster share."""

import sys
from pathlib import Path

import pytest
import slurm_node

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))  # cluster_simulation lives there


@pytest.fixture
def slurm(monkeypatch):
    """A fresh real Slurm with one idle node; its commands find it by the environment."""
    if obstacle := slurm_node.find_obstacle():
        pytest.skip(obstacle)
    with slurm_node.SlurmNode() as node:
        for name, value in node.environment.items():
            monkeypatch.setenv(name, value)
        yield node
