"""Whether the launches of a kernel make an answer, told from what workers report of arrays and labels."""

from types import SimpleNamespace

import numpy as np
import pytest
from rows import each

from grader.authoring import Answer, Inconclusive, Note, Observed, Seen, StudentFault
from grader.authoring.judges import provenance
from grader.worker.wire import Launch

SIZE = 20
CALL = ("matmul_functions", "matmul_transpose_gpu")
X = np.random.default_rng(3).uniform(size=(SIZE, SIZE))
RIGHT = X @ X.T
NOTHING = np.zeros((SIZE, SIZE))
LAUNCH = Launch("transpose_kernel", (1, 1, 1), (SIZE, 1, 1), ("argument 0",))
OTHER = Launch("other_kernel", (1, 1, 1), (SIZE, 1, 1), ("argument 0",))
HOST, KERNEL = ("argument 0", "elements"), ("argument 0", "kernel: transpose_kernel")


def judge(label, *, told=0, args=(X,), after=(RIGHT,), launches=(LAUNCH,), without=NOTHING):
    """Judge a right answer by what workers say: where it comes from, and what the arrays of the kernel hold.

    `without` is the answer of a call in which the kernel was not launched.
    """
    reports = {
        "look_around": {"before": [*args, NOTHING], "after": list(after), "wrote": RIGHT.size, "value": RIGHT},
        "run_without": {"value": without, "raised": "", "left_out": 1},
    }
    student = SimpleNamespace(
        judged=set(),
        doubts_about={},
        why_open=lambda *_: "",
        run=lambda *_, **__: Answer("it", RIGHT, Observed(Seen(label=label, told=told), launches)),
        ask_slices=lambda _module, function, *_, **__: SimpleNamespace(value=reports[function]),
    )
    note = Note()
    provenance.expect_launch(
        student, CALL, LAUNCH.kernel, (1, SIZE), lambda: args, lambda *_: (RIGHT, 1e-9), note, "it"
    )


def rows(count):
    """Return the answer, right in its first rows only."""
    return np.where(np.arange(SIZE)[:, None] < count, RIGHT, 0)


MADE = {
    "a kernel leaves it in one of its arrays": (KERNEL, {"after": [X, RIGHT]}),
    "the host copies the half that symmetry leaves": (HOST, {"after": [X, np.tril(RIGHT)]}),
    "a few numbers are told for each row": (KERNEL, {"told": 4 * SIZE}),
    "two kernels make a half each": (KERNEL, {"launches": (LAUNCH, OTHER), "without": rows(SIZE // 2)}),
}


@each("label, said", MADE)
def test_the_kernel_makes_the_answer(label, said):
    judge(label, **said)


NOT_MADE = {
    "only the host has it": (
        *(HOST, {"after": [X, NOTHING]}, StudentFault),
        "`transpose_kernel` does not make the answer of .*: the host does",
    ),
    "the arguments hold it already": (
        *(HOST, {"args": (X, np.tril(RIGHT)), "after": [np.tril(RIGHT)]}, StudentFault),
        "the host does",
    ),
    "told number by number": (KERNEL, {"told": 300}, Inconclusive, "gives its kernels 300 numbers one by one"),
    "most of it is there without the kernel": (
        *(KERNEL, {"launches": (LAUNCH, OTHER), "without": rows(15)}, StudentFault),
        "The launches of `transpose_kernel` do not make the answer",
    ),
}


@each("label, said, error, words", NOT_MADE)
def test_what_the_kernel_does_not_make_is_not_its_answer(label, said, error, words):
    with pytest.raises(error, match=words):
        judge(label, **said)


def test_one_array_of_the_right_numbers_is_enough_where_python_handed_them_over():
    seen = Seen(label=("elements", "kernel: transpose_kernel"))
    student = SimpleNamespace(
        ask_slices=lambda *_, **__: SimpleNamespace(value={"after": [X, RIGHT], "wrote": RIGHT.size})
    )
    note = Note()
    answer = Answer("it", RIGHT, Observed(seen, (LAUNCH,)))
    right = answer.compared(lambda _value: None, note)
    provenance.expect_origin(student, CALL, right, (X,), lambda *_: (RIGHT, 1e-9), note)
    assert note.facts["kernels_alone_right_percent"] == 100
