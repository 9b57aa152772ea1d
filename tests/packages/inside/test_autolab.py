"""What Autolab reads: the last line, as its own code reads it, and the line before."""

import json
import re

import pytest
from hypothesis import given
from report_strategies import reports, unhurried
from rows import each
from sample_reports import SAMPLES, full_marks, hostile, mixed, refused

from grader.assignment import load_assignment
from grader.packages.autolab import list_problems
from grader.packages.inside import autolab


def read_scores(printed):
    """Return the scores as Autolab finds them: it quotes each word before a colon in the last line."""
    last = printed.rstrip().split("\n")[-1]
    return json.loads(re.sub(r"([a-zA-Z0-9]+):", r'"\1":', last))["scores"]


def read_stages(printed):
    document = json.loads(printed.rstrip().split("\n")[-2])
    assert document["_presentation"] == "semantic"
    return {name: document[name] for name in document["stages"]}


@unhurried
@given(reports())
def test_scores_are_the_reports_part_by_part(report):
    scores = read_scores(autolab.render(report))
    assert sum(scores.values()) == pytest.approx(report.score_low)
    assert set(scores) == set(list_problems(report.rubric))


@pytest.mark.parametrize("name", ["hw1", "layers", "gemm", "distributed"])
def test_no_problem_has_a_name_that_autolab_would_change(name):
    problems = list_problems(load_assignment(name).rubric)
    assert sum(problems.values()) == 100
    assert read_scores(json.dumps({"scores": problems})) == problems


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
    assert "this is no lost point" in stages["Part 2 - element-wise maximum"]["max.gpu.speedup"]["hint"]
    printed = autolab.render(refused())
    assert "zip the four files again" in " ".join(printed.split())
    assert set(read_scores(printed).values()) == {0}
    assert read_stages(printed) == {}


@each("name", [*SAMPLES])
def test_what_students_wrote_stays_in_its_line(name):
    """However a text ends or begins, the last two lines are ours, in ASCII."""
    printed = autolab.render(SAMPLES[name]())
    *_, semantic, scores = printed.splitlines()
    assert semantic.isascii()
    assert scores.isascii()
    assert read_scores(printed)
    read_stages(printed)
