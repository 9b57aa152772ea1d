"""What Autolab and PrairieLearn read, each as its own code or documents say, whatever a student wrote."""

import base64
import json
import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from report_strategies import reports, unhurried
from rows import each
from sample_reports import SAMPLES, full_marks, hostile, mixed, refused

from grader.assignment import load_assignment
from grader.kit.inside import autolab, prairielearn
from grader.kit.platforms import list_problems


def read_scores(printed):
    """Return the scores as Autolab finds them: it quotes each word before a colon in the last line."""
    return json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', printed.rstrip().split("\n")[-1]))["scores"]


def read_stages(printed):
    document = json.loads(printed.rstrip().split("\n")[-2])
    assert document["_presentation"] == "semantic"
    return {name: document[name] for name in document["stages"]}


@unhurried
@given(reports())
def test_scores_are_the_reports_part_by_part_and_no_report_leaves_the_format(report):
    scores = read_scores(autolab.render(report))
    assert sum(scores.values()) == pytest.approx(report.score_low)
    assert set(scores) == set(list_problems(report.rubric))
    document = read(report)
    assert 0 <= document.get("score", 0) <= 1
    for test in document.get("tests", ()):
        assert set(test) == {"name", "points", "max_points", "message"}
        assert 0 <= test["points"] <= test["max_points"]


@pytest.mark.parametrize("name", ["hw1", "layers", "gemm", "distributed"])
def test_no_problem_has_a_name_that_autolab_would_change(name):
    problems = list_problems(load_assignment(name).rubric)
    assert (sum(problems.values()), read_scores(json.dumps({"scores": problems}))) == (100, problems)


def test_the_text_is_the_table_that_a_terminal_shows_and_cannot_forge_scores():
    printed = autolab.render(full_marks())
    assert "Score: 83 to 100 of 100 (provisional)" in printed
    assert sum(read_scores(printed).values()) == 83
    assert set(read_scores(autolab.render(hostile())).values()) == {0}


def test_each_test_says_what_to_do_open_points_are_no_lost_ones_and_a_refused_zip_says_why():
    stages = read_stages(autolab.render(mixed()))
    batches = stages["Part 1 - neural network"]["utils.create_batches"]
    assert batches["passed"] is False
    assert "hint: When the samples do not divide evenly" in batches["hint"]
    assert stages["Part 1 - neural network"]["utils.zeros_biases"] == {"passed": True}
    assert "no point is lost" in stages["Part 2 - element-wise maximum"]["max.gpu.speedup"]["hint"]
    printed = autolab.render(refused())
    assert "zip the four files again" in " ".join(printed.split())
    assert (set(read_scores(printed).values()), read_stages(printed)) == ({0}, {})


@each("name", [*SAMPLES])
def test_what_students_wrote_stays_in_its_line_and_every_sample_is_small_enough(name):
    """However a text ends or begins, the last two lines are ours, in ASCII."""
    printed = autolab.render(SAMPLES[name]())
    *_, semantic, scores = printed.splitlines()
    assert semantic.isascii()
    assert scores.isascii()
    assert read_scores(printed)
    read_stages(printed)
    assert len(prairielearn.render(SAMPLES[name]()).encode()) < LIMIT_BYTES


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
