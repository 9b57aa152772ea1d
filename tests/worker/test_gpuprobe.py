"""A GPU counts once a kernel has run on it and its result is right."""

import sys
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest

from grader.worker import gpuprobe


class Kernel:
    """What `cuda.jit` returns: runs the Python function for each thread, or does nothing."""

    def __init__(self, function, cuda):
        self.function, self.cuda = function, cuda

    def __getitem__(self, configuration):
        return lambda *args: [self._run(number, args) for number in range(configuration[1] if self.cuda.works else 0)]

    def _run(self, number, args):
        self.cuda.number = number
        self.function(*args)


@pytest.fixture
def cuda():
    class OnGpu(np.ndarray):
        def copy_to_host(self):
            return np.array(self)

    made = SimpleNamespace(works=True, number=0, synchronize=lambda: None)
    made.jit = lambda function: Kernel(function, made)
    made.grid = lambda _dimensions: made.number
    made.to_device = lambda array: array.copy().view(OnGpu)
    made.gpus = [nullcontext()]
    made.get_current_device = lambda: SimpleNamespace(name="NVIDIA H200", uuid="GPU-1-2")
    return made


@pytest.fixture
def installed(cuda, monkeypatch):
    """The same, as what this process imports as Numba's."""
    monkeypatch.setitem(sys.modules, "numba.cuda", cuda)
    return cuda


def test_a_kernel_that_runs_is_enough(cuda):
    gpuprobe.run_kernel(cuda)


def test_a_kernel_that_does_nothing_is_noticed(cuda):
    cuda.works = False
    with pytest.raises(gpuprobe.GpuError, match="its result is wrong"):
        gpuprobe.run_kernel(cuda)


@pytest.mark.parametrize(
    ("name", "uuid"), [(b"NVIDIA H200", "GPU-1-2"), ("NVIDIA H200", "GPU-1-2"), ("NVIDIA H200 MIG 1g.18gb", "MIG-1-2")]
)
def test_a_card_is_named_as_cuda_can_be_told_to_take_it(installed, name, uuid):
    installed.get_current_device = lambda: SimpleNamespace(name=name, uuid="GPU-1-2")
    found = gpuprobe.try_gpu()
    assert found["uuid"] == uuid
    assert found["name"].startswith("NVIDIA H200")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (TypeError("Signature mismatch: 2 argument types given, but function takes 1 arguments"), "install numba-cuda"),
        (ValueError("no\n  driver"), "^ValueError: no driver$"),
    ],
)
def test_what_numba_says_is_said_in_one_line_or_with_the_way_out(installed, error, words):
    def jit(_function):
        raise error

    installed.jit = jit
    with pytest.raises(gpuprobe.GpuError, match=words):
        gpuprobe.try_gpu()
