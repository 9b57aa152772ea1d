"""Shares of cuBLAS and of the roofline: samples, and the tiers that their intervals decide. Nothing is timed."""

from types import SimpleNamespace

import numpy as np
import pytest

from grader.assignment import load_assignment
from grader.assignments.gemm import speed
from grader.authoring import Note, NotMeasured, StudentFault, WorkerError
from grader.model import Evidence, Observation, Outcome, Run, Submission
from grader.scoring.score import score

TIERS = ("speed.cublas.quarter", "speed.cublas.half")


def blocks(seconds, spread=0.02):
    rng = np.random.default_rng(round(1e6 * seconds))
    return (seconds * (1 + spread * rng.random((speed.BLOCKS, speed.CALLS)))).tolist()


def outcomes(own_s, cublas_s, spread=0.02):
    """Return what becomes of both tiers where a product takes `own_s`, and cuBLAS `cublas_s`."""
    measured = speed.Measured(
        dict.fromkeys((1024, 4096), blocks(own_s, spread)),
        {"cublas": {1024: [], 4096: blocks(cublas_s, spread)}, "roofline": {}},
    )
    note = Note()
    speed.note_share(measured, "cublas", note)
    seen = tuple(Observation(check, "", Outcome.PASSED, facts=note.facts) for check in (*TIERS, "gemm.gemm.correct"))
    run = Run("gpu", "digits", "limits", 1, {}, {})
    report = score(Evidence(Submission("it", ""), run, seen, "gemm"), load_assignment("gemm").rubric)
    return [next(str(one.outcome) for one in report.results if one.criterion.id == check) for check in TIERS]


def test_tiers_are_decided_by_the_interval_of_the_shares():
    assert outcomes(1e-2, 8e-3) == ["passed", "passed"]
    assert outcomes(1e-2, 3.5e-3) == ["passed", "failed"]
    assert outcomes(1e-2, 1e-3) == ["failed", "failed"]
    assert outcomes(1e-2, 5e-3, spread=0.5) == ["passed", "inconclusive"]


def test_without_cublas_its_share_stays_open():
    def call(*_args, **_more):
        raise WorkerError

    assert speed.time_rival(SimpleNamespace(call=call), "cublas", 64) == []
    measured = speed.Measured({4096: blocks(1e-2)}, {"cublas": {4096: []}})
    with pytest.raises(NotMeasured, match="cuBLAS could not be measured"):
        speed.note_share(measured, "cublas", Note())


def test_shares_of_all_sizes_and_operations_in_a_second_are_noted():
    measured = speed.Measured(
        {1024: blocks(1e-3)[:3], 4096: blocks(1e-2)}, {"cublas": {1024: blocks(1e-4)[:3], 4096: blocks(5e-3)}}
    )
    note = Note()
    speed.note_share(measured, "cublas", note)
    assert note.facts["share_of_cublas_percent_by_size"] == pytest.approx({"1024": 10, "4096": 50}, rel=0.05)
    assert note.facts["best_tflops_by_size"] == pytest.approx({"1024": 2.14, "4096": 13.7}, rel=0.05)


def answer(size, seed, order, rows, columns, wrong=0.0, keeps=False):
    rng = np.random.default_rng(seed)
    matrices = [rng.standard_normal((size, size), dtype=np.float32) for _ in range(3)]
    pairs = [order[0]] * len(order) if keeps else order
    parts = [(matrices[left] @ matrices[right])[np.ix_(rows, columns)] + np.float32(wrong) for left, right in pairs]
    return SimpleNamespace(value={"times_s": [1e-3] * (len(order) - 1), "parts": parts})


def test_what_is_kept_of_a_former_product_is_wrong_for_the_next():
    student = SimpleNamespace(ask_slices=lambda *call, **_more: answer(*call[2], keeps=True))
    with pytest.raises(StudentFault, match="while it was timed"):
        speed.time_block(student, 64, np.random.default_rng(2))


@pytest.mark.parametrize("wrong", [0.0, 0.1])
def test_a_block_counts_if_its_product_is_right(wrong):
    student = SimpleNamespace(ask_slices=lambda *call, **_more: answer(*call[2], wrong=wrong))
    rng = np.random.default_rng(2)
    if not wrong:
        assert speed.time_block(student, 64, rng) == [1e-3] * speed.CALLS
        return
    with pytest.raises(StudentFault, match="while it was timed"):
        speed.time_block(student, 64, rng)
