"""`roster.json`: who handed in what, so that sheets can be written again from the disk alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from grader.batch.model import Roster
from grader.batch.store import Store
from grader.errors import UsageError
from grader.reports.files import write_atomically


def write_roster(store: Store, roster: Roster) -> Path:
    """Write `roster` into the batch and return the file.

    Raises:
        GraderError: the disk refuses.
    """
    plain = msgspec.to_builtins(roster, enc_hook=_from_path)
    return write_atomically(store.roster, msgspec.json.format(msgspec.json.encode(plain), indent=1) + b"\n")


def read_roster(store: Store) -> Roster:
    """Return the roster of the batch.

    Raises:
        UsageError: there is none, or it is damaged.
    """
    try:
        tree = msgspec.json.decode(store.roster.read_bytes())
        return msgspec.convert(tree, Roster, dec_hook=_to_path)
    except OSError as error:
        why = f"it has no {store.roster.name} ({error.strerror})"
        message = f"{store.root} is no batch, {why}: name a folder that `grader batch` wrote."
        raise UsageError(message) from error
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        message = f"{store.roster} is damaged ({error}): run `grader batch` again, which finds the submissions anew."
        raise UsageError(message) from error


def _from_path(value: Any) -> Any:
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError(type(value))


def _to_path(kind: type, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise NotImplementedError(kind)
