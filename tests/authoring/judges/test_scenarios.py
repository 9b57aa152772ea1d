"""Whose work a result is, told by what the arrays of launches held."""

from contextlib import nullcontext
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest
from rows import each

from grader.authoring import Inconclusive, Note, Run, Seen, StudentFault, fail
from grader.authoring.judges import chains, scenarios
from grader.authoring.judges.makers import count_singles, find_singles, is_uniform
from grader.authoring.judges.scenarios import Launched, Scene

A, B, SUM = np.arange(6.0).reshape(2, 3), np.ones((2, 3)), np.arange(6.0).reshape(2, 3) + 1
ZEROS = np.zeros((2, 3))


def launched(before, after, given=("argument 0",), kernel="add"):
    return Launched(kernel, (1, 1, 1), (6, 1, 1), tuple(given), before=tuple(before), after=tuple(after))


def test_numbers_in_small_arrays_are_told_unless_they_are_known_or_a_kernel_wrote_them():
    known, held, sums = np.arange(3.0) / 7, np.zeros((4, 16)), np.arange(4.0) / 3
    pieces = [np.arange(16.0) + at / 9 for at in range(4)]
    chain = [launched([piece, held, sums], [piece, held + at, sums]) for at, piece in enumerate(pieces, 1)]
    honest = [launched([known, held, sums], [known, held + at, sums + at]) for at in range(1, 5)]
    assert count_singles(chain, [known, sums]) >= 4 * 16 > count_singles(honest, [known, sums])


def seen(*launches, label=("argument 0", "kernel: add")):
    return compared(SUM, Scene(Seen(), tuple(launches), came_from={"total": frozenset(label)}))


def compared(total, scene):
    """Return a run with this total, which counts as right."""
    return Run("`Total.add`", {"total": total}, scene).compared(lambda _value: None, Note())


def judge(run):
    chains.expect_made_by_kernels(run, ["total"], [A, B], Note())


def test_a_wrong_value_that_another_check_has_lost_loses_nothing_here():
    def compare(_value):
        fail("Wrong.")

    run, note = Run("`f`", 3), Note()
    note.passed = {"one": True, "other": False}
    assert run.compared(compare, note, "one", "other").value == 3
    for owners in ((), ("one",), ("one", "unknown")):
        with pytest.raises(StudentFault, match="Wrong"):
            run.compared(compare, note, *owners)


OF_THE_FIRST = launched([2 * A + B], [SUM], given=["elements", "kernel: first"])
OF_KERNELS = {
    "a kernel leaves it in an array": [launched([A, B, ZEROS], [A, B, SUM])],
    "up to a factor": [launched([A, B, ZEROS], [A, B, 6 * SUM])],
    "of numbers that Python handed over": [launched([A, B, ZEROS], [A, B, SUM], given=["data", "elements"])],
    "of what another kernel wrote": [launched([ZEROS], [2 * A + B], kernel="first"), OF_THE_FIRST],
}


@each("launches", OF_KERNELS)
def test_a_result_that_a_kernel_leaves_in_an_array_is_that_kernels(launches):
    judge(seen(*launches))


TURNED, OTHER = SUM[::-1].copy(), SUM + 1
CARRY = launched([TURNED, ZEROS], [TURNED, TURNED], ["mixed: numpy.matmul (sums.py:3)"], "carry")
TURN = launched([TURNED, ZEROS], [TURNED, SUM], ["kernel: carry"], "turn")
OF_A_MIX = launched([OTHER, ZEROS], [OTHER, SUM], ["mixed: numpy.add (sums.py:3)"])
OF_CODE, LATER = launched([OTHER, ZEROS], [OTHER, SUM], ["compiled: total"]), launched([ZEROS], [OTHER], kernel="later")
NOBODY = "computes total, and no kernel"
OF_THE_HOST = {
    "made by NumPy": (seen(label=["mixed: numpy.add (sums.py:3)"]), "numpy.add (sums.py:3) comput"),
    "a launch that leaves something else": (seen(launched([ZEROS], [B])), NOBODY),
    "a launch that is given it": (seen(launched([SUM, ZEROS], [SUM, SUM])), NOBODY),
    "a launch that is given it times three": (seen(launched([3 * SUM, ZEROS], [3 * SUM, SUM])), NOBODY),
    "a launch that is given a mix": (seen(OF_A_MIX), "the host worked on"),
    "given what compiled code made": (seen(OF_CODE), "worked on: the compiled function total"),
    "a mix that a kernel writes only later": (seen(OF_A_MIX, LATER), "the host worked on"),
    "a carried mix": (seen(CARRY, TURN), "`carry`, which writes total, is given what the host worked on: numpy"),
}


@each("run, words", OF_THE_HOST)
def test_a_result_of_the_hosts_is_not_the_kernels(run, words):
    with pytest.raises(StudentFault) as fault:
        judge(run)
    assert words in fault.value.finding.message


LONG = np.linspace(1.5, 9.5, 40)
DATA_OF_LONG = LONG**2


def told(number, before, after):
    return Launched("write", (1, 1, 1), (1, 1, 1), before=(before,), after=(after,), numbers=(number,))


def filled(count):
    return np.where(np.arange(40) < count, LONG, 0)


