"""Waits until a file is saved: looks at sizes and times of change, which works on every system and disk."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

Stamp = tuple[int, int]
_EVERY_S = 0.3


def take_stamps(folder: Path, names: Sequence[str]) -> dict[str, Stamp]:
    """Return for each file of `names` that lies in `folder` its time of change in ns and its size in bytes."""
    stamps: dict[str, Stamp] = {}
    for name in names:
        try:
            status = (folder / name).stat()
        except OSError:
            continue
        stamps[name] = (status.st_mtime_ns, status.st_size)
    return stamps


def watch_files(
    folder: Path, names: Sequence[str], before: Mapping[str, Stamp], every_s: float = _EVERY_S
) -> Iterator[tuple[str, ...]]:
    """Yield, without end, the names of files that were saved, made or removed since `before`, once they are quiet.

    What happens while the caller works on one answer is seen in the next.
    """
    while True:
        time.sleep(every_s)
        now = take_stamps(folder, names)
        if now == before:
            continue
        while (later := _after(every_s, folder, names)) != now:  # an editor may write in several steps
            now = later
        changed = tuple(name for name in names if before.get(name) != now.get(name))
        before = now
        if changed:
            yield changed


def _after(wait_s: float, folder: Path, names: Sequence[str]) -> dict[str, Stamp]:
    time.sleep(wait_s)
    return take_stamps(folder, names)
