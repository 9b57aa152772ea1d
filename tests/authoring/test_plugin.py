"""A small assignment made on the spot: whose fault each ending of a check is, and what becomes of its points."""

import textwrap
import time
import zlib
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from grader.assignment import load_assignment
from grader.authoring import Setup, plugin, session
from grader.errors import StaffError, UsageError
from grader.grading import Options, grade
from grader.intake.archive import read_submission
from grader.model import Outcome
from grader.worker.process import PlainLauncher

HEADER = """
import pytest
from grader.authoring import Foreign, Inconclusive, Note, NotMeasured, check, expect, fail
"""


@pytest.fixture
def grade_with(tmp_path: Path):
    """Return a function that grades a one-file submission with the given checks and rubric rows."""

    def run(checks: str, rows: dict[str, str], utils: str = "def one(): return 1", more=(), **options):
        folder = tmp_path / "assignments" / "tiny"
        (folder / "checks").mkdir(parents=True)
        (folder / "staff").mkdir()
        (folder / "assignment.toml").write_text('files = ["utils.py"]\n')
        # a name of its own: pytest keeps imported test modules, and all these gradings share one process
        (folder / "checks" / f"test_{tmp_path.name}.py").write_text(HEADER + textwrap.dedent(checks))
        body = "\n".join(f'[[check]]\nid = "{name}"\npart = "All"\n{row}' for name, row in rows.items())
        total = sum(float(row.split("points =")[1].split()[0]) for row in rows.values())
        (folder / "rubric.toml").write_text(f'assignment = "tiny"\ntitle = "Tiny"\ntotal = {total}\n{body}\n')
        submission = tmp_path / "handed-in"
        submission.mkdir()
        for name, text in {"utils.py": utils, **dict(more)}.items():
            (submission / name).parent.mkdir(exist_ok=True)
            (submission / name).write_text(text)
        assignment = load_assignment("tiny", root=folder.parent)
        return grade(submission, assignment, Options(seed=1, device="cpu", **options))

    return run


def outcomes(report) -> dict[str, str]:
    return {result.criterion.id: result.outcome.value for result in report.results}


ENDINGS = """
    @check("a.passes")
    def test_a(student):
        \"\"\"One is one.\"\"\"
        assert student.utils.one() == 1

    @check("a.asserts")
    def test_b(student): assert student.utils.one() == 2

    @check("a.fails")
    def test_c(): fail("Wrong.", expected=2, got=1, hint="Add one.")

    @check("a.raises")
    def test_d(student): student.utils.broken()

    @check("a.ours")
    def test_e(): {}["missing"]

    @check("a.memory")
    def test_m(): raise MemoryError

    @check("a.hardware")
    def test_f(): raise NotMeasured("no GPU")

    @check("a.unclear")
    def test_g(): raise Inconclusive("a person looks")

    @check("a.fixture")
    def test_h(broken_fixture): pass

    @pytest.fixture
    def broken_fixture(): raise RuntimeError("set-up")
"""
ENDED = {"passes": "passed", **dict.fromkeys(("asserts", "fails", "raises"), "failed"), "hardware": "not_measured"}
ENDED |= {**dict.fromkeys(("ours", "memory", "fixture"), "error"), "unclear": "inconclusive"}


def test_each_ending_of_a_check_names_whose_fault_it_is(grade_with):
    rows = {f"a.{name}": "points = 2" for name in ENDED}
    report = grade_with(ENDINGS, rows, "def one(): return 1\ndef broken(): 1 / 0")
    assert outcomes(report) == {f"a.{name}": outcome for name, outcome in ENDED.items()}
    assert (report.score_low, report.score_high) == (2, 12), "only the student's own faults lose points"
    found = {result.criterion.id: result for result in report.results}
    assert found["a.passes"].observation.sentence == "One is one."
    assert found["a.fails"].finding.hint == "Add one."
    assert "ZeroDivisionError" in found["a.raises"].finding.message
    assert "KeyError" in found["a.ours"].observation.facts["traceback"]
    assert "too little memory here: grading takes" in found["a.memory"].finding.message
    assert "grader's fault" in found["a.fixture"].finding.hint


