"""The rubric file is edited by people: every slip gets one sentence, and none gets through."""

from pathlib import Path

import pytest
from rows import each

from grader.errors import StaffError
from grader.model import LateRule, Threshold, Timed
from grader.scoring.rubric import load_rubric, validate

HW1 = Path(__file__).parents[2] / "grader" / "assignments" / "hw1" / "rubric.toml"
HEAD = 'assignment = "demo"\ntitle = "A demonstration"\n'


def row(check="a.first", points=1, **keys):
    lines = [f'id = "{check}"', 'part = "Part 1"', f"points = {points}"]
    return "[[check]]\n" + "\n".join(lines + [f"{key} = {value}" for key, value in keys.items()]) + "\n"


def timed_row(key):
    return HEAD + "total = 1\n" + row(threshold=f'{{ fact = "s", at_least = 4, timed = {{ {key} }} }}')


@pytest.fixture
def load(tmp_path):
    def write_and_load(text):
        path = tmp_path / "rubric.toml"
        path.write_text(text, encoding="utf-8", errors="surrogateescape")
        return load_rubric(path)

    return write_and_load


def complaint(load, text):
    with pytest.raises(StaffError) as caught:
        load(text)
    return str(caught.value)


def test_a_row_has_defaults_for_everything_but_id_part_and_points_and_every_key_arrives(load):
    rubric = load(HEAD + "total = 1\n" + row())
    (only,) = rubric.criteria
    assert (only.visibility, only.needs, only.threshold, only.hardware, only.marked_by) == ("visible", (), None, "", "")
    assert (rubric.assignment, rubric.title, rubric.total) == ("demo", "A demonstration", 1)
    assert load(timed_row("budget_s = 40")).criterion("a.first").threshold.timed == Timed(budget_s=40)
    keys = {"visibility": '"hidden"', "needs": '["a.first"]', "hardware": '"gpu"', "marked_by": '"ta"'}
    second = row("a.second", 2.5, threshold='{ fact = "speedup", at_least = 40 }', **keys)
    found = load(HEAD + "total = 3.5\n" + row() + second).criterion("a.second")
    assert (found.points, found.visibility, found.needs) == (2.5, "hidden", ("a.first",))
    assert (found.threshold, found.hardware, found.marked_by) == (Threshold("speedup", at_least=40), "gpu", "ta")


def test_items_share_the_points_of_their_row_points_may_be_fractions_and_the_hash_tells_rubrics_apart(load):
    text = row(points=4.5, items='{ "explained" = 2, "a figure" = 1 }', marked_by='"ta"')
    assert load(HEAD + "total = 4.5\n" + text).criterion("a.first").items == {"explained": 3, "a figure": 1.5}
    text = HEAD + "total = 1\n" + row()
    assert load(text).sha256 == load(text).sha256 != load(text + "# a comment\n").sha256
    assert load(HEAD + "total = 0.3\n" + "".join(row(f"a.c{i}", 0.1) for i in range(3))).total == 0.3


MISTAKES = {
    "baseline the wrong way round": (
        timed_row("baseline = [1.5, 1.0]"),
        "baseline = [1.5, 1]; it has to be two positive numbers, the smaller one first",
    ),
    "budget beyond a check's time": (timed_row("budget_s = 40.5"), "budget_s = 40.5"),
    "verdicts that are never wrong": (timed_row("error_percent = 0"), "error_percent = 0"),
    "a flag from nowhere on": (timed_row("flagged_from = nan"), "flagged_from = nan"),
    "no toml": ("total 1", "is not valid TOML"),
    "bytes that are no text": ('assignment = "\udcff"', "is not valid TOML"),
    "no total": (HEAD + row(), "missing required field `total`"),
    "unknown key above": (HEAD + "total = 1\nbonus = 3\n" + row(), "unknown field `bonus`"),
    "unknown key in a row": (HEAD + "total = 1\n" + row(pionts=3), "unknown field `pionts`"),
    "wrong type": (HEAD + "total = 1\n" + row(points='"one"'), "id 'a.first'"),
    "row without an id": (HEAD + 'total = 1\n[[check]]\npart = "p"\npoints = 1\n', "check number 1"),
    "a word for a list": (HEAD + "total = 1\n" + row(needs='"a.second"'), "Expected `array`, got `str`"),
    "no rows": (HEAD + "total = 1\ncheck = []\n", "nothing to grade"),
    "id twice": (HEAD + "total = 2\n" + row() + row(), "a.first stands there twice"),
    "id without a dot": (HEAD + "total = 1\n" + row("sigmoid"), "'sigmoid' is no check id"),
    "id in capitals": (HEAD + "total = 1\n" + row("a.First"), "'a.First' is no check id"),
    "negative points": (HEAD + "total = -1\n" + row(points=-1), "points are 0 or more"),
    "nan points": (HEAD + "total = 1\n" + row(points="nan"), "points are 0 or more"),
    "infinite points": (HEAD + "total = inf\n" + row(points="inf"), "points are 0 or more"),
    "wrong sum": (HEAD + "total = 100\n" + row(points=99), "sum up to 99, but total = 100"),
    "a hundredth of a point": (HEAD + "total = 1\n" + row(points=0.99), "sum up to 0.99, but total = 1"),
    "unknown need": (HEAD + "total = 1\n" + row(needs='["a.secnod"]'), "a.first needs 'a.secnod'"),
    "needs itself": (HEAD + "total = 1\n" + row(needs='["a.first"]'), "circle: a.first → a.first"),
    "circle": (HEAD + "total = 2\n" + row(needs='["a.b"]') + row("a.b", needs='["a.first"]'), "in a circle"),
    "unknown visibility": (HEAD + "total = 1\n" + row(visibility='"secret"'), "after_published"),
    "unknown hardware": (HEAD + "total = 1\n" + row(hardware='"tpu"'), "hardware = 'tpu'"),
    "unknown marker": (HEAD + "total = 1\n" + row(marked_by='"robot"'), "marked_by = 'robot'"),
    "items of nobody": (HEAD + "total = 1\n" + row(items='{ "a" = 1 }'), "they need marked_by = 'ta'"),
    "an item below 0": (HEAD + "total = 1\n" + row(items='{ "a" = -1 }', marked_by='"ta"'), "more than 0"),
    "two bounds": (HEAD + "total = 1\n" + row(threshold='{ fact = "x", above = 1, at_least = 1 }'), "it has 2"),
    "no bound": (HEAD + "total = 1\n" + row(threshold='{ fact = "x" }'), "it has 0"),
    "nan bound": (HEAD + "total = 1\n" + row(threshold='{ fact = "x", above = nan }'), "finite number"),
    "unknown bound": (HEAD + "total = 1\n" + row(threshold='{ fact = "x", below = 1 }'), "unknown field `below`"),
}


