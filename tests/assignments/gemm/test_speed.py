"""Shares of cuBLAS and of the roofline: samples, and the tiers that their intervals decide. Nothing is timed."""

import runpy
import sys
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader import cuda_cpu
from grader.assignment import load_assignment
from grader.assignments.gemm import speed
from grader.authoring import Note, NotMeasured, StudentFault, WorkerError
from grader.model import Evidence, Observation, Outcome, Run, Submission
from grader.scoring.score import score
from grader.timing import health
from grader.timing.gpus import Gpu
from grader.timing.health import Health

HEALTH = Health(Gpu("GPU-1", pids=(), last_active_us={}))
TIERS = ("speed.cublas.fifth", "speed.cublas.half")


def blocks(seconds, spread=0.02):
    rng = np.random.default_rng(round(1e6 * seconds))
    return (seconds * (1 + spread * rng.random((speed.BLOCKS, speed.CALLS)))).tolist()


def outcomes(own_s, cublas_s, spread=0.02):
    """Return what becomes of both tiers where a product takes `own_s`, and cuBLAS `cublas_s`."""
    rivals = {"cublas": {1024: [], 4096: blocks(cublas_s, spread)}, "roofline": {}}
    measured = speed.Measured(dict.fromkeys((1024, 4096), blocks(own_s, spread)), rivals)
    note = Note()
    speed.note_share(measured, "cublas", note)
    seen = tuple(Observation(check, "", Outcome.PASSED, facts=note.facts) for check in (*TIERS, "gemm.gemm.correct"))
    run = Run("gpu", "digits", "limits", 1, {}, {})
    report = score(Evidence(Submission("it", ""), run, seen, "gemm"), load_assignment("gemm").rubric)
    return [next(str(one.outcome) for one in report.results if one.criterion.id == check) for check in TIERS]


def test_tiers_are_decided_by_the_interval_of_the_shares():
    assert (outcomes(1e-2, 8e-3), outcomes(1e-2, 3.5e-3)) == (["passed", "passed"], ["passed", "failed"])
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
    own, cublas = {1024: blocks(1e-3)[:3], 4096: blocks(1e-2)}, {1024: blocks(1e-4)[:3], 4096: blocks(5e-3)}
    measured = speed.Measured(own, {"cublas": cublas}, HEALTH, ("the GPU was slowed down",))
    note = Note()
    speed.note_share(measured, "cublas", note)
    assert note.facts["share_of_cublas_percent_by_size"] == pytest.approx({"1024": 10, "4096": 50}, rel=0.05)
    assert note.facts["machine"]["gpu"]["uuid"] == "GPU-1"
    assert (note.facts["disturbed"], note.remarks) == (["the GPU was slowed down"], [])
    assert note.facts["best_tflops_by_size"] == pytest.approx({"1024": 2.14, "4096": 13.7}, rel=0.05)


def test_a_slow_kernel_is_asked_for_float64_in_its_loop():
    note = Note()
    speed.note_share(speed.Measured({4096: blocks(1e-2)}, {"cublas": {4096: blocks(1e-3)}}, HEALTH), "cublas", note)
    assert "if inside else 0" in note.remarks[0].message


class Track:
    def run(self, _worker, call, still=()):
        assert all(one.stands_still for one in still)
        return call()


def timed(wrong_at=0, seconds=1e-3, disturbances=()):
    """Return who was timed in a simulation, in turn, and what came of it."""
    seen, left = [], list(disturbances)

    def ask(*call, **_more):
        seen.append(("own", call[2][0]))
        found = answer(*call[2], wrong=float(call[2][0] == wrong_at))
        found.value["times_s"] = [seconds] * speed.CALLS
        return found

    def call(_module, function, args, **_more):
        seen.append((function.removeprefix("time_"), args[0]))
        return SimpleNamespace(value=[1e-3] * speed.CALLS)

    student = SimpleNamespace(ask_plain=ask, begin_time=lambda: None, stands_still=True)
    rng = np.random.default_rng(1)
    bench = speed.Bench(student, SimpleNamespace(call=call), Track(), rng, graded=64, shown=(32, 96))
    undisturbed = partial(health.undisturbed, find=lambda *_: left.pop(0) if left else "")
    return seen, bench.measure(undisturbed, lambda: HEALTH)


def test_the_graded_size_comes_first_and_all_take_turns_in_a_changing_order():
    seen, measured = timed()
    assert [size for _, size in seen] == [64] * 36 + [32] * 9 + [96] * 9
    turns = {tuple(name for name, _ in seen[3 * block : 3 * block + 3]) for block in range(speed.BLOCKS)}
    assert len(turns) > 2
    assert {tuple(sorted(turn)) for turn in turns} == {("cublas", "own", "roofline")}
    assert [len(measured.own[size]) for size in (64, 32, 96)] == [12, 3, 3]


def test_a_disturbed_section_is_repeated_and_noted():
    seen, measured = timed(disturbances=["another process used the GPU: pid 7"])
    assert [size for _, size in seen].count(64) == 72
    assert measured.disturbed == ("another process used the GPU: pid 7",)
    assert measured.after is HEALTH
    with pytest.raises(WorkerError, match="disturbed 3 times"):
        timed(disturbances=["the GPU was slowed down"] * 3)


def test_a_size_that_is_only_shown_costs_nothing_where_it_fails_or_would_take_long():
    _, measured = timed(wrong_at=96)
    assert {size for size, blocks in measured.own.items() if blocks} == {32, 64}
    _, measured = timed(seconds=0.8)
    assert {*measured.own} == {32, 64}
    with pytest.raises(StudentFault, match="while it was timed"):
        timed(wrong_at=64)


def answer(size, seed, order, rows, columns, wrong=0.0, keeps=False):
    rng = np.random.default_rng(seed)
    matrices = [rng.standard_normal((size, size), dtype=np.float32) for _ in range(3)]
    pairs = [order[0]] * len(order) if keeps else order
    parts = [(matrices[left] @ matrices[right])[np.ix_(rows, columns)] + np.float32(wrong) for left, right in pairs]
    return SimpleNamespace(value={"times_s": [1e-3] * (len(order) - 1), "parts": parts})


@each("mistake", [{}, {"wrong": 0.1}, {"keeps": True}])
def test_a_block_counts_if_its_product_is_right_and_none_of_a_former_call(mistake):
    student = SimpleNamespace(ask_plain=lambda *call, **_more: answer(*call[2], **mistake))
    with pytest.raises(StudentFault, match="while it was timed") if mistake else nullcontext():
        assert speed.time_block(student, 64, np.random.default_rng(2)) == [1e-3] * speed.CALLS


def test_a_timed_product_meets_no_numbers_that_memory_held_before(monkeypatch):
    cuda_cpu.install()
    seen = []
    reader = SimpleNamespace(gemm=lambda _alpha, _A, _B, _beta, C: seen.append(C.copy_to_host()))
    monkeypatch.setitem(sys.modules, "gemm", reader)
    scenario = runpy.run_path(str(Path(speed.__file__).parent / "staff/speed_scenarios.py"))
    with cuda_cpu.old_values(255):
        scenario["time_block"](8, 1, [(0, 1)], np.arange(2), np.arange(2))
    assert not seen[0].any()
