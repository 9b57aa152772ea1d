"""Hand-ins of layers of their own: the reference, and another name; see `test_hand_ins` beside this folder."""

import handins
import pytest
from handins import LAYERS

pytestmark = pytest.mark.wide


def test_the_reference_gets_every_point_that_can_be_measured_here(tmp_path):
    report = LAYERS.graded_files(LAYERS.reference_files(), tmp_path)
    assert (LAYERS.lost(report), handins.errors(report)) == ({}, [])
    assert report.flags == ()
    facts = next(seen.facts for seen in report.evidence.observations if seen.check == "network.amdahl")
    assert [*facts["parallel_parts_percent"]] == ["Linear", "ReLU", "Sigmoid", "loss"]
    assert len(facts["functions_percent"]) == 3 * 3 + 2
    assert 0 < facts["parallel_percent"] <= 100
    bounds = [what.partition(" ")[2] for what in facts["speedup_bounds"]]
    assert bounds == ["cores of this processor", "cores, as in the text"]


def test_a_class_under_another_name_is_for_a_person(tmp_path):
    files = LAYERS.reference_files()
    files["layers.py"] = files["layers.py"].replace(b"class Sigmoid:", b"class Sigmoids:")
    report = LAYERS.graded_files(files, tmp_path)
    assert (handins.errors(report), {*LAYERS.lost(report).values()}) == ([], {"inconclusive"})
