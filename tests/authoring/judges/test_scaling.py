"""Scaling of a training that is made up: what is measured, predicted and simulated, and when nothing is measured."""

from types import SimpleNamespace

import numpy as np
import pytest

from grader.authoring import Note, NotMeasured, Run
from grader.authoring.judges import scaling
from grader.authoring.judges.ranks import Calls, Trace

SENT = {"library": [(8, 1e-6), (1024, 2e-6), (1 << 20, 1e-3)], "traced_s": 2e-4}


def made_run(size, steps, seconds=None):
    """Return a run of 1 s and 0.1 s a step, divided among the ranks; each step reduces 800 bytes."""
    ranks = [rank for rank in range(size) for _ in range(steps)]
    count, zeros = len(ranks), np.zeros(len(ranks))
    calls = Calls(
        np.array(ranks),
        ["Allreduce"] * count,
        ["collective"] * count,
        zeros,
        zeros,
        np.full(count, 800),
        [""] * count,
        zeros,
        zeros,
        zeros,
    )
    seconds = 1.0 + 0.1 * steps / size if seconds is None else seconds
    return Run("it", ({"seconds": seconds, "costs": [1.0]},) * size, Trace(calls, 1.0, (0.5,) * size))


def explained(monkeypatch, free, run=made_run, sent=SENT):
    monkeypatch.setattr(scaling, "count_free_cores", free if callable(free) else lambda: free)
    note = Note()
    problem = ""
    try:
        scaling.explain(scaling.Training(run, 10), sent, note)
    except NotMeasured as error:
        problem = str(error)
    return SimpleNamespace(facts=note.facts, problem=problem, said=" ".join(one.message for one in note.remarks))


def test_efficiency_is_measured_as_far_as_cores_are_free(monkeypatch):
    found = explained(monkeypatch, free=4)
    assert found.problem == ""
    efficiency = found.facts["efficiency_percent"]
    assert efficiency["ranks"] == [1, 2, 4, 8]
    assert efficiency["measured"] == [100.0, pytest.approx(100 * 2 / 1.5 / 2, abs=0.1), pytest.approx(40.0), None]
    assert efficiency["measured"][:3] == efficiency["Amdahl's law"][:3]
    assert found.facts["serial_percent"] == 50.0
    assert all(
        one < other for one, other in zip(efficiency["α-β model"][1:], efficiency["Amdahl's law"][1:], strict=True)
    )


def test_without_two_free_cores_the_models_are_drawn_alone(monkeypatch):
    found = explained(monkeypatch, free=1)
    assert "as many free cores as ranks; free here: 1 of" in found.problem
    assert "measured" not in found.facts["efficiency_percent"]
    assert "speedup" not in found.facts


def test_a_time_that_others_disturbed_by_then_does_not_count(monkeypatch):
    found = explained(monkeypatch, free=iter([8, 8, 3]).__next__)
    assert [one is None for one in found.facts["efficiency_percent"]["measured"]] == [False, False, True, True]


def test_each_rank_pays_for_its_half_of_a_traced_call(monkeypatch):
    facts = explained(monkeypatch, free=1, sent={**SENT, "traced_s": 0.2}).facts
    assert facts["traced_call_us"] == 100_000
    assert facts["efficiency_percent"]["α-β model"][1] == pytest.approx(100 * 2 / (1.0 + 10 * 0.15) / 2, abs=0.1)


def test_the_simulation_reaches_4096_ranks(monkeypatch):
    simulated = explained(monkeypatch, free=1).facts["simulated_step_s"]
    assert simulated["ranks"] == [64, 128, 256, 512, 1024, 2048, 4096]
    assert simulated["computing"][0] == pytest.approx(0.1 / 64)
    assert (
        simulated["parameter server"][-1] > simulated["ring"][-1] > simulated["tree"][-1] > simulated["computing"][-1]
    )
    assert "is fastest by tree on 4096 ranks" in explained(monkeypatch, free=1).said


@pytest.mark.parametrize("seconds", [1.0, float("nan"), -1.0, "1", None.__class__])
def test_what_is_no_time_of_a_training_is_not_measured(monkeypatch, seconds):
    found = explained(monkeypatch, 8, lambda size, steps: made_run(size, steps, seconds))
    assert "could not be timed" in found.problem
    assert found.facts == {}


NAN = float("nan")


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"library": [], "traced_s": 1.0},
        {"library": 3, "traced_s": 1.0},
        {"library": [(8, NAN), (1024, 1.0)], "traced_s": 1.0},
        {**SENT, "traced_s": NAN},
    ],
)
def test_what_is_no_time_of_messages_is_not_measured(monkeypatch, sent):
    assert "Messages between two ranks" in explained(monkeypatch, 8, sent=sent).problem


def test_free_cores_are_counted():
    assert 0 <= scaling.count_free_cores() <= 4096
