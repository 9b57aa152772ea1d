"""Evidence that machines gave: it is kept, written, and graded as it was."""

import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from grader.course.grades.rescoring import verify_report
from grader.model import Outcome
from grader.reports.files import decode
from grader.scoring.rubric import load_rubric
from grader.scoring.score import score
from grader.timing import verdict

HERE = Path(__file__).parent
MACHINES = sorted(path.parent for path in HERE.glob("*/README.md"))
SPEEDUP = "max.gpu.speedup"
EVIDENCE = [path for machine in MACHINES for path in sorted(machine.rglob("evidence.json"))]
TIMED = [path for path in EVIDENCE if "_samples" in path.read_text()]


def name_of(path):
    return str(path.relative_to(HERE))


def judge(path, **demanded):
    """Return the result of the speed-up in the evidence at `path`, with other demands, on whatever hardware."""
    rubric = load_rubric(next(folder / "rubric.toml" for folder in path.parents if (folder / "rubric.toml").is_file()))
    rows = tuple(
        replace(row, threshold=replace(row.threshold, **demanded), needs=(), hardware="") if row.id == SPEEDUP else row
        for row in rubric.criteria
    )
    report = score(decode(path.read_bytes()), replace(rubric, criteria=rows))
    return next(result for result in report.results if result.criterion.id == SPEEDUP)


def test_there_is_evidence_to_score():
    assert MACHINES
    assert TIMED


@pytest.mark.parametrize("machine", MACHINES, ids=name_of)
def test_the_evidence_gives_the_score_that_was_reported_and_the_verdicts_agree(machine):
    report = score(decode((machine / "evidence.json").read_bytes()), load_rubric(machine / "rubric.toml"))
    assert list(verify_report(report, machine)) == []
    has_gpu = report.evidence.run.device == "gpu"
    assert (report.score_low, report.score_high) == ((90, 100) if has_gpu else (83, 100))
    judged = json.loads((machine / "verdicts.json").read_text())["verdicts"]
    assert len({one["outcome"] for one in judged}) == 1


@pytest.mark.parametrize("path", TIMED, ids=name_of)
def test_another_threshold_moves_the_points_and_the_clamp_bounds_what_a_slow_loop_can_gain(path):
    samples = next(seen for seen in decode(path.read_bytes()).observations if seen.check == SPEEDUP)
    measured = verdict.judge(samples.facts["speedup_samples"], judge(path).criterion.threshold.timed)
    (low, high), inside = zip(measured.shown, measured.sure, strict=True), measured.value
    assert judge(path, at_least=0.99 * min(low)).outcome is Outcome.PASSED
    beyond = Outcome.INCONCLUSIVE if "gpu" in samples.facts else Outcome.FAILED  # copies alone would not allow it
    assert judge(path, at_least=1.01 * max(high)).outcome is beyond
    assert judge(path, at_least=inside).outcome is Outcome.INCONCLUSIVE
    assert judge(path, at_least=inside).points_low == 0
    assert judge(path, at_least=inside).points_high == judge(path).criterion.points
    seen = next(seen for seen in decode(path.read_bytes()).observations if seen.check == SPEEDUP)
    samples, timed = seen.facts["speedup_samples"], judge(path).criterion.threshold.timed
    to_loop = verdict.raw_ratios(samples)[verdict.BASELINE]
    lowered = verdict.judge(samples, replace(timed, baseline=(0.01, 0.1))).value
    assert lowered <= 0.1 * to_loop * 1.05
    assert verdict.judge(samples, replace(timed, baseline=(3.0, 4.0))).value >= 3.0 * to_loop * 0.95


PROGRAM = Path(__file__).parents[1] / "benchmarks/evidence.py"
GPU = {"uuid": "GPU-1", "floor_s": 1e-4, "copying_s": 2e-3, "call_s": 2.4e-3}


@pytest.fixture(scope="module")
def program():
    spec = importlib.util.spec_from_file_location("evidence_program", PROGRAM)
    loaded = importlib.util.module_from_spec(spec)
    kept = list(sys.path)
    spec.loader.exec_module(loaded)
    yield loaded
    sys.path[:] = kept


@pytest.fixture
def folder(tmp_path):
    """What a grading on a GPU leaves, as far as the page reads it."""
    timed = {"gpu": GPU, "speedup_samples": {"baseline": [[0.1]], "fast": [[0.005]]}}
    seen = [{"check": "max.gpu.correct", "facts": {}}, {"check": "max.gpu.speedup", "facts": timed}]
    (tmp_path / "evidence.json").write_text(json.dumps({"observations": seen}))
    results = {"extra_data": {"score_range": [90, 100], "outcome": {"max.gpu.speedup": "passed"}}}
    (tmp_path / "results.json").write_text(json.dumps(results))
    return tmp_path


def test_the_page_of_a_gpu_holds_each_figure_that_is_asked_for(program, folder):
    seconds = {"multiply_by_tiles": 4e-3, "matmul_kernel": 2e-3, "max_kernel": 1e-6}
    timed = {"seconds": seconds, "peak_flops_per_s": 1.2e11}
    hardware = {"cpu": "a processor", "cores": "16", "cuda": "A GPU"}
    page = "\n".join(program.describe(folder, hardware, [{"outcome": "passed"}] * 50, timed))
    assert "# Evidence of A GPU" in page
    assert "| the reference's score | 90 to 100 of 100 |" in page
    assert "| speed-up of `max_gpu` at least 40 | passed |" in page
    assert "beside busy processes | 50 passed |" in page
    assert "| 1.20 times |" in page
    assert "| plain copies alone allow 50, needed 40: right code may miss it |" in page
    assert "66% (`matmul_kernel`)" in page  # 2 · 784² · 128 multiply-adds' flops in 2 ms, of 120 GFLOP/s
    assert program.NEEDS_GPU not in page


def test_what_no_gpu_measured_is_said_to_need_one(program, folder):
    (folder / "evidence.json").write_text(json.dumps({"observations": []}))
    page = "\n".join(program.describe(folder, {"cpu": "a processor", "cores": "2", "cuda": ""}, [], {}))
    assert page.count(program.NEEDS_GPU) == 3
    assert "compiled Numba in the GPU's place) | none tried |" in page


@pytest.mark.slow
def test_a_verdict_on_the_reference_is_read_from_its_report(program, tmp_path):
    judged = program.judge_reference(tmp_path, 1)
    assert set(judged) == {"outcome", "sentence", "raw_ratios"}
    assert judged["outcome"] in {"passed", "failed", "inconclusive", "not_measured"}
    assert judged["sentence"]
