"""What could run in parallel, and what that allows: facts for reports, and a sentence."""

from types import SimpleNamespace

import pytest
from rows import check_rows

from grader.authoring import Note, NotMeasured, WorkerError
from grader.authoring.judges import amdahl
from grader.worker.answers import Answer

TEXT = {"Linear.backward": 48.67, "Linear.forward": 33.26, "ReLU.backward": 7.09, "ReLU.forward": 7.06}
TEXT |= {"Sigmoid.backward": 1.03, "Sigmoid.forward": 0.6}


def explained(functions_s, total_s=100.0, cores=None, measured=None):
    note = Note()
    amdahl.explain({"total_s": total_s, "functions_s": functions_s}, cores or {"cores": 768}, measured, note)
    return note


def test_the_text_of_the_homework_comes_out_by_layer():
    note = explained(TEXT, measured=32.09)
    assert note.facts["parallel_parts_percent"] == {"Linear": 81.93, "ReLU": 14.15, "Sigmoid": 1.63}
    assert note.facts["parallel_percent"] == 97.71
    assert note.facts["speedup_bounds"] == {"768 cores": 41.37}
    assert note.facts["speedup_measured"] == 32.09
    (remark,) = note.remarks
    assert "97.71 % of the time lies in parts that can run in parallel: Linear 81.93, ReLU 14.15" in remark.message
    assert "at most 41.4 times as fast on 768 cores. Measured on the GPU: 32.1 times" in remark.message


def test_without_a_gpu_nothing_is_said_to_be_measured():
    note = explained(TEXT)
    assert "speedup_measured" not in note.facts
    assert "Measured" not in note.remarks[0].message


def test_what_can_be_no_time_is_not_measured():
    def check(timed):
        with pytest.raises(NotMeasured):
            amdahl.explain(timed, {"cores": 2}, None, Note())

    check_rows(
        check,
        [
            None,
            {},
            {"total_s": 1.0},
            {"total_s": 1.0, "functions_s": {}},
            {"total_s": 1.0, "functions_s": {"a.b": "1"}},
            {"total_s": 1.0, "functions_s": {"a.b": float("nan")}},
            {"total_s": 1.0, "functions_s": {"a.b": -0.5}},
            {"total_s": 1.0, "functions_s": {"a.b": 0.6, "a.c": 0.6}},
            {"total_s": float("inf"), "functions_s": {"a.b": 0.6}},
            {"total_s": "1", "functions_s": {"a.b": 0.6}},
        ],
    )


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
    assert amdahl.find_cores(staff(answer), "gpu") == cores


def test_without_a_gpu_the_cores_are_the_processors_and_no_staff_is_asked():
    ((words, cores),) = amdahl.find_cores(staff(AssertionError()), "cpu").items()
    assert words == "cores of this processor"
    assert cores >= 1
