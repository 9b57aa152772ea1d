"""The files of a report: all are rendered before the first is written, and each is written atomically.

`evidence.json` has all observations of one submission, enough to score it again without running anything.

For a platform that keeps results but no files, the evidence becomes one line of text, without source code. It is in the
platform's own result under the key `grader_record`, and so it is in the platform's export.
"""

import base64
import binascii
import json
import math
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from grader.errors import StaffError
from grader.intake.disk import write_atomically
from grader.model import EVIDENCE_SCHEMA, Evidence, Report
from grader.reports import gradescope, html, junit

RESULTS_FILE = "results.json"
RENDERERS: dict[str, Callable[[Report], str]] = {
    "report.html": html.render,
    "staff.html": html.render_staff,
    "junit.xml": junit.render,
    RESULTS_FILE: gradescope.render,  # the last of them: `grader.course.grades.sheets` relies on it
}
"""File of a report -> its renderer."""
EVIDENCE_FILE = "evidence.json"
READ = (1, EVIDENCE_SCHEMA)  # schemas that can be read; in schema 1, no failed check gave a share of its points


def write_reports(report: Report, folder: Path) -> tuple[Path, ...]:
    """Write all files of `report` into `folder`, each whole, and return their paths; `report.html` is the first.

    Raises as `write_atomically`.
    """
    contents = {name: render(report).encode() for name, render in RENDERERS.items()}
    contents[EVIDENCE_FILE] = encode(report.evidence)
    return tuple(write_atomically(folder / name, content) for name, content in contents.items())


class _Head(msgspec.Struct):
    schema: int


def encode(evidence: Evidence) -> bytes:
    """Return `evidence` as sorted, indented UTF-8 JSON.

    NaN and infinity become null, and lone surrogates a question mark, because JSON does not have them.

    Raises:
        StaffError: a check's facts have a value that JSON cannot represent.
    """
    plain = valid_json(msgspec.to_builtins(evidence, enc_hook=_from_numpy))
    return json.dumps(plain, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def decode(raw: bytes) -> Evidence:
    """Return the evidence that `encode` wrote.

    Raises:
        StaffError: these bytes are no evidence, or have a schema that this version does not read.
    """
    try:
        schema = msgspec.json.decode(raw, type=_Head).schema
        if schema in READ:
            return msgspec.json.decode(raw, type=Evidence)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StaffError(f"This is not an evidence file ({error}): grade the submission again.") from error
    raise StaffError(
        f"The evidence has schema {schema}, and this grader reads {READ[0]} to {READ[-1]}: grade the submission again."
    )


def _from_numpy(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    raise StaffError(
        f"A check's facts hold a {type(value).__name__}, which JSON cannot: use numbers, texts, lists and dicts."
    )


def valid_json(value: Any) -> Any:
    """Return `value` with every text and number in it made valid JSON."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8") if not value.isascii() else value
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {str(valid_json(key)): valid_json(item) for key, item in value.items()}
        case list() | tuple():
            return [valid_json(item) for item in value]
    return value


KEY = "grader_record"
_MOST_BYTES = 64 << 20


def write_record(evidence: Evidence) -> str:
    """Return `evidence`, without source code, as letters, digits, `-`, `_` and `=`."""
    files = tuple(replace(file, text="") for file in evidence.submission.files)
    small = replace(evidence, submission=replace(evidence.submission, files=files))
    return base64.urlsafe_b64encode(zlib.compress(encode(small), 9)).decode()


def read_record(text: str) -> Evidence:
    """Return the evidence that `write_record` wrote.

    Raises:
        StaffError: this is no record, or this version does not read its schema.
    """
    try:
        inflating = zlib.decompressobj()
        raw = inflating.decompress(base64.urlsafe_b64decode(text), _MOST_BYTES)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise StaffError(f"a record of a grading is damaged ({error}): export the results again") from error
    if not inflating.eof:
        raise StaffError("a record of a grading is damaged or too large: export the results again")
    return decode(raw)
