"""Part 3: collective operations made of messages."""

import math
from functools import partial

import numpy as np

from grader.assignments.distributed import hints, recipe
from grader.authoring import Array, Inconclusive, Note, Student, check, expect, fail
from grader.authoring.judges import ranks
from grader.authoring.judges.ranks import Calls, RanksRun, Traced

RING, TREE = (("collectives", "ring_allreduce"),), (("collectives", "tree_broadcast"),)
MODULE, ITEM_BYTES = "collective_scenarios", 8
BESIDES_BYTES = 256  # bytes that collective calls may carry, such as lengths: far less than the arrays
PICKLE_BYTES = 200
"""Bytes that pickle adds to a message in a dictionary; it also writes a byte in front of each number of a list."""
ENVELOPE_BYTES = 16  # bytes counted for each message beside its content: its tag and length carry information, too


def _ring(student: Student, arrays: list[Array], note: Note) -> RanksRun:
    return ranks.run(student, len(arrays), (MODULE, "ring"), (arrays,), RING, "`ring_allreduce`", note=note)


def _expect_sums(arrays: list[Array], values: ranks.Values) -> None:
    """Fail unless every rank has the sum of all arrays."""
    size, length = len(arrays), len(arrays[0])
    right, bound = np.sum(arrays, axis=0), size * np.finfo(float).eps * np.abs(arrays).sum(axis=0)
    for rank, value in enumerate(values):
        known = {"It is the mean, not the sum.": right / size, "It is this rank's own array.": arrays[rank]}
        mistakes = hints.of_ring(right, size, known) if size > 1 else hints.always(right, "")
        subject = f"`ring_allreduce` of {length} numbers on {ranks.count(size)}, on rank {rank},"
        expect(subject, value.get("sum"), right, atol=bound, mistakes=mistakes)


