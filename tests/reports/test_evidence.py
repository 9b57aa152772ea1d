"""Evidence on the disk is the truth: what is written is read back, and nothing else is."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_strategies import evidences, unhurried, valid_texts
from rows import each
from sample_reports import RUBRIC, hostile, mixed, passed

from grader.errors import StaffError
from grader.model import EVIDENCE_SCHEMA
from grader.reports.evidence import decode, encode
from grader.scoring.score import score

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


def test_the_schema_stands_in_the_file_and_evidence_of_the_one_before_is_still_read():
    document = json.loads(encode(mixed().evidence))
    assert document["schema"] == EVIDENCE_SCHEMA
    for observation in document["observations"]:
        del observation["share"]
    old = decode(json.dumps({**document, "schema": 1}).encode())
    assert replace(old, schema=EVIDENCE_SCHEMA) == mixed().evidence
    assert score(old, RUBRIC).score_text == mixed().score_text


def test_another_schema_is_refused_by_number_and_a_fact_that_json_cannot_hold_by_its_type():
    newer = replace(mixed().evidence, schema=EVIDENCE_SCHEMA + 1)
    with pytest.raises(StaffError, match=f"schema {EVIDENCE_SCHEMA + 1}"):
        decode(encode(newer))
    with pytest.raises(StaffError, match="object"):
        encode(with_fact(object()))


@each(
    "raw",
    {
        "empty": b"",
        "pickle": b"\x80\x04\x95pickle",
        "list": b"[]",
        "object": b"{}",
        "text schema": b'{"schema": "1"}',
        "head only": b'{"schema": 1}',
        "deep": b"[" * 100_000,
        "cut off": b'{"schema": 1',
    },
)
def test_what_is_no_evidence_is_a_sentence(raw):
    with pytest.raises(StaffError, match="grade the submission again"):
        decode(raw)


def with_fact(value):
    return replace(mixed().evidence, observations=(passed("a.first", facts={"value": value}),))


@each(
    "value, stored",
    [
        *((float("nan"), None), (float("inf"), None), ("\ud800", "?"), ((1, 2), [1, 2])),
        *((np.float64(2.5), 2.5), (np.int64(7), 7), (np.array([1.5, np.nan]), [1.5, None])),
    ],
)
def test_values_that_json_lacks_become_the_nearest_that_it_has(value, stored):
    assert json.loads(encode(with_fact(value)))["observations"][0]["facts"] == {"value": stored}


def test_hostile_texts_survive_as_texts():
    evidence = hostile().evidence
    assert "<script>" in decode(encode(evidence)).submission.name
