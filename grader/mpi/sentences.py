"""Sentences on what happened among the ranks: who waits where, and which calls do not match."""

import ast
from collections.abc import Iterable, Sequence
from pathlib import Path

from grader.mpi.calls import ANY, COLLECTIVE, PROBE, SEND, Call
from grader.mpi.matching import DIED, RUNNING, Matching, Misfit

_SAYS = {
    "operations": "The ranks call different collective operations: {who}",
    "roots": "The ranks name different roots: {who}",
    "reductions": "The ranks reduce in different ways: {who}",
    "counts": "The ranks give {name} different amounts: {who}",
    "types": "The types of numbers differ: {who}",
    "parts": "A part that {name} deals out or collects does not fit: {who}",
    "room": "A message is longer than the room for it: {who}",
    "pickled": "An array is sent in one way and received in the other (upper and lower case): {who}",
}


def explain_misfit(misfit: Misfit, matching: Matching, folder: Path) -> str:
    """Return a sentence on calls that do not match; the files whose lines it names are in `folder`."""
    if misfit.what == "operations":
        return _SAYS["operations"].format(who=describe_all(matching)) + f"{_name_branch(matching, folder)}."
    details = [f"rank {rank}: {_detail(misfit.what, call)}" for rank, call in misfit.calls]
    return _SAYS[misfit.what].format(name=misfit.calls[0][1].name, who="; ".join(details)) + "."


def _name_branch(matching: Matching, folder: Path) -> str:
    """Return, in words, which `if` led the fewest ranks to their calls; empty if no `if` separates them."""
    lines: dict[str, list[int]] = {}
    for rank, wait in matching.waiting.items():
        lines.setdefault(wait.line, []).append(rank)
    for line in sorted(lines, key=lambda line: len(lines[line])):
        if branch := find_branch(folder, line, [other for other in lines if other != line]):
            return f": {_ranks(lines[line])} took a branch of the `if` in line {branch}"
    return ""


def find_branch(folder: Path, line: str, others: Iterable[str]) -> int:
    """Return the line of the `if` that separates `line` from all `others`, each `file:line`; 0 if there is none."""
    name, _, number = line.rpartition(":")
    places = [other.rpartition(":") for other in others]
    try:
        tree = ast.parse((folder / name).read_text("utf-8"))
    except (OSError, SyntaxError, ValueError):
        return 0
    numbers = [int(place) for file, _, place in places if file == name and place.isdigit()]
    innermost = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and number.isdigit():
            for branch in (node.body, node.orelse):
                if _holds(branch, int(number)) and not any(_holds(branch, other) for other in numbers):
                    innermost = max(innermost, node.lineno)
    return innermost


def _holds(branch: Sequence[ast.stmt], line: int) -> bool:
    return any(part.lineno <= line <= (part.end_lineno or part.lineno) for part in branch)


_TYPES = {"f8": "float64", "f4": "float32", "i8": "int64", "i4": "int32", "u1": "bytes", "b1": "bool"}


def _detail(what: str, call: Call) -> str:
    if what == "roots":
        return f"root {call.peer}{_at(call.line)}"
    if what == "reductions":
        return f"{call.reduction}{_at(call.line)}"
    if what == "types":
        return f"{call.name} of {_TYPES.get(call.dtype, call.dtype or 'no numbers')}{_at(call.line)}"
    size = f"{call.size_bytes} bytes"
    if what == "parts" and call.parts:
        size = f"parts of {_list(map(str, call.parts))} bytes"
    return f"{call.name}, {size}{_at(call.line)}"


def explain_halt(matching: Matching, places: dict[int, str]) -> str:
    """Return a sentence on ranks that can never go on; `places` are the lines of ranks that only compute."""
    gone = any(state != RUNNING for state in matching.state.values())
    if computing := places.keys() - matching.inside.keys():
        lead = f"{_ranks(computing).capitalize()} {'computes' if len(computing) == 1 else 'compute'} without an end"
    elif places:
        lead = "The MPI library does not come back"
    elif gone:
        lead = "Some ranks have ended, and others wait for ever"
    else:
        lead = "The ranks wait for each other"
    return f"{lead}: {describe_all(matching, places)}."


