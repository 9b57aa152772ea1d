"""The files of a batch that hold the words of `model`: JSON, read strictly, written whole or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import msgspec

from grader.batch.model import Job
from grader.batch.store import Store
from grader.errors import UsageError
from grader.reports.files import write_atomically

Word = TypeVar("Word")


def write_record(path: Path, word: Any) -> Path:
    """Write `word`, one of the words of `model`, as indented JSON; `GraderError` if the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        msg = f"the folder {path.parent} cannot be made ({error.strerror}): choose another with --out"
        raise UsageError(msg) from error
    encoded = msgspec.json.encode(word, enc_hook=str, order="sorted")
    return write_atomically(path, msgspec.json.format(encoded, indent=1) + b"\n")


def read_record(path: Path, kind: type[Word]) -> Word:
    """Return what `write_record` wrote.

    Raises:
        UsageError: there is no such file, or something else is in it.
    """
    try:
        raw = path.read_bytes()
    except OSError as error:
        msg = f"{path} cannot be read ({error.strerror}): name the folder of a batch"
        raise UsageError(msg) from error
    try:
        return msgspec.json.decode(raw, type=kind, dec_hook=_decode)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        msg = f"{path} is not what a batch writes ({error}): delete it and run the batch again"
        raise UsageError(msg) from error


def read_task(store: Store, key: str) -> Job:
    """Return what is to be graded for the hand-in `key`."""
    return read_record(store.task(key), Job)


def _decode(kind: type[Any], value: Any) -> Any:
    if kind is Path:
        return Path(value)
    msg = f"{kind.__name__} is no word of a batch"
    raise NotImplementedError(msg)
