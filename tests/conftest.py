"""What tests of several folders share."""

import gc
import os
import signal
import sys
import time
from pathlib import Path

import numpy as np
import psutil
import pytest

TESTS = Path(__file__).parent
SAMPLES = (
    "course",
    *(f"course/{name}" for name in ("cluster", "marking", "platforms")),
    *("cuda_cpu/tracing", "kit", "reports", "timing"),
)
"""Folders with samples that tests of several folders use."""
sys.path[:0] = [str(TESTS), *(str(TESTS / folder) for folder in SAMPLES)]  # pytest's importlib mode adds none

# A run in the background of a shell script inherits that Ctrl-C is ignored, and programs that tests start would too.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure(config):
    import examples  # noqa: PLC0415 - it is beside this file

    examples.choose(config.option.markexpr)
    config.addinivalue_line("markers", "check: what the grader's plugin registers")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Return how many processes `-n auto` stands for: tests wait for a fifth of their time."""
    return (os.cpu_count() or 1) + 1


def pytest_collection_modifyitems(items):
    """Begin with the long ones, so that at the end no process is left with one of them alone."""
    items.sort(key=lambda item: not any(map(item.get_closest_marker, ("slow", "wide"))))


def pytest_collection_finish():
    gc.freeze()  # the garbage collector need not walk through all tests again and again


@pytest.fixture
def far_from_greenwich(monkeypatch):
    """Let the time of this machine be Jerusalem's."""
    monkeypatch.setenv("TZ", "Asia/Jerusalem")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture
def slurm(monkeypatch):
    """A fresh real Slurm with one idle node; its commands find it by the environment."""
    import slurm_node  # noqa: PLC0415 - as above

    if obstacle := slurm_node.find_obstacle():
        pytest.skip(obstacle)
    with slurm_node.SlurmNode() as node:
        for name, value in node.environment.items():
            monkeypatch.setenv(name, value)
        yield node


WITH_WORKERS = {"worker", "timing"}
"""Folders whose tests start workers, and end them."""
OF_MODULES = {"submit_once", "student", "whole_table", "driven"}
"""Fixtures with workers for all tests of a module."""


@pytest.fixture
def rng():
    return np.random.default_rng(1)


def _children():
    return {int(pid) for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text().split()}


@pytest.fixture(autouse=True, scope="module")
def _no_process_outlives_its_module(request):
    yield from _expect_no_new_process(request.path)


@pytest.fixture(autouse=True)
def _no_process_outlives_its_test(request):
    if OF_MODULES.isdisjoint(request.fixturenames):
        yield from _expect_no_new_process(request.path)
    else:
        yield


def _expect_no_new_process(path):
    """Fail if a child process of this one was started in the meantime and still runs."""
    if WITH_WORKERS.isdisjoint(path.parts):
        yield
        return
    before = _children()
    yield
    if new := _children() - before:
        left = [process for process in psutil.process_iter() if process.pid in new]
        _gone, left = psutil.wait_procs(left, timeout=5)
        assert not left, f"still running after the test: {left}"
