"""The score that a hand-in would get as it is now: what is decided here, what waits for the server, what a TA gives."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from grader.model import Outcome, Report, Result
from grader.reports.story import parts, ran_checks, range_text


@dataclass(frozen=True, slots=True)
class Prediction:
    """Points between which the automatic part of the score will lie, and who decides the rest."""

    low: float
    high: float
    automatic: float
    """What all checks together can give, without the TA's part."""
    gpu: float
    """Points that only the GPU server can decide."""
    undecided: float
    """Points of checks that ran here and could not be decided."""
    not_run: float
    """Points of checks that did not run this time."""
    marked: float
    """Points that a TA gives."""
    marked_needs: tuple[str, ...] = ()
    """Checks that have to pass before a TA gives any, and do not."""

    @property
    def sentence(self) -> str:
        """As in `74 to 81 of 90 automatic points; 7 wait for the GPU server; 10 are the TA's`."""
        rest = (
            (self.gpu, "waits for the GPU server", "wait for the GPU server"),
            (self.undecided, "is undecided here", "are undecided here"),
            (self.not_run, "was not looked at this time", "were not looked at this time"),
            (self.marked, "is the TA's", "are the TA's"),
        )
        told = [f"{points:g} {one if points == 1 else many}" for points, one, many in rest if points]
        if self.marked and self.marked_needs:
            told[-1] += f", once {' and '.join(self.marked_needs)} passes"
        return "; ".join([f"{range_text(self.low, self.high)} of {self.automatic:g} automatic points", *told])


@dataclass(frozen=True, slots=True)
class PartPrediction:
    """The same for one part of the assignment, as two columns of text."""

    name: str
    text: str


def predict(report: Report) -> Prediction:
    """Return the prediction for the whole of `report`."""
    return _predict(report.results, ran_checks(report))


def predict_parts(report: Report) -> tuple[PartPrediction, ...]:
    """Return the prediction of each part that has points, in the rubric's order."""
    ran = ran_checks(report)
    return tuple(
        PartPrediction(part.name, _part_text(_predict(part.results, ran))) for part in parts(report) if part.points
    )


def _part_text(prediction: Prediction) -> str:
    text = f"{range_text(prediction.low, prediction.high)} of {prediction.automatic:g}"
    return f"{text}, and {prediction.marked:g} from the TA" if prediction.marked else text


def _predict(results: Iterable[Result], ran: frozenset[str]) -> Prediction:
    rows = list(results)
    own = [result for result in rows if not result.criterion.marked_by]
    opened = [result for result in own if result.outcome.is_open]
    waiting = [result for result in opened if _waits_for_gpu(result)]
    here = [result for result in opened if not _waits_for_gpu(result)]
    return Prediction(
        low=math.fsum(result.points_low for result in own),
        high=math.fsum(result.points_high for result in own),
        automatic=_sum(own),
        gpu=_sum(waiting),
        undecided=_sum(result for result in here if result.criterion.id in ran),
        not_run=_sum(result for result in here if result.criterion.id not in ran),
        marked=_sum(result for result in rows if result.criterion.marked_by),
        marked_needs=tuple(dict.fromkeys(need for result in rows for need in _lacking(result))),
    )


def _waits_for_gpu(result: Result) -> bool:
    return result.criterion.hardware == "gpu" and result.outcome is Outcome.NOT_MEASURED


def _lacking(result: Result) -> tuple[str, ...]:
    is_lost = result.criterion.marked_by and result.outcome is Outcome.SKIPPED
    return result.criterion.needs if is_lost else ()


def _sum(results: Iterable[Result]) -> float:
    return math.fsum(result.criterion.points for result in results)