CREDIT = """
    @check("a.fails")
    def test_a(note):
        note.credit(0.5, "the last row is missing")
        fail("one row is wrong")

    @check("a.returns")
    def test_b(note):
        note.credit(0.75, "it is slow")
        note.credit(0.25, "it is slow and long")
        note.remark("something else")

    @check("a.ours")
    def test_c(note):
        note.credit(0.5, "the last row is missing")
        {}["missing"]

    @check("a.cases")
    @pytest.mark.parametrize("share", [0.5, 0.25, 0])
    def test_d(share, note):
        if share:
            note.credit(share, "a case is wrong")

    @check("a.worst")
    @pytest.mark.parametrize("share", [0.5, 0])
    def test_e(share, note):
        if share:
            note.credit(share, "a case is wrong")
        fail("no")

    @check("a.wrong")
    def test_f(note):
        note.credit(1.5, "too much")
"""


def test_a_check_may_give_a_share_of_its_points(grade_with):
    names = ("fails", "returns", "ours", "cases", "worst", "wrong")
    report = grade_with(CREDIT, {f"a.{name}": "points = 4" for name in names})
    found = {result.criterion.id.removeprefix("a."): result for result in report.results}
    points = {name: (result.outcome.value, result.points_low, result.points_high) for name, result in found.items()}
    assert points == {
        "fails": ("failed", 2, 2),
        "returns": ("failed", 1, 1),
        "ours": ("error", 0, 4),
        "cases": ("failed", 1, 1),
        "worst": ("failed", 0, 0),
        "wrong": ("error", 0, 4),
    }
    said = "Partly right, for 50 % of the points: the last row is missing."
    assert found["fails"].finding.message == "one row is wrong"
    assert [remark.message for remark in found["fails"].observation.remarks] == [said]
    assert found["returns"].finding.message == "Partly right, for 25 % of the points: it is slow and long."
    assert [remark.message for remark in found["returns"].observation.remarks] == ["something else"]


NEEDS = """
    @check("b.last")
    def test_last(): pass

    @check("b.first")
    def test_first(): fail("no")

    @check("b.second")
    def test_second(): {}["ours"]

    @check("b.after")
    def test_after(): pass
"""


def test_a_check_whose_need_did_not_pass_follows_it(grade_with):
    rows = {
        "b.last": 'points = 1\nneeds = ["b.first"]',
        "b.first": "points = 1",
        "b.after": 'points = 1\nneeds = ["b.second"]',
        "b.second": "points = 1",
    }
    report = grade_with(NEEDS, rows)
    assert outcomes(report) == {"b.last": "skipped", "b.first": "failed", "b.after": "error", "b.second": "error"}
    assert "b.first" in report.results[0].finding.message
    assert (report.score_low, report.score_high) == (0, 2), "only the student's fault makes a skip cost points"


def test_cases_of_one_parametrised_check_are_joined(grade_with):
    checks = """
        @check("c.many")
        @pytest.mark.parametrize("value", [1, 2, 3])
        def test_many(value, note):
            note.fact(f"case_{value}", value)
            assert value != 2
    """
    report = grade_with(checks, {"c.many": "points = 1"})
    assert outcomes(report) == {"c.many": "failed"}
    assert report.results[0].observation.facts == {"case_1": 1, "case_2": 2, "case_3": 3}


CHECK = '@check("{0}", stage="{1}")\ndef test_{1}(note): order.append("{0}"); note.fact("order", [*order])\n'
STAGES = {"d.timed": "timed", "e.needs": "timed", "e.awaits": "awaits", "d.plain": "first", "f.other": "first"}
STAGED = "order = []\n" + "".join(CHECK.format(*row).replace("test_", f"test_{row[0][2:]}_") for row in STAGES.items())
ROWS = {check: "points = 1" + ('\nneeds = ["e.awaits"]' if check == "e.needs" else "") for check in STAGES}


