"""Hand-ins of gemm of their own: the reference, and what is missing; see `test_hand_ins` beside this folder."""

import handins
import pytest
from assignment_handins import GEMM


@pytest.mark.wide
def test_the_reference_gets_every_point_that_can_be_measured_here(tmp_path):
    report = GEMM.graded_files(GEMM.reference_files(), tmp_path)
    assert GEMM.lost(report) == {}
    assert handins.errors(report) == []
    assert report.flags == ()
    assert (report.score_low, report.score_high) == (86, 100)


@pytest.mark.wide
def test_missing_operations_cost_their_own_checks_only(tmp_path):
    files = GEMM.reference_files()
    del files["operations.py"]
    report = GEMM.graded_files(files, tmp_path)
    assert handins.errors(report) == []
    names = ("convolve", "gradients", "neuron", "attention")
    assert GEMM.lost(report) == {f"operations.{name}": "failed" for name in names}
