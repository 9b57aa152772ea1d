"""Run a function on several ranks, watch their calls, and report the result.

Checks call `run_in_worker` in a worker, where a pool of ranks is kept for the next run unless a run goes wrong.
"""

import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.mpi import sentences
from grader.mpi.calls import At, Call, Done, Ended, Event, Record, Run, Wait
from grader.mpi.matching import DIED, RAISED, RETURNED, RUNNING, Matching, Misfit
from grader.mpi.pool import NotStarted, RankPool
from grader.worker import wire
from grader.worker.launcher import Settings
from grader.worker.sliced.calllog import current

HALT_AFTER_S = 2.0  # how long a rank may compute and call nothing while others wait for it
_COMPILING_S = 10.0  # the same if files use Numba: a rank may compile
_NUMBA = re.compile(rb"^\s*(import|from)\b.*\bnumba\b", re.MULTILINE)
_LOOK_S = 0.1
_LONGEST = 4  # how many times its limit a run may last if its ranks get hardly any processor time
_ANSWER_S = 0.3  # how long the coordinator waits for ranks to name their lines


@dataclass
class Result:
    """The result of one run."""

    problem: str = ""
    """In one word, empty if nothing is wrong: how calls do not match, as in `Misfit.what`; `halt`, `left` and `absent`
    if ranks wait for each other, for one that has ended, or for one that computes; `unreceived`; `died`; `raised`;
    `slow` if the time was up and ranks had hardly any processor; `not started`."""
    text: str = ""  # the same in a sentence
    seconds: float = 0.0
    values: dict[str, Any] = field(default_factory=dict)  # rank -> what the function returned
    raised: dict[str, Any] = field(default_factory=dict)  # rank -> type, text, location and line of its exception
    calls: dict[str, list[Any]] = field(default_factory=dict)  # a list per field of all calls, in the order they began
    unfollowed: dict[str, int] = field(default_factory=dict)  # name of a call not followed -> how often it was made
    refused: list[str] = field(default_factory=list)  # what slices asked for, and may not use
    cpu_s: list[float] = field(default_factory=list)
    received_bytes: list[int] = field(default_factory=list)  # how much each rank received from others, by any call


