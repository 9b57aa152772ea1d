"""Loads and bank conflicts of a call's launches, counted where the executor runs them."""

import numpy as np
import pytest
from sliced_handins import open_text

from grader.authoring import Inconclusive
from grader.authoring.judges import costs

SUMS = """
    import numpy as np
    from numba import cuda, float64

    @cuda.jit
    def through_shared_memory(x, out):
        held = cuda.shared.array(1024, float64)
        i = cuda.threadIdx.x
        held[32 * i] = x[i]
        cuda.syncthreads()
        out[i] = held[32 * i] + x[i]

    def double(x):
        out = cuda.device_array(x.size)
        through_shared_memory[1, 32](cuda.to_device(x), out)
        return out.copy_to_host()
"""


@pytest.fixture
def student(tmp_path):
    handin = open_text(tmp_path, "sums", SUMS, [("sums", "double")])
    yield handin
    handin.close()


def test_loads_and_conflicts_are_counted(student):
    found = costs.count(student, ("sums", "double"), (np.ones(32),))
    assert found.kernels == ("through_shared_memory",)
    assert found.threads == 32
    assert found.global_bytes == 2 * 32 * 8
    assert found.shared_bytes == 32 * 8
    assert found.passes == 2 * 32 > found.least_passes == 2 * 2
    assert found.conflict_percent == 1500


def test_what_was_forged_is_for_a_person(student, monkeypatch):
    monkeypatch.setattr(
        costs.slices, "observe", lambda *_args, **_more: {"launches": [{"kernel": 1}], "complete": True}
    )
    with pytest.raises(Inconclusive, match="could not be counted"):
        costs.count(student, ("sums", "double"), ())


def test_without_every_access_nothing_is_decided(student, monkeypatch):
    monkeypatch.setattr(costs.slices, "observe", lambda *_args, **_more: {"launches": [], "complete": False})
    with pytest.raises(Inconclusive, match="Not every access"):
        costs.count(student, ("sums", "double"), ())


def test_a_call_without_launches_costs_nothing():
    assert costs._add([]).conflict_percent == 0
