"""Hand-ins of distributed of their own: the reference, and what is missing; see `test_hand_ins` beside this folder."""

import handins
import pytest
from assignment_handins import DISTRIBUTED

from grader.assignment import load_assignment
from grader.errors import UsageError
from grader.grading import Options, grade

pytest.importorskip("mpi4py")


@pytest.mark.wide
def test_the_reference_gets_every_point(tmp_path):
    report = DISTRIBUTED.graded_files(DISTRIBUTED.reference_files(), tmp_path)
    assert DISTRIBUTED.lost(report) == {}, DISTRIBUTED.explained(report)
    assert handins.errors(report) == []
    assert report.flags == ()
    assert (report.score_low, report.score_high) == (94, 100)


@pytest.mark.wide
def test_a_missing_file_costs_its_own_checks_only(tmp_path):
    files = DISTRIBUTED.reference_files()
    del files["collectives.py"]
    report = DISTRIBUTED.graded_files(files, tmp_path)
    assert handins.errors(report) == []
    assert {*DISTRIBUTED.lost(report)} == {"ring.values", "ring.bytes", "tree.values", "tree.messages"}


@pytest.mark.slow
def test_points_stay_open_where_ranks_cannot_start():
    options = Options(device="cpu", sandbox="landlock", only=("sequential.cost", "ring.values", "data.costs"))
    try:
        report = grade(DISTRIBUTED.reference, load_assignment("distributed"), options)
    except UsageError as error:
        pytest.skip(str(error))
    outcomes = {one.criterion.id: str(one.outcome) for one in report.results if one.criterion.id in options.only}
    assert outcomes == {"sequential.cost": "passed", "ring.values": "not_measured", "data.costs": "not_measured"}
