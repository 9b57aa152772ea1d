"""Run functions that get an MPI communicator on several ranks, and trace every call of each rank.

*Scenarios* call the functions, as in `scenarios`: a scenario is a function of a module in the assignment's `staff/`
that runs on every rank. Its first argument is `here`: `here.comm` is the communicator for the submission's functions;
`here.rank` and `here.size` come from the grader, and decide what a rank gets.

    from sums import sum_of_all

    def add_up(here, values):
        return {"sum": sum_of_all(here.comm, values + here.rank)}

If the slices are closed, the trace is reliable: nothing in a slice can reach its recorder. If a slice is open, only
values are judged, and a TA judges how they were computed.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from grader.authoring import Answer, Compared, Finding, Note, Run, Student
from grader.errors import Inconclusive, NotMeasured, StudentFault, StudentRaised
from grader.mpi.calls import NOBODY, RECEIVE, SEND
from grader.worker.advice import advise
from grader.worker.student import Parts

_COORDINATOR = "grader.mpi.coordinator"
DIAGRAM_FACT = "calls_of_ranks"
_MOST_DRAWN = 80
LIMIT_S = 15.0  # wall time of a run; a deadlock is found long before
_CALL_S = 130.0  # wall time of a run on a busy machine, with the start of its ranks; the coordinator ends it earlier
TEAM = 4  # how many ranks are started together; a run may use fewer of them
_NOT_HERE = "No MPI ranks can be started here ({why}): install mpi4py and mpich, and see the sandbox's level."
_HINTS = {
    "operations": "Every rank has to make the same collective calls in the same order.",
    "roots": "All ranks name the same root.",
    "reductions": "All ranks name the same operation, such as MPI.SUM.",
    "counts": "Every rank gives arrays of the same size to this call.",
    "types": "Use the same type of numbers on all ranks, such as float64.",
    "parts": "Parts must be equal; with Scatterv and Gatherv, the root names the count of each rank.",
    "room": "Make the array that receives as long as the one that is sent.",
    "pickled": "What Send sends, Recv receives; what send sends, recv receives.",
    "unreceived": "For every message that is sent, some rank has to call a receive.",
    "halt": "Do partner and tag match? If all ranks send first, use Sendrecv, or Isend and Irecv.",
    "left": "A rank has ended too early: a message needs a sender and a receiver, a collective call every rank.",
    "no value": "Not all ranks have None here: is the value sent to all, as by bcast, and then returned?",
    "absent": "Look at the line of the rank that calls nothing: does a loop there end?",
}
"""`grader.mpi.coordinator.Result.problem` -> hint; a rank that died or raised has its own message."""


@dataclass(frozen=True, slots=True)
class Calls:
    """All calls of all ranks, in the order in which they began; one array or list per field."""

    rank: np.ndarray[Any, Any]
    name: list[str]
    kind: list[str]
    peer: np.ndarray[Any, Any]  # rank of the receiver, sender or root
    tag: np.ndarray[Any, Any]
    size_bytes: np.ndarray[Any, Any]
    line: list[str]
    at_s: np.ndarray[Any, Any]
    done_s: np.ndarray[Any, Any]  # when the rank went on after the call; -1 if it did not end, or no rank waited for it
    sent_by: np.ndarray[Any, Any]  # for a receive, the index of the call that sent its message; -1 for all others

    def select(self, *, rank: int | None = None, kind: str = "") -> list[int]:
        """Return the indices of the calls of a rank, of a kind (`send`, `receive`, `collective`), or both.

        Messages to or from nobody, `MPI.PROC_NULL`, are left out.
        """
        return [
            place
            for place in range(len(self.name))
            if rank in {None, int(self.rank[place])}
            if kind in {"", self.kind[place]}
            if self.kind[place] not in {SEND, RECEIVE} or self.peer[place] != NOBODY
        ]

    def sent_bytes(self, rank: int) -> int:
        """Return how many bytes a rank sent in messages to single ranks."""
        return int(sum(self.size_bytes[place] for place in self.select(rank=rank, kind="send")))

    def given_bytes(self, rank: int) -> int:
        """Return how many bytes a rank gave to calls that send, and to collective calls."""
        places = [*self.select(rank=rank, kind="send"), *self.select(rank=rank, kind="collective")]
        return int(sum(self.size_bytes[place] for place in places))


@dataclass(frozen=True, slots=True)
class Trace:
    """The calls of the ranks of a run, and their times."""

    calls: Calls
    seconds: float
    cpu_s: tuple[float, ...]
    received_bytes: tuple[int, ...]  # bytes that each rank received from others, by any call

    def communication_percent(self) -> list[float]:
        """Return, for each rank, the percentage of the run inside calls, waiting included."""
        calls, ranks = self.calls, range(len(self.cpu_s))
        ended = [[at for at in calls.select(rank=rank) if calls.done_s[at] >= 0] for rank in ranks]
        inside_s = (float(sum(calls.done_s[at] - calls.at_s[at] for at in places)) for places in ended)
        return [round(min(100.0, 100 * one_s / self.seconds), 1) for one_s in inside_s]


Values = tuple[dict[str, Any], ...]
RanksRun = Run[Values, Trace]  # a run of a scenario, with its value on each rank
Traced = Compared[Values, Trace]  # a compared run: only this one gives access to the trace


def run(
    student: Student,
    size: int,
    scenario: tuple[str, str],
    args: tuple[Any, ...],
    uses: Parts,
    subject: str,
    *,
    note: Note | None = None,
) -> RanksRun:
    """Run a scenario on `size` ranks, with slices if all parts that it uses can be followed.

    Each rank gets the same `args`, after `here`. If the run has a problem, `note` keeps a diagram of its calls.

    Raises:
        StudentFault: a rank raised or died, the ranks wait for ever, or their calls do not match.
        Inconclusive: a name is missing and another may be meant, a call cannot be traced, or the machine is too busy.
        NotMeasured: ranks cannot be started on this machine.
        RuntimeError: the coordinator itself raised.
    """
    for module, name in uses:
        _load(student, module)
        student.expect_spelt(module, name)
    request = ((size, TEAM), scenario, args, LIMIT_S)
    read = partial(_read, subject=subject, size=size, note=note)

    def as_whole(_limit_s: float | None = None) -> RanksRun:
        return read(_coordinate(student.ask_whole, (False, *request)))

    def as_slices() -> RanksRun:
        result = _coordinate(student.ask_slices, (True, *request))
        if not (refused := ", ".join(map(str, result.get("refused") or ()))):
            return read(result)
        # perhaps it raised because of the refusal
        traced = as_whole() if result.get("raised") else read(result)
        return replace(traced, doubt=f"{subject} could not be followed: it uses {refused}")

    return student.run_slices(uses, as_slices, as_whole)


def _coordinate(ask: Callable[..., Answer], request: tuple[Any, ...]) -> Any:
    """Return the coordinator's report, which also has what the student's ranks raised.

    Raises:
        RuntimeError: the coordinator itself raised, which is not the student's fault.
    """
    try:
        return ask(_COORDINATOR, "run_in_worker", request, limit_s=_CALL_S).value
    except StudentRaised as fault:
        raise RuntimeError(f"the coordinator of the ranks failed: {fault.finding.message}") from fault


def _load(student: Student, module: str) -> None:
    """Import a file of the submission; raise `NotMeasured` if it fails and the MPI library is missing."""
    try:
        student.load(module)
    except StudentFault:
        if why := student.ask_whole(_COORDINATOR, "find_obstacle", ()).value:
            raise NotMeasured(_NOT_HERE.format(why=why)) from None
        raise


def count(number: int, noun: str = "rank") -> str:
    """Return `1 rank`, `4 ranks`."""
    return f"{number} {noun}{'s' if number != 1 else ''}"


def keep_diagram(note: Note, calls: Calls, size: int, *, last: bool = False) -> None:
    """Keep the calls that the report draws as ranks × time: the first ones, or the `last` ones of a run that failed."""
    places = [*range(len(calls.name))]
    chosen = places[-_MOST_DRAWN:] if last else places[:_MOST_DRAWN]
    if not chosen:
        return
    zero_s = float(min(calls.at_s[place] for place in chosen))
    began = {at: _ms(calls.at_s[at], zero_s) for at in chosen}
    ended = {at: _ms(calls.done_s[at], zero_s) for at in chosen}
    rows = [[int(calls.rank[at]), began[at], ended[at], calls.name[at], calls.line[at]] for at in chosen]
    pairs = [(int(calls.sent_by[at]), at) for at in chosen if calls.sent_by[at] in chosen]
    messages = [[int(calls.rank[sent]), began[sent], int(calls.rank[at]), ended[at]] for sent, at in pairs]
    note.fact(DIAGRAM_FACT, {"ranks": size, "calls": rows, "messages": messages})


def _ms(at_s: float, zero_s: float) -> float:
    return round(1000 * (float(at_s) - zero_s), 3) if at_s >= 0 else -1.0


def _read(result: Any, subject: str, size: int, note: Note | None) -> RanksRun:
    """Return the run that the coordinator reported, or raise its problem."""
    problem, text = str(result.get("problem", "")), str(result.get("text", ""))
    if problem == "not started":
        raise NotMeasured(_NOT_HERE.format(why=" ".join(text.split())[:160]))
    on = f"{subject} on {count(size)}"
    columns: dict[str, Any] = {
        key: list(column) if key in {"name", "kind", "line"} else np.asarray(column)
        for key, column in result["calls"].items()
    }
    calls = Calls(**columns)
    if problem and note is not None:
        keep_diagram(note, calls, size, last=True)
    if problem == "slow":
        raise Inconclusive(f"{subject} was not decided: {text}. Grade again on a machine that is less busy.")
    for name in result.get("unfollowed", ()):
        raise Inconclusive(f"{on} calls {name}, which is not traced here. A TA should read it and give the points.")
    for rank, (kind, what, location, line) in result["raised"].items():
        if kind == "Unfollowed":
            raise Inconclusive(f"{on} names {what}, which is not traced here. A TA should read it and give the points.")
        message, seen = f"{on}: rank {rank} raised {kind}: {what}".removesuffix(": "), text if size > 1 else ""
        hint = _HINTS["no value"] if "NoneType" in what and len(result["raised"]) < size else advise(kind, what)
        raise StudentRaised(Finding(message, "", seen, hint, location, line), kind)
    if problem:
        raise StudentFault(Finding(f"{on}: {text}", hint=_HINTS.get(problem, "")))
    values = tuple(result["values"].get(str(rank)) for rank in range(size))
    dicts = tuple(value if isinstance(value, dict) else {} for value in values)
    trace = Trace(calls, float(result["seconds"]), tuple(result["cpu_s"]), tuple(result["received_bytes"]))
    return Run(subject, dicts, trace)
