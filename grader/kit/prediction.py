"""Predicts the score of a hand-in in its present state; writes a report page and a history into the folder `out/`.

Nothing of that folder is handed in. If it cannot be written, page and history are missing; checks run all the same.
"""

import csv
import math
from collections.abc import Container, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from grader.errors import GraderError
from grader.intake.disk import write_atomically
from grader.model import Outcome, Report, Result
from grader.reports import html
from grader.reports.story import parts, range_text


@dataclass(frozen=True, slots=True)
class Prediction:
    """The range of the automatic part of the score, and the points that are decided elsewhere or not yet."""

    low: float
    high: float
    automatic: float  # the most points from all checks together, without the TA's part
    gpu: float  # points that only the GPU server can decide
    undecided: float  # points of checks that ran here but gave no decision
    not_run: float  # points of checks that did not run this time
    marked: float  # points that a TA gives
    marked_needs: tuple[str, ...] = ()  # checks that must pass before a TA gives points, and that do not pass

    @property
    def sentence(self) -> str:
        """The prediction, such as `74 to 81 of 90 automatic points; 7 wait for the GPU server; 10 are the TA's`."""
        rest = (
            (self.gpu, "waits for the GPU server", "wait for the GPU server"),
            (self.undecided, "is undecided here", "are undecided here"),
            (self.not_run, "was not looked at this time", "were not looked at this time"),
            (self.marked, "is the TA's", "are the TA's"),
        )
        clauses = [f"{points:g} {singular if points == 1 else plural}" for points, singular, plural in rest if points]
        if self.marked and self.marked_needs:
            clauses[-1] += f", once {' and '.join(self.marked_needs)} passes"
        return "; ".join([f"{range_text(self.low, self.high)} of {self.automatic:g} automatic points", *clauses])


def predict(report: Report) -> Prediction:
    """Return the prediction for the whole of `report`."""
    return _predict(report.results, report.evidence.by_check)


def predict_parts(report: Report) -> dict[str, str]:
    """Return name -> predicted points of each part that has points, in the rubric's order."""
    texts = {}
    for part in (part for part in parts(report) if part.points):
        predicted = _predict(part.results, report.evidence.by_check)
        marked = f", and {predicted.marked:g} from the TA" if predicted.marked else ""
        texts[part.name] = f"{range_text(predicted.low, predicted.high)} of {predicted.automatic:g}{marked}"
    return texts


def _predict(results: Sequence[Result], ran: Container[str]) -> Prediction:
    own = [result for result in results if not result.criterion.marked_by]
    opened = [result for result in own if result.outcome.is_open]
    unmeasured = [result for result in opened if result.outcome is Outcome.NOT_MEASURED]
    waiting = [result for result in unmeasured if result.criterion.hardware == "gpu"]
    here = [result for result in opened if result not in waiting]
    lost = [result for result in results if result.criterion.marked_by and result.outcome is Outcome.SKIPPED]
    return Prediction(
        low=math.fsum(result.points_low for result in own),
        high=math.fsum(result.points_high for result in own),
        automatic=_sum(own),
        gpu=_sum(waiting),
        undecided=_sum(result for result in here if result.criterion.id in ran),
        not_run=_sum(result for result in here if result.criterion.id not in ran),
        marked=_sum(result for result in results if result.criterion.marked_by),
        marked_needs=tuple(dict.fromkeys(need for result in lost for need in result.criterion.needs)),
    )


def _sum(results: Iterable[Result]) -> float:
    return math.fsum(result.criterion.points for result in results)


FOLDER, PAGE, HISTORY = "out", "report.html", "history.csv"
_HEADS = ("when", "points_at_least", "points_at_most", "of", "gpu_server", "ta")
_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Entry:
    """One run of all checks: its time, and the automatic points that the files would have got."""

    when: str
    low: float
    high: float
    of: float


def write_page(report: Report, folder: Path) -> Path | None:
    """Write the report page, without the parts that only TAs see; return its path, None if it cannot be written."""
    with suppress(GraderError, OSError):
        return write_atomically(folder / FOLDER / PAGE, html.render(report).encode())
    return None


def add_to_history(prediction: Prediction, folder: Path, now: datetime) -> tuple[Entry, ...]:
    """Append a run of all checks to the history, unless its points are those of the last run; return all entries."""
    entries = read_history(folder)
    new = Entry(now.isoformat(" ", "minutes"), prediction.low, prediction.high, prediction.automatic)
    if entries and (entries[-1].low, entries[-1].high, entries[-1].of) == (new.low, new.high, new.of):
        return entries
    line = [new.when, *(f"{value:g}" for value in (new.low, new.high, new.of, prediction.gpu, prediction.marked))]
    path = folder / FOLDER / HISTORY
    with suppress(GraderError, OSError):
        before = path.read_text("utf-8") if entries else f"{','.join(_HEADS)}\n"
        write_atomically(path, f"{before}{','.join(line)}\n".encode())
    return (*entries, new)


def read_history(folder: Path) -> tuple[Entry, ...]:
    """Return the runs so far, the oldest first; empty if there is no history or the file is damaged."""
    try:
        return tuple(
            Entry(row["when"], float(row["points_at_least"]), float(row["points_at_most"]), float(row["of"]))
            for row in csv.DictReader((folder / FOLDER / HISTORY).read_text("utf-8").splitlines())
        )
    except (OSError, ValueError, KeyError, TypeError, csv.Error):
        return ()


def history_line(entries: Sequence[Entry]) -> str:
    """Return how the points have changed, in one line; empty for the first run."""
    if len(entries) < 2:  # noqa: PLR2004 - one run is no history
        return ""
    shown = [range_text(entry.low, entry.high) for entry in entries[-_SHOWN:]]
    more = "… " if len(entries) > _SHOWN else ""
    return f"So far: {more}{', then '.join(shown)} of {entries[-1].of:g}, since {entries[-len(shown)].when}."
