"""Which pool a machine gets."""

import pytest

from grader.batch import local, prefork
from grader.batch.model import GradingOptions
from grader.batch.running import BatchRequest, prepare
from grader.batch.store import Store
from grader.machine import count_cores


@pytest.fixture
def batch(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/hw1_111111111.zip").write_bytes(b"")
    how = GradingOptions(data="digits", sandbox="limits")
    return prepare(BatchRequest(tmp_path / "in", Store(tmp_path / "out"), how))


@pytest.fixture
def on(monkeypatch):
    """Pretend to be a machine with this device, that is warm already."""

    def pretend(device):
        monkeypatch.setattr(local, "choose_device", lambda _wanted: (device, "its name"))
        monkeypatch.setattr(local, "warm_up", lambda _assignment, _how: None)

    return pretend


def test_a_cpu_takes_one_grading_more_than_cores_and_on_a_gpu_the_check_that_it_decides_is_alone(batch, on):
    on("cpu")
    assert local.make_pool(batch)._workers == count_cores() + 1
    assert local.make_pool(batch, 7)._workers == 7
    assert "timed" not in local.make_pool(batch)._grade.keywords
    on("gpu")
    pool = local.make_pool(batch)
    assert pool._grade.keywords["timed"] == ("max.gpu.speedup",)
    assert pool._workers <= local.MOST_ON_A_GPU


def test_warming_up_imports_what_the_checks_import(batch):
    assert {"numpy", "scipy.stats"} <= {*prefork._imported(batch.assignment.folder)}
