"""Records are found in what platforms export, and nowhere else."""

import json
import shutil
import zipfile
from pathlib import Path

import pytest
from sample_reports import full_marks, template

from grader.batch.grades.records import find_records
from grader.errors import UsageError
from grader.reports.evidence import encode
from grader.reports.record import KEY, write_record

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
def test_a_damaged_file_is_said_and_the_others_are_read(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    (tmp_path / "whole.json").write_text(json.dumps({KEY: RIGHT}))
    found, problems = find_records(tmp_path)
    assert outcomes(found) == EXPECTED
    assert problems[0].startswith(f"{name}: ")


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
