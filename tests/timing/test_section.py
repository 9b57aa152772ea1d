"""A disturbed section is repeated; one that is always disturbed is our error."""

import pytest

from grader.errors import WorkerError
from grader.timing.health import Health
from grader.timing.section import undisturbed


def run(reasons):
    """Return what sections come to whose ends show these disturbances, and how many were taken."""
    taken, left = [], list(reasons)
    came = undisturbed(lambda: taken.append(1) or len(taken), lambda: Health(gpu=None), lambda *_: left.pop(0))
    return came, len(taken)


def test_a_quiet_section_counts_at_once():
    (came, health, reasons), taken = run([""])
    assert (came, reasons, taken) == (1, (), 1)
    assert health == Health(gpu=None)


def test_a_disturbed_one_is_thrown_away_and_said():
    (came, _, reasons), taken = run(["another process used the GPU: pid 7", "others used core 3 for 40%", ""])
    assert (came, taken) == (3, 3)
    assert reasons == ("another process used the GPU: pid 7", "others used core 3 for 40%")


def test_after_three_it_is_ours_and_says_why():
    with pytest.raises(WorkerError, match="disturbed 3 times.*pid 9"):
        run(["a", "b", "another process used the GPU: pid 9", ""])