def test_without_a_gpu_timed_checks_wait_only_for_what_they_need_and_only_selects(grade_with):
    report = grade_with(STAGED, ROWS, only=("d", "e"))
    assert report.results[1].observation.facts["order"] == ["d.timed", "d.plain", "e.awaits", "e.needs"]
    assert outcomes(report)["f.other"] == Outcome.NOT_MEASURED, "what did not run is open, not lost"


def test_with_a_gpu_timed_checks_run_last(grade_with, tmp_path):
    grade_with(STAGED, ROWS)
    files, assignment = tmp_path / "handed-in", load_assignment("tiny", root=tmp_path / "assignments")
    here = {"assignment": assignment, "device": "gpu", "launcher": PlainLauncher(), "starts_ahead": False}
    submission = read_submission(files, tmp_path / "copy", assignment.files)
    seen = session.observe(Setup(options=Options(), seed=1, **here), submission, tmp_path / "copy")
    assert seen[1].facts["order"][5:] == ["d.plain", "f.other", "e.awaits", "d.timed", "e.needs"]


ONE = '@check("f.one")\ndef test(): pass\n'


@pytest.mark.parametrize(
    ("checks", "ids", "sentence"),
    [
        (ONE, ("f.one", "f.two"), "f.two"),
        (ONE + '@check("f.two")\ndef test_2(): pass', ("f.one",), "f.two"),
        (ONE + '@check("f.one")\ndef test_2(): pass', ("f.one",), "two tests"),
        ("import no_such_module", ("f.one",), "cannot be imported: ModuleNotFoundError"),
        ('@check("f.one", stage="last")\ndef test(): pass', ("f.one",), "no stage 'last'"),
        ('@check("f.one")\ndef test(): pytest.exit("enough")', ("f.one",), "pytest could not run the checks"),
    ],
)
def test_what_pytest_cannot_run_or_does_not_fit_the_rubric_is_a_staff_error(grade_with, checks, ids, sentence):
    with pytest.raises(StaffError, match=sentence):
        grade_with(checks, dict.fromkeys(ids, "points = 1"))


def test_no_fixture_needs_what_a_later_pytest_refuses(grade_with, monkeypatch):
    checks = """
        @check("h.all")
        def test_all(student, staff, threshold, setup, sources, rng, note, background): pass
    """
    run = pytest.main
    monkeypatch.setattr(pytest, "main", lambda args, plugins: run([*args, "-W", "error"], plugins=plugins))
    assert outcomes(grade_with(checks, {"h.all": "points = 1"})) == {"h.all": "passed"}


def test_hidden_inputs_depend_on_seed_and_check_and_on_nothing_else(grade_with):
    checks = """
        @check("g.one")
        def test_one(rng, note): note.fact("drawn", int(rng.integers(1 << 60)))

        @check("g.two")
        def test_two(rng, note): note.fact("drawn", int(rng.integers(1 << 60)))
    """
    report = grade_with(checks, {"g.one": "points = 1", "g.two": "points = 1"})
    one, two = (result.observation.facts["drawn"] for result in report.results)
    assert one != two
    rng = np.random.default_rng([1, zlib.crc32(b"g.one")])
    assert one == rng.integers(1 << 60), "a seed that is written down gives the same inputs for ever"


