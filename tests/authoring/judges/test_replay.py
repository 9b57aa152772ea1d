"""Judges come to the same verdicts and sentences on what workers answered when it was recorded; no worker starts.

`tests/replay/__init__.py` says what is recorded, and what to do when a verdict or a question changes on purpose.
"""

import numpy as np
import pytest
from outcomes.cases import all_cases
from replay.arrays import question
from replay.store import RECORDED, read_expected, read_recording, replayed

RECORDING, EXPECTED = read_recording(), read_expected()
MOST_BYTES = 400_000


@pytest.fixture(scope="module")
def known():
    return {case.id: case for case in all_cases()}


@pytest.fixture(scope="module")
def arrays():
    return dict(RECORDING.arrays)


@pytest.mark.parametrize(
    ("name", "only", "exchanges"), [pytest.param(*case, id=case[0].replace(" ", "-")) for case in RECORDING.cases]
)
def test_the_verdict_on_what_was_recorded_stays(name, only, exchanges, known, arrays):
    assert replayed(known[name], only, exchanges, arrays) == EXPECTED[name]


def test_every_recorded_case_is_judged_without_an_error():
    assert {name for name, _, _ in RECORDING.cases} == set(EXPECTED)
    assert [line for lines in EXPECTED.values() for line in lines if line.split(":")[0].endswith(" error")] == []


def test_another_answer_is_another_verdict_and_a_question_that_was_not_recorded_an_error(known, arrays):
    name, only, exchanges = next(case for case in RECORDING.cases if "max.cpu" in case[1])
    empty = [
        [question, "answered", ["forged", *answer[1:]]] if how == "answered" else [question, how, answer]
        for question, how, answer in exchanges
    ]
    assert replayed(known[name], only, empty, arrays) != EXPECTED[name]
    name, only, _ = RECORDING.cases[0]
    assert any(" error" in line for line in replayed(known[name], only, [], arrays)[1:])


def test_a_question_of_another_machine_is_the_same_where_only_the_last_bit_differs():
    asked = np.linspace(0.1, 0.9, 7)
    assert question(np.nextafter(asked, 1)) == question(asked) != question(asked + 1e-3)


def test_the_recording_is_small():
    assert RECORDED.stat().st_size <= MOST_BYTES
