"""On request, a grading looks into kernels: what they do to memory, and which threads race."""

import handins
import pytest

from grader.assignment import load_assignment
from grader.grading import Options, grade


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
