"""Hand-ins of distributed: each mistake costs what it breaks, what is right keeps everything, cheats gain nothing."""

import handins
import pytest
from distributed_handins import HAND_INS

from grader.assignment import load_assignment
from grader.errors import UsageError
from grader.grading import Options, grade

pytest.importorskip("mpi4py")


@pytest.mark.wide
def test_the_reference_gets_every_point(tmp_path):
    report = HAND_INS.graded_files(HAND_INS.reference_files(), tmp_path)
    assert HAND_INS.lost(report) == {}, HAND_INS.explained(report)
    assert handins.errors(report) == []
    assert report.flags == ()
    assert (report.score_low, report.score_high) == (94, 100)


@pytest.mark.wide
def test_the_template_gets_nothing(tmp_path):
    report = HAND_INS.graded_files(HAND_INS.template_files(), tmp_path)
    assert handins.errors(report) == []
    assert (report.score_low, report.score_high) == (0, 0)


@pytest.mark.wide
def test_a_missing_file_costs_its_own_checks_only(tmp_path):
    files = HAND_INS.reference_files()
    del files["collectives.py"]
    report = HAND_INS.graded_files(files, tmp_path)
    assert handins.errors(report) == []
    assert {*HAND_INS.lost(report)} == {"ring.values", "ring.bytes", "tree.values", "tree.messages"}


@pytest.mark.slow
def test_points_stay_open_where_ranks_cannot_start():
    options = Options(device="cpu", sandbox="landlock", only=("sequential.cost", "ring.values", "data.costs"))
    try:
        report = grade(HAND_INS.reference, load_assignment("distributed"), options)
    except UsageError as error:
        pytest.skip(str(error))
    outcomes = {one.criterion.id: str(one.outcome) for one in report.results if one.criterion.id in options.only}
    assert outcomes == {"sequential.cost": "passed", "ring.values": "not_measured", "data.costs": "not_measured"}


@pytest.mark.parametrize("change", handins.one_by_one(HAND_INS.changes("mistakes")))
def test_a_mistake_loses_what_it_breaks_and_nothing_else(change, tmp_path):
    report = HAND_INS.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert HAND_INS.lost(report) == change.losses(), HAND_INS.explained(report)
    says = change.expected.get("says", "")
    assert all(says in text or text.startswith("skipped") for text in HAND_INS.explained(report).values())


@pytest.mark.parametrize("change", handins.one_by_one(HAND_INS.changes("unusual")))
def test_what_is_right_keeps_everything_however_it_is_written(change, tmp_path):
    report = HAND_INS.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert HAND_INS.lost(report) == {}, HAND_INS.explained(report)
    assert report.flags == ()


@pytest.mark.parametrize("change", handins.one_by_one(HAND_INS.changes("attacks")))
def test_a_cheat_gains_nothing_without_a_flag(change, tmp_path):
    report = HAND_INS.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert HAND_INS.lost(report) == change.losses(), HAND_INS.explained(report)
    assert {check for check, _ in report.flags} >= change.words("flagged")
    assert change.words("flagged") or change.losses()


@pytest.mark.parametrize("kind", ["mistakes", "unusual", "attacks"])
def test_every_case_is_python(kind):
    for change in HAND_INS.changes(kind):
        compile(change.applied(), change.target, "exec")
        assert kind == "unusual" or {"failed", "flagged", "opened"} & {*change.expected}
