"""What tests of several folders share."""

import signal
import sys
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, settings

sys.path.insert(0, str(Path(__file__).parent))  # pytest's importlib mode leaves siblings unimportable

# A run in the background of a shell script inherits that Ctrl-C is ignored, and programs that tests start would too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# How long an example takes says how busy the machine is, and what is compiled meanwhile.
settings.register_profile("unhurried", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("unhurried")

WITH_WORKERS = {"worker", "timing"}
"""Folders whose tests start workers, and end them."""


def _children():
    return {int(pid) for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()}


@pytest.fixture(autouse=True, scope="module")
def _no_process_outlives_its_module(request):
    yield from _expect_no_new_process(request.path)


@pytest.fixture(autouse=True)
def _no_process_outlives_its_test(request):
    if "submit_once" in request.fixturenames:  # a worker for all tests of a module
        yield
    else:
        yield from _expect_no_new_process(request.path)


def _expect_no_new_process(path):
    """Fail if a child process of this one was started in the meantime and still runs."""
    if WITH_WORKERS.isdisjoint(path.parts):
        yield
        return
    before = _children()
    yield
    left = [process for process in psutil.process_iter() if process.pid in _children() - before]
    _gone, left = psutil.wait_procs(left, timeout=5)
    assert not left, f"still running after the test: {left}"
