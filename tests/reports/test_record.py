import base64
import re
import zlib
from dataclasses import replace

import pytest
from sample_reports import full_marks, mixed, one_mistake

from grader.errors import StaffError
from grader.reports.record import read_record, write_record


@pytest.mark.parametrize("make", [full_marks, mixed, one_mistake])
def test_a_record_comes_back_without_the_source_and_needs_no_quotes_in_json_or_yaml(make):
    evidence = make().evidence
    files = tuple(replace(file, text="") for file in evidence.submission.files)
    expected = replace(evidence, submission=replace(evidence.submission, files=files))
    back = read_record(write_record(evidence))
    assert back.submission == expected.submission
    assert [seen.outcome for seen in back.observations] == [seen.outcome for seen in expected.observations]
    assert re.fullmatch(r"[A-Za-z0-9_=-]+", write_record(full_marks().evidence))


@pytest.mark.parametrize("text", ["", "no record", "ä", base64.urlsafe_b64encode(zlib.compress(b"{}")).decode()])
def test_what_is_no_record_is_said(text):
    with pytest.raises(StaffError):
        read_record(text)


def test_a_record_that_is_cut_off_is_said_and_none_can_fill_the_memory():
    text = write_record(full_marks().evidence)
    with pytest.raises(StaffError, match="damaged"):
        read_record(text[: len(text) // 8 * 4])
    packing = zlib.compressobj(1)
    packed = b"".join(packing.compress(bytes(1 << 20)) for _ in range(100)) + packing.flush()
    with pytest.raises(StaffError, match="too large"):
        read_record(base64.urlsafe_b64encode(packed).decode())
