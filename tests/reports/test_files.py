"""Reports on the disk: whole or not there, and never half of an old one; and evidence, read back as it was written."""

import base64
import errno
import json
import os
import re
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_strategies import evidences, unhurried, valid_texts
from rows import each
from sample_reports import RUBRIC, full_marks, hostile, mixed, one_mistake, passed, template

from grader.errors import GraderError, StaffError, UsageError
from grader.intake.disk import describe_unwritable
from grader.model import EVIDENCE_SCHEMA
from grader.reports import files
from grader.reports.files import decode, encode, read_record, write_record
from grader.scoring.score import score


def test_every_format_and_the_evidence_are_written(report, tmp_path):
    written = files.write_reports(report, tmp_path / "out" / "hw1")
    names = ["report.html", "staff.html", "junit.xml", "results.json", "evidence.json"]
    assert [path.name for path in written] == names
    assert sorted(path.name for path in (tmp_path / "out" / "hw1").iterdir()) == sorted(path.name for path in written)
    assert all(path.stat().st_size for path in written)


def test_a_second_report_replaces_the_first(tmp_path):
    files.write_reports(template(), tmp_path)
    written = files.write_reports(mixed(), tmp_path)
    assert decode(written[-1].read_bytes()).submission == mixed().evidence.submission
    assert mixed().score_text in (tmp_path / "report.html").read_text()


def test_an_output_folder_that_is_a_file_is_wrong_usage_and_a_full_disk_or_quota_is_not(tmp_path):
    (tmp_path / "out").write_text("not a folder")
    with pytest.raises(UsageError, match="choose another folder"):
        files.write_reports(mixed(), tmp_path / "out")
    for number in (errno.ENOSPC, errno.EDQUOT):
        assert type(describe_unwritable(tmp_path, OSError(number, os.strerror(number)))) is GraderError


def test_a_renderer_that_fails_leaves_the_old_reports_whole(tmp_path, monkeypatch):
    files.write_reports(template(), tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}

    def explode(_):
        raise RuntimeError

    monkeypatch.setitem(files.RENDERERS, "results.json", explode)
    with pytest.raises(RuntimeError):
        files.write_reports(mixed(), tmp_path)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_full_disk_leaves_the_old_file_whole_and_no_rest(tmp_path, monkeypatch):
    path = files.write_atomically(tmp_path / "results.json", b"old")

    def no_space(_):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(GraderError, match="No space left"):
        files.write_atomically(path, b"new")
    assert [found.read_bytes() for found in tmp_path.iterdir()] == [b"old"]
    with pytest.raises(GraderError, match="File name too long"):  # there is nothing to remove
        files.write_atomically(tmp_path / ("x" * 250), b"new")


def test_files_have_the_rights_that_the_user_asked_for(tmp_path):
    before = os.umask(0o027)
    try:
        path = files.write_atomically(tmp_path / "results.json", b"{}")
    finally:
        os.umask(before)
    assert path.stat().st_mode & 0o777 == 0o640


floats = st.floats(allow_nan=False, allow_infinity=False)
plain = st.one_of(st.integers(-(2**60), 2**60), floats, st.booleans(), st.none(), valid_texts)


@unhurried
@given(evidences(words=valid_texts, scalars=plain))
def test_what_was_written_is_read_back(evidence):
    assert decode(encode(evidence)) == evidence


@unhurried
@given(evidences())
def test_every_evidence_becomes_json_that_can_be_read_back(evidence):
    raw = encode(evidence)
    json.loads(raw.decode("utf-8"))
    assert encode(decode(raw)) == raw


def test_the_schema_stands_in_the_file_evidence_of_the_one_before_is_read_and_hostile_texts_survive():
    document = json.loads(encode(mixed().evidence))
    assert document["schema"] == EVIDENCE_SCHEMA
    for observation in document["observations"]:
        del observation["share"]
    old = decode(json.dumps({**document, "schema": 1}).encode())
    assert replace(old, schema=EVIDENCE_SCHEMA) == mixed().evidence
    assert score(old, RUBRIC).score_text == mixed().score_text
    assert "<script>" in decode(encode(hostile().evidence)).submission.name


def test_another_schema_is_refused_by_number_and_a_fact_that_json_cannot_hold_by_its_type():
    newer = replace(mixed().evidence, schema=EVIDENCE_SCHEMA + 1)
    with pytest.raises(StaffError, match=f"schema {EVIDENCE_SCHEMA + 1}"):
        decode(encode(newer))
    with pytest.raises(StaffError, match="object"):
        encode(with_fact(object()))


DAMAGED = (
    b"",
    b"\x80\x04\x95pickle",
    b"[]",
    b"{}",
    b'{"schema": "1"}',
    b'{"schema": 1}',
    b"[" * 100_000,
    b'{"schema": 1',
)


@each("raw", DAMAGED)
def test_what_is_no_evidence_is_a_sentence(raw):
    with pytest.raises(StaffError, match="grade the submission again"):
        decode(raw)


def with_fact(value):
    return replace(mixed().evidence, observations=(passed("a.first", facts={"value": value}),))


@each(
    "value, stored",
    *((float("nan"), None), (float("inf"), None), ("\ud800", "?"), ((1, 2), [1, 2])),
    *((np.float64(2.5), 2.5), (np.int64(7), 7), (np.array([1.5, np.nan]), [1.5, None])),
)
def test_values_that_json_lacks_become_the_nearest_that_it_has(value, stored):
    assert json.loads(encode(with_fact(value)))["observations"][0]["facts"] == {"value": stored}


@pytest.mark.parametrize("make", [full_marks, mixed, one_mistake])
def test_a_record_comes_back_without_the_source_and_needs_no_quotes_in_json_or_yaml(make):
    evidence = make().evidence
    files = tuple(replace(file, text="") for file in evidence.submission.files)
    expected = replace(evidence, submission=replace(evidence.submission, files=files))
    back = read_record(write_record(evidence))
    assert back.submission == expected.submission
    assert [seen.outcome for seen in back.observations] == [seen.outcome for seen in expected.observations]
    assert re.fullmatch(r"[A-Za-z0-9_=-]+", write_record(full_marks().evidence))


def test_what_is_no_record_or_one_that_is_cut_off_is_said_and_none_can_fill_the_memory():
    for text in ("", "no record", "ä", base64.urlsafe_b64encode(zlib.compress(b"{}")).decode()):
        with pytest.raises(StaffError):
            read_record(text)
    text = write_record(full_marks().evidence)
    with pytest.raises(StaffError, match="damaged"):
        read_record(text[: len(text) // 8 * 4])
    packing = zlib.compressobj(1)
    packed = b"".join(packing.compress(bytes(1 << 20)) for _ in range(100)) + packing.flush()
    with pytest.raises(StaffError, match="too large"):
        read_record(base64.urlsafe_b64encode(packed).decode())
