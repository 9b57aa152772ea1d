"""`make outcomes`: which cases there are and are drawn, what their lines say, going on, and comparing."""

import sys
from dataclasses import replace

import handins
import pytest
from outcomes.cases import CONTROLS, COURSES, KINDS, all_cases, sample
from outcomes.lines import Came, came_of, differences, line_of, lines_of, read_lines
from outcomes.running import Journal, grade_all, shared_parts
from subprocesses import ended

from grader.assignment import load_assignment
from grader.course.model import GradingOptions
from grader.intake.datasets import DIGITS
from grader.model import Evidence, Observation, Outcome, Run, Submission
from grader.scoring.score import score

ROOT = handins.TESTS.parent
PASSED, FAILED = Came("passed", 1.0, 0), Came("failed", 0.0, 0)
REFERENCE = {"a.one": PASSED, "a.two": Came("passed", 1.0, 1), "b": Came("inconclusive", 0.0, 0)}


@pytest.fixture(scope="module")
def cases():
    return all_cases()


def test_every_kind_of_every_assignment_has_cases_and_what_is_graded_of_them_exists(cases):
    assert {(case.assignment, case.kind) for case in cases} == {(name, kind) for name in COURSES for kind in KINDS}
    lines = (ROOT / "tests/outcomes.txt").read_text("utf-8").splitlines()
    assert [case.id for case in cases] == sorted({case.id for case in cases}) == [*read_lines(lines)]
    assert {case.name for case in cases if case.kind == CONTROLS} == {"reference", "template"}
    checks = {name: {row.id for row in load_assignment(name).rubric.criteria} for name in COURSES}
    for case in cases:
        for word in case.only:
            assert any(check == word or check.startswith(f"{word}.") for check in checks[case.assignment]), case.id


def test_a_sample_is_the_same_for_a_seed_spread_over_kinds_and_takes_all_where_more_is_asked_for(cases):
    first, again, other = ([case.id for case in sample(cases, 60, seed)] for seed in ("a1", "a1", "b2"))
    assert first == again
    assert len({*first} & {*other}) < 40
    assert first == sorted({*first})
    drawn = sample(cases, 60, "a1")
    assert len(drawn) == 60 + 2 * len(COURSES)
    share = 60 / (len(cases) - 2 * len(COURSES))
    for group in {(case.assignment, case.kind) for case in cases if case.kind != CONTROLS}:
        all_of, of = ([case for case in some if (case.assignment, case.kind) == group] for some in (cases, drawn))
        assert abs(len(of) - share * len(all_of)) <= 1, group
    assert [case.id for case in sample(cases, 10**6, "")] == [case.id for case in cases]


def test_a_line_has_what_is_not_as_for_its_own_reference_and_lines_are_sorted_and_read_back():
    came = REFERENCE | {"a.one": FAILED, "b": FAILED, "a.two": Came("failed", 0.8, 1)}
    assert line_of("hw1 attacks m.n", came, REFERENCE) == "hw1 attacks m.n: failed a.one b; failed 0.80 of a.two"
    assert line_of("hw1 attacks m.n", REFERENCE, REFERENCE) == "hw1 attacks m.n: as the reference"
    came = REFERENCE | {"a.one": Came("passed", 1.0, 1), "a.two": Came("passed", 1.0, 2), "b": REFERENCE["b"]}
    assert line_of("x", came, REFERENCE) == "x: flagged a.one a.two x2"
    assert line_of("x", REFERENCE | {"a.two": PASSED}, REFERENCE) == "x: flagged a.two x0"
    came = {"hw1 controls reference": {"a": PASSED}, "gemm controls reference": {"a": FAILED}}
    came |= {"hw1 mistakes m": {"a": FAILED}, "gemm mistakes m": {"a": FAILED}}
    lines = lines_of(came)
    assert lines[:2] == ["gemm controls reference: failed a", "gemm mistakes m: as the reference"]
    assert lines[2:] == ["hw1 controls reference: passed a", "hw1 mistakes m: failed a"]
    assert read_lines(["# for readers", "", *lines])["hw1 mistakes m"] == "failed a"


def report_of(*seen, refusal=""):
    evidence = Evidence(Submission("", ""), Run("cpu", "", "", 0), seen, "hw1", refusal)
    return score(evidence, load_assignment("hw1").rubric)


