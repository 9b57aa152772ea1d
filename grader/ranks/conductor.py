"""Runs a function on several ranks, lets each go on as soon as it can, and says what came of it.

Called by checks in a worker, as `run(...)`: a team of ranks is kept warm there as long as nothing goes wrong with it.
"""

from __future__ import annotations

import re
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from grader.ranks import sentences
from grader.ranks.board import DIED, RAISED, RETURNED, RUNNING, Board
from grader.ranks.calls import At, Call, Ended, Event, Go, Group, Run, Wait
from grader.ranks.team import NotStarted, Team
from grader.worker import wire
from grader.worker.launcher import Settings
from grader.worker.sliced.book import current

PATIENCE_S = 2.0
"""For so long a rank may compute and call nothing while others wait for it."""
_COMPILING_S = 10.0
"""The same where files use Numba: a rank may compile."""
_NUMBA = re.compile(rb"^\s*(import|from)\b.*\bnumba\b", re.MULTILINE)
_LOOK_S = 0.1
_LONGEST = 4
"""How many times as long a run may last where ranks get hardly any processor."""
_ANSWER_S = 0.3
"""For a rank to say where it is."""


@dataclass
class Outcome:
    """What came of one run."""

    ended: dict[int, Ended] = field(default_factory=dict)
    problem: str = ""
    """In one word, empty if nothing is wrong: what does not fit, as `Misfit.what` says it; `halt`, `left` and `absent`
    where ranks wait for each other, for one that has ended, or for one that computes; `unreceived`; `died`; `raised`;
    `slow` where the time was up and nobody knows why. `run` adds `not started`."""
    text: str = ""
    """The same in a sentence."""
    seconds: float = 0.0


