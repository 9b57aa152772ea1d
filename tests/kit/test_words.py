"""What the kit says: predictions, lines, and that a student's own text does nothing to the terminal."""

from dataclasses import replace

from rows import each

from grader.kit.dialogue import Style, check_lines, closing_lines
from grader.kit.prediction import predict, predict_parts
from grader.model import Criterion, Evidence, Finding, Observation, Outcome, Rubric, Run, Submission
from grader.scoring.score import score

ROWS = (
    *(Criterion("a.one", "Part A", 6), Criterion("a.two", "Part A", 4)),
    *(Criterion("a.fast", "Part A", 7, needs=("a.one",), hardware="gpu"), Criterion("r.pdf", "Report", 3)),
    *(Criterion("r.text", "Report", 10, needs=("r.pdf",), marked_by="ta"), Criterion("z.files", "Hand-in", 0)),
)
RUBRIC = Rubric("x", "Title", 30, ROWS)
GPU = {"a.fast": Outcome.NOT_MEASURED}


def report(outcomes=None, findings=None, left_out=()):
    outcomes, findings = GPU | (outcomes or {}), findings or {}
    ids = [row.id for row in ROWS if row.id not in left_out]
    seen = tuple(Observation(one, "It works.", outcomes.get(one, Outcome.PASSED), findings.get(one)) for one in ids)
    return score(Evidence(Submission("s", ""), Run("cpu", "digits", "none", 1, notes=("A note.",)), seen), RUBRIC)


def test_a_right_hand_in_waits_for_gpu_and_ta_and_the_end_says_the_score_the_next_step_and_the_notes():
    assert predict(report()).sentence == "13 to 20 of 20 automatic points; 7 wait for the GPU server; 10 are the TA's"
    parts = [("Part A", "10 to 17 of 17"), ("Report", "3 of 3, and 10 from the TA")]
    assert list(predict_parts(report()).items()) == parts
    made = report({"a.two": Outcome.FAILED}, {"a.two": BAD})
    lines = list(closing_lines(made, Style(plain=True), "python -m kit --only "))
    assert lines[1].startswith("Predicted: 9 to 16 of 20 automatic points;")
    assert "Part A: 6 to 13 of 17." in lines
    assert "Next: a.two. To see it alone: python -m kit --only a.two" in lines
    assert lines[-1] == "A note."


OPEN = "of 20 automatic points; 7 wait for the GPU server"
CASES = [
    ({"a.two": Outcome.FAILED}, (), f"9 to 16 {OPEN}; 10 are the TA's"),
    ({"a.one": Outcome.FAILED}, (), "7 of 20 automatic points; 10 are the TA's"),
    ({"a.two": Outcome.INCONCLUSIVE}, (), f"9 to 20 {OPEN}; 4 are undecided here; 10 are the TA's"),
    ({"r.pdf": Outcome.FAILED}, (), f"10 to 17 {OPEN}; 10 are the TA's, once r.pdf passes"),
    ({}, ("a.two",), f"9 to 20 {OPEN}; 4 were not looked at this time; 10 are the TA's"),
]


@each("outcomes, left_out, sentence", CASES)
def test_the_sentence_says_who_decides_what_is_open_and_with_a_tas_points_it_is_the_score(outcomes, left_out, sentence):
    made = report(outcomes, left_out=left_out)
    prediction = predict(made)
    assert prediction.sentence == sentence
    of_the_ta = 0 if prediction.marked_needs else prediction.marked
    assert (prediction.low, prediction.high + of_the_ta) == (made.score_low, made.score_high)


BAD = Finding("`f(3)` returned \033[2J4.", "9", "4\nand more", "Square it.", "a.py:7")


def shown(plain, colour=False, remembered=False, finding=BAD, outcome=Outcome.FAILED):
    made = report({"a.one": outcome}, {"a.one": finding})
    result = next(result for result in made.results if result.criterion.id == "a.one")
    return "\n".join(check_lines(result, Style(plain, colour), remembered=remembered))


def test_a_failure_says_all_of_it_a_finding_that_stands_above_is_not_said_twice_and_remarks_are_notes():
    lines = shown(plain=True).splitlines()
    assert "a.one: failed, 0 of 6 points." in lines
    assert {"expected: 9", "got:      4", "hint:     Square it.", "at:       a.py:7"} <= {*lines}
    made = report({"a.one": Outcome.FAILED, "a.two": Outcome.FAILED}, {"a.one": BAD, "a.two": BAD})
    told = {}
    first, second = ("\n".join(check_lines(row, Style(plain=True), told)) for row in made.results[:2])
    assert "Square it." in first
    assert second.splitlines() == ["a.two: failed, 0 of 4 points.", "The same as a.one above."]
    seen = replace(report().results[0].observation, remarks=(Finding("Slow.", got="3 s"), Finding("Long.")))
    notes = list(check_lines(replace(report().results[0], observation=seen), Style(plain=True)))[1:]
    assert notes == ["note: Slow. 3 s", "note: Long."]


def test_escapes_of_a_student_reach_no_terminal_and_ours_only_one_that_takes_colour():
    assert "\033" not in shown(plain=True)
    assert "\033" not in shown(plain=False)
    assert "\033[2J" not in shown(plain=False, colour=True)
    assert shown(plain=False, colour=True).startswith("\033[1;31m✗ failed")


def test_what_is_not_written_yet_is_no_failure_in_words_and_an_answer_from_the_last_run_says_so():
    text = "`f` raised NotImplementedError: a.py: fill in f(x)"
    finding = Finding(text, hint="This still stands as in the template.")
    assert shown(plain=True, finding=finding).splitlines() == ["a.one: to write, 0 of 6 points.", "a.py: fill in f(x)"]
    said = shown(plain=True, remembered=True, finding=None, outcome=Outcome.PASSED)
    assert "(as last time: the code is the same)" in said
