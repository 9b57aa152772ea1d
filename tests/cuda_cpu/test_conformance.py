"""numba-cuda's own tests on the executor: what passed once keeps passing; and the reading of their outcomes."""

import importlib.util
import json
import sys
from pathlib import Path

import pytest
from conformance import __main__ as command
from conformance.report import judge
from conformance.runner import Outcome, read_journal
from conformance.scope import find_reason
from subprocesses import ended

ROOT = Path(__file__).parents[2]
BASELINE = Path(__file__).with_name("conformance.json")


def find_python():
    """Return a Python that has numba-cuda: the one that `make conformance` set up, or this one."""
    own = ROOT / ".venv-conformance" / "bin" / "python"
    if own.exists():
        return str(own)
    return sys.executable if importlib.util.find_spec("numba_cuda") else None


def write_journal(folder, *events):
    lines = [json.dumps({"test": test, "outcome": outcome, "reason": reason}) for test, outcome, reason in events]
    journal = folder / "journal.jsonl"
    journal.write_text("\n".join(lines) + "\n")
    return journal


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_every_test_of_numba_cuda_that_passed_before_passes_now(tmp_path):
    python = find_python()
    if python is None:
        pytest.skip("numba-cuda is not installed, so that its tests cannot run here: say `make conformance` once")
    out = tmp_path / "conformance.json"
    command = [python, ROOT / "tests/conformance", "--no-simulator", "--out", out, "--baseline", BASELINE]
    done = ended(command, cwd=ROOT)
    lost = [line for line in done.stdout.splitlines() if line.startswith("lost")]
    assert done.returncode == 0, "\n".join(lost) or done.stderr
    assert json.loads(out.read_text())["passed"] >= len(json.loads(BASELINE.read_text()))


def test_a_failure_is_excused_only_by_a_reason():
    tests = ["numba.cuda.tests.cudapy.test_libdevice.T.test_call", "numba.cuda.tests.cudapy.test_sm.T.test_sum"]
    reasons = ["NotImplementedError: compile_ptx", "Traceback\n  AssertionError: 1 != 2\n"]
    verdicts = judge({test: Outcome("failed", reason) for test, reason in zip(tests, reasons, strict=True)})
    assert [(v.word, v.reason) for v in verdicts.values()] == [
        ("not_applicable", "libdevice is NVIDIA's mathematics library for GPUs"),
        ("failed", "AssertionError: 1 != 2"),
    ]


def test_what_is_out_of_scope_counts_where_it_passes_and_what_is_expected_to_fail_never():
    name = "numba.cuda.tests.cudapy.test_libdevice.T.test_call"
    assert find_reason(name, "")
    assert judge({name: Outcome("passed", "")})[name].word == "passed"
    assert judge({"t": Outcome("expected_failure", "")})["t"].word == "not_applicable"


def test_a_crash_is_told_by_the_test_that_was_running_and_one_failed_part_makes_a_test_fail(tmp_path):
    journal = write_journal(tmp_path, ("a", "started", ""), ("a", "passed", ""), ("b", "started", ""))
    outcomes, running = read_journal(journal)
    assert (outcomes, running) == ({"a": Outcome("passed", "")}, "b")
    journal = write_journal(tmp_path, ("a", "started", ""), ("a", "failed", "part 1"), ("a", "passed", ""))
    assert read_journal(journal)[0]["a"] == Outcome("failed", "part 1")


def test_a_baseline_names_what_was_lost_in_the_modules_that_ran(tmp_path):
    baseline = tmp_path / "baseline.json"
    baseline.write_text(json.dumps(["m.one.T.a", "m.one.T.b", "m.other.T.c"]))
    assert command.find_lost(baseline, ["m.one.T.a"], ["m.one"]) == ["m.one.T.b"]
