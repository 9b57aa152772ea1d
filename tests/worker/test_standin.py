"""Stand-ins give out single elements, and notice who wants more."""

import numpy as np
import pytest

from grader.worker.process import Limits

LIMITS = Limits(load_s=60, call_s=60, check_s=600)
WAYS = """
    import numpy as np

    def loops(A, B):
        C = np.empty(A.shape, A.dtype)
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]
        return C

    def rows(A, B):
        return [[max(a, b) for a, b in zip(x, y)] for x, y in zip(A, B)]

    def maps(A, B):
        return [list(map(max, x, y)) for x, y in zip(A, B)]

    def lengths(A, B):
        C = np.zeros_like(A)
        for i in range(len(A)):
            for j in range(len(A[0])):
                C[i][j] = max(A[i][j], B[i][j])
        return C

    def partly_copied(A, B):
        C = A.copy()
        for i in range(A.shape[0]):
            for j in range(A.shape[1]):
                if B[i][j] > C[i][j]:
                    C[i][j] = B[i][j]
        return C

    def lists(A, B):
        return rows(A.tolist(), B.tolist())

    def ufunc(A, B):
        return np.maximum(A, B)

    def ufunc_of_rows(A, B):
        return [np.maximum(a, b) for a, b in zip(A, B)]

    def many_others_first(A, B):
        for work in (lambda: A + 1, lambda: A * 2, lambda: A - 1, lambda: A // 2, lambda: -A, lambda: abs(A)):
            try:
                work()
            except Exception:
                pass
        return A - B

    def room_by_a_difference(A, B):
        return A - A

    def where(A, B):
        return np.where(A > B, A, B)

    def caught(A, B):
        try:
            return np.maximum(A, B)
        except Exception:
            return loops(A, B)

    def two_faced(A, B):
        return np.maximum(A, B) if type(A) is np.ndarray else loops(A, B)

    def hard_coded(A, B):
        C = np.empty((400, 400))
        for i in range(400):
            for j in range(400):
                C[i][j] = max(A[i][j], B[i][j])
        return C
"""


@pytest.fixture(scope="module")
def examine(submit_once):
    student = submit_once(WAYS, limits=LIMITS)

    def run(function, shape=(5, 7)):
        pair = np.random.default_rng(2).integers(0, 256, (2, *shape))
        call = ("utils", function, *pair)
        return student.call("grader.worker.standin", "examine_reads", call).value, np.maximum(*pair)

    return run


@pytest.mark.parametrize("function", ["loops", "rows", "maps", "lengths", "partly_copied"])
def test_loops_read_every_element_and_are_the_same_for_real_arrays(examine, function):
    seen, right = examine(function)
    assert np.array_equal(seen["value"], right)
    assert seen["whole"] == []
    assert seen["reads"] + 35 * seen["copies"] >= 70
    assert seen["steps"] == seen["real_steps"] > 5


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("ufunc", "numpy.maximum"),
        ("ufunc_of_rows", "numpy.maximum"),
        ("where", "the operator gt of both"),
        ("many_others_first", "the operator sub of both"),
        ("caught", "numpy.maximum"),
    ],
)
def test_whoever_wants_many_elements_at_once_is_named(examine, function, name):
    assert name in examine(function)[0]["whole"]


def test_a_matrix_less_itself_is_no_work_on_both(examine):
    assert examine("room_by_a_difference")[0]["whole"] == ["the operator sub"]


def test_real_arrays_treated_otherwise_take_other_steps(examine):
    seen, right = examine("two_faced")
    assert np.array_equal(seen["value"], right)
    assert seen["real_steps"] < 35 < seen["steps"]


def test_copies_of_both_matrices_are_counted(examine):
    assert examine("lists")[0]["copies"] == 2


def test_a_large_matrix_is_not_read_to_its_end(examine):
    seen, _ = examine("hard_coded", (400, 400))
    assert seen["raised"] == "EnoughSeen"
    assert seen["reads"] == 100_001
    assert seen["whole"] == []


def test_an_observer_that_comes_first_leaves_kernels_on_the_executor(submit):
    student = submit(
        """
        import numpy as np
        from numba import cuda, njit

        @njit
        def compiled(A, B):
            return np.maximum(A, B)

        @cuda.jit
        def kernel(out):
            out[cuda.threadIdx.x] = cuda.threadIdx.x

        def launch():
            out = np.zeros(4)
            kernel[1, 4](out)
            return out
        """,
        limits=LIMITS,
    )
    matrix = np.ones((2, 2))
    student.call("grader.worker.standin", "examine_reads", ("utils", "compiled", matrix, matrix))
    assert student.utils.launch().tolist() == [0, 1, 2, 3]
