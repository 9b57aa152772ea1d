"""Records are read back as they were written, whatever files are called."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.batch.files import read_record, write_record
from grader.batch.job import Done
from grader.batch.planning import RegradeRequest, Settings
from grader.batch.store import Store
from grader.errors import UsageError
from grader.lms.model import Handin, Roster, Student


def handin(path, name="Dana"):
    return Handin("key", (Student("1", name),), path, "0" * 64)


@settings(deadline=None)  # a busy machine is no fault
@given(st.binary(min_size=1, max_size=12).filter(lambda raw: b"\0" not in raw))
def test_every_path_is_read_back(tmp_path_factory, raw):
    record = tmp_path_factory.getbasetemp() / "record.json"
    path = Path(os.fsdecode(b"/tmp/" + raw))
    write_record(record, handin(path))
    assert os.fsencode(read_record(record, Handin).path) == os.fsencode(path)


def test_a_name_that_utf8_cannot_hold_is_shown_with_a_question_mark(tmp_path):
    write_record(tmp_path / "record.json", handin(Path("/tmp/x"), "Dana \udce0"))
    assert read_record(tmp_path / "record.json", Handin).students[0].name == "Dana ?"


def test_where_there_is_no_batch_what_there_is_and_which_are_batches_is_said(tmp_path):
    for name in ("hw1", "submissions", ".hidden"):
        (tmp_path / "out" / name).mkdir(parents=True)
    out = Store(tmp_path / "out")
    with pytest.raises(UsageError, match=r"there is no batch in .*/out/: .*/out/ has hw1, submissions; make batch"):
        read_record(out.roster, Roster)
    write_record(Store(out.root / "hw1").roster, Roster(()))
    for root in (out.root, out.root / "hw7" / "deeper"):
        with pytest.raises(UsageError, match=rf"has hw1, submissions; name a batch, such as {out.root}/hw1$"):
            read_record(Store(root).roster, Roster)


@pytest.mark.parametrize("raw", [b"", b"{", b"[]", b'{"key": 1}', b"\xff"])
def test_a_damaged_record_is_one_sentence(tmp_path, raw):
    (tmp_path / "record.json").write_bytes(raw)
    with pytest.raises(UsageError, match=r"record\.json"):
        read_record(tmp_path / "record.json", Handin)


def test_files_of_an_earlier_version_are_read_by_the_names_that_they_have(tmp_path):
    (tmp_path / "job.json").write_text('{"errand": "0123", "trouble": "the disk was full"}')
    assert read_record(tmp_path / "job.json", Done) == Done(regrade_id="0123", problem="the disk was full")
    (tmp_path / "batch.json").write_text(
        '{"source": "s", "assignment": "hw1", "seed": 1, "how": {}, "errand": {"force": true, "id": "0123"}}'
    )
    assert read_record(tmp_path / "batch.json", Settings).regrade == RegradeRequest(force=True, id="0123")
