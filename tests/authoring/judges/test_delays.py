"""A delay is flagged by what a function computes; neighbours that take the processor accuse nobody."""

from types import SimpleNamespace

import numpy as np
import pytest

from grader.authoring import Note, Observed, StudentFault
from grader.authoring.judges import delays
from grader.worker.wire import Seen

SMALL, LARGER, WIDE = (tuple(np.zeros((2, *shape), int)) for shape in ((20, 40), (60, 40), (1000, 1000)))
ENTRY_S = 3e-7
"""What a plain loop takes for an entry, with nobody else on the machine."""
COUNTED = {"steps": 40_000, "plain_steps": 50_000, "turns": 1_700, "calls": 0, "waited_s": 0.0}


class Handin:
    """A hand-in whose function takes `times` as long as a plain loop, `before_s` before, `wide_times` when large.

    `slow` is by how much the machine is slower in each measurement; observers make it `observed` times as slow.
    """

    def __init__(self, *, times=1.2, before_s=0.0, wide_times=1.0, observed=1.0, slow=(1.0,), **counted):
        self.times, self.before_s, self.wide_times, self.observed = times, before_s, wide_times, observed
        self.slow, self.looks, self.counted = slow, 0, COUNTED | counted
        self.waited_s, self.fixed_size, self.words = 0.0, False, frozenset({"range"})

    def words_in(self, *_call):
        return self.words

    def _call_s(self, entries, slow=1.0):
        times = self.times * (self.wide_times if entries == WIDE[0].size else 1)
        return slow * (self.before_s + times * entries * ENTRY_S)

    def seen_of(self, *_call):
        seen = Seen(computed_s=self.observed * self._call_s(WIDE[0].size, self.slow[0]), waited_s=self.waited_s)
        return [Observed(seen)] * 2

    def _measure(self, args, observed):
        entries = args[2][0].size
        if self.fixed_size and entries != WIDE[0].size:
            raise delays.StudentFault(SimpleNamespace(message="it raised"))
        slow = self.slow[self.looks % len(self.slow)]
        self.looks += 1
        plain_s = slow * entries * ENTRY_S
        return {"call_s": observed * self._call_s(entries, slow), "plain_s": plain_s, "waited_s": 0.0}

    def ask_slices(self, _observer, name, args, **_options):
        return SimpleNamespace(value=self.counted if name == "count_steps" else self._measure(args, self.observed))

    def ask_plain(self, _observer, name, args, **_options):
        assert name == "compare_times"
        return SimpleNamespace(value=self._measure(args, 1.0))


def flags_of(handin):
    note = Note()
    delays.flag_delays(handin, ("m", "f"), SMALL, LARGER, WIDE, note)
    return note.flags


@pytest.mark.parametrize("slow", [(1.0,), (5.0, 1.0, 1.0), (1.0, 4.0, 2.0, 0.7), (3.0, 1.0)])
@pytest.mark.parametrize("times", [0.4, 1.2, 3.0, 5.0])
def test_a_machine_that_is_slow_at_times_accuses_nobody(times, slow):
    assert flags_of(Handin(times=times, slow=slow)) == []


def test_what_observers_take_accuses_nobody():
    assert flags_of(Handin(times=1.0, observed=12.0)) == []


def test_idle_work_is_flagged_however_short_and_who_computes_as_it_should_costs_no_further_look():
    handin = Handin()
    handin.ask_plain = None
    assert flags_of(handin) == []
    handin = Handin()
    handin.words = frozenset({"range", "idle in line 12"})
    assert flags_of(handin) == ["f does work in line 12 that nothing depends on: is there a delay?"]


@pytest.mark.parametrize(
    ("handin", "said"),
    [
        (Handin(times=8), "computes 8 times as long as a plain loop"),
        (Handin(before_s=0.9), "computes for 0.9 s when the matrix is tiny"),
        (Handin(wide_times=4), "computes 4 times as long for large matrices as for small ones"),
        (Handin(steps=300_000), "takes 6 times as many steps as a plain loop"),
        (Handin(turns=16_100), "begins loops anew 10 times for each element"),
        (Handin(calls=24_100), "enters functions 15 times for each element"),
    ],
    ids=["always", "before the loops", "when large", "in steps", "in turns", "in calls"],
)
@pytest.mark.parametrize("slow", [(1.0,), (1.0, 1.5)])
def test_a_delay_is_flagged_once(handin, said, slow):
    handin.slow = slow
    assert [flag.startswith(f"f {said[:20]}") for flag in flags_of(handin)] == [True]
    handin.slow = (1.0,)
    assert flags_of(handin) == [f"f {said}: is there a delay{' before its loops' if 'tiny' in said else ''}?"]


@pytest.mark.parametrize(("wide_times", "count"), [(0.02, 1), (0.1, 0)])
def test_who_takes_no_time_for_large_matrices_is_flagged(wide_times, count):
    flags = flags_of(Handin(wide_times=wide_times))
    assert flags == count * ["f is 42 times as fast as a plain loop for large matrices: what does the work?"]


def test_a_function_for_one_size_is_compared_at_that_size():
    for times, count in ((3.0, 0), (7.0, 1)):
        handin = Handin(times=times)
        handin.fixed_size = True
        assert len(flags_of(handin)) == count


def test_who_sleeps_in_any_call_fails():
    handin = Handin()
    handin.waited_s = 0.25
    with pytest.raises(StudentFault, match="it sleeps for 0.5 s"):
        flags_of(handin)
    with pytest.raises(StudentFault, match="it sleeps for 0.1 s"):
        flags_of(Handin(waited_s=0.1))
