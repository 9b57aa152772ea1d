"""The evidence of one grading as a line of text, for a platform that keeps a result and no files.

It stands in the platform's own result under the key `grader_record`, and comes back in what the platform exports, as
JSON or YAML. Source code is left out: the platform has it.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from dataclasses import replace

from grader.errors import StaffError
from grader.model import Evidence
from grader.reports.evidence import decode, encode

KEY = "grader_record"
_MOST_BYTES = 64 << 20


def write_record(evidence: Evidence) -> str:
    """Return `evidence` as letters, digits, `-`, `_` and `=`."""
    files = tuple(replace(file, text="") for file in evidence.submission.files)
    small = replace(evidence, submission=replace(evidence.submission, files=files))
    return base64.urlsafe_b64encode(zlib.compress(encode(small), 9)).decode()


def read_record(text: str) -> Evidence:
    """Return the evidence that `write_record` wrote.

    Raises:
        StaffError: this is no record, or one that this version does not read.
    """
    try:
        inflating = zlib.decompressobj()
        raw = inflating.decompress(base64.urlsafe_b64decode(text), _MOST_BYTES)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise StaffError(f"a record of a grading is damaged ({error}): export the results again") from error
    if not inflating.eof:
        raise StaffError("a record of a grading is damaged or too large: export the results again")
    return decode(raw)
