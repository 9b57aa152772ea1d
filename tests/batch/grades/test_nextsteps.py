"""The end of a batch, a rescoring or a merge says how everybody gets a grade, and the grades get to the platform."""

from rows import each
from sample_batches import DANA, HANDINS, make_batch

from grader.batch.grades.marks import give_mark
from grader.batch.grades.nextsteps import next_steps
from grader.batch.grades.sheets import set_publishing, write_sheets
from grader.model import Mark


def said(store):
    return "\n".join(next_steps(store, write_sheets(store)))


def test_without_a_gpu_both_ways_to_a_grade_are_named(tmp_path):
    text = said(make_batch(tmp_path / "two words"))
    assert "max.gpu.speedup: not measured for 1 student." in text
    assert f"make rescore BATCH='{tmp_path}/two words' ARGS='--provisional low'" in text
    assert f"make merge BATCH=<that batch> PROVISIONAL='{tmp_path}/two words'" in text


def test_the_lower_end_is_offered_where_a_platform_gets_it_until_it_does_and_else_stands_in_the_sheet(tmp_path):
    store = make_batch(tmp_path / "batch", platform="canvas")
    offered = f"make rescore BATCH={store.root} ARGS='--provisional low'"
    assert offered in said(store)
    set_publishing(store, provisional="low")
    assert offered not in said(store)
    assert "canvas.csv: what is open counts as 0 there" in said(store)
    store = make_batch(tmp_path / "batch", platform="folder")
    assert f"column `low` of {store.root / 'grades.csv'}: what is open counts as 0 there" in said(store)
    assert "--provisional" not in said(store)


def test_what_a_ta_has_decided_waits_for_no_gpu(tmp_path):
    store = make_batch(tmp_path / "batch", HANDINS[1:2])
    assert "1 student has no final grade yet" in said(store)
    for check, points in (("max.gpu.speedup", 7), ("report.explanation", 8)):
        give_mark(store, Mark(HANDINS[1][0][0].id, check, points))
    assert "0 students have no final grade yet" in said(store)
    assert "not measured" not in said(store)


WORDS = {"moodle": "--moodle worksheet.csv", "canvas": "--canvas gradebook.csv", "gradescope": "<its export>"}


@each("platform", [*WORDS])
def test_the_platform_that_the_hand_ins_came_from_is_named_and_no_other(tmp_path, platform):
    store = make_batch(tmp_path / platform, platform=platform)
    (line,) = (line for line in said(store).splitlines() if WORDS[platform] in line)
    assert f"BATCH={store.root}" in line
    assert [name for name, words in WORDS.items() if words.split()[0] in said(store)] == [platform]


def test_a_worksheet_that_is_there_is_to_be_uploaded(tmp_path):
    store = make_batch(tmp_path / "batch")
    sheet = tmp_path / "worksheet.csv"
    sheet.write_text(f"Identifier,Full name,Grade\nParticipant 101,{DANA.name},\n")
    set_publishing(store, moodle=sheet)
    assert f"upload {store.root / 'moodle.csv'}" in said(store)
    assert "--moodle" not in said(store)
