"""Launches on a GPU are recorded, however the CUDA target of Numba hands the launch's geometry on."""

import sys
from types import SimpleNamespace

import pytest

from grader.worker.launches import recorded_launches


@pytest.fixture
def kernel(monkeypatch):
    class Dispatcher:
        __name__ = "max_kernel"

        def call(self, args, *configuration, **more):
            return (args, configuration, more)

    monkeypatch.setitem(sys.modules, "numba.cuda.dispatcher", SimpleNamespace(CUDADispatcher=Dispatcher))
    monkeypatch.delitem(sys.modules, "grader.cuda_cpu.dispatcher", raising=False)
    return Dispatcher()


@pytest.mark.parametrize(
    "configuration",
    [
        ((1000, 1, 1), (20, 50, 1), 0, 0),  # Numba's own target
        (SimpleNamespace(griddim=(1000, 1, 1), blockdim=(20, 50, 1), stream=0, sharedmem=0),),  # numba-cuda
    ],
)
def test_a_launch_is_seen_and_goes_on_unchanged(kernel, configuration):
    with recorded_launches() as launches:
        assert kernel.call(("A",), *configuration) == (("A",), configuration, {})
    assert [(one.kernel, one.grid, one.block) for one in launches] == [("max_kernel", (1000, 1, 1), (20, 50, 1))]
    kernel.call(("A",), *configuration)
    assert len(launches) == 1
