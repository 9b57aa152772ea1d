"""A GPU from the worker's side: it is tried, launches are recorded, and it is waited for where something runs."""

import subprocess
import sys
from contextlib import contextmanager, nullcontext
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader.worker import gpuprobe
from grader.worker.gpuprobe import synchronise
from grader.worker.launches import recorded_launches


@pytest.fixture
def kernel(monkeypatch):
    class Dispatcher:
        __name__ = "max_kernel"
        py_func = staticmethod(lambda: None)

        def call(self, args, *configuration, **more):
            return (args, configuration, more)

    monkeypatch.setitem(sys.modules, "numba.cuda.dispatcher", SimpleNamespace(CUDADispatcher=Dispatcher))
    monkeypatch.delitem(sys.modules, "grader.cuda_cpu.dispatcher", raising=False)
    return Dispatcher()


@each(
    "configuration",
    ((1000, 1, 1), (20, 50, 1), 0, 0),  # Numba's own target
    (SimpleNamespace(griddim=(1000, 1, 1), blockdim=(20, 50, 1), stream=0, sharedmem=0),),  # numba-cuda
)
def test_a_launch_is_seen_and_goes_on_unchanged(kernel, configuration):
    with recorded_launches() as around, recorded_launches() as launches:
        assert kernel.call(("A",), *configuration) == (("A",), configuration, {})
    assert [(one.kernel, one.grid, one.block) for one in launches] == [("max_kernel", (1000, 1, 1), (20, 50, 1))]
    kernel.call(("A",), *configuration)
    assert (len(around), len(launches)) == (0, 1)


def test_what_only_moves_numbers_is_no_launch_and_who_takes_its_name_or_adds_up_is_seen(kernel, monkeypatch):
    moves, adds = ModuleType("numba.cuda.kernels.transpose"), ModuleType("numba.cuda.kernels.reduction")
    scopes = [vars(moves), {"__name__": moves.__name__}, vars(adds)]
    seen = []
    for module in (moves, adds):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for scope in scopes:
        exec("def kernel(given, output): pass", scope)
        monkeypatch.setattr(type(kernel), "py_func", staticmethod(scope["kernel"]))
        with recorded_launches() as launches:
            assert kernel.call(("A",), 2, 64) == (("A",), (2, 64), {})
        seen.append(len(launches))
    assert seen == [0, 1, 1]


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


def test_a_kernel_that_runs_is_enough_and_one_that_does_nothing_is_noticed(cuda):
    gpuprobe.run_kernel(cuda)
    cuda.works = False
    with pytest.raises(gpuprobe.GpuError, match="its result is wrong"):
        gpuprobe.run_kernel(cuda)


@each("name, uuid", [(b"NVIDIA H200", "GPU-1-2"), ("NVIDIA H200", "GPU-1-2"), ("NVIDIA H200 MIG 1g.18gb", "MIG-1-2")])
def test_a_card_is_named_as_cuda_can_be_told_to_take_it(installed, name, uuid):
    installed.get_current_device = lambda: SimpleNamespace(name=name, uuid="GPU-1-2")
    found = gpuprobe.try_gpu()
    assert found["uuid"] == uuid
    assert found["name"].startswith("NVIDIA H200")


@each(
    "error, words",
    (TypeError("Signature mismatch: 2 argument types given, but function takes 1 arguments"), "install numba-cuda"),
    (ValueError("no\n  driver"), "^ValueError: no driver$"),
)
def test_what_numba_says_is_said_in_one_line_or_with_the_way_out(installed, error, words):
    def jit(_function):
        raise error

    installed.jit = jit
    with pytest.raises(gpuprobe.GpuError, match=words):
        gpuprobe.try_gpu()


def test_a_card_for_one_process_is_refused_before_any_context_is_made(installed):
    installed.gpus = [SimpleNamespace(COMPUTE_MODE=3)]  # which has no `__enter__`
    with pytest.raises(gpuprobe.GpuError, match="nvidia-smi -c DEFAULT.*--gpu_cmode=shared"):
        gpuprobe.try_gpu()


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
        monkeypatch.setitem(sys.modules, CUDA, SimpleNamespace(gpus=gpus, synchronize=gpus.synchronize))
        monkeypatch.setitem(sys.modules, DRIVER, SimpleNamespace(driver=SimpleNamespace(devices=devices)))
        return gpus

    return put


@each(
    "device, used, known",
    {
        "one context": ("gpu", (0,), (0, 1)),
        "another": ("gpu", (1,), (0, 1)),
        "two": ("gpu", (0, 1), (0, 1)),
        "no context": ("gpu", (), (0, 1)),
        "no GPU": ("gpu", (), ()),
        "on the CPU": ("cpu", (0,), (0, 1)),
    },
)
def test_it_waits_for_each_gpu_that_has_a_context_and_makes_none(imported, device, used, known):
    gpus = imported(*used, known=known)
    synchronise(device)
    assert tuple(gpus.waited) == (used if device == "gpu" else ())
    assert gpus.current == []


@pytest.mark.parametrize("driver", [None, SimpleNamespace(), SimpleNamespace(driver=SimpleNamespace())])
def test_a_numba_without_a_driver_has_nothing_to_wait_for(monkeypatch, imported, driver):
    gpus = imported(0)
    if driver is None:
        monkeypatch.delitem(sys.modules, DRIVER)
    else:
        monkeypatch.setitem(sys.modules, DRIVER, driver)
    synchronise("gpu")
    assert gpus.waited == []


IMPORTS_NOTHING = "import sys; sys.exit(any(name.split('.')[0] in {'numba', 'ctypes'} for name in sys.modules))"


@each("before, after", {"no numba.cuda": ("", IMPORTS_NOTHING), "the real one, no driver": ("import numba.cuda", "")})
def test_the_real_numba_has_nothing_to_wait_for_and_is_not_imported(before, after):
    program = f"{before}\nfrom grader.worker.gpuprobe import synchronise\nsynchronise('gpu')\n{after}"
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
