"""What a loop in Python was seen to do, and what the judge makes of it: nothing starts, and nothing is timed."""

from types import SimpleNamespace

import numpy as np
import pytest
from rows import check_rows, each

from grader.authoring import Answer, Finding, Inconclusive, Note, Observed, StudentFault, StudentTooSlow
from grader.authoring.judges import loops
from grader.authoring.judges.declared import expect_as_declared
from grader.worker.wire import Seen

DOT = "numpy.dot (utils.py:3)"
MIXES = {"mixes": (f"9 × {DOT}",), "mixed": 9}
ENTRIES, NEEDED = 64, 128


def checked(seen):
    """Return a call that was seen to do this, and whose answer counts as right."""
    return Answer("`f`", None, Observed(seen)).compared(lambda _value: None, Note())


def judged(seen, judge=loops.expect_own_loops, *more):
    """Return how a judge ends for an answer of 64 entries, with its flags behind it."""
    note = Note()
    try:
        judge(checked(seen), "f", ENTRIES, *more, note)
    except (StudentFault, Inconclusive) as ended:
        return f"{type(ended).__name__}: {ended}"
    return " ".join(note.flags)


def test_a_closer_look_at_loops_has_the_time_that_watching_takes():
    asked_s = []

    def run(*_call, **options):
        asked_s.append(options.get("limit_s"))
        raise StudentTooSlow(Finding("Stopped."))

    called = {("m", "f"): ((), Answer("`f`", np.zeros(ENTRIES), Observed(Seen(**MIXES))))}
    student = SimpleNamespace(called=called, judged=(), why_open=lambda *_call: "", run=run)
    with pytest.raises(StudentTooSlow):
        expect_as_declared(student, {("m", "f"): "python"}, Note())
    assert asked_s == [loops.WATCHED_LIMIT_S]


def test_only_what_python_did_alone_in_every_call_is_looked_at_with_fewer_entries():
    by_others = [MIXES, {"compiled": {"inner": 1}}, {"label": ("kernel: fast",)}, {"leaks": 1}, {"waited_s": 0.5}]
    assert loops.is_by_python_alone(Seen(reads=NEEDED, singles={"sqrt": 64, "maximum": 31}), ENTRIES)
    assert not any(loops.is_by_python_alone(Seen(**seen), ENTRIES) for seen in by_others)


def test_who_goes_through_the_entries_is_told_by_what_was_seen():
    def check(said, seen):
        found = judged(Seen(**({"reads": NEEDED, "writes": ENTRIES} | seen)), loops.expect_own_loops, NEEDED)
        assert (found.startswith(said), bool(found)) == (True, bool(said)), found

    takes = "numbers out of what NumPy made of whole arrays"
    rows = [
        ("", {}),
        ("", {"leaks": 16, **MIXES}),
        ("", {"singles": {"maximum": 31, "vectorize": 31, "sqrt": 64, "norm.several": 31, "stack.several": 64}}),
        ("f lets numpy.norm work on several elements at once", {"singles": {"norm.several": 32}}),
        (f"StudentFault: `f` works on many elements at once, with {DOT}.", {"label": (f"mixed: {DOT}",)}),
        (f"StudentFault: `f` works on many elements at once, with {DOT}.", {"leaks": 32, **MIXES, "mixed": 8}),
        (f"Inconclusive: `f` takes 32 {takes} ({DOT})", {"leaks": 32, **MIXES, "mixed": 7}),
        (f"Inconclusive: `f` takes 17 {takes} ({DOT})", {"leaks": 17, **MIXES}),
        ("StudentFault: `f` waits: it sleeps for 0.5 s.", {"waited_s": 0.5}),
        ("f calls numpy.maximum for each element, in loops of its own", {"singles": {"maximum": 32}}),
        ("StudentFault: `f` lets numpy.vectorize go", {"singles": {"vectorize": 32}, "reads": NEEDED - 1}),
        ("f lets numpy.vectorize go through 64 elements, beside", {"singles": {"vectorize": 32}}),
        ("f lets compiled code do the work (inner)", {"compiled": {"inner": 1}, "reads": 0}),
        ("f lets compiled code do the work (fast)", {"label": ("kernel: fast",), "reads": 0}),
        (f"f read {NEEDED - 1} single elements, and there are {NEEDED}", {"reads": NEEDED - 1}),
    ]
    check_rows(check, {f"{place}: {row[0]}": row for place, row in enumerate(rows)})


@each("reads, writes, is_flagged", [(512, 192, False), (513, 64, True), (64, 193, True)])
def test_entries_that_are_read_or_written_again_and_again_are_flagged(reads, writes, is_flagged):
    assert bool(judged(Seen(reads=reads, writes=writes), loops.flag_repetition)) == is_flagged


def test_a_function_that_does_otherwise_when_the_matrix_is_large_is_refused():
    def look(found):
        student = SimpleNamespace(ask_slices=lambda *_args, **_options: SimpleNamespace(value={"mixes": found}))
        loops.expect_same_at_size(student, ("m", "f"), (1,), checked(Seen(**MIXES)), 0.1)

    look([f"2 × {DOT}"])
    with pytest.raises(StudentFault, match="`f` works on many elements at once when the matrix is large, with numpy.a"):
        look([f"2 × {DOT}", "1 × numpy.add (utils.py:4)"])


@each("other, size, options", [({}, 2, {}), (MIXES, 8, {"limit_s": loops.WATCHED_LIMIT_S})])
def test_one_call_in_which_numpy_took_part_is_enough_to_watch_the_sheets_size(other, size, options):
    asked = []
    student = SimpleNamespace(
        judged=set(),
        seen_of=lambda *_call: [Observed(one) for one in (Seen(), Seen(**other))],
        why_open=lambda *_call: "",
        run=lambda *call, **more: asked.append(more) or Answer("`f`", call[2][0], Observed(Seen())),
    )
    draw, shapes = lambda shape: (np.ones(shape),), ((8, 8), (2, 2))
    found = loops.watch(student, ("m", "f"), draw, shapes, lambda one: (one, 0.0), Note())
    assert (found[1], asked) == (size**2, [{"full": True, **options}])
