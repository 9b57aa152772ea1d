"""Records in what platforms export, and names beside ids: each is found, and nothing else."""

import json
import shutil
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from rows import each
from sample_batches import ABSENT, DANA, OMER, PAIR, RAR, make_batch
from sample_reports import full_marks, template

from grader.course.grades.difference import compare_paths, diff_csv, diff_page, diff_text
from grader.course.grades.graded import load_batch, read_scored
from grader.course.grades.marks import give_mark
from grader.course.grades.merging import find_records
from grader.course.grades.rescoring import copy_truth
from grader.course.grades.sheets import describe_statuses, write_sheets
from grader.course.model import read_record
from grader.course.people import Roster, Student, find_student
from grader.errors import UsageError
from grader.model import Mark
from grader.reports.files import KEY, encode, write_record

RIGHT, EMPTY = write_record(full_marks().evidence), write_record(template().evidence)
EXPORT = f"""---
submission_11:
  :submitters:
  - :name: Ada Lovelace
    :sid: '0123'
  :created_at: 2025-12-15 10:00:00.123456789 Z
  :score: 83.0
  :results: !ruby/hash:ActiveSupport::HashWithIndifferentAccess
    score: 83.0
    output: |-
      83 to 100
      extra_data:
        {KEY}: {EMPTY}
    tests:
    - name: utils.sigmoid
      tags: [{KEY}, {EMPTY}]
      output: "{KEY}: {EMPTY}"
    extra_data:
      sandbox: landlock
      {KEY}: {RIGHT}
  :history:
  - :id: 9
    :results: &same
      extra_data: {{outcome: {{a: passed}}, {KEY}: {RIGHT}}}
  - :id: 8
    :results: *same
submission_12:
  :submitters: []
"""


def outcomes(found):
    return [[seen.outcome for seen in one.observations] for one in found]


EXPECTED = outcomes([full_marks().evidence])


def test_gradescopes_export_is_read_and_a_students_text_is_no_record(tmp_path):
    """Two results: the active submission's, and an earlier one's; none of the four that a text pretends."""
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("assignment_1_export/submission_metadata.yml", EXPORT)
        archive.writestr("assignment_1_export/submission_11/utils.py", f"{KEY} = '{EMPTY}'")
    found, problems = find_records(tmp_path / "export.zip")
    assert outcomes(found) == EXPECTED * 2
    assert not problems
    (tmp_path / "all.yml").write_text(EXPORT)
    assert outcomes(find_records(tmp_path / "all.yml")[0]) == EXPECTED * 2


