"""The staff's scenarios of times, on ranks: what they report, and that they come to an end."""

from pathlib import Path

import numpy as np
import pytest
from handins import DISTRIBUTED

from grader.assignments import distributed
from grader.mpi import coordinator
from grader.worker.launcher import Settings

pytest.importorskip("mpi4py")
PROGRAM = Settings(DISTRIBUTED.reference, Path(distributed.__file__).parent / "staff", device="")


@pytest.fixture(autouse=True, scope="module")
def _no_rank_is_left():
    yield
    coordinator.end_pools()


def run(function, *given):
    found = coordinator.run(PROGRAM, 2, ("timing_scenarios", function), given, limit_s=60.0)
    assert (found.problem, found.raised) == ("", {})
    return [found.values[rank] for rank in sorted(found.values)]


def test_messages_are_timed_by_the_library_alone_and_one_call_with_its_trace():
    first, second = run("messages", (8, 1 << 14), 3)
    for told in (first, second):
        assert [size for size, _ in told["library"]] == [8, 1 << 14]
        assert all(seconds > 0 for _, seconds in [*told["library"], (0, told["traced_s"])])


def test_all_ranks_train_together_with_the_same_costs_and_say_how_long():
    first, second = run("scaled", ((12, 5), (4, 6), (3, 5)), 1, (0.1, 3, 0.0))
    assert len(first["costs"]) == 3
    assert np.allclose(first["costs"], second["costs"])
    assert min(first["seconds"], second["seconds"]) > 0
