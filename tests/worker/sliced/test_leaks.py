"""Single numbers that are read out of what NumPy made of whole arrays are counted, however they are read."""

import pytest
from rows import each

ENTRIES = 144
READ = (
    "C = [[M[i, j] for j in range(12)] for i in range(12)]",
    "C = [[M[i][j] for j in range(12)] for i in range(12)]",
    "C = [x for i in range(12) for row in [M[i]] for x in row]",
    *("V = M.reshape(-1)\nC = [V[k] for k in range(144)]", "C = [x for row in M for x in row]"),
    *("C = [x for row in list(M) for x in list(row)]", "C = list(M.flat)", "C = [M.flat[k] for k in range(144)]"),
    *("C = M.tolist()", "C = [operator.itemgetter((i, j))(M) for i in range(12) for j in range(12)]"),
    "C = [operator.getitem(M, (i, j)) for i in range(12) for j in range(12)]",
    *("C = [float(x) for x in map(float, M.ravel())]", "C = [x for row in M for x in sorted(row)]"),
    *("C = list(itertools.chain.from_iterable(M))", "C = [x for row in M for x in [*row]]"),
    *("C = [x for rows in zip(*M) for x in rows]", "C = [x for row in M.astype(float) for x in row]"),
    *("C = [x for row in M.copy() for x in row]", "C = [int(M[i, j, ...]) for i in range(12) for j in range(12)]"),
    "C = ['%d' % M[i, j, ...] for i in range(12) for j in range(12)]",
    "C = [x for row in [row + 1 for row in M] for x in row]",
)


@each("body", READ)
def test_numbers_read_out_of_a_mix_are_leaks_and_out_of_arguments_none(run, body):
    seen = run(f"M = np.maximum(A, B)\n{body}").seen
    assert min(seen.leaks, seen.reads) >= ENTRIES
    seen = run(f"M = A\n{body}").seen
    assert seen.leaks == 0
    assert seen.reads >= ENTRIES


SHAPES = "np.zeros(A[i, :2]).shape", "np.broadcast_shapes(A[i, :2] + 1)", "np.dtype((np.int8, A[i, :2])).shape"


@each("told_by", [*SHAPES, "(A[i].astype(object) << np.arange(0, 96, 8).astype(object)).sum()"])
def test_numbers_that_a_shape_or_a_long_integer_tells_are_reads(run, told_by):
    assert run(f"C = [{told_by} for i in range(12)]").seen.reads >= 24


@each("shape", SHAPES)
def test_sizes_that_a_shape_tells_are_no_reads(run, shape):
    assert run(f"C = [{shape.replace('A[i, :2]', 'np.array([i, 2])')} for i in range(12)]").seen.reads == 0


@each("body", ["C = A.max()", "C = (A > B).any()"])
def test_one_number_of_a_reduction_or_one_truth_is_one_leak(run, body):
    assert run(body).seen.leaks == 1


LEFT = {
    "in a sum with nothing": "C = [M[i, j, ...] + 0 for i in range(12) for j in range(12)]",
    "as a mean of one": "C = [M[i, j : j + 1].mean() for i in range(12) for j in range(12)]",
    "as truths": "C = [np.greater(M[i, [j, j]], 5).all() for i in range(12) for j in range(12)]",
    "through a ufunc of Python": "C = []\nnp.frompyfunc(C.append, 1, 1)(M)",
    "through a text": "C = np.array2string(a=M)",
    "through a message": "try:\n    np.testing.assert_equal(M, 0)\nexcept AssertionError as error:\n    C = str(error)",
    "through an operand": "C = []\nnp.frompyfunc(C.append, 1, 1)(M.astype(object))",
    "as lengths": "R = np.arange(999)\nC = [len(R[R < M[i, j : j + 1]]) for i in range(12) for j in range(12)]",
    "as places": "R = np.arange(999)\nC = [np.flatnonzero(R < row[[j]]).size for row in M for j in range(12)]",
    "as a place in a table": "T = np.arange(256)\nC = [T[M[i, j : j + 1]] for i in range(12) for j in range(12)]",
    "in an index's message": (
        "C, T = [], np.zeros(1)\nfor i, j in np.ndindex(12, 12):\n    try:\n        T[M[i, j : j + 1] + 1]\n"
        "    except IndexError as error:\n        C.append(str(error))"
    ),
    "in the message of a copy": (
        "C = []\nfor i, j in np.ndindex(12, 12):\n    try:\n        np.take([0], indices=M[i, j : j + 1] + 1)\n"
        "    except IndexError as error:\n        C.append(str(error))"
    ),
    "as the length of a count": "C = [len(np.bincount(M[i, j : j + 1])) for i in range(12) for j in range(12)]",
    "as a place in all entries": (
        "C = []\nfor i, j in np.ndindex(12, 12):\n    T = np.zeros(256)\n    T.flat[M[i, j : j + 1]] = 1\n"
        "    C.append(T.argmax())"
    ),
    "as a length of a piece": (
        "C, T = [], np.arange(256)\nfor i, j in np.ndindex(12, 12):\n"
        "    np.piecewise(T, [T < M[i, j : j + 1]], [lambda part: C.append(len(part)) or part, 0])"
    ),
    "as a length of chunks": (
        "T = np.zeros(300)\nC = [len(next(iter(np.nditer(T, ['external_loop', 'buffered'], buffersize=M[i, j, ...]))))"
        " for i in range(12) for j in range(12)]"
    ),
    "as a shape of machine code": (
        "from numba import njit\n@njit\ndef g(a):\n    return np.empty((0, a[0], a[1], a[2], a[3]))\n"
        "C = [g(M[i, j : j + 4]).shape for i in range(12) for j in range(0, 12, 4)]"
    ),
    "as a member": "C = [7 in M[i, j : j + 1] for i in range(12) for j in range(12)]",
    "as a seed's text": "C = [str(np.random.SeedSequence(row)) for row in M]",
    "as seeds": "C = [np.random.default_rng(M[i, j : j + 1]).integers(99) for i in range(12) for j in range(12)]",
    "as seeds of old": "C = [np.random.RandomState(M[i, j : j + 1]).rand() for i in range(12) for j in range(12)]",
    "as seeds of all": "C = [np.random.seed(M[i, j : j + 1]) for i in range(12) for j in range(12)]",
    "as states": "C = [np.random.PCG64(M[i, j : j + 1]) for i in range(12) for j in range(12)]",
    "by item": "C = [M.item(i, j) for i in range(12) for j in range(12)]",
}


