"""Hand-ins of distributed where ranks cannot start; see `test_hand_ins` beside this folder."""

import pytest
from assignment_handins import DISTRIBUTED

from grader.assignment import load_assignment
from grader.errors import UsageError
from grader.grading import Options, grade

pytest.importorskip("mpi4py")


@pytest.mark.slow
def test_points_stay_open_where_ranks_cannot_start():
    options = Options(device="cpu", sandbox="landlock", only=("sequential.cost", "ring.values", "data.costs"))
    try:
        report = grade(DISTRIBUTED.reference, load_assignment("distributed"), options)
    except UsageError as error:
        pytest.skip(str(error))
    outcomes = {one.criterion.id: str(one.outcome) for one in report.results if one.criterion.id in options.only}
    assert outcomes == {"sequential.cost": "passed", "ring.values": "not_measured", "data.costs": "not_measured"}
