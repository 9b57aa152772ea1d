"""What `make first-contact` runs, keeps and concludes; nothing here needs a GPU."""

import json
import runpy
import shutil
import sys

import numpy as np
import pytest
from benchmarks import first_contact
from benchmarks.first_contact import BODIES, FAULTS, PREDICTED, ROOT, Step, holds, measure, page, run, steps
from rows import each
from subprocesses import ended

import grader.cuda_cpu

EVIDENCE = ROOT / "tests/evidence/amd-epyc-2-cores/verdict"
DONE = json.dumps({"code": 0, "wall_s": 1})


@pytest.fixture
def out(tmp_path):
    """Return a folder in which the reference was graded, and two steps ended."""
    shutil.copytree(EVIDENCE, tmp_path / "hw1/report/hw1")
    for name in ("hw1", "doctor"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "done.json").write_text(DONE)
    return tmp_path


@pytest.mark.parametrize("name", [name for name in BODIES if name not in FAULTS])
def test_the_variants_are_right(name, tmp_path):
    grader.cuda_cpu.install()
    first_contact.write_variant(name, tmp_path)
    one, other = np.random.default_rng(1).integers(0, 256, (2, 30, 20))
    found = runpy.run_path(str(tmp_path / "max_functions.py"))["max_gpu"](one, other)
    np.testing.assert_array_equal(found, np.maximum(one, other))


def test_a_kernel_beyond_its_array_is_a_fault(tmp_path):
    grader.cuda_cpu.install()
    first_contact.write_variant("beyond", tmp_path)
    with pytest.raises(IndexError, match="1000000000"):
        runpy.run_path(str(tmp_path / "max_functions.py"))["max_gpu"](*np.zeros((2, 30, 20)))


def test_steps_have_names_of_their_own_and_every_figure_has_its_step(tmp_path):
    names = [step.name for step in steps(tmp_path)]
    assert len({*names}) == len(names)
    cards = json.loads(PREDICTED.read_text())
    assert {figure.split()[0] for figures in cards.values() for figure in figures} <= {*names}
    assert all(one["source"] and ("is" in one or one["least"] <= one["most"])
               for figures in cards.values() for one in figures.values())  # fmt: skip


def test_a_step_keeps_what_it_printed_and_is_not_run_again(tmp_path):
    run(Step("one", (sys.executable, "-c", "print('seen'); raise SystemExit(3)")), tmp_path)
    assert (tmp_path / "one/log.txt").read_text() == "seen\n"
    assert json.loads((tmp_path / "one/done.json").read_text())["code"] == 3
    run(Step("one", ("no-such-program",)), tmp_path)
    assert (tmp_path / "one/log.txt").read_text() == "seen\n"
    run(Step("two", ("no-such-program",)), tmp_path)
    assert json.loads((tmp_path / "two/done.json").read_text())["code"] == 127


def test_what_was_measured_is_read_from_evidence(out):
    assert measure(out, "hw1 outcome max.gpu.speedup") == "not_measured"
    assert 10 < measure(out, "hw1 value max.gpu.speedup") < 1000
    assert measure(out, "gemm points") is None


@each(
    "predicted, measured, right",
    *(({"is": "passed"}, "passed", True), ({"is": "passed"}, "failed", False), ({"is": "passed"}, None, False)),
    *(({"least": 1, "most": 3}, 2.0, True), ({"least": 1, "most": 3}, 4.0, False)),
    ({"least": 1, "most": 3}, None, False),
)
def test_a_prediction_holds_or_not(predicted, measured, right):
    assert holds(predicted, measured) is right


def test_the_page_names_the_assumptions_that_broke(out, tmp_path):
    table = {
        "any": {"hw1 outcome max.gpu.speedup": {"is": "not_measured", "source": "this holds"}},
        "H100": {"hw1 value max.gpu.speedup": {"least": 1e6, "most": 2e6, "source": "copies cost nothing"}},
    }
    known = tmp_path / "predicted.json"
    known.write_text(json.dumps(table))
    text = "\n".join(page(out, "NVIDIA H100 80GB", known))
    assert "- **hw1 value max.gpu.speedup**: copies cost nothing" in text
    assert "this holds" not in text
    assert "| doctor | 0 | 1 |" in text
    assert "Every assumption that was measured held." in "\n".join(page(out, "Tesla T4", known))
    shutil.rmtree(out / "hw1")
    assert "| not measured |  |" in "\n".join(page(out, "H100", known)), "no assumption breaks where nothing is known"


def test_without_a_gpu_it_says_what_is_missing():
    program = [sys.executable, first_contact.__file__]
    done = ended(program, timeout=120, env={"PYTHONPATH": str(ROOT), "PATH": "", "CUDA_VISIBLE_DEVICES": ""})
    assert done.returncode == 1
    assert done.stderr.startswith("make first-contact needs a GPU, see docs/gpu.md: ")