def judge_long(launches, copies=()):
    judge(compared(LONG, Scene(Seen(), tuple(launches), copies=tuple(copies))))


@each(
    "given, is_flagged",
    {
        "the data": (DATA_OF_LONG, False),
        "another order": (np.append(DATA_OF_LONG[::-1], 0), False),
        "the answer told otherwise": (LONG + 2, True),
        "zeros and ones": (np.arange(40) % 7 % 2.0, True),
        "the answer and data": (np.append(LONG[::-1], DATA_OF_LONG), True),
    },
)
def test_other_numbers_than_the_data_are_flagged(given, is_flagged):
    scene, note = Scene(Seen(), (launched([given, np.zeros(40)], [given, LONG]),)), Note()
    chains.expect_made_by_kernels(compared(LONG, scene), ["total"], [DATA_OF_LONG], note)
    assert bool(note.flags) is is_flagged


@each(
    "launches, copies",
    {
        "told": ([told(LONG[at], filled(at), filled(at + 1)) for at in range(40)], []),
        **{
            words: (
                [launched([LONG + 1, np.zeros(40)], [LONG + 1, LONG])],
                [("to device", (LONG[at : at + 8] + 1).view(kind)) for at in range(0, 40, 8)],
            )
            for words, kind in {"copied": float, "copied as integers, and viewed as floats": np.int64}.items()
        },
    },
)
def test_an_answer_that_a_kernel_is_given_a_few_numbers_at_a_time_is_not_its_work(launches, copies):
    with pytest.raises(StudentFault, match="told 40 numbers one by one"):
        judge_long(launches, copies)


@each("right, is_flagged", [(LONG[:9], True), (np.arange(9.0), False)])
def test_a_short_answer_whose_numbers_a_kernel_is_told_is_flagged(right, is_flagged):
    launches, note = tuple(told(number, np.zeros(9), np.where(right == number, right, 0)) for number in right), Note()
    last = msgspec.structs.replace(launches[-1], after=(right,), numbers=tuple(right))
    chains.expect_made_by_kernels(compared(right, Scene(Seen(), (*launches[:-1], last))), ["total"], [A, B], note)
    assert bool(note.flags) is is_flagged


@pytest.mark.parametrize(("digits", "is_open"), [(3, False), (6, True)])
def test_an_answer_that_kernels_are_told_in_small_digits_is_for_a_person(digits, is_open):
    launches = [
        msgspec.structs.replace(
            told(0.0, filled(at), filled(at + 1)), numbers=tuple(float((at + k) % 8) for k in range(digits))
        )
        for at in range(40)
    ]
    with pytest.raises(Inconclusive, match="told 321 numbers") if is_open else nullcontext():
        judge_long(launches)


NAN = (np.array([7, 8]) + 0x7FF8000000000000).view(np.float64)
TOLD = {
    "equal numbers": [np.full(17, number) for number in (3.25, 4.5)],
    "a margin": [np.pad(A, (0, 1), constant_values=number) for number in (3.25, 4.5)],
    "bits of NaN": [np.repeat(number, 17) for number in NAN],
    "a size": [np.zeros(size) for size in (12345, 12346)],
}


@each("arrays", TOLD)
def test_a_launch_is_told_what_fills_an_array_or_its_margin_and_its_size(arrays):
    first, second = (find_singles(launched([array], [array]), [A]) for array in arrays)
    assert first != second


def test_zeros_of_both_signs_and_nan_of_other_bits_are_no_uniform_array():
    assert is_uniform(np.full(9, np.nan))
    assert is_uniform(np.zeros(0))
    assert not is_uniform(np.array([0.0, -0.0]))
    assert not is_uniform(NAN)


def test_what_other_kernels_are_told_is_not_held_against_the_maker():
    others = [told(LONG[at] + 100, np.zeros(3), np.full(3, at + 1)) for at in range(40)]
    judge_long([*others, launched([np.zeros(40)], [LONG])])


def run_saying(told):
    """Run a scenario whose slices are closed, and of which the worker says this."""
    student = SimpleNamespace(
        load=lambda _: None,
        expect_spelt=lambda *_: None,
        run_slices=lambda _uses, as_slices, _as_whole: as_slices(),
        ask_slices=lambda *_: SimpleNamespace(value=told),
    )
    return scenarios.run(student, ("totals", "add"), (), [("sums", "Total")], "`Total.add`")


def test_what_a_worker_says_in_another_form_or_of_names_that_are_refused_is_for_a_person():
    told = {"launches": [], "came_from": {}, "copies": [], "value": {}, "work": {"refused": ["numpy.load"]}}
    told |= {"arrays": [], "is_complete": True, "is_thinned": False}
    launch = msgspec.structs.asdict(launched([], []))
    for forged in ({}, *(launch | {key: [None]} for key in launch), launch | {"before": [1 << 40]}):
        with pytest.raises(Inconclusive, match="`Total.add` could not be observed"):
            run_saying(told | {"launches": [forged]})
    with pytest.raises(Inconclusive, match=r"could not be followed: it uses numpy.load\. A TA"):
        judge(run_saying(told | {"launches": [launch]}).compared(lambda _value: None, Note()))
