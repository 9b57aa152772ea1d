"""What tests of batches share."""

import sys
from pathlib import Path

import pytest
import slurm_node

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves siblings unimportable


@pytest.fixture(scope="session")
def started_slurm():
    if obstacle := slurm_node.find_obstacle():
        pytest.skip(obstacle)
    with slurm_node.SlurmNode() as node:
        yield node


@pytest.fixture
def slurm(started_slurm, monkeypatch):
    """A real Slurm with one idle node; its commands find it by the environment."""
    for name, value in started_slurm.environment.items():
        monkeypatch.setenv(name, value)
    started_slurm.resume_nodes()
    yield started_slurm
    started_slurm.run("scancel", "--full", "--user=root")
