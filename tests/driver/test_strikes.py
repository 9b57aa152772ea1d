"""Every call of the driver fails with every code, and it is always told whose fault that is."""

import json
from pathlib import Path

import pytest
from driver import strikes

from grader.worker import faults, wire

PROGRAM = str(Path(strikes.__file__))


def struck(installation, driver, *codes):
    """Return what Numba raised, for each place and code; with `codes`, where the driver does not even start."""
    runs = [installation.run(driver, PROGRAM, code) for code in codes or ("all",)]
    assert all(run.returncode == 0 for run in runs), runs[-1].stderr[-2000:]
    return [json.loads(line) for run in runs for line in run.stdout.splitlines() if line.startswith("{")]


def whose(found):
    failure = faults.cuda_failed("max_functions", "max_gpu", "call", wire.Raised(found["type"], found["text"]))
    return "the student's" if isinstance(failure, faults.KernelFailed) else "ours"


@pytest.fixture
def driver(installation, pose):
    return pose(installation.suited)


@pytest.mark.wide
def test_of_no_code_at_no_call_is_the_machines_fault_the_students(installation, driver):
    found = struck(installation, driver)
    assert {one["where"] for one in found} == {*strikes.STRIKES}
    assert {one["code"] for one in found} == {*strikes.OURS, *strikes.STUDENTS}
    wrong = [one for one in found if whose(one) != ("the student's" if one["code"] in strikes.STUDENTS else "ours")]
    assert wrong == []


@pytest.mark.slow
def test_a_driver_that_does_not_start_is_nobodys_fault_here(installation, driver):
    found = struck(installation, driver, *map(str, strikes.OURS))
    assert len(found) == len(strikes.OURS)
    assert {whose(one) for one in found} == {"ours"}