def explain_unreceived(matching: Matching) -> str:
    """Return a sentence on messages that nobody has received."""
    keys = matching.unreceived()
    rank, number = keys[0]
    call = matching.calls[rank, number]
    receiver = matching.world_rank(call.comm, call.peer)
    more = f" (and {len(keys) - 1} more)" if len(keys) > 1 else ""
    by = f"{call.name}{_tag(call)}{_at(call.line)}{more}"
    return f"Nobody receives what rank {rank} sends to rank {receiver} by {by}."


def explain_unjoined(matching: Matching) -> str:
    """Return a sentence on a collective operation that not all ranks have called, although all have ended."""
    keys = matching.unjoined()
    call = matching.calls[keys[0]]
    missing = {*matching.members[call.comm]} - {rank for rank, _ in keys}
    verb = "does" if len(missing) == 1 else "do"
    others = _ranks(rank for rank, _ in keys)
    return f"{_ranks(missing).capitalize()} {verb} not join {others} in {_call(matching, call)}."


def describe_all(matching: Matching, places: dict[int, str] | None = None) -> str:
    """Return what all ranks do, grouped by what they do: `ranks 0 and 1 wait in Allreduce (a.py:41); …`."""
    groups: dict[str, list[int]] = {}
    for rank in range(matching.size):
        groups.setdefault(_standing(matching, rank, places or {}), []).append(rank)
    return "; ".join(f"{_ranks(ranks)} {_conjugate(what, len(ranks))}" for what, ranks in groups.items())


def _conjugate(what: str, ranks: int) -> str:
    verb, rest = what.split(" ", 1)
    singular = {"wait": "waits", "have": "has", "compute": "computes", "are": "is"}
    return f"{singular[verb]} {rest}" if ranks == 1 else what


def _standing(matching: Matching, rank: int, places: dict[int, str]) -> str:
    """Return what a rank does, with the verb in the plural."""
    state = matching.state[rank]
    if state != RUNNING:
        calls = [call for (caller, _), call in matching.calls.items() if caller == rank]
        last = f" after {calls[-1].name}{_at(calls[-1].line)}" if calls else " without any call"
        return f"have {'died' if state == DIED else state}{last}"
    if call := matching.inside.get(rank):
        return f"are in {call.name}{_at(call.line)}, which is not followed"
    wait = matching.waiting.get(rank) or matching.waits.get(rank)
    if wait is None:
        return f"compute without calling anything{_at(places.get(rank, ''))}"
    calls = matching.pending(rank, wait) or [matching.calls[rank, number] for number in wait.numbers]
    descriptions = dict.fromkeys(_call(matching, call) for call in calls)
    via = f" ({f'{wait.name} {wait.line}'.strip()})" if wait.line != calls[0].line else ""
    return f"wait in {_list(descriptions)}{via}"


def _call(matching: Matching, call: Call) -> str:
    if call.kind == COLLECTIVE:
        return f"{call.name}{_at(call.line)}"
    peer = matching.world_rank(call.comm, call.peer)
    who = "any rank" if peer == ANY else f"rank {peer}"
    return f"{call.name} {'to' if call.kind == SEND else 'from'} {who}{_tag(call)}{_at(call.line)}"


def _tag(call: Call) -> str:
    return f", tag {call.tag}" if call.tag not in {0, ANY} or call.kind == PROBE else ""


def _at(line: str) -> str:
    return f" ({line})" if line else ""


def _ranks(ranks: Iterable[int]) -> str:
    many = sorted(ranks)
    return f"rank {many[0]}" if len(many) == 1 else f"ranks {_list(map(str, many))}"


def _list(words: Iterable[str]) -> str:
    *some, last = words
    return f"{', '.join(some)} and {last}" if some else last
