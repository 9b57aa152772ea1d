"""Loads and bank conflicts of a call's launches, counted where the executor runs them."""

from types import SimpleNamespace

import numpy as np
import pytest
from sliced_handins import open_text

from grader.authoring import Inconclusive, Note
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

    def double_here(x):
        return 2 * x
"""


@pytest.fixture(scope="module")
def student(tmp_path_factory):
    handin = open_text(tmp_path_factory.mktemp("sums"), "sums", SUMS, [("sums", "double"), ("sums", "double_here")])
    yield handin
    handin.close()


def saying(told):
    """Return a student whose worker says this of a call, whatever it was."""
    return SimpleNamespace(why_open=lambda *_: "", ask_executor=lambda *_args, **_options: SimpleNamespace(value=told))


def count(student, function, args=()):
    """Return the costs of a call that counts as right."""
    run = costs.run(student, ("sums", function), args, [("sums", function)], f"`{function}`")
    return run.compared(lambda _value: None, Note()).seen


def test_loads_and_conflicts_are_counted(student):
    run = costs.run(student, ("sums", "double"), (np.ones(32),), [("sums", "double")], "`double`")
    assert np.array_equal(run.value, np.full(32, 2.0))
    found = count(student, "double", (np.ones(32),))
    assert found.kernels == ("through_shared_memory",)
    assert found.threads == 32
    assert found.global_bytes == 2 * 32 * 8
    assert found.shared_bytes == 32 * 8
    assert found.passes == 2 * 32 > found.least_passes == 2 * 2
    assert found.conflict_percent == 1500


def test_a_call_without_launches_costs_nothing(student):
    found = count(student, "double_here", (np.ones(32),))
    assert (found.kernels, found.threads, found.conflict_percent) == ((), 0, 0)


def test_what_was_forged_is_for_a_person():
    with pytest.raises(Inconclusive, match="could not be counted"):
        count(saying({"launches": [{"kernel": 1}], "complete": True}), "double")


@pytest.mark.parametrize("told", [{"launches": [], "complete": False}, {"launches": []}, None])
def test_without_every_access_nothing_is_decided(told):
    with pytest.raises(Inconclusive, match="Not every access"):
        count(saying(told), "double")
