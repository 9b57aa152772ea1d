"""results.json in the form that PrairieLearn documents, whatever a student wrote."""

import base64
import json
import xml.etree.ElementTree as ET

from hypothesis import given
from report_strategies import reports, unhurried
from rows import each
from sample_reports import SAMPLES, full_marks, hostile, mixed, refused

from grader.packages.inside import prairielearn

LIMIT_BYTES = 1_000_000


def read(report):
    return json.loads(prairielearn.render(report))


def test_the_score_is_a_share_the_tests_add_up_to_it_and_a_refused_zip_costs_no_attempt():
    document = read(full_marks())
    assert document["gradable"] is True
    assert document["score"] == 0.83
    assert sum(test["points"] for test in document["tests"]) == 83
    assert sum(test["max_points"] for test in document["tests"]) == 100
    assert document["message"].startswith("83 to 100 of 100\n")
    document = read(refused())
    assert document == {"gradable": False, "format_errors": [document["format_errors"][0]]}
    assert "zip the four files again" in document["format_errors"][0]


@unhurried
@given(reports())
def test_no_report_leaves_the_format(report):
    document = read(report)
    assert 0 <= document.get("score", 0) <= 1
    for test in document.get("tests", ()):
        assert set(test) == {"name", "points", "max_points", "message"}
        assert 0 <= test["points"] <= test["max_points"]


def test_the_curve_of_accuracy_is_a_picture_of_its_own():
    (image,) = read(full_marks())["images"]
    assert image["label"] == "train.accuracy: accuracy after each epoch"
    kind, _, data = image["url"].partition(",")
    assert kind == "data:image/svg+xml;base64"
    picture = ET.fromstring(base64.b64decode(data))
    assert picture.tag == "{http://www.w3.org/2000/svg}svg"
    assert len([one for one in picture.iter() if one.tag.endswith("circle")]) == 5


def test_flags_are_for_tas_and_stay_away_and_no_text_can_be_obeyed_by_a_terminal():
    report = mixed()
    assert report.flags
    assert report.flags[0][1] not in prairielearn.render(report)
    assert read(report)["grader"]["provisional"] is True
    text = prairielearn.render(hostile())
    assert text.isascii()
    assert "\\u001b" not in text
    assert "\\u202e" not in text


@each("name", [*SAMPLES])
def test_every_sample_is_small_enough(name):
    assert len(prairielearn.render(SAMPLES[name]()).encode()) < LIMIT_BYTES