@pytest.mark.parametrize(("text", "expected"), MISTAKES.values(), ids=MISTAKES)
def test_a_slip_is_one_sentence_that_names_it(load, text, expected):
    said = complaint(load, text)
    assert said.startswith("rubric.toml")
    assert expected in said
    assert said.endswith(".")
    assert "\n" not in said


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(StaffError, match=r"nowhere\.toml cannot be read"):
        load_rubric(tmp_path / "nowhere.toml")


@each(
    "ids, expected",
    (["a.first"], "no test carries the id a.second"),
    (["a.first", "a.second", "a.third"], "the test a.third has no row"),
    (["a.first", "a.second", "a.second"], "two tests carry the id a.second"),
)
def test_rows_and_tests_that_match_are_accepted_and_that_differ_are_a_staff_error(load, ids, expected):
    rubric = load(HEAD + "total = 2\n" + row() + row("a.second"))
    validate(rubric, ["a.second", "a.first"])
    with pytest.raises(StaffError, match=expected):
        validate(rubric, ids)


def test_homework_1_gives_the_points_of_its_contract_by_the_thresholds_of_its_sheet():
    rubric = load_rubric(HW1)
    points = {row.id: row.points for row in rubric.criteria}
    assert (rubric.total, len(points)) == (100, 28)
    assert (points["train.accuracy"], points["report.explanation"], points["max.gpu.speedup"]) == (11, 10, 7)
    shown = ["max.times", "max.shapes", "matmul.times", "matmul.shapes", "submission.code", "submission.files"]
    assert [name for name, worth in points.items() if worth == 0] == shown
    assert rubric.criterion("train.accuracy").threshold == Threshold("test_accuracy_percent", above=95)
    assert rubric.criterion("max.gpu.speedup").threshold == Threshold("speedup", at_least=40, timed=Timed())
    assert rubric.criterion("max.gpu.speedup").hardware == "gpu"
    assert rubric.criterion("report.explanation").marked_by == "ta"
    assert [*rubric.criterion("report.explanation").items.values()] == [2, 1, 1, 1, 2, 2, 1]


@each(
    "table, words",
    ("points_per_day = -1", "points_per_day = -1"),
    ("percent_per_day = nan", "percent_per_day = nan"),
    ("points_per_day = 5\npercent_per_day = 5", "keep one of them"),
    ("free_days = 3\nmax_days = 2", "raise max_days"),
    ("days_free = 3", "days_free"),
)
def test_a_late_table_that_cannot_be_is_one_sentence(load, table, words):
    assert words in complaint(load, HEAD + f"total = 1\n[late]\n{table}\n" + row())


def test_every_day_that_is_accepted_may_be_free_and_the_late_table_of_the_example_is_valid(load):
    text = HEAD + "total = 1\n[late]\nfree_days = 3\nmax_days = 3\n" + row()
    assert load(text).late == LateRule(free_days=3, max_days=3)
    text = HW1.read_text()
    for name in ("[late]", "free_days", "points_per_day", "max_days"):
        text = text.replace(f"# {name}", name, 1)
    assert load(text).late == LateRule(points_per_day=5, max_days=4)