@each("body", LEFT)
def test_numbers_that_leave_a_mix_in_another_way_are_leaks(run, body):
    assert run(f"M = np.maximum(A, B)\n{body}").seen.leaks >= ENTRIES


def test_a_vectorized_function_keeps_a_mix_in_the_label_and_is_no_leak_of_arguments(run):
    seen = run("C = np.vectorize(int)(np.maximum(A, B))").seen
    assert any(token.startswith("mixed: numpy.maximum") for token in seen.label)
    seen = run("C = np.vectorize(lambda a, b: a if a > b else b)(A, B)").seen
    assert (seen.leaks, seen.mixed) == (0, 0)
    body = "class M:\n    __len__ = lambda self: len(A)\n    __getitem__ = lambda self, i: np.maximum(A, B)[i]\n"
    seen = run(f"{body}C = np.concatenate(np.vectorize(lambda _: M(), otypes=[object])(np.arange(1)))").seen
    assert any(token.startswith("mixed: numpy.maximum") for token in seen.label)


DEEP = {"by an index": "C[...] = M", "by out=": "np.maximum(M, 0, out=C)", "by at": "np.add.at(C, ..., M)"}


@pytest.mark.parametrize("line", DEEP.values(), ids=DEEP)
def test_what_is_written_when_the_stack_ends_is_labelled(opened, pair, line):
    text = f"""
        import numpy as np

        def deep(n, C, M):
            if n:
                deep(n - 1, C, M)
            else:
                {line}

        def f(A, B):
            M = np.maximum(A, B)
            for n in range(600, 1000):
                C = np.zeros(A.shape, A.dtype)
                try:
                    deep(n, C, M)
                except RecursionError:
                    if C[0, 0] + C[1, 1]:
                        return C
            return M
        """
    assert any(token.startswith("mixed: numpy.maximum") for token in opened(text).call(*pair).seen.label)


def test_what_raises_at_its_end_has_written(run):
    call = "with np.errstate(all='raise'):\n        np.multiply(A[0], B[0] + 1e308, out=C)"
    seen = run(f"C = np.zeros(12)\ntry:\n    {call}\nexcept FloatingPointError:\n    pass").seen
    assert any(token.startswith("mixed: numpy.multiply") for token in seen.label)


@pytest.mark.parametrize(("read", "leaks"), [("M[i, j]", ENTRIES), ("M[i, j, ...]", ENTRIES), ("A[i, j, ...]", 0)])
def test_a_mixed_number_that_is_written_on_is_a_leak(run, read, leaks):
    lines = "M = np.maximum(A, B)\nC = np.zeros(A.shape)\nfor i in range(12):\n    for j in range(12):\n"
    seen = run(f"{lines}        C[i, j] = {read}").seen
    assert seen.leaks == leaks
    assert "elements" in seen.label


def test_no_warning_is_recorded_and_numpy_calls_no_function_for_errors(run):
    ask = "    for i, j in np.ndindex(12, 12):\n        1 / (M[i, j : j + 1] * 0)\nC = A"
    head = "import warnings\nM = np.maximum(A, B)\n"
    assert run(f"{head}with np.errstate(all='ignore'), warnings.catch_warnings():\n{ask}").seen.leaks == 0
    for hears in ("np.errstate(all='call', call=print)", "warnings.catch_warnings(record=True)"):
        with pytest.raises(TypeError, match="graded function cannot (let NumPy call a function|read warnings)"):
            run(f"{head}with {hears}:\n{ask}")