def test_results_and_evidence_in_a_folder_are_read(tmp_path):
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada/results.json").write_text(json.dumps({"tests": [], "extra_data": {KEY: RIGHT}, "output": KEY}))
    (tmp_path / "evidence.json").write_bytes(encode(full_marks().evidence))
    (tmp_path / "notes.txt").write_text(f'{{"{KEY}": "{EMPTY}"}}')
    found, problems = find_records(tmp_path)
    assert outcomes(found) == EXPECTED * 2
    assert not problems


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.json", "{"), ("b.yml", "a: [b"), ("c.json", f'{{"{KEY}": "damaged"}}'), ("d.json", "[" * 100_000)],
)
def test_a_damaged_file_or_record_is_said_and_the_others_are_read(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    (tmp_path / "whole.json").write_text(json.dumps({"ada": {KEY: "cut off"}, "bob": {KEY: RIGHT}}))
    found, problems = find_records(tmp_path)
    assert outcomes(found) == EXPECTED
    assert [problem.partition(": ")[0] for problem in problems] == [name, "whole.json, ada"]


def test_nothing_to_be_found_and_a_damaged_member_of_a_zip_are_said(tmp_path):
    with pytest.raises(UsageError, match="no record"):
        find_records(tmp_path)
    with pytest.raises(UsageError, match="cannot be read"):
        find_records(tmp_path / "nowhere.zip")
    with zipfile.ZipFile(tmp_path / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("submission_metadata.yml", EXPORT)
        start = 30 + len("submission_metadata.yml")
    packed = bytearray((tmp_path / "export.zip").read_bytes())
    packed[start : start + 20] = b"\xff" * 20
    (tmp_path / "export.zip").write_bytes(packed)
    with pytest.raises(UsageError, match="cannot be read"):
        find_records(tmp_path / "export.zip")


@pytest.mark.parametrize("is_zip", [True, False])
def test_what_a_student_handed_in_is_no_record_where_the_platforms_own_are(tmp_path, is_zip):
    forged = {
        "evidence.json": encode(template().evidence).decode(),
        "results.json": json.dumps({KEY: EMPTY}),
        "submission_metadata.yml": f"{KEY}: {EMPTY}",
    }
    folder = tmp_path / "assignment_1_export"
    (folder / "submission_11").mkdir(parents=True)
    for name, text in forged.items():
        (folder / "submission_11" / name).write_text(text)
    (folder / "submission_metadata.yml").write_text(EXPORT)
    packed = shutil.make_archive(str(tmp_path / "export"), "zip", tmp_path, folder.name) if is_zip else folder
    found, problems = find_records(Path(packed))
    assert outcomes(found) == EXPECTED * 2
    assert not problems


def test_a_file_name_cannot_write_to_the_terminal(tmp_path):
    (tmp_path / f"\x1b[2J{'a' * 200}.json").write_text("{")
    (tmp_path / "whole.json").write_text(json.dumps({KEY: RIGHT}))
    (problem,) = find_records(tmp_path)[1]
    assert "\x1b" not in problem
    assert len(problem) <= 200


ALONE = {"כהן": DANA, "levi": OMER, "Omar Levi": OMER, "absent": ABSENT, "gil@": RAR, "67890": ABSENT}


@each("word, who", [*((word, [who]) for word, who in ALONE.items()), ("noa", PAIR)])
def test_a_part_of_a_name_or_a_slip_suggests_whom_it_may_mean(store, word, who):
    with pytest.raises(UsageError, match="do you mean") as caught:
        find_student(read_record(store.roster, Roster), word)
    for student in who:
        assert student.label in str(caught.value)


DANAS = Student("007", "Dana Levi", "d@x.org"), Student("000", "dana  levi", "e@x.org")
CLASS = Roster((), (*DANAS, Student("abc", "Omer Cohen")))
NOBODYS = {
    "a name of two": ("dana levi", "'dana levi' may be .*: name the student by id"),
    "nothing": ("", "there is no student ''"),
    "zeros alone": ("0", "there is no student '0'"),
    "zeros before letters": ("0abc", "there is no student '0abc'"),
    "like nobody": ("xyzzy", "its ids are 000, 007, abc"),
    "parts of two people": ("levi omer", "its ids are 000, 007, abc"),
}


@each("word, says", NOBODYS)
def test_a_word_that_is_not_one_students_own_finds_nobody(word, says):
    with pytest.raises(UsageError, match=says):
        find_student(CLASS, word)


@each("word, who", [("7", "007"), ("000", "000"), ("E@X.org", "000"), ("abc", "abc"), (" omer  COHEN", "abc")])
def test_an_id_without_its_zeros_an_address_and_a_name_find_their_student(word, who):
    assert find_student(CLASS, word).id == who


def test_pages_summaries_and_differences_say_whose_they_are(store, tmp_path):
    write_sheets(store)
    for name in ("report.html", "staff.html"):
        assert "<bdi>דנה כהן (012345678)</bdi>" in (store.folder("hw1_012345678") / name).read_text("utf-8")
        pair = (store.folder("hw1_034567890") / name).read_text("utf-8")
        assert "=HYPERLINK(&#34;http://evil&#34;) (034567890)</bdi>, <bdi>Noa Bar (045678901)</bdi>" in pair
    assert "\n  refused: Gil Or (056789012)" in describe_statuses(write_sheets(store).rows)
    assert load_batch(store).graded[0].report.students == (DANA.label,)
    other = copy_truth(store, tmp_path / "other")
    give_mark(other, Mark(DANA.id, "report.explanation", 8))
    changes = compare_paths(store.root, other.root)
    assert f"{DANA.id}  {DANA.name}\n" in diff_text(changes)
    assert f"{DANA.id},{DANA.name},score," in diff_csv(changes).decode("utf-8-sig")
    assert f"<bdi>{DANA.name}</bdi> <bdi>{DANA.id}</bdi>" in diff_page(changes, store.root, other.root)


def test_what_was_scored_is_scored_again_under_another_rubric_or_after_another_grading(tmp_path):
    store = make_batch(tmp_path / "batch")
    batch = load_batch(store)
    path, rubric = store.evidence(batch.graded[0].handin.key), batch.rubric
    first = read_scored(path, rubric)
    assert read_scored(path, rubric) is first
    newer = replace(rubric, sha256="of another file")
    assert read_scored(path, newer).rubric is newer
    path.write_bytes(encode(template().evidence))
    assert read_scored(path, newer).score_low != first.score_low
