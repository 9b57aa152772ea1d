"""Gradings of hw1: the same seed gives the same results, and on request kernels are looked into."""

import json

import handins
import pytest

from grader.assignment import load_assignment
from grader.grading import Options, grade
from grader.reports.gradescope import render


def _without_times(text):
    results = json.loads(text)
    for holder in (results, *results["tests"]):
        holder.pop("execution_time", None)
    return json.dumps(results)


@pytest.mark.slow  # two whole gradings: a minute of CI, which has fifteen
def test_the_same_seed_gives_the_same_results(tmp_path):
    path = tmp_path / "hw1.zip"
    mistakes = [change for change in handins.changes("mistakes") if change.name in WRONG]
    assert len(mistakes) == len(WRONG)
    changed = {change.target: change.applied() for change in mistakes}
    path.write_bytes(handins.packed(handins.reference_files() | changed))
    first, second = (render(handins.graded(path)) for _ in range(2))
    assert _without_times(first) == _without_times(second)


WRONG = {"batches_with_a_padded_last", "numba_minimum", "gpu_lower_triangle_only"}
"""Findings list random inputs: they have to be the same ones as well."""


def explained(files, folder, only):
    path = folder / "hw1.zip"
    path.write_bytes(handins.packed(files))
    options = Options(seed=handins.SEED, device="cpu", only=(only,), explain=True)
    report = grade(path, load_assignment("hw1"), options)
    return next(result.observation for result in report.results if result.criterion.id == only)


@pytest.mark.slow
def test_the_reference_is_counted_and_has_no_race(tmp_path):
    seen = explained(handins.reference_files(), tmp_path, "matmul.times")
    assert "kernel matmul_kernel ran 1 block of 1,024 threads" in seen.facts["counted_not_timed"][0]
    assert seen.remarks == ()


@pytest.mark.slow
def test_a_missing_barrier_is_a_remark_that_names_the_lines(tmp_path):
    changes = {change.name: change for change in handins.changes("mistakes")}
    files = handins.reference_files() | {"matmul_functions.py": changes["gpu_without_syncthreads"].applied()}
    remarks = explained(files, tmp_path, "matmul.times").remarks
    assert any("race" in remark.message and "matmul_functions.py" in remark.message for remark in remarks), remarks
