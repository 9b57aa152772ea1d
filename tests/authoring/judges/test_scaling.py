"""What could run in parallel, and scaling of a training that is made up: facts for reports, and a sentence."""

from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader.authoring import Note, NotMeasured, Run, WorkerError
from grader.authoring.judges import scaling
from grader.authoring.judges.ranks import Calls, Trace
from grader.worker.runs import Answer

SENT = {"library": [(8, 1e-6), (1024, 2e-6), (1 << 20, 1e-3)], "traced_s": 2e-4}


def made_run(size, steps, seconds=None):
    """Return a run of 1 s and 0.1 s a step, divided among the ranks; each step reduces 800 bytes."""
    ranks = [rank for rank in range(size) for _ in range(steps)]
    count, zeros = len(ranks), np.zeros(len(ranks))
    named = ["Allreduce"] * count, ["collective"] * count
    calls = Calls(np.array(ranks), *named, zeros, zeros, np.full(count, 800), [""] * count, zeros, zeros, zeros)
    seconds = 1.0 + 0.1 * steps / size if seconds is None else seconds
    return Run("it", ({"seconds": seconds, "costs": [1.0]},) * size, Trace(calls, 1.0, (0.5,) * size, (0,) * size))


def scaling_explained(monkeypatch, free, run=made_run, sent=SENT):
    monkeypatch.setattr(scaling, "count_free_cores", free if callable(free) else lambda: free)
    note, problem = Note(), ""
    try:
        scaling.explain(scaling.Training(run, 10), sent, note)
    except NotMeasured as error:
        problem = str(error)
    return SimpleNamespace(facts=note.facts, problem=problem, said=" ".join(one.message for one in note.remarks))


def test_efficiency_is_measured_as_far_as_cores_are_free(monkeypatch):
    found = scaling_explained(monkeypatch, free=4)
    assert found.problem == ""
    efficiency = found.facts["efficiency_percent"]
    assert efficiency["ranks"] == [1, 2, 4, 8]
    assert efficiency["measured"] == [100.0, pytest.approx(100 * 2 / 1.5 / 2, abs=0.1), pytest.approx(40.0), None]
    assert efficiency["measured"][:3] == efficiency["Amdahl's law"][:3]
    assert found.facts["serial_percent"] == 50.0
    pairs = zip(efficiency["α-β model"][1:], efficiency["Amdahl's law"][1:], strict=True)
    assert all(one < other for one, other in pairs)


def test_without_free_cores_the_models_are_drawn_alone_and_disturbed_times_do_not_count(monkeypatch):
    found = scaling_explained(monkeypatch, free=1)
    assert "as many free cores as ranks; free here: 1 of" in found.problem
    assert "measured" not in found.facts["efficiency_percent"]
    assert "speedup" not in found.facts
    found = scaling_explained(monkeypatch, free=iter([8, 8, 3]).__next__)
    assert [one is None for one in found.facts["efficiency_percent"]["measured"]] == [False, False, True, True]


def test_each_rank_pays_for_its_half_of_a_traced_call(monkeypatch):
    facts = scaling_explained(monkeypatch, free=1, sent={**SENT, "traced_s": 0.2}).facts
    assert facts["traced_call_us"] == 100_000
    assert facts["efficiency_percent"]["α-β model"][1] == pytest.approx(100 * 2 / (1.0 + 10 * 0.15) / 2, abs=0.1)


@pytest.mark.parametrize("seconds", [1.0, float("nan"), -1.0, "1", None.__class__])
def test_what_is_no_time_of_a_training_is_not_measured(monkeypatch, seconds):
    found = scaling_explained(monkeypatch, 8, lambda size, steps: made_run(size, steps, seconds))
    assert "could not be timed" in found.problem
    assert found.facts == {}


NAN = float("nan")


@each(
    "sent",
    *({}, {"library": [], "traced_s": 1.0}, {"library": 3, "traced_s": 1.0}),
    *({"library": [(8, NAN), (1024, 1.0)], "traced_s": 1.0}, {**SENT, "traced_s": NAN}),
)
def test_what_is_no_time_of_messages_is_not_measured(monkeypatch, sent):
    assert "Messages between two ranks" in scaling_explained(monkeypatch, 8, sent=sent).problem


def test_free_cores_are_counted():
    assert 0 <= scaling.count_free_cores() <= 4096


TEXT = {"Linear.backward": 48.67, "Linear.forward": 33.26, "ReLU.backward": 7.09, "ReLU.forward": 7.06}
TEXT |= {"Sigmoid.backward": 1.03, "Sigmoid.forward": 0.6}


def parts_explained(functions_s, total_s=100.0, cores=None, measured=None):
    note = Note()
    scaling.explain_parts({"total_s": total_s, "functions_s": functions_s}, cores or {"cores": 768}, measured, note)
    return note


def test_the_text_of_the_homework_comes_out_by_layer_and_without_a_gpu_nothing_is_measured():
    note = parts_explained(TEXT, measured=32.09)
    assert note.facts["parallel_parts_percent"] == {"Linear": 81.93, "ReLU": 14.15, "Sigmoid": 1.63}
    assert (note.facts["parallel_percent"], note.facts["speedup_bounds"]) == (97.71, {"768 cores": 41.37})
    assert note.facts["speedup_measured"] == 32.09
    (remark,) = note.remarks
    assert "97.71 % of the time lies in parts that can run in parallel: Linear 81.93, ReLU 14.15" in remark.message
    assert "at most 41.4 times as fast on 768 cores. Measured on the GPU: 32.1 times" in remark.message
    note = parts_explained(TEXT)
    assert "speedup_measured" not in note.facts
    assert "Measured" not in note.remarks[0].message


@each(
    "timed",
    *(None, {}, {"total_s": 1.0}, {"total_s": 1.0, "functions_s": {}}, {"total_s": 1.0, "functions_s": {"a.b": "1"}}),
    *({"total_s": 1.0, "functions_s": {"a.b": float("nan")}}, {"total_s": 1.0, "functions_s": {"a.b": -0.5}}),
    {"total_s": 1.0, "functions_s": {"a.b": 0.6, "a.c": 0.6}},
    *({"total_s": float("inf"), "functions_s": {"a.b": 0.6}}, {"total_s": "1", "functions_s": {"a.b": 0.6}}),
)
def test_what_can_be_no_time_is_not_measured(timed):
    with pytest.raises(NotMeasured):
        scaling.explain_parts(timed, {"cores": 2}, None, Note())


def staff(answer):
    def call(module, function, args):
        assert (module, function, args) == ("grader.timing.physics", "describe_gpu", ())
        if isinstance(answer, Exception):
            raise answer
        return Answer("it", answer)

    return SimpleNamespace(call=call)


@pytest.mark.parametrize(
    ("answer", "cores"),
    [({"cores": 768}, {"cores of this GPU": 768}), ({"cores": 0}, {}), (WorkerError(), {}), (NotMeasured(), {})],
)
def test_a_gpu_is_asked_for_its_cores_and_need_not_know(answer, cores):
    assert scaling.find_cores(staff(answer), "gpu") == cores


def test_without_a_gpu_the_cores_are_the_processors_and_no_staff_is_asked():
    ((words, cores),) = scaling.find_cores(staff(AssertionError()), "cpu").items()
    assert words == "cores of this processor"
    assert cores >= 1