def test_the_staffs_own_programs_take_as_long_as_they_take_where_there_are_any(grade_with, tmp_path, monkeypatch):
    (tmp_path / "assignments/tiny/baselines").mkdir(parents=True)
    checks = """
        @check("a.b")
        def test_b(staff):
            for _ in range(100): staff.call("math", "sqrt", (4.0,))
    """
    monkeypatch.setattr(time, "perf_counter", count(0.0, 1000.0).__next__)
    assert outcomes(grade_with(checks, {"a.b": "points = 2"})) == {"a.b": "passed"}
    assignment, files = load_assignment("tiny", root=tmp_path / "assignments"), tmp_path / "own/files"
    submission = read_submission(tmp_path / "handed-in", files, assignment.files)
    here = {"assignment": assignment, "device": "cpu", "launcher": PlainLauncher()}
    (seen,) = session.observe(Setup(options=Options(), seed=1, has_baselines=False, **here), submission, files)
    assert seen.outcome is Outcome.NOT_MEASURED


@pytest.mark.parametrize("uses", [(), (("utils", "one"),)])
def test_a_background_call_whose_file_needs_one_that_was_not_unpacked_is_for_a_ta(grade_with, uses):
    checks = f"""
        @check("a.b")
        def test_b(background): background("utils", "one", uses={uses}).result(30)
    """
    more = {"src/helper.py": "def one(): return 1"}
    report = grade_with(checks, {"a.b": "points = 2"}, "from helper import one", more)
    assert outcomes(report) == {"a.b": "inconclusive"}
    assert "src/helper.py" in report.results[0].finding.message


def test_a_rubric_of_another_assignment_is_refused(tmp_path):
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "assignment.toml").write_text('files = ["utils.py"]\n')
    own = load_assignment("hw1").folder / "rubric.toml"
    (folder / "rubric.toml").write_bytes(own.read_bytes())
    with pytest.raises(StaffError, match="is the rubric of hw1, not of tiny"):
        load_assignment("tiny", root=tmp_path)
    (folder / "rubric.toml").write_text(own.read_text().replace('assignment = "hw1"', 'assignment = "tiny"'))
    assert load_assignment("tiny", root=tmp_path).name == "tiny"
    with pytest.raises(UsageError, match="is the rubric of hw1, not of tiny"):
        load_assignment("tiny", own, root=tmp_path)


def test_an_unknown_assignment_is_named_with_the_known_ones():
    with pytest.raises(UsageError, match="choose one of distributed, gemm, hw1"):
        load_assignment("hw9")


def test_waiting_for_other_gradings_never_times_a_check_out(grade_with, monkeypatch):
    monkeypatch.setattr(session, "CHECK_LIMIT_S", 0.5)
    monkeypatch.setattr(plugin, "CHECK_LIMIT_S", 0.5)
    checks = """
        import time
        @pytest.fixture
        def turn(): time.sleep(0.7)

        @check("a.waits_before")
        def test_a(turn): pass

        @check("a.waits_for_the_gpu", stage="timed")
        def test_b(): time.sleep(0.7)

        @check("a.hangs")
        def test_c(): time.sleep(60)
    """
    report = grade_with(checks, dict.fromkeys(("a.waits_before", "a.waits_for_the_gpu", "a.hangs"), "points = 1"))
    assert outcomes(report) == {"a.waits_before": "passed", "a.waits_for_the_gpu": "passed", "a.hangs": "error"}


def test_ctrl_c_during_a_check_ends_the_grading(grade_with):
    checks = """
        import os, signal

        @check("a.check")
        def test_a(): os.kill(os.getpid(), signal.SIGINT)
    """
    with pytest.raises(KeyboardInterrupt):
        grade_with(checks, {"a.check": "points = 1"})


def test_ctrl_c_while_checks_are_imported_is_noticed_and_a_broken_check_is_none(tmp_path):
    (tmp_path / f"test_{tmp_path.name}.py").write_text("import nowhere")
    session.collect_checks(tmp_path)
    (tmp_path / f"test_{tmp_path.name}_2.py").write_text("import os, signal; os.kill(os.getpid(), signal.SIGINT)")
    with pytest.raises(KeyboardInterrupt):
        session.collect_checks(tmp_path)
