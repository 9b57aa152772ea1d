"""Hand-ins of layers: each mistake costs what it breaks, what is right keeps everything, and cheats gain nothing."""

import handins
from layers_handins import HAND_INS
import pytest


def test_the_reference_gets_every_point_that_can_be_measured_here(tmp_path):
    report = HAND_INS.graded_files(HAND_INS.reference_files(), tmp_path)
    assert HAND_INS.lost(report) == {}
    assert handins.errors(report) == []
    assert report.flags == ()
    facts = next(seen.facts for seen in report.evidence.observations if seen.check == "network.amdahl")
    assert [*facts["parallel_parts_percent"]] == ["Linear", "ReLU", "Sigmoid", "loss"]
    assert len(facts["functions_percent"]) == 3 * 3 + 2
    assert 0 < facts["parallel_percent"] <= 100
    assert [what.partition(" ")[2] for what in facts["speedup_bounds"]] == [
        "cores of this processor",
        "cores, as in the text",
    ]


@pytest.mark.wide
def test_the_template_gets_nothing(tmp_path):
    report = HAND_INS.graded_files(HAND_INS.template_files(), tmp_path)
    assert handins.errors(report) == []
    assert (report.score_low, report.score_high) == (0, 0)


@pytest.mark.wide
def test_a_missing_data_set_costs_its_own_check_only(tmp_path):
    files = HAND_INS.reference_files()
    del files["dataset.py"]
    report = HAND_INS.graded_files(files, tmp_path)
    assert handins.errors(report) == []
    assert HAND_INS.lost(report) == {"dataset.points": "failed"}


@pytest.mark.wide
def test_a_class_under_another_name_is_for_a_person(tmp_path):
    files = HAND_INS.reference_files()
    files["layers.py"] = files["layers.py"].replace(b"class Sigmoid:", b"class Sigmoids:")
    report = HAND_INS.graded_files(files, tmp_path)
    assert handins.errors(report) == []
    assert {*HAND_INS.lost(report).values()} == {"inconclusive"}


@pytest.mark.parametrize("change", handins.one_by_one(HAND_INS.changes("mistakes")))
def test_a_mistake_loses_what_it_breaks_and_nothing_else(change, tmp_path):
    report = HAND_INS.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert HAND_INS.lost(report) == change.losses(), HAND_INS.explained(report)


@pytest.mark.parametrize("change", handins.one_by_one(HAND_INS.changes("unusual")))
def test_what_is_right_keeps_everything_however_it_is_written(change, tmp_path):
    report = HAND_INS.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert HAND_INS.lost(report) == {}, HAND_INS.explained(report)
    assert report.flags == ()


@pytest.mark.parametrize("change", handins.one_by_one(HAND_INS.changes("attacks")))
def test_a_cheat_gains_nothing_without_a_flag(change, tmp_path):
    report = HAND_INS.graded_change(change, tmp_path)
    assert handins.errors(report) == []
    assert HAND_INS.lost(report) == change.losses(), HAND_INS.explained(report)
    assert {check for check, _ in report.flags} >= change.words("flagged")
    assert change.words("flagged") or change.losses()


@pytest.mark.parametrize("kind", ["mistakes", "unusual", "attacks"])
def test_every_case_is_python(kind):
    for change in HAND_INS.changes(kind):
        compile(change.applied(), change.target, "exec")
        assert kind == "unusual" or {"failed", "flagged", "opened"} & {*change.expected}
