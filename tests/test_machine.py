"""Which device grades: one GPU on which a kernel ran, for all that is started, or the CPU."""

import os

import pytest

from grader import machine
from grader.errors import UsageError

ONE = {"name": "NVIDIA H200", "uuid": "GPU-22222222-1111-2222-3333-444444444444"}


@pytest.fixture(autouse=True)
def unchosen(monkeypatch):
    for name in ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)


def test_the_gpu_that_ran_a_kernel_is_the_only_one_that_others_see(monkeypatch):
    monkeypatch.setattr(machine, "ask_gpu", lambda: (ONE, ""))
    assert machine.choose_device("gpu") == ("gpu", "NVIDIA H200")
    assert (os.environ["CUDA_VISIBLE_DEVICES"], os.environ["CUDA_DEVICE_ORDER"]) == (ONE["uuid"], "PCI_BUS_ID")
    assert machine.describe_hardware("NVIDIA H200")["gpu"] == ONE["uuid"]
    assert "gpu" not in machine.describe_hardware(machine.choose_device("cpu")[1])


def test_where_no_kernel_runs_the_reason_and_the_way_out_are_said(monkeypatch):
    monkeypatch.setattr(machine, "ask_gpu", lambda: ({}, "CudaAPIError: [222] the driver is too old"))
    with pytest.raises(UsageError, match=r"\[222\] the driver is too old.*--device cpu"):
        machine.choose_device("gpu")
    monkeypatch.setattr(machine, "has_gpu_driver", lambda: True)
    assert machine.choose_device("auto")[0] == "cpu"
    assert "CUDA_VISIBLE_DEVICES" not in os.environ


def test_a_driver_is_looked_for_where_the_environment_says(monkeypatch, tmp_path):
    monkeypatch.setenv("LD_LIBRARY_PATH", f"/does/not/exist:{tmp_path}")
    (tmp_path / "libcuda.so.1").touch()
    assert machine.has_gpu_driver()