@check("ring.values")
def test_ring_values(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`ring_allreduce` returns the sum of all ranks' arrays on every rank, whatever their length."""
    for size, length in ((1, 5), (2, 8), (3, 10), (4, 1001), (4, 3), (8, 21)):
        arrays = [rng.normal(size=length) for _ in range(size)]
        _ring(student, arrays, note).compared(partial(_expect_sums, arrays), note)


@check("ring.bytes")
def test_ring_bytes(student: Student, rng: np.random.Generator, note: Note) -> None:
    """In `ring_allreduce` each rank sends 2 (P - 1) / P of the array, all of it to one neighbour."""
    size, length = recipe.MOST, int(rng.integers(900, 1100))
    arrays = [rng.normal(size=length) for _ in range(size)]
    ring = _ring(student, arrays, note).compared(partial(_expect_sums, arrays), note, "ring.values")
    calls = ring.seen.calls
    ranks.keep_diagram(note, calls, size)
    _expect_by_hand(ring, "ring_allreduce")
    for few in (2, 3, recipe.MOST, recipe.LARGEST):  # short arrays, too
        short = [*rng.normal(size=(few, int(rng.integers(2 * few, 40))))]
        again = _ring(student, short, note).compared(partial(_expect_sums, short), note, "ring.values")
        _expect_by_hand(again, "ring_allreduce")
    most = 2 * (size - 1) * math.ceil(length / size) * ITEM_BYTES
    besides = most * 0.05 + 64 * size
    part_bytes = math.ceil(length / size) * ITEM_BYTES
    for rank in range(size):
        sent, sends = calls.sent_bytes(rank), calls.select(rank=rank, kind="send")
        peers = {int(calls.peer[at]) for at in sends}
        note.fact(f"sent_bytes_of_rank_{rank}", sent)
        if len(peers) > 1:
            fail(
                f"`ring_allreduce` on {size} ranks: rank {rank} sends to ranks {sorted(peers)}.",
                expected="to one neighbour only",
                hint="Parts travel round the ring: each rank sends to its right neighbour, and receives from its left.",
            )
        if not 0.9 * most <= sent <= most + besides + _bytes_of_pickle(calls, sends, size, part_bytes):
            fail(
                f"`ring_allreduce` of {length * ITEM_BYTES} bytes on {size} ranks: rank {rank} sends {sent} bytes.",
                expected=f"{most} bytes: 2 (P - 1) / P of the array",
                hint="Cut the array into P parts; in each step, one part travels to the neighbour.",
            )
        if len(sends) * ENVELOPE_BYTES > besides:
            raise Inconclusive(
                f"`ring_allreduce` on {size} ranks: rank {rank} sends {len(sends)} messages. A TA should read whether "
                "their tags and lengths tell numbers."
            )
    most_sent, one_by_one = max(map(calls.sent_bytes, range(size))), _longest_way(calls, calls.size_bytes)
    if one_by_one > 2 * most_sent:
        note.flag(f"{one_by_one} bytes go one after the other, and no rank sends more than {most_sent}: who waits?")


def _bytes_of_pickle(calls: Calls, sends: list[int], size: int, part_bytes: int) -> float:
    """Return what pickle may add to a rank's messages, each of which carries one part at most."""
    pickles = [at for at in sends if calls.name[at].islower()][: 2 * (size - 1)]
    most = part_bytes * (ITEM_BYTES + 1) / ITEM_BYTES + PICKLE_BYTES
    return len(pickles) * (most - part_bytes) if all(calls.size_bytes[at] <= most for at in sends) else 0


@check("tree.values")
def test_tree_values(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`tree_broadcast` gives all ranks the root's array, in place."""
    for size, root in ((1, 0), (2, 1), (3, 0), (4, 0), (4, 2), (8, 3)):
        arrays = [rng.normal(size=7) for _ in range(size)]
        _tree(student, arrays, root, note).compared(partial(_expect_copies, arrays, root), note)


def _expect_copies(arrays: list[Array], root: int, values: ranks.Values) -> None:
    """Fail unless every rank has the root's array."""
    for rank, value in enumerate(values):
        subject = f"The array of rank {rank} after `tree_broadcast` from root {root} on {ranks.count(len(arrays))}"
        mistakes: dict[str, Array] = {"It is rank 0's, not the root's.": arrays[0]} if root and rank else {}
        if rank != root:
            mistakes[f"It is unchanged: write what comes from the root, rank {root}, into it."] = arrays[rank]
        expect(subject, value.get("values"), arrays[root], mistakes=mistakes)


@check("tree.messages")
def test_tree_messages(student: Student, rng: np.random.Generator, note: Note) -> None:
    """`tree_broadcast` takes P - 1 messages, in log2 P rounds."""
    for size in (3, 4, recipe.LARGEST - 1):
        length, root = int(rng.integers(80, 120)), int(rng.integers(1, size))
        length = length // 2 if size < recipe.MOST else length  # a shorter array, too
        arrays = [rng.normal(size=length) for _ in range(size)]
        tree = _tree(student, arrays, root, note).compared(partial(_expect_copies, arrays, root), note, "tree.values")
        calls = tree.seen.calls
        ranks.keep_diagram(note, calls, size)
        _expect_by_hand(tree, "tree_broadcast")
        sent = [len(calls.select(rank=rank, kind="send")) for rank in range(size)]
        note.fact(f"messages_on_{size}", sent)
        whole = [at for at in calls.select(kind="send") if calls.size_bytes[at] >= length * ITEM_BYTES]
        if sum(sent) != size - 1 or len(whole) != size - 1:
            words = f"`tree_broadcast` on {size} ranks takes {ranks.count(sum(sent), 'message')}"
            fail(f"{words}, {len(whole)} with the array.", expected=f"{size - 1} messages with the array")
        rounds, fewest = _longest_way(calls, np.ones(len(calls.name), int)), math.ceil(math.log2(size))
        note.fact(f"rounds_on_{size}", rounds)
        if rounds > fewest:
            fail(
                f"`tree_broadcast` on {size} ranks takes {rounds} rounds; the root, rank {root}, "
                f"sends {ranks.count(sent[root], 'message')} itself.",
                expected=f"{fewest} rounds: log2 P, rounded up",
                hint="In each round, all ranks that have the array send it on.",
            )


def _longest_way(calls: Calls, lengths: Array) -> int:
    """Return the end of the last message, if each message takes its length, and a rank sends as soon as it can."""
    ends, own = {-1: 0}, dict.fromkeys(map(int, calls.rank), 0)
    for place in calls.select(kind="send"):
        sender = int(calls.rank[place])
        receives = [at for at in calls.select(rank=sender, kind="receive") if 0 <= calls.done_s[at] < calls.at_s[place]]
        begin = max([own[sender], *(ends.get(int(calls.sent_by[at]), 0) for at in receives)])
        own[sender] = ends[place] = begin + int(lengths[place])
    return max(own.values(), default=0)


def _tree(student: Student, arrays: list[Array], root: int, note: Note) -> RanksRun:
    return ranks.run(student, len(arrays), (MODULE, "tree"), (arrays, root), TREE, "`tree_broadcast`", note=note)


def _expect_by_hand(traced: Traced, function: str) -> None:
    """Fail if one of MPI's own collective operations moved numbers."""
    calls, total = traced.seen.calls, 0
    for rank in range(len(traced.value)):
        places = calls.select(rank=rank, kind="collective")
        given = sum(int(calls.size_bytes[place]) for place in places)
        total += given
        if given > BESIDES_BYTES:
            place = max(places, key=lambda at: int(calls.size_bytes[at]))
            fail(
                f"`{function}` leaves the work to MPI's {calls.name[place]} ({calls.line[place]}).",
                hint="Use messages between two ranks only: Sendrecv, Send and Recv, Isend and Irecv.",
            )
    if total > BESIDES_BYTES:
        words = f"`{function}` gives {total} bytes to MPI's own collective operations"
        raise Inconclusive(f"{words}. A TA should read whether these are parts of the array.")
