"""Which copies between host and device count against a product of views, and whose conflicts count."""

import importlib
from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

import grader.cuda_cpu
from grader.assignments.gemm import right
from grader.assignments.gemm.steps import count_copies
from grader.authoring import Inconclusive, Note, Run, Seen, StudentFault
from grader.authoring.judges.scenarios import Scene

A, B, C, DONE = (np.full((8, 9), float(number)) for number in range(4))
OWN_OF_A_GPU = [("to device", A), ("to device", B), ("to device", C), ("to host", DONE)]


def count(*copies):
    run = Run("`gemm`", {}, Scene(Seen(), copies=copies))
    return count_copies(run.compared(lambda _value: None, Note()), (A, B, C))


def test_matrices_that_travel_count_and_settings_and_the_scenarios_own_copies_do_not():
    assert count(*OWN_OF_A_GPU) == 0
    assert count(("to host", DONE)) == 0, "elsewhere than on a GPU"
    assert count(("to device", np.array([1.0, 0.5])), *OWN_OF_A_GPU) == 0
    assert count(("to host", A), ("to device", 2 * B + 5), *OWN_OF_A_GPU) == 2
    assert count(("to host", A), ("to device", A), ("to host", DONE)) == 1


def test_the_staffs_product_that_stands_in_reads_nothing_of_what_it_writes_over():
    grader.cuda_cpu.install()
    assert (right.gemm(2.0, B, B.T, 0.0, np.full((8, 8), np.nan)) == 18).all()


@pytest.fixture
def checks():
    return importlib.import_module("grader.assignments.gemm.checks.test_counts")


@each("threads, loads, is_wrong, fails", (9, 2, False, 0), (8, 2, False, 1), (9, 1.7, False, 1), (8, 2, True, 0))
def test_step_1_has_a_thread_for_each_entry_and_keeps_no_number(checks, threads, loads, is_wrong, fails):
    counted = SimpleNamespace(
        count=lambda _step: SimpleNamespace(shared_bytes=0, threads=threads),
        **dict.fromkeys(("loads", "all_loads", "shared_loads"), lambda _counts: loads),
        share_of_threads=lambda *_step: 1.0,
        is_wrong=lambda _step: is_wrong,
        entries=9,
    )
    with pytest.raises(StudentFault, match="keeps several sums") if fails else nullcontext():
        checks.test_naive(counted)


def test_the_step_with_more_conflicts_decides(checks):
    shares, note = {"gemm_tiled": 1.0, "gemm_blocked": 0.4}, Note()
    counted = SimpleNamespace(
        count=lambda _step: SimpleNamespace(shared_bytes=1),
        loads=lambda _counts: 0.1,
        share_without_conflicts=lambda step, _counts: shares[step],
    )
    checks.test_conflicts(SimpleNamespace(each=lambda: ["gemm_naive", *shares]), counted, note)
    assert note.facts == {"share_of_passes_without_conflicts_percent": 40.0}
    assert [remark.message.partition(" as ")[0][-9:] for remark in note.remarks] == ["2.5 times"]


@pytest.mark.parametrize(("is_thinned", "raised"), [(True, Inconclusive), (False, StudentFault)])
def test_specials_that_no_launch_left_are_open_if_not_every_launch_is_known(checks, is_thinned, raised):
    properties = importlib.import_module(checks.__name__.replace("counts", "properties"))
    seen = SimpleNamespace(launches=(), is_thinned=is_thinned)
    with pytest.raises(raised):
        properties.expect_left_by_a_kernel("gemm_naive", SimpleNamespace(seen=seen, value={"C": np.ones((4, 4))}))