class _Conductor:
    """One run of a team."""

    def __init__(self, team: Team, size: int, limit_s: float, patience_s: float) -> None:
        self.board = Board(size)
        self.outcome = Outcome()
        self._team, self._limit_s, self._patience_s = team, limit_s, patience_s
        self._places: dict[int, str] = {}
        self._first_cpu_s: dict[int, float] = {}

    def conduct(self) -> Outcome:
        """Serve the ranks until all have ended, or nobody can go on."""
        began_s = last_s = time.monotonic()
        self._first_cpu_s = cpu_s = {rank: self._team.cpu_s(rank) for rank in range(self.board.size)}
        while not self.board.has_ended() and not self.outcome.problem:
            said = self._team.listen(_LOOK_S)
            for rank, event in said:
                self._take(rank, event)
            for rank, matches in self.board.release():
                self._team.tell(rank, Go(matches))
            if said:
                last_s = time.monotonic()
                cpu_s = {rank: self._team.cpu_s(rank) for rank in self.board.running()}
            self._look(time.monotonic() - last_s, time.monotonic() - began_s, cpu_s)
        self._judge_end()
        self.outcome.seconds = time.monotonic() - began_s
        return self.outcome

    def _take(self, rank: int, event: Event | None) -> None:
        match event:
            case Call():
                self.board.begin(rank, event)
            case Group():
                self.board.members.setdefault(event.name, event.members)
            case Wait():
                self.board.wait(rank, event)
            case Ended():
                self.outcome.ended[rank] = event
                self.board.end(rank, RAISED if event.raised else RETURNED)
            case At():
                self._places[rank] = event.line
            case None if self.board.state.get(rank) == RUNNING:
                self.board.end(rank, DIED)

    def _look(self, quiet_s: float, spent_s: float, cpu_s: dict[int, float]) -> None:
        """Find out whether anybody can ever go on."""
        running = self.board.running()
        if self.board.misfit and (not running or quiet_s > 2 * _LOOK_S):
            self._end(
                self.board.misfit.what,
                sentences.explain_misfit(self.board.misfit, self.board, self._team.settings.submission),
            )
        elif self.board.is_stuck():
            is_alone = RETURNED in self.board.state.values()
            self._end("left" if is_alone else "halt", sentences.explain_halt(self.board, {}))
        elif (self.board.waiting and self._is_absent(running, quiet_s, cpu_s)) or self._is_over(running, spent_s):
            self._ask_places(running)
            self._end("absent", sentences.explain_halt(self.board, self._places))
        elif spent_s > _LONGEST * self._limit_s:
            self._end("slow", f"after {spent_s:.0f} s the ranks had not come to an end, and had hardly any processor")

    def _is_absent(self, running: list[int], quiet_s: float, cpu_s: dict[int, float]) -> bool:
        """Return whether ranks had their time and called nothing; on a busy machine that takes longer."""
        if quiet_s < self._patience_s:
            return False
        return all(
            self._team.cpu_s(rank) - cpu_s.get(rank, 0.0) > self._patience_s / 2 or self._team.is_asleep(rank)
            for rank in running
        )

    def _is_over(self, running: list[int], spent_s: float) -> bool:
        """Return whether the time of the run is up, and a rank has had half of it."""
        had_s = (self._team.cpu_s(rank) - self._first_cpu_s[rank] for rank in running)
        return spent_s > self._limit_s and max(had_s, default=0.0) > self._limit_s / 2

    def _ask_places(self, running: Sequence[int]) -> None:
        self._places = dict.fromkeys(running, "")
        for rank in running:
            self._team.ask_where(rank)
        deadline = time.monotonic() + _ANSWER_S
        while time.monotonic() < deadline and not all(self._places.values()):
            for rank, event in self._team.listen(_ANSWER_S / 3):
                self._take(rank, event)

    def _judge_end(self) -> None:
        died = [rank for rank, state in self.board.state.items() if state == DIED]
        raised = [rank for rank, state in self.board.state.items() if state == RAISED]
        if died:
            how = self._team.how_it_ended(died[0])
            told = sentences.describe_all(self.board)
            self._end("died", f"Rank {died[0]} died: {how}; {told}.")
        elif raised and self.outcome.problem in {"", "halt", "left", "absent", "slow"}:
            self._end("raised", sentences.describe_all(self.board))
        elif not self.outcome.problem and self.board.unreceived():
            self._end("unreceived", sentences.explain_unreceived(self.board))
        elif not self.outcome.problem and self.board.unjoined():
            self._end("left", sentences.explain_unjoined(self.board))

    def _end(self, problem: str, text: str) -> None:
        self.outcome.problem, self.outcome.text = problem, text


_teams: dict[str, Team] = {}
"""Whether slices run, as `Settings` have it -> the ranks that are kept warm."""


def run(
    place: Settings | bool,
    sizes: tuple[int, int],
    function: tuple[str, str],
    args: Sequence[Any],
    limit_s: float = 15.0,
    patience_s: float = 0.0,
    *,
    is_sealed: bool = True,
) -> dict[str, Any]:
    """Call `function(here, *args)` on each rank of a team, and return what came of it.

    `here` has the traced communicator, this rank and the number of ranks: see `grader.ranks.rank.Here`.

    Args:
        place: The folders of the submission and of the staff's modules; or only whether the former holds slices, for
            those of the worker that this runs in.
        sizes: Ranks that take part, and ranks that a new team has.
        function: Module and name.
        args: Data; the same for each rank.
        limit_s: Wall time.
        patience_s: For how long a rank may compute and call nothing while others wait for it; 0 for 2 s, or 10 s where
            a file of the submission imports Numba.
        is_sealed: Whether nothing of MPI can be changed or derived from.

    Returns:
        `values` and `raised` by rank, `problem` in one word and in a sentence, `calls` as columns, in `unfollowed` how
        often which call went to the library alone, and by rank `cpu_s` and `received_bytes`, which come from other
        ranks by whatever call.
    """
    if isinstance(place, bool):  # what a worker has put in front of its path; see `grader.worker.child`
        first, second, *_ = map(Path, sys.path)
        place = Settings(Path(current.folder), first, slices="plain") if place else Settings(first, second)
    try:
        team = _take_team(place, sizes)
    except NotStarted as error:
        return {"problem": "not started", "text": str(error)}
    conductor = _Conductor(team, sizes[0], limit_s, patience_s or _find_patience_s(team.settings.submission))
    is_tidy = False
    try:
        for rank in range(sizes[0]):
            declared = wire.encode_args(args, team.arenas[rank][0])
            team.tell(rank, Run(*function, args=declared, size=sizes[0], is_sealed=is_sealed))
        outcome = conductor.conduct()
        told = _tell(conductor.board, outcome, team)
        is_tidy = conductor.board.is_tidy()
    finally:
        if not is_tidy:
            _teams.pop(place.slices).close()
    return told


