"""What stays of a check in the student's folder `out/`: the report as a page, and how the score has grown.

Nothing of it is handed in. A folder that cannot be written to costs no check: there is no page and no history then.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.errors import GraderError
from grader.kit.prediction import Prediction
from grader.model import Report
from grader.reports import html, write_atomically
from grader.reports.story import range_text

FOLDER, PAGE, HISTORY = "out", "report.html", "history.csv"
_HEADS = ("when", "points_at_least", "points_at_most", "of", "gpu_server", "ta")
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """One check of all: when, and the automatic points that the files would have got."""

    when: str
    low: float
    high: float
    of: float


def write_page(report: Report, folder: Path) -> Path | None:
    """Write the page that a TA sees of such a hand-in, without what only a TA sees; return where, None if it failed."""
    with suppress(GraderError, OSError):
        (folder / FOLDER).mkdir(exist_ok=True)
        return write_atomically(folder / FOLDER / PAGE, html.render(report).encode())
    return None


def add_to_history(prediction: Prediction, folder: Path, now: datetime) -> tuple[Entry, ...]:
    """Append a check of all to the history, if something changed since the last, and return the whole of it."""
    entries = read_history(folder)
    new = Entry(now.isoformat(" ", "minutes"), prediction.low, prediction.high, prediction.automatic)
    if entries and (entries[-1].low, entries[-1].high, entries[-1].of) == (new.low, new.high, new.of):
        return entries
    line = [new.when, *(f"{value:g}" for value in (new.low, new.high, new.of, prediction.gpu, prediction.marked))]
    path = folder / FOLDER / HISTORY
    with suppress(GraderError, OSError):
        path.parent.mkdir(exist_ok=True)
        before = path.read_text("utf-8") if entries else _as_csv(_HEADS)
        write_atomically(path, (before + _as_csv(line)).encode())
    return (*entries, new)


def read_history(folder: Path) -> tuple[Entry, ...]:
    """Return the checks so far, the oldest first; none if there is no history or somebody has made it unreadable."""
    try:
        rows = list(csv.DictReader((folder / FOLDER / HISTORY).read_text("utf-8").splitlines()))
        return tuple(
            Entry(row["when"], float(row["points_at_least"]), float(row["points_at_most"]), float(row["of"]))
            for row in rows
        )
    except (OSError, ValueError, KeyError, TypeError, csv.Error):
        return ()


def history_line(entries: Sequence[Entry]) -> str:
    """Return how the points have grown, in one line; empty for the first check."""
    if len(entries) < 2:  # noqa: PLR2004 - one point is no history
        return ""
    shown = [range_text(entry.low, entry.high) for entry in entries[-_SHOWN:]]
    more = "… " if len(entries) > _SHOWN else ""
    return f"So far: {more}{', then '.join(shown)} of {entries[-1].of:g}, since {entries[-len(shown)].when}."


def _as_csv(cells: Sequence[str]) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
