"""Which launches computed an array, told from what workers report of arrays and labels."""

import itertools
from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader.authoring import Inconclusive, Note, StudentFault
from grader.authoring.judges import kernels, scenarios
from grader.authoring.judges.makers import find_chain, find_maker, find_makers, has, is_known
from grader.authoring.judges.scenarios import Launched

SIZE = 20
CALL = ("matmul_functions", "matmul_transpose_gpu")
X = np.random.default_rng(3).uniform(size=(SIZE, SIZE))
RIGHT = X @ X.T
NOTHING = np.zeros((SIZE, SIZE))
OWN, OTHER = "transpose_kernel", "other_kernel"
HOST, KERNEL = ("argument 0", "elements"), ("argument 0", "kernel: transpose_kernel")


def student_of(label, *, told=0, args=(X,), after=(RIGHT,), launches=(OWN,), given=("argument 0",), without=0):
    """Return a student whose worker reports launches that leave `after` in their arrays, where the next finds it."""
    before = [*args, NOTHING][-len(after) :]
    arrays = [*before, *after]
    launched = {"grid": [1, 1, 1], "block": [SIZE, 1, 1], "given": [*given], "place": "matmul_functions.py:3"}
    launched |= {"numbers": [], "constants": [], "constants_from": []}
    launched |= {"before": [*range(len(before))], "after": [*range(len(before), len(arrays))]}
    seen = [
        {"kernel": kernel, **launched, "before": launched["after" if place else "before"]}
        for place, kernel in enumerate(launches)
    ]
    report = {"value": RIGHT, "came_from": {}, "work": {"label": list(label), "told": told}, "launches": seen}
    report |= {"copies": [], "arrays": arrays, "is_complete": True, "is_thinned": False}
    reports = {
        "watch": lambda *_: report,
        "run_without": lambda _module, _function, args, *_: {"value": rows(without, args[0] @ args[0].T)},
        "run_with_old_values": lambda *_: {"tried": False},
    }
    return SimpleNamespace(
        judged=set(),
        doubts_about={},
        why_open=lambda *_: "",
        load=lambda _: None,
        expect_spelt=lambda *_: None,
        run_slices=lambda _uses, as_slices, _as_whole: as_slices(),
        ask_slices=lambda _module, function, args, **__: SimpleNamespace(value=reports[function](*args)),
    )


def judge(label, *, args=(X,), **reported):
    """Judge a right answer by what workers say: where it comes from, and what the arrays of the kernel hold.

    `without` is how many rows of the answer are right in a call in which the kernel was not launched. Each call has
    arguments of its own.
    """
    student, draws = student_of(label, args=args, **reported), ((k * args[0], *args[1:]) for k in itertools.count(1))
    solve = lambda matrix, *_: (matrix @ matrix.T, 1e-9)  # noqa: E731 - it is short
    kernels.expect_launch(student, CALL, OWN, (1, SIZE), lambda: next(draws), solve, Note(), "it")


def rows(count, right=RIGHT):
    """Return the answer, right in its first rows only."""
    return np.where(np.arange(SIZE)[:, None] < count, right, 0)