def test_what_a_check_came_to_is_outcome_share_and_flags_and_a_refused_hand_in_has_what_it_gets():
    partly = Observation("utils.create_batches", "", Outcome.FAILED, flags=("why", "and"), share=0.5)
    came = came_of(report_of(partly, Observation("max.times", "", Outcome.PASSED)), ["utils.create_batches", "max"])
    assert (came["utils.create_batches"], came["max.times"]) == (Came("failed", 0.5, 2), Came("passed", 0.0, 0))
    assert came["max.gpu.correct"] == Came("absent", 0.0, 0)
    assert {check.partition(".")[0] for check in came} == {"utils", "max"}
    assert {one.outcome for one in came_of(report_of(refusal="no zip")).values()} == {"inconclusive"}


def test_comparing_names_each_line_that_differs_as_old_and_new():
    old = {"a": "failed x", "b": "as the reference", "gone": "failed y"}
    new = {"a": "failed x", "b": "failed x", "come": "failed z"}
    assert differences(old, new, ["a", "b"], everything=False) == ["old b: as the reference", "new b: failed x"]
    found = differences(old, new, [*new], everything=True)
    assert found[2:] == ["old come: no such case", "new come: failed z", "old gone: failed y", "new gone: no such case"]


def filled(folder, cases):
    """Return a journal in which the cases are as they are now, each with one check."""
    journal = Journal(folder)
    shared = {name: shared_parts(GradingOptions(name, DIGITS, "cpu")) for name in COURSES}
    for case in cases:
        journal.write(case, shared[case.assignment] | {"case": case.digest()}, {"a": PASSED})
    return journal


def test_what_is_done_is_not_graded_again(cases, tmp_path):
    some, told = sample(cases, 5, "a1"), []
    came, problems = grade_all(some, filled(tmp_path, some), told.append)
    assert (came, problems) == ({case.id: {"a": PASSED} for case in some}, [])
    assert all(text.endswith(" 0 of them to be graded") for text in told)


def test_a_changed_hand_in_and_changed_code_and_half_a_file_are_not_done(cases, tmp_path):
    case = cases[0]
    journal = Journal(tmp_path)
    journal.write(case, {"grader": "1", "case": case.digest()}, {"a": PASSED})
    assert journal.read(case, {"grader": "1", "case": case.digest()}) == {"a": PASSED}
    assert journal.read(case, {"grader": "2", "case": case.digest()}) is None
    changed = replace(case, make=lambda: {**case.files, "new.py": b""})
    assert changed.digest() != case.digest() != replace(case, only=("max",)).digest()
    path = journal.path(case)
    path.write_bytes(path.read_bytes()[:-9])
    assert journal.read(case, {"grader": "1", "case": case.digest()}) is None


PLANTED = """
import runpy, sys
from grader.authoring.judges import loops
loops.expect_own_loops = lambda *_, **__: None
sys.argv = ["outcomes", *sys.argv[1:]]
runpy.run_path("tests/outcomes", run_name="__main__")
"""
"""The program with a judge that lets everything pass."""


@pytest.mark.slow
def test_a_change_of_a_judge_is_named_by_the_comparison(tmp_path):
    case = ("--assignment=hw1", "--case=slice_cpu_vectorized_by_rows")
    known = run("tests/outcomes", *case, f"--out={tmp_path}/1")
    name = "hw1 attacks max_functions.slice_cpu_vectorized_by_rows"
    assert known.stdout.splitlines()[0] == f"{name}: failed max.cpu.trivial", known.stderr
    (tmp_path / "known.txt").write_text(known.stdout)
    same = run("tests/outcomes", *case, f"--out={tmp_path}/1", f"--against={tmp_path}/known.txt")
    assert (same.returncode, same.stdout) == (0, f"2 cases are as in {tmp_path}/known.txt\n")
    assert "0 of them to be graded" in same.stderr
    planted = run("-c", PLANTED, *case, f"--out={tmp_path}/2", f"--against={tmp_path}/known.txt")
    assert planted.returncode == 1, planted.stderr
    assert planted.stdout == f"old {name}: failed max.cpu.trivial\nnew {name}: as the reference\n"


def test_a_file_that_is_not_there_is_named(tmp_path):
    done = run("tests/outcomes", f"--against={tmp_path}/none.txt")
    assert (done.returncode, done.stderr) == (3, f"outcomes: {tmp_path}/none.txt cannot be read\n")


def run(*arguments):
    return ended([sys.executable, *arguments], cwd=ROOT)
