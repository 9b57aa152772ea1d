"""The JSON files of a batch: read strictly, written whole or not at all."""

import os
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from grader.assignment import load_assignment
from grader.course.model import Job, Store
from grader.course.people import Roster
from grader.errors import UsageError
from grader.intake.disk import write_atomically
from grader.model import Rubric
from grader.reports.files import valid_json
from grader.reports.story import listed
from grader.scoring.rubric import load_rubric

Record = TypeVar("Record")
_SHOWN = 5
_NOT_UTF8 = "\0"
"""Begins a path that is written as the digits of its bytes; no real one can begin so."""
_RENAMED = {"trouble": "problem", "errand": "regrade"}
"""Keys in the files of earlier versions."""


def write_record(path: Path, record: Any) -> Path:
    """Write `record`, a dataclass or struct, as indented JSON; `GraderError` if the disk refuses."""
    try:
        encoded = msgspec.json.encode(record, enc_hook=str, order="sorted")
    except UnicodeEncodeError:  # a file name of another encoding, as unpacked archives of other systems have
        encoded = msgspec.json.encode(valid_json(msgspec.to_builtins(record, enc_hook=_path_text)), order="sorted")
    return write_atomically(path, msgspec.json.format(encoded, indent=1) + b"\n")


def read_record(path: Path, kind: type[Record]) -> Record:
    """Return what `write_record` wrote; `UsageError` if there is no such file, or something else is in it."""
    try:
        raw = path.read_bytes()
    except FileNotFoundError as error:
        raise UsageError(_no_batch(path)) from error
    except OSError as error:
        raise UsageError(f"{path} cannot be read ({error.strerror}): name the folder of a batch") from error
    try:
        if any(f'"{old}"'.encode() in raw for old in _RENAMED):
            return msgspec.convert(_with_names_of_today(msgspec.json.decode(raw)), type=kind, dec_hook=_decode)
        return msgspec.json.decode(raw, type=kind, dec_hook=_decode)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise UsageError(f"{path} is not what a batch writes ({error}): delete it and run the batch again") from error


def _no_batch(path: Path) -> str:
    """Return why a file of a batch is not there, and which batches are."""
    if path != Store(path.parent).roster:
        return f"{path} is missing: name the folder of a batch, or run the batch again"
    folder = next(each for each in (path.parent, *path.parent.parents) if each.is_dir())
    names = sorted(each.name for each in folder.iterdir() if each.is_dir() and not each.name.startswith("."))
    there = f"{folder}/ has {listed(names, _SHOWN)}" if names else f"{folder}/ has no folder"
    batches = [str(folder / name) for name in names if Store(folder / name).roster.is_file()]
    named = f"; name a batch, such as {listed(batches, _SHOWN)}" if batches else "; make batch writes one"
    return f"there is no batch in {path.parent}/: {there}{named}"


def read_task(store: Store, key: str) -> Job:
    """Return what is to be graded for the hand-in `key`."""
    return read_record(store.task(key), Job)


def _with_names_of_today(value: Any) -> Any:
    """Return what an earlier version wrote, with the keys that this one reads."""
    if isinstance(value, list):
        return [_with_names_of_today(item) for item in value]
    if not isinstance(value, dict):
        return value
    renamed = {_RENAMED.get(key, key): _with_names_of_today(item) for key, item in value.items()}
    if isinstance(renamed.get("regrade"), str):
        renamed["regrade_id"] = renamed.pop("regrade")
    return renamed


def _path_text(path: Path) -> str:
    """Return a text that names the same file; one that is not UTF-8 becomes the digits of its bytes."""
    raw = os.fsencode(path)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return f"{_NOT_UTF8}{raw.hex()}"


def _decode(kind: type[Any], value: Any) -> Any:
    if kind is Path:
        is_hex = value.startswith(_NOT_UTF8)
        return Path(os.fsdecode(bytes.fromhex(value.removeprefix(_NOT_UTF8))) if is_hex else value)
    raise NotImplementedError(f"{kind.__name__} cannot be read from a batch's file")


def batch_rubric(store: Store) -> Rubric:
    """Return the rubric that the last rescoring named, else the assignment's own.

    Raises:
        UsageError: this is no batch, or nothing says of which assignment.
        StaffError: the rubric is wrong.
    """
    return load_rubric(store.rubric) if store.rubric.is_file() else load_assignment(batch_assignment(store)).rubric


def batch_assignment(store: Store) -> str:
    """Return the name of the batch's assignment, from the first task; raises as `batch_rubric`."""
    for handin in read_record(store.roster, Roster).handins:
        if store.task(handin.key).is_file():
            return read_task(store, handin.key).how.assignment
    raise UsageError(f"{store.root} has graded nothing yet: run the batch first.")
