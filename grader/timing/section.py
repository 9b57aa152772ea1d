"""A timed section that counts: thrown away and repeated when the machine disturbed it, and then ours to answer for."""

from collections.abc import Callable
from typing import TypeVar

from grader.errors import WorkerError
from grader.timing.health import Health, disturbance

Came = TypeVar("Came")
_REPEATS = 2


def undisturbed(
    take: Callable[[], Came], observe: Callable[[], Health], find: Callable[[Health, Health], str] = disturbance
) -> tuple[Came, Health, tuple[str, ...]]:
    """Return what `take` came to, the machine's health after it, and what disturbed the attempts before.

    Raises:
        WorkerError: it was disturbed each time; the text says by what. Nobody loses a point for that.
    """
    reasons: list[str] = []
    while len(reasons) <= _REPEATS:
        before = observe()
        came, after = take(), observe()
        reason = find(before, after)
        if not reason:
            return came, after, tuple(reasons)
        reasons.append(reason)
    raise WorkerError(
        f"the measurement was disturbed {len(reasons)} times, at last because {reasons[-1]}: grade again later"
    )
