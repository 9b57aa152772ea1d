"""Runs of the submission, alone and on ranks; and trainings in which no rank has the samples of another.

Ranks receive other samples than rank 0 deals out, so that no rank can train for another without receiving its samples.
All bytes that a rank receives, by whatever call, are counted.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grader.assignments.distributed import hints, recipe
from grader.assignments.distributed.solutions import Data
from grader.authoring import Array, Inconclusive, Note, Parts, Student, StudentFault, expect, fail, hinted
from grader.authoring.judges import ranks
from grader.authoring.judges.ranks import Calls, RanksRun, Trace, Traced, Values
from grader.authoring.judges.substitutes import Runner

BESIDES_BYTES = 1 << 14  # bytes for shapes, all labels and costs
_EVEN = 0.9  # a rank that receives a smaller part of its share than this is flagged
_SHARE_ONCE = "Send each rank its own share only, once: Scatterv, not Bcast; and no samples back to rank 0."
_OWN_SHARE = "Each rank computes the error and the derivatives of its own share; nobody does it for others."


def run(
    runner: Runner, size: int, scene: tuple[str, str], args: tuple[Any, ...], uses: Parts, subject: str, **options: Any
) -> RanksRun:
    """Run a scenario on ranks as `ranks.run` does, with the staff's functions in place of wrong ones.

    The value of a rank has what a function returned also by the names of the results, as many as there are.
    """
    call = runner.wrapped(scene, args, on_ranks=True)
    done = ranks.run(runner.student, size, *call, runner.followed(uses), subject, **options)
    return replace(done, value=tuple({**value, **_results_of(value)[0]} for value in done.value))


def _results_of(value: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return a function's results by their names, and what it returned instead; empty if it returned these."""
    match value.get("returned"):
        case [[*names], results]:
            items = results if isinstance(results, tuple | list) else ()
            named = dict(zip(map(str, names), items, strict=False))
            with suppress(TypeError, ValueError):  # each may be an array of one number, as a buffer of `Allreduce` is
                named |= (
                    {"costs": np.ravel(np.asarray(named["costs"], float))} if named.get("costs") is not None else {}
                )
            wrong = f"{len(items)} results" if items else "None" if results is None else type(results).__name__
            return named, f"{wrong}, not {', '.join(map(str, names))}" if len(items) != len(names) else ""
    return {}, ""


def expect_results(value: dict[str, Any], subject: str) -> None:
    """Fail if a function returned more or fewer results on a rank than the sheet asks for."""
    if wrong := _results_of(value)[1]:
        fail(f"{subject} returns {wrong}.")


@dataclass(frozen=True, slots=True)
class Needs:
    """What an honest training has to receive, in bytes."""

    share: float  # the share of the samples of a rank other than 0, which it receives once
    step: float  # what the ranks add up in each step: derivatives, or outputs. The weights are no more than that
    steps: int

    def most(self, rank: int, size: int) -> float:
        """Return how many bytes a rank may receive: in each step what all ranks give, the sum, and the weights."""
        each = self.step * (1 + self.steps * (size + 1))
        return each + BESIDES_BYTES + (1.25 * self.share if rank else 0)  # objects take more room than arrays

    def find_excess(self, trace: Trace) -> tuple[int, str]:
        """Return the first rank that receives more than it may, and a sentence; -1 and no sentence without one."""
        for rank, received in enumerate(trace.received_bytes):
            if received > (most := self.most(rank, len(trace.received_bytes))):
                return rank, f"rank {rank} receives {received / 1e6:.3g} MB, and needs {most / 1e6:.3g} MB at most"
        return -1, ""

    def expect_no_more(self, trace: Trace, subject: str, needed: str, note: Note) -> None:
        """Fail if a rank receives more than it may; only flag it if all such ranks send that on, as in a chain."""
        excess, size = self.find_excess(trace)[1], len(trace.received_bytes)
        more = [received - self.most(rank, size) for rank, received in enumerate(trace.received_bytes)]
        # rank 0 never has to receive more
        is_passed_on = more[0] <= 0 and all(extra <= trace.calls.sent_bytes(rank) for rank, extra in enumerate(more))
        if excess and is_passed_on:
            note.flag(f"{excess}: does it pass samples on, or compute with those of others?")
        elif excess:
            fail(f"{subject}: {excess}.", expected=needed, hint=_SHARE_ONCE)

    def flag_excess(self, trace: Trace, what: str, note: Note, *, at_rank_0: bool = False) -> None:
        """Flag a rank (`at_rank_0`: only rank 0) that receives more than it may: perhaps it works for others."""
        rank, words = self.find_excess(trace)
        if words and not (at_rank_0 and rank):
            note.flag(f"{words}: does it compute with the {what} of others, in their place?")