def _find_patience_s(folder: Path) -> float:
    """Return for how long a rank of the files in `folder` may compute and call nothing while others wait for it."""
    compiles = any(_NUMBA.search(path.read_bytes()) for path in folder.glob("*.py"))
    return _COMPILING_S if compiles else PATIENCE_S


def find_obstacle() -> str:
    """Return why no rank can use MPI here, in one line; empty if the library is there."""
    try:
        from mpi4py import MPI

        MPI.Get_version()
    except (ImportError, RuntimeError) as error:  # the latter if mpi4py is there, and no library
        return " ".join(str(error).split())[:160]
    return ""


def end_teams() -> None:
    """End the ranks that are kept warm."""
    while _teams:
        _teams.popitem()[1].close()


def _take_team(settings: Settings, sizes: tuple[int, int]) -> Team:
    """Return the team that is warm, or a new one."""
    team = _teams.get(settings.slices)
    if team is None or team.size < sizes[0] or not team.is_alive():
        if team is not None:
            _teams.pop(settings.slices).close()
        team = Team(max(sizes), settings)
        team.start()
        _teams[settings.slices] = team
    return team


def _tell(board: Board, outcome: Outcome, team: Team) -> dict[str, Any]:
    values: dict[str, Any] = {}
    raised: dict[str, Any] = {}
    for rank, ended in sorted(outcome.ended.items()):
        if ended.value is not None:
            values[str(rank)] = wire.decode(ended.value, team.arenas[rank][1], copy=True)
        if ended.raised is not None:
            raised[str(rank)] = [ended.raised.type_name, ended.raised.text, ended.raised.location, ended.raised.line]
    return {
        "values": values,
        "raised": raised,
        "problem": outcome.problem,
        "text": outcome.text,
        "calls": _columns(board),
        "seconds": outcome.seconds,
        "cpu_s": [outcome.ended[rank].cpu_s if rank in outcome.ended else 0.0 for rank in range(board.size)],
        "refused": sorted({name for ended in outcome.ended.values() for name in ended.refused}),
        "unfollowed": dict(Counter(board.unfollowed())),
        "received_bytes": [ended.received_bytes for _, ended in sorted(outcome.ended.items())],
    }


def _columns(board: Board) -> dict[str, Any]:
    """Return all calls in the order in which they began, one list per field."""
    calls = [(rank, call) for (rank, _), call in board.calls.items()]
    places = {key: place for place, key in enumerate(board.calls)}
    return {
        "rank": [rank for rank, _ in calls],
        "name": [call.name for _, call in calls],
        "kind": [call.kind for _, call in calls],
        "peer": [board.world_rank(call.comm, call.peer) for _, call in calls],
        "tag": [call.tag for _, call in calls],
        "size_bytes": [call.size_bytes for _, call in calls],
        "line": [call.line for _, call in calls],
        "at_s": [call.at_s for _, call in calls],
        "done_s": [board.done_s.get(key, -1.0) for key in board.calls],
        "sent_by": [places.get(board.partner.get(key, (-1, -1)), -1) for key in board.calls],
    }
