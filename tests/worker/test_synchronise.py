"""The worker waits for the GPU where there is something to wait for, and touches it nowhere else."""

import subprocess
import sys
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from grader.worker.gpuprobe import synchronise

CUDA, DRIVER = "numba.cuda", "numba.cuda.cudadrv.driver"


class NoDriverError(Exception):
    """What a machine without a GPU says to everything."""


class Gpus:
    """Numba's list of GPUs, of which a test sees what was made current, and that none is looked at in vain."""

    def __init__(self, used):
        self.used, self.current, self.waited = used, [], []

    @contextmanager
    def _made_current(self, number):
        self.current.append(number)
        yield
        self.current.pop()

    def __getitem__(self, number):
        if number not in self.used:
            raise NoDriverError
        return self._made_current(number)

    def synchronize(self):
        if not self.current:
            raise NoDriverError
        self.waited.append(self.current[-1])


@pytest.fixture
def imported(monkeypatch):
    """Return a function that puts Numba's modules in place, with contexts on some of two GPUs."""

    def put(*used, known=(0, 1)):
        gpus = Gpus(used)
        devices = {number: SimpleNamespace(primary_context="one" if number in used else None) for number in known}
        cuda = SimpleNamespace(gpus=gpus, synchronize=gpus.synchronize)
        monkeypatch.setitem(sys.modules, CUDA, cuda)
        monkeypatch.setitem(sys.modules, DRIVER, SimpleNamespace(driver=SimpleNamespace(devices=devices)))
        return gpus

    return put


@pytest.mark.parametrize("used", [(0,), (1,), (0, 1)])
def test_it_waits_for_each_gpu_that_has_a_context(imported, used):
    gpus = imported(*used)
    synchronise("gpu")
    assert tuple(gpus.waited) == used
    assert gpus.current == []


def test_on_the_cpu_nothing_is_touched(imported):
    gpus = imported(0)
    synchronise("cpu")
    assert gpus.waited == []


@pytest.mark.parametrize("known", [(), (0, 1)])
def test_without_a_context_none_is_made(imported, known):
    gpus = imported(known=known)
    synchronise("gpu")
    assert gpus.waited == []


def test_without_numbas_cuda_nothing_is_imported():
    program = (
        "import sys; from grader.worker.gpuprobe import synchronise; synchronise('gpu'); "
        "sys.exit(any(name.split('.')[0] in {'numba', 'ctypes'} for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("driver", [None, SimpleNamespace(), SimpleNamespace(driver=SimpleNamespace())])
def test_a_numba_without_a_driver_has_nothing_to_wait_for(monkeypatch, imported, driver):
    gpus = imported(0)
    if driver is None:
        monkeypatch.delitem(sys.modules, DRIVER)
    else:
        monkeypatch.setitem(sys.modules, DRIVER, driver)
    synchronise("gpu")
    assert gpus.waited == []


def test_the_real_numba_without_a_driver_has_nothing_to_wait_for():
    program = "import numba.cuda; from grader.worker.gpuprobe import synchronise; synchronise('gpu')"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_error_of_a_kernel_is_the_callers(monkeypatch, imported):
    class CudaAPIError(Exception):
        pass

    def fail():
        raise CudaAPIError("[700] Call to cuCtxSynchronize results in UNKNOWN_CUDA_ERROR")

    imported(0)
    monkeypatch.setattr(sys.modules[CUDA], "synchronize", fail)
    with pytest.raises(CudaAPIError, match="700"):
        synchronise("gpu")