MADE = {
    "a kernel leaves it in one of its arrays": (KERNEL, {"after": [X, RIGHT]}),
    "the host copies the half that symmetry leaves": (HOST, {"after": [X, np.tril(RIGHT)]}),
    "a few numbers are told for each row": (KERNEL, {"told": 4 * SIZE}),
    "two kernels make a half each": (KERNEL, {"launches": (OWN, OTHER), "without": SIZE // 2}),
}


@each("label, said", MADE)
def test_the_kernel_makes_the_answer(label, said):
    judge(label, **said)


NOT_MADE = {
    "only the host has it": (
        *(HOST, {"after": [X, NOTHING + 1]}, StudentFault),
        "`transpose_kernel` does not make the answer of .*: the host does",
    ),
    "the arguments hold it already": (
        *(HOST, {"args": (X, np.tril(RIGHT)), "after": [np.tril(RIGHT)]}, StudentFault),
        "the host does",
    ),
    "told number by number": (KERNEL, {"told": 300}, Inconclusive, "gives its kernels 300 numbers one by one"),
    "most of it is there without the kernel": (
        *(KERNEL, {"launches": (OWN, OTHER), "without": 15}, StudentFault),
        "The launches of `transpose_kernel` do not make the answer",
    ),
}


@each("label, said, error, words", NOT_MADE)
def test_what_the_kernel_does_not_make_is_not_its_answer(label, said, error, words):
    with pytest.raises(error, match=words):
        judge(label, **said)


def origin(label, call=(X,), **reported):
    """Judge where a right answer comes from; return the note."""
    student, note = student_of(label, **reported), Note()
    run = scenarios.watch(student, CALL, call).compared(lambda _value: None, note)
    kernels.expect_origin(student, CALL, call, run, (RIGHT, 1e-9), note)
    return note


def test_one_array_of_the_right_numbers_is_enough_unless_it_holds_them_before_any_launch():
    assert origin(("elements", f"kernel: {OWN}"), after=[X, RIGHT]).facts["kernels_alone_right_percent"] == 100
    with pytest.raises(Inconclusive, match="gives its kernels an array that holds the answer"):
        origin(KERNEL, args=(RIGHT,), after=[RIGHT, RIGHT])


def test_numbers_of_python_are_for_a_person_unless_they_are_the_given_ones():
    for padded in (X, np.pad(X, 3)[3:, 3:], X.T):
        origin(KERNEL, args=(padded,), after=[padded, RIGHT], given=["data"])
    for others in (X + 1, np.hstack([X, RIGHT + 1])):
        with pytest.raises(Inconclusive, match="numbers that Python computed"):
            origin(KERNEL, args=(others,), after=[others, RIGHT], given=["data"])


WANTED = np.random.default_rng(1).normal(size=(6, 7))
EMPTY = np.zeros((6, 7))


def launched(before, after, kernel="gemm"):
    return Launched(kernel, (1, 1, 1), (6, 1, 1), before=tuple(before), after=tuple(after))


def makers(*launches):
    return [launch.kernel for launch in find_makers(launches, WANTED)]


def test_one_launch_leaves_it_whole_up_to_a_factor_or_as_a_block_of_a_larger_matrix():
    assert makers(launched([EMPTY], [3 * WANTED])) == ["gemm"]
    wide = np.ones((8, 8))
    wide[2:, :7] = 2 * WANTED
    assert makers(launched([np.zeros((8, 8))], [wide])) == ["gemm"]


def test_several_launches_leave_its_blocks():
    parts = {"kernel 0": WANTED[:4, :5], "kernel 1": WANTED[4:, :5], "kernel 2": WANTED[:, 5:]}
    assert makers(*(launched([0 * part], [part], name) for name, part in parts.items())) == [*parts]
    assert makers(*(launched([0 * row], [row]) for row in WANTED[:, None])) == ["gemm"] * 6
    pieces = np.split(WANTED.ravel(), 3)
    assert len(find_makers([launched([0 * piece], [piece]) for piece in pieces], WANTED.ravel())) == 3


@each(
    "launches",
    [],
    [launched([EMPTY], [WANTED + 1e-4])],
    [launched([WANTED], [2 * WANTED])],
    [launched([WANTED[:4], EMPTY[:4]], [WANTED[:4], 1.0 * WANTED[:4] + 0]), launched([EMPTY[4:]], [WANTED[4:]])],
    [launched([EMPTY[:4]], [WANTED[:4]])],
    [launched([np.pad(WANTED, 1)], [WANTED])],
)
def test_what_a_kernel_was_given_or_left_out_is_not_made(launches):
    assert makers(*launches) == []


def test_who_first_leaves_an_answer_is_its_maker_and_who_copies_one_that_the_host_made_is_not():
    makes, copies = launched([EMPTY], [WANTED], "makes"), launched([WANTED, EMPTY], [WANTED, WANTED], "copies")
    assert find_maker([launched([EMPTY], [EMPTY]), makes, copies], WANTED) is makes
    assert find_maker([copies, makes], WANTED) is None


def test_the_identity_is_known_unless_its_zeros_say_more():
    identity = np.eye(5)
    assert is_known(identity, [])
    assert is_known(identity.astype(np.float32), [])
    assert not is_known(np.where(identity, identity, -0.0), [])
    assert not is_known(identity[[1, 0, 2, 3, 4]], [])


def test_known_numbers_side_by_side_are_known_each_of_them_once():
    column = WANTED[:, :1] + 1
    both, vector = np.hstack([WANTED, column]), np.concatenate([column.ravel(), WANTED.ravel()])
    assert all(is_known(array, [WANTED, column]) for array in (both, both.T, vector))
    assert is_known(np.vstack([WANTED, np.ones((1, 7))]), [WANTED])
    assert not any(is_known(array, [WANTED, column]) for array in (np.hstack([both, column]), both + 1, vector[1:]))
    assert has(vector, WANTED)
    assert has(3 * vector, column)
    assert has(1j * vector, column), "in a part of complex numbers"


def test_whose_result_stands_beside_others_or_is_a_part_is_in_the_chain_of_who_is_given_it():
    wide = np.vstack([WANTED, np.ones((1, 7))])
    for left, given in ((WANTED, wide), (wide, WANTED), (WANTED.ravel(), WANTED)):
        first, last = launched([0 * left], [left], "first"), launched([given, EMPTY], [given, EMPTY + 1], "last")
        assert find_chain([first, launched([EMPTY], [WANTED + 1]), last], last) == [last, first]
        assert is_known(given, [], [first])
        assert is_known(given[:-1], [], [first])


def test_no_later_launch_makes_a_block_that_an_earlier_one_was_given_or_begins_at_infinities():
    upper, lower = WANTED[:3], WANTED[3:]
    assert makers(launched([lower, 0 * upper], [lower, upper]), launched([0 * lower], [lower])) == []
    assert find_makers([launched([EMPTY], [np.full((8, 8), np.inf)])], EMPTY) == []


def test_what_an_earlier_launch_left_may_be_worked_on_and_an_argument_times_a_number_was_not_given():
    origin(KERNEL, after=[X, RIGHT], given=["data"], launches=(OWN, OWN))
    with pytest.raises(Inconclusive, match="numbers that Python computed"):
        origin(KERNEL, args=(X + 1,), after=[X + 1, RIGHT], given=["data"], launches=(OWN, OWN))
    note = origin(KERNEL, call=(RIGHT / 3,), args=(RIGHT / 3,), after=[RIGHT / 3, RIGHT])
    assert note.facts["numbers_come_from"] == list(KERNEL)