@dataclass(frozen=True, slots=True)
class Deal:
    """A training in which ranks receive other samples than rank 0 has and deals out.

    So the costs are right only if each rank computes with its share, or has sent all its samples to another rank.
    """

    own: Array  # the samples that rank 0 is given
    others: Array  # the samples that the other ranks receive in place of `own`
    train: Callable[[Array | None], RanksRun]
    """Trains, with other samples in place of the ones that arrive, or (None) without."""
    compare: Callable[[Values, Array], None]  # raises a fault if what the ranks return is not right for these samples
    needs: Needs

    def expect_of_all(self, note: Note, *owners: str) -> Traced:
        """Return the training; fail if its costs are those of rank 0's samples, whatever the others receive.

        `owners` are the checks that lose points if the costs are wrong anyway; none for this one.

        Raises:
            Inconclusive: the training could not be followed, or the samples travel in an unknown form.
        """
        traced, right_for = self.run(note, *owners)
        subject = self.expect_dealt(traced, note)
        if right_for == "own" or (not right_for and self._is_unchanged(traced.value)):
            note.flag("rank 0 may train for all: the costs are the same whatever samples the others receive")
            fail(f"{subject}: the cost is the same whatever samples the other ranks receive.", hint=_OWN_SHARE)
        return traced

    def expect_dealt(self, traced: Traced, note: Note) -> str:
        """Fail unless each rank receives its own samples, or most of them; return the training in words.

        Raises:
            Inconclusive: the samples travel in an unknown form.
        """
        subject, share = f"{traced.subject} on {ranks.count(len(traced.value))}", len(self.own) // len(traced.value)
        arrived = [np.asarray(value["arrived"], bool) for value in traced.value[1:]]
        counts, different = [int(np.sum(come)) for come in arrived], int(np.any(arrived, axis=0).sum())
        for rank, (count, received) in enumerate(zip(counts, traced.seen.received_bytes[1:], strict=True), 1):
            if count < share / 2:
                if received > self.needs.share / 2:
                    raise Inconclusive(f"{subject}: in what form rank {rank} receives its samples, a TA should read.")
                note.flag(f"rank {rank} may leave the training to others: it receives {count} samples")
                fail(f"{subject}: rank {rank} receives {count} of its {share} samples.", hint=_OWN_SHARE)
        if different < share * len(arrived) / 2:
            note.flag(f"ranks may leave the training to rank 0: they receive the same {different} samples")
            fail(f"{subject}: the ranks other than 0 receive {different} different samples.", hint=_OWN_SHARE)
        if min(*counts, different / len(arrived)) < _EVEN * share:  # blocks dealt out in turn may be no more even
            note.flag(f"ranks other than 0 receive {counts} samples, not {share} each: who computes the rest?")
        return subject

    def run(self, note: Note, *owners: str) -> tuple[Traced, str]:
        """Return the training, and for which samples it is right: those of `all` ranks, rank 0's `own`, or none."""
        right_for = ""

        def compare(values: Values) -> None:
            nonlocal right_for
            mixtures = self._mix([np.asarray(value["arrived"], bool) for value in values])
            faults = []
            for name, inputs in (*(("all", mixture) for mixture in mixtures), ("own", self.own)):
                try:
                    self.compare(values, inputs)
                except StudentFault as fault:
                    faults.append(fault)
                else:
                    right_for = name
                    return
            raise faults[0]

        traced = self.train(self.others).compared(compare, note, *owners)
        return traced, right_for

    def _is_unchanged(self, values: Values) -> bool:
        """Return whether rank 0's results, right or wrong, are the same if its own samples arrive at the others."""
        again = self.train(None).value[0]
        names = [name for name in again if name not in {"arrived", "returned"}]
        return all(np.array_equal(numbers_of(values[0][name], name), numbers_of(again[name], name)) for name in names)

    def _mix(self, arrived: list[Array]) -> list[Array]:
        """Return the samples of all ranks together, in each possible mixture: what arrives nowhere is rank 0's own.

        If all samples arrive somewhere, rank 0 keeps the first ones, or every P-th one.
        """
        places, size = np.arange(len(self.own)), len(arrived)
        kept = [~np.any(arrived, axis=0)]
        if not kept[0].any():
            kept = [places < -(-len(places) // size), places % size == 0]
        return [np.where(is_kept[:, None], self.own, self.others) for is_kept in kept]


def note_bubbles(calls: Calls, sends: list[list[int]], parts: int, note: Note) -> float:
    """Note and return the share of time in which a rank is idle, by the order of its calls.

    All micro-batches take the same time. A rank begins one when it is done with the one before, and all has come for
    which it waits till then.
    """
    before, ends = np.arange(1.0, parts + 1), []
    for rank in range(1, len(sends) + 1):
        comes_s = [float(calls.done_s[at]) for at in calls.select(rank=rank, kind="receive")]
        ends = [0.0]
        for place in range(parts):
            sent_s = float(calls.at_s[sends[rank][place]]) if place < len([*sends, []][rank]) else 0.0
            awaited = min(max(place, sum(0 <= done_s < sent_s for done_s in comes_s) - 1), parts - 1)
            ends.append(1 + max(ends[-1], before[awaited]))
        before = np.array(ends[1:])
    measured, formula = float(1 - parts / ends[-1]), len(sends) / (parts + len(sends))
    note.fact("share_of_bubbles", {"by_the_calls": round(measured, 4), "formula": round(formula, 4)})
    note.remark(
        f"{len(sends) + 1} layers, {parts} micro-batches: by the order of your calls a rank is idle for {measured:.1%} "
        f"of the time, if each micro-batch takes as long; (p - 1) / (m + p - 1) is {formula:.1%}."
    )
    return measured


def expect_usable(student: Student, data: Data, shares: Values) -> None:
    """Fail if labels are no integers, and `train` raises, which may need integers: then the labels are wrong."""
    if all(np.asarray(share["labels"]).dtype.kind in "iu" for share in shares):
        return
    args = data.arrays[:2], data.arrays[2:], (recipe.LEARNING_RATE, 1, 0.0)
    with hinted("Share labels as integers: the array that receives them needs dtype=np.int64.", always=True):
        ranks.run(student, 1, recipe.SCENARIOS, args, recipe.TRAIN, "`train`, with labels that are no integers,")


def train_alone(student: Student, data: Data, iterations: int) -> tuple[Any, Any, Any]:
    """Return the weights and costs of the submission's own sequential training."""
    results = student.network.gradient_descent(*data.arrays, recipe.LEARNING_RATE, iterations, recipe.REGULAR)
    theta1, theta2, costs = (np.asarray(array, float) for array in results[:3])
    return theta1, theta2, costs


def is_near(got: Sequence[Any], right: Sequence[Array]) -> bool:
    """Return whether weights and costs equal those of another training; fail if they are no numbers."""
    pairs = ((numbers_of(value, "The training"), wanted) for value, wanted in zip(got, right, strict=True))
    return all(array.shape == wanted.shape and np.allclose(array, wanted, rtol=1e-9) for array, wanted in pairs)


def expect_costs(subject: str, value: dict[str, Any], costs: Array, sentences: tuple[str, str]) -> None:
    """Fail unless a rank returned these costs, and as many results as the sheet asks for."""
    expect_results(value, subject)
    mistakes = hints.of_costs(costs, sentences)
    expect(f"{subject} the cost before each step", value.get("costs"), costs, rtol=recipe.GUARDED, mistakes=mistakes)


def numbers_of(value: Any, subject: str) -> Array:
    """Return what a rank returned as an array; fail if it is none."""
    if value is None:
        fail(f"{subject}: there is none.")
    try:
        return np.asarray(value, float)
    except (TypeError, ValueError):
        fail(f"{subject} is no array of numbers.", got=str(value)[:100])
