"""What `make evidence` makes of a machine with a GPU, as far as that can be tried without one."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest

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
    seen = [{"check": "max.gpu.correct", "facts": {}}, {"check": "max.gpu.speedup", "facts": {"gpu": GPU}}]
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
    assert "66% (`matmul_kernel`)" in page  # 2 · 784² · 128 multiply-adds' flops in 2 ms, of 120 GFLOP/s
    assert program.NEEDS_GPU not in page


def test_what_no_gpu_measured_is_said_to_need_one(program, folder):
    (folder / "evidence.json").write_text(json.dumps({"observations": []}))
    hardware = {"cpu": "a processor", "cores": "2", "cuda": ""}
    page = "\n".join(program.describe(folder, hardware, [], {}))
    assert page.count(program.NEEDS_GPU) == 2
    assert "compiled Numba in the GPU's place) | none tried |" in page


@pytest.mark.slow
def test_a_verdict_on_the_reference_is_read_from_its_report(program, tmp_path):
    judged = program.judge_reference(tmp_path, 1)
    assert set(judged) == {"outcome", "sentence", "raw_ratios"}
    assert judged["outcome"] in {"passed", "failed", "inconclusive", "not_measured"}
    assert judged["sentence"]
