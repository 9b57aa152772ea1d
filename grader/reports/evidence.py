"""`evidence.json`: everything observed of one submission, enough to score it again without running anything."""

from __future__ import annotations

import json
import math
from typing import Any

import msgspec
import numpy as np

from grader.errors import StaffError
from grader.model import EVIDENCE_SCHEMA, Evidence

READ = (1, EVIDENCE_SCHEMA)
"""Schemas that can be read; in the first, no check gave a share of its points."""


class _Head(msgspec.Struct):
    schema: int


def encode(evidence: Evidence) -> bytes:
    """Return `evidence` as sorted, indented UTF-8 JSON.

    JSON knows neither NaN nor infinity nor lone surrogates: they become null and a question mark.

    Raises:
        StaffError: a check put something into its facts that JSON cannot hold.
    """
    plain = _plain(msgspec.to_builtins(evidence, enc_hook=_from_numpy))
    return json.dumps(plain, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def decode(raw: bytes) -> Evidence:
    """Return the evidence that `encode` wrote.

    Raises:
        StaffError: these bytes are no evidence, or of a schema that this version does not read.
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


def _plain(value: Any) -> Any:
    """Return `value` with every text and number in it made valid JSON."""
    match value:
        case str():
            return value.encode("utf-8", "replace").decode("utf-8") if not value.isascii() else value
        case float() if not math.isfinite(value):
            return None
        case dict():
            return {str(_plain(key)): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
    return value