class _Coordinator:
    """One run of a pool."""

    def __init__(self, pool: RankPool, size: int, limit_s: float, halt_after_s: float) -> None:
        self.matching = Matching(size)
        self.outcome = Result()
        self._ended: dict[int, Ended] = {}
        self._pool, self._limit_s, self._halt_after_s = pool, limit_s, halt_after_s
        self._first_cpu_s: dict[int, float] = {}
        self._places: dict[int, str] = {}
        self._written_bytes: list[int] = []

    def watch(self) -> Result:
        """Watch until all ranks have ended, or none can go on."""
        began_s = last_s = time.monotonic()
        ranks = range(self.matching.size)
        self._first_cpu_s = cpu_s = {rank: self._pool.cpu_s(rank) for rank in ranks}
        while not self.matching.has_ended() and not self.outcome.problem:
            events, written_bytes = self._pool.listen(_LOOK_S), self._pool.written_bytes()
            has_moved, self._written_bytes = bool(events) or written_bytes != self._written_bytes, written_bytes
            if has_moved:
                last_s, cpu_s = time.monotonic(), {}
            elif not cpu_s:
                cpu_s = {rank: self._pool.cpu_s(rank) for rank in ranks}
            spent_s = time.monotonic() - began_s
            if events or not has_moved or spent_s > self._limit_s:  # else ranks that are busy are not disturbed
                self._take_all(events)
                self._look(time.monotonic() - last_s, spent_s, cpu_s)
        self._judge_end()
        self.outcome.seconds = time.monotonic() - began_s
        self._collect()
        return self.outcome

    def _take_all(self, events: list[tuple[int, Event | None]]) -> None:
        """Process what the ranks have written into their logs, and after it their messages."""
        for rank, news in [*self._pool.read_logs(), *events]:
            self._take(rank, news)
        self.matching.match()

    def _take(self, rank: int, event: Event | Record | None) -> None:
        match event:
            case Call():
                self.matching.begin(rank, event)
            case Wait():
                self.matching.wait(rank, event)
            case Done():
                self.matching.finish(rank, event)
            case Ended():
                self._ended[rank] = event
                self.matching.end(rank, RAISED if event.raised else RETURNED)
            case At():
                self._places[rank] = event.line
            case None if self.matching.state.get(rank) == RUNNING:
                self.matching.end(rank, DIED)

    def _look(self, quiet_s: float, spent_s: float, cpu_s: dict[int, float]) -> None:
        """End the run if calls do not match, if no rank can ever go on, or if the time is up."""
        running = self.matching.running()
        misfit = self.matching.misfit
        if misfit and (misfit.what != "operations" or not running or quiet_s > 2 * _LOOK_S):
            self._end_by(misfit)
        elif self.matching.is_stuck(quiet_s):
            is_alone = RETURNED in self.matching.state.values()
            self._end("left" if is_alone else "halt", sentences.explain_halt(self.matching, {}))
        elif (
            (self.matching.waiting or self.matching.inside) and self._is_absent(running, quiet_s, cpu_s)
        ) or self._is_over(running, spent_s):
            in_calls = self.matching.waits.keys() - self.matching.waiting.keys()  # until other ranks enter the library
            places = self._ask_places([rank for rank in running if rank not in in_calls] or running)
            self._end("absent", sentences.explain_halt(self.matching, places))
        elif spent_s > _LONGEST * self._limit_s:
            self._end("slow", f"after {spent_s:.0f} s the ranks had not come to an end, and had hardly any processor")

    def _is_absent(self, running: list[int], quiet_s: float, cpu_s: dict[int, float]) -> bool:
        """Return whether ranks had enough time and called nothing; this takes longer on a busy machine."""
        return quiet_s >= self._halt_after_s and all(
            self._pool.cpu_s(rank) - cpu_s[rank] > self._halt_after_s / 2 or self._pool.is_asleep(rank)
            for rank in running
        )

    def _is_over(self, running: list[int], spent_s: float) -> bool:
        """Return whether the time of the run is up, and a rank has had the processor for half of it."""
        had_s = (self._pool.cpu_s(rank) - self._first_cpu_s[rank] for rank in running)
        return spent_s > self._limit_s and max(had_s, default=0.0) > self._limit_s / 2

    def _ask_places(self, running: Sequence[int]) -> dict[int, str]:
        """Return the lines that these ranks execute; empty texts for ranks that do not answer."""
        self._places = dict.fromkeys(running, "")
        for rank in running:
            self._pool.ask_where(rank)
        deadline = time.monotonic() + _ANSWER_S
        while time.monotonic() < deadline and not all(self._places.values()):
            self._take_all(self._pool.listen(_ANSWER_S / 3))
        return self._places

    def _judge_end(self) -> None:
        died = [rank for rank, state in self.matching.state.items() if state == DIED]
        raised = [rank for rank, state in self.matching.state.items() if state == RAISED]
        if self.matching.misfit and not self.outcome.problem:
            self._end_by(self.matching.misfit)
        elif died:
            how = self._pool.how_it_ended(died[0])
            standings = sentences.describe_all(self.matching)
            self._end("died", f"Rank {died[0]} died: {how}; {standings}.")
        elif raised and self.outcome.problem in {"", "halt", "left", "absent", "slow"}:
            self._end("raised", sentences.describe_all(self.matching))
        elif not self.outcome.problem and self.matching.unreceived():
            self._end("unreceived", sentences.explain_unreceived(self.matching))
        elif not self.outcome.problem and self.matching.unjoined():
            self._end("left", sentences.explain_unjoined(self.matching))

    def _end_by(self, misfit: Misfit) -> None:
        self._end(misfit.what, sentences.explain_misfit(misfit, self.matching, self._pool.settings.submission))

    def _end(self, problem: str, text: str) -> None:
        self.outcome.problem, self.outcome.text = problem, text

    def _collect(self) -> None:
        outcome, ended = self.outcome, dict(sorted(self._ended.items()))
        for rank, end in ended.items():
            if end.value is not None:
                outcome.values[str(rank)] = wire.decode(end.value, self._pool.arenas[rank][1], copy=True)
            if end.raised is not None:
                fields = (end.raised.type_name, end.raised.text, end.raised.location, end.raised.line)
                outcome.raised[str(rank)] = list(fields)
        outcome.calls = _columns(self.matching)
        outcome.unfollowed = dict(Counter(self.matching.unfollowed()))
        outcome.refused = sorted({name for end in ended.values() for name in end.refused})
        last = [ended.get(rank, Ended()) for rank in range(self.matching.size)]  # a rank that died says nothing
        outcome.cpu_s = [end.cpu_s for end in last]
        outcome.received_bytes = [end.received_bytes for end in last]


