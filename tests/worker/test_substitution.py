"""Where an answer came from is seen from outside the function, whichever way it launches its kernels."""

import numpy as np
import pytest

from grader.worker.process import Limits

LIMITS = Limits(load_s=60, call_s=60, check_s=600)
WAYS = """
    import numpy as np
    from numba import cuda

    @cuda.jit
    def add(A, B, C):
        i = cuda.grid(1)
        if i < C.size:
            C[i] = A[i] + B[i]

    @cuda.jit
    def add_2d(A, B, C):
        i, j = cuda.grid(2)
        if i < C.shape[0] and j < C.shape[1]:
            C[i, j] = A[i, j] + B[i, j]

    @cuda.jit
    def add_packed(P, C):
        i = cuda.grid(1)
        if i < C.size:
            C[i] = P[i] + P[i + C.size]

    @cuda.jit
    def add_into(A, B):
        i = cuda.grid(1)
        if i < A.size:
            A[i] += B[i]

    @cuda.jit
    def half(A, B, C, part):
        i = cuda.grid(1)
        if i < C.size and i % 2 == part:
            C[i] = A[i] + B[i]

    @cuda.jit
    def halve(C):
        i = cuda.grid(1)
        if i < C.size:
            C[i] /= 2

    def flat(A, B):
        C = np.empty(A.size)
        add[4, 32](A.ravel(), B.ravel(), C)
        return C.reshape(A.shape)

    def on_the_device(A, B):
        C = cuda.device_array(A.shape)
        add_2d[(2, 2), (8, 8)](cuda.to_device(A), cuda.to_device(B), C)
        return C.copy_to_host().tolist()

    def by_an_alias(A, B, run=add_2d[(2, 2), (8, 8)]):
        C = np.zeros(A.shape)
        run(A, B, C)
        return C

    def packed(A, B):
        C = np.zeros(A.size)
        add_packed[4, 32](np.concatenate([A.ravel(), B.ravel()]), C)
        return C.reshape(A.shape)

    def in_place(A, B):
        C = A.ravel().copy()
        add_into[4, 32](C, B.ravel())
        return C.reshape(A.shape)

    def in_two_launches(A, B):
        C = np.zeros(A.size)
        half[4, 32](A.ravel(), B.ravel(), C, 0)
        half[4, 32](A.ravel(), B.ravel(), C, 1)
        return C.reshape(A.shape)

    def transposed(A, B):
        C = np.zeros(A.T.shape)
        add_2d[(2, 2), (8, 8)](np.ascontiguousarray(A.T), np.ascontiguousarray(B.T), C)
        return C.T

    def padded(A, B):
        size = A.shape[0] + 3, A.shape[1] + 2
        a, b, C = np.zeros(size), np.zeros(size), np.zeros(size)
        a[:A.shape[0], :A.shape[1]], b[:A.shape[0], :A.shape[1]] = A, B
        add_2d[(2, 2), (8, 8)](a, b, C)
        return C[:A.shape[0], :A.shape[1]]

    KEPT = np.zeros(99)

    def into_a_result_of_the_module(A, B):
        add[4, 32](A.ravel(), B.ravel(), KEPT)
        return KEPT.reshape(A.shape)

    def for_show(A, B):
        flat(A, B)
        return A + B

    def prepared(A, B):
        C = 2 * (A + B)
        halve[4, 32](C.ravel())
        return C

    def given(A, B):
        C = np.zeros(A.size)
        add[4, 32]((A + B).ravel(), np.zeros(A.size), C)
        return C.reshape(A.shape)

    def without(A, B):
        return A + B
"""
HONEST = ("flat", "on_the_device", "by_an_alias", "packed", "in_place", "in_two_launches", "transposed", "padded")
HONEST += ("into_a_result_of_the_module",)
PATTERN = np.random.default_rng(0).integers(0, 101, 200)


@pytest.fixture(scope="module")
def examine(submit_once):
    rng = np.random.default_rng(1)
    args, others = (tuple(rng.normal(size=(2, 9, 11))) for _ in range(2))
    student = submit_once(WAYS, limits=LIMITS)

    def run(function, kernel=""):
        call = ("utils", function, kernel, args, others, PATTERN)
        return student.call("grader.worker.substitution", "examine_launches", call).value, args, others

    student.load("utils")
    return run


@pytest.mark.parametrize("function", HONEST)
def test_kernels_that_do_the_work_do_it_alone_and_make_the_answer(examine, function):
    seen, _, others = examine(function)
    assert seen["wrote"] == seen["launches"] >= 1
    assert seen["replaced"] == seen["launches"]
    got = np.asarray(seen["substituted"])
    wanted = [PATTERN[:99].reshape(9, 11), PATTERN[:99].reshape(11, 9).T, PATTERN[: 12 * 13].reshape(12, 13)[:9, :11]]
    assert any(np.array_equal(got, pattern) for pattern in wanted)
    (made,) = seen["replayed"]
    right = sum(others)
    layouts = [made.ravel()[:99], made.T.ravel()[:99], made[:9, :11].ravel() if made.ndim == 2 else made]
    assert any(layout.shape == (99,) and np.allclose(layout, right.ravel()) for layout in layouts)
    assert seen["identified"]


def test_an_answer_that_is_not_the_kernels_stays_right_without_them(examine):
    seen, args, _ = examine("for_show")
    assert seen["replaced"] == 1
    assert np.allclose(seen["substituted"], sum(args))


def test_what_the_host_prepared_is_not_made_of_other_data(examine):
    seen, _, others = examine("prepared")
    assert not seen["identified"]
    assert not any(np.allclose(made.ravel(), sum(others).ravel()) for made in seen["replayed"])


def test_a_finished_answer_among_the_arguments_is_a_stranger(examine):
    seen, args, _ = examine("given")
    assert any(np.allclose(stranger, sum(args).ravel()) for stranger in seen["strangers"])


def test_no_launch_is_no_launch(examine):
    seen, _, _ = examine("without")
    assert (seen["launches"], seen["wrote"], seen["replaced"]) == (0, 0, 0)


def test_only_the_named_kernel_is_examined(examine):
    assert examine("flat", "add_2d")[0]["launches"] == 0
    assert examine("flat", "add")[0]["launches"] == 1