_pools: dict[str, RankPool] = {}  # `Settings.slices` -> the ranks that are kept for the next run


def run(
    settings: Settings,
    ranks: int,
    function: tuple[str, str],
    arguments: Sequence[Any] = (),
    *,
    is_sealed: bool = True,
    limit_s: float = 15.0,
    halt_after_s: float = 0.0,
    pool_size: int = 0,
) -> Result:
    """Call `function(here, *arguments)` on some ranks, and return the result.

    `here` has the traced communicator, this rank and the number of ranks: see `grader.mpi.rank.Here`.

    Args:
        settings: The folder of the files whose lines are named in reports, and that of further modules; the device,
            which is empty if the program's imports decide.
        ranks: The number of ranks.
        function: Module and name.
        arguments: Data; the same for each rank.
        is_sealed: Whether a submission is graded: it can change nothing of MPI, and derive no class from it.
        limit_s: Wall time.
        halt_after_s: How long a rank may compute and call nothing while others wait for it; 0 for 2 s, or 10 s if a
            file of the program imports Numba.
        pool_size: How many ranks are started, if more than `ranks`; they are kept for the next run.
    """
    try:
        pool = _take_pool(settings, max(ranks, pool_size), ranks)
    except NotStarted as error:
        return Result("not started", str(error))
    compiles = any(_NUMBA.search(path.read_bytes()) for path in settings.submission.glob("*.py"))
    coordinator = _Coordinator(pool, ranks, limit_s, halt_after_s or (_COMPILING_S if compiles else HALT_AFTER_S))
    is_tidy = False
    try:
        pool.clear_logs()
        for rank in range(ranks):
            declared = wire.encode_args(arguments, pool.arenas[rank][0])
            pool.send(rank, Run(*function, args=declared, size=ranks, is_sealed=is_sealed))
        result = coordinator.watch()
        is_tidy = coordinator.matching.is_tidy()
    finally:
        if not is_tidy:
            _pools.pop(settings.slices).close()
    return result


def run_in_worker(
    is_sliced: bool, sizes: tuple[int, int], function: tuple[str, str], arguments: Sequence[Any], limit_s: float
) -> dict[str, Any]:
    """Run this worker's submission, or its slices, on `sizes[0]` ranks; `sizes[1]` ranks are started.

    Returns:
        The fields of the `Result`.
    """
    first, second, *_ = map(Path, sys.path)  # a worker puts these first; see `grader.worker.child`
    folder, staff, slices = (Path(current.folder), first, "plain") if is_sliced else (first, second, "")
    settings = Settings(folder, staff, current.device, slices=slices)
    return vars(run(settings, sizes[0], function, arguments, limit_s=limit_s, pool_size=sizes[1]))


def find_obstacle() -> str:
    """Return why no rank can use MPI here, in one line; empty if the library is there."""
    try:
        from mpi4py import MPI

        MPI.Get_version()
    except (ImportError, RuntimeError) as error:  # the latter if mpi4py is there, and no library
        return " ".join(str(error).split())[:160]
    return ""


def end_pools() -> None:
    """End the ranks that are kept."""
    while _pools:
        _pools.popitem()[1].close()


def _take_pool(settings: Settings, size: int, least: int) -> RankPool:
    """Return the ranks that are kept, if there are at least `least`, or `size` new ones."""
    pool = _pools.get(settings.slices)
    if pool is None or pool.settings != settings or pool.size < least or not pool.is_alive():
        if pool is not None:
            _pools.pop(settings.slices).close()
        pool = RankPool(size, settings)
        pool.start()
        _pools[settings.slices] = pool
    return pool


def _columns(matching: Matching) -> dict[str, Any]:
    """Return all calls in the order in which they began, one list per field."""
    order = sorted(matching.calls, key=lambda key: matching.calls[key].at_s)
    places = {key: place for place, key in enumerate(order)}
    calls, fields = [matching.calls[key] for key in order], ("name", "kind", "tag", "size_bytes", "line", "at_s")
    return {
        **{name: [getattr(call, name) for call in calls] for name in fields},
        "rank": [rank for rank, _ in order],
        "peer": [matching.world_rank(call.comm, call.peer) for call in calls],
        "done_s": [matching.done_s.get(key, -1.0) for key in order],
        "sent_by": [places.get(matching.partner.get(key, (-1, -1)), -1) for key in order],
    }
