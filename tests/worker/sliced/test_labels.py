"""Every array says where its numbers come from, whatever way they went."""

import numpy as np
import pytest
from rows import each

MIXED = "mixed: numpy."
KEPT = (
    *("C = np.lib.stride_tricks.as_strided(A, (3, 2), A.strides)", "C = A / 255", "C = 255 - A"),
    *("C = A.astype(float)", "C = A.astype('float32')", "C = A.astype(np.float32)", "C = A[::2]", "C = A[3]"),
    *("C = A[[1, 2, 3]]", "C = A.T", "C = A.mT", "C = np.reshape(A, (6, 24))", "C = A.reshape(-1)", "C = A.ravel()"),
    *("C = A.flatten()", "C = A.copy()", "C = np.copy(A)", "C = np.array(A)", "C = np.asarray(A)"),
    *("C = np.ascontiguousarray(A.T)", "C = np.asfortranarray(A)", "C = np.transpose(A)", "C = A.transpose(1, 0)"),
    *("C = A.swapaxes(0, 1)", "C = A[None].squeeze()", "C = np.flip(A, 0)", "C = np.roll(A, 1)", "C = np.pad(A, 2)"),
    *("C = np.pad(A, 2, mode='edge')", "C = np.tile(A, 2)", "C = A.repeat(2)", "C = A.take([0, 3])"),
    *("C = A.diagonal()", "C = A.view()", "C = A.view(np.uint64)", "C = -A", "C = abs(A)", "C = np.sqrt(A)"),
    *("C = A.clip(3, 200)", "C = np.where(A, 1, 0)", "C = A > 128", "C = A - A", "C = A * A", "C = A * 0"),
    *("C = np.zeros_like(A)", "C = np.empty_like(A)", "C = A.copy()\nC += 1"),
    *("C = np.empty(A.shape, A.dtype)\nnp.negative(A, out=C)", "C = np.zeros(A.shape, A.dtype)\nC[:] = A"),
    "C = np.zeros(A.shape, A.dtype)\nV = C.T[2:]\nV[...] = A[2:]",
    *("C = np.zeros(A.shape, A.dtype)\nnp.copyto(C, A)", "C = np.zeros(A.shape, A.dtype)\nC.flat = A"),
    *("C = np.zeros(A.shape, A.dtype)\nC.flat[3:9] = A[0, 3:9]", "C = np.stack([A, A])"),
    *("C = np.concatenate((A, A), axis=1)", "C = np.hstack([A, A])", "C = [row for row in A]"),
    *("C = np.array([row for row in A])", "C = (A, 3)", "C = np.split(A, 3)", "C = np.broadcast_to(A, (2, 12, 12))"),
    *("C = functools.reduce(lambda one, _: one.copy(), range(3), A)", "C = np.nan_to_num(A)"),
)
ALIKE = {
    "add.at": (
        "C = np.zeros(A.shape)\nnp.add.at(C, (np.arange(12)[:, None], np.arange(12)[None]), A)",
        "C = A.copy()\nnp.add.at(C, np.arange(12), B)",
    ),
    "greater": ("C = A > B", "C = operator.gt(A, B)"),
    "maximum": (
        *("C = np.maximum(A, B)", "m = np.maximum\nC = m(A, B)", "C = [np.maximum][0](A, B)"),
        *("C = np.empty_like(A)\nnp.maximum(A, B, C)", "C = np.empty_like(A)\nnp.maximum(A, B, out=C)"),
        # by a keyword that is hard to find
        "class K(str):\n    def __hash__(self):\n        return 1\nC = A.copy()\nnp.maximum(A, B, **{K('out'): C})",
        "C = np.empty_like(A)\nnp.maximum(A, B, out=(C,))",
        *("C = np.empty_like(A)\nnp.maximum(A[2:], B[2:], out=C[2:])", "C = A\nnp.maximum(A, B, A)"),
        *("C = A.copy()\nnp.maximum(A, 0, out=C, where=A > B)", "C = [np.maximum(a, b) for a, b in zip(A, B)]"),
        "C = np.array(list(map(np.maximum, A, B)))",
        "C = np.empty_like(A)\nfor i in range(12):\n    C[i] = np.maximum(A[i], B[i])",
        *("C = functools.partial(np.maximum)(A, B)", "C = functools.partial(np.maximum, A)(B)"),
        *("C = functools.reduce(np.maximum, [A, B])", "C = list(itertools.starmap(np.maximum, [(A, B)]))[0]"),
        *("C = A.clip(B)", "C = np.zeros_like(A)\nC[:] = np.maximum(A, B)"),
        *("C = np.zeros(A.shape)\nC.flat = np.maximum(A, B)", "C = np.zeros(A.shape)\nC.flat[:] = np.maximum(A, B)"),
        "C = np.zeros(A.shape)\nC.T[:] = np.maximum(A, B)",
        "C = np.zeros(A.shape)\nnp.copyto(C, np.maximum(A, B))",
        "M = np.maximum(A, B)\nC = np.array([row for row in M])",
        "C = np.maximum(A, B)" + "\nC = np.abs(C)" * 40,  # with many other names in front of it
    ),
    "choose": ("C = np.choose(A > B, [B, A])", "C = (A > 3).choose([B, A])"),
    "add": (
        *("C = A + B", "C = A.copy()\nC += B", "C = A.copy()\nV = C[2:]\nV += B[2:]", "C = (A + B + abs(A - B)) / 2"),
        *("C = A.copy()\noperator.iadd(C, B)", "C = sum(A)"),
    ),
    "multiply": ("C = A * A.T", "C = (A * (1 - 1j)) * (1 + 1j)"),
    "matmul": ("C = operator.matmul(A, B)", "C = A @ A.T", "C = A @ np.ones((A.shape[1], 2))"),
    "dot": ("C = A.dot(B)", "C = np.dot(A, B)", "C = np.empty_like(A)\nnp.dot(A, B, out=C)"),
    "max": (
        *("C = np.stack([A, B]).max(axis=0)", "C = np.max([A, B], axis=0)"),
        "C = np.empty_like(A)\nnp.stack([A, B]).max(axis=0, out=C)",
    ),
    "sort": ("C = np.stack([A, B])\nC.sort(axis=0)", "C = np.sort(np.stack([A, B]), axis=0)[1]"),
    "selection by an index": (
        *("C = A.copy()\nnp.copyto(C, B, where=A == 3)", "C = A.copy()\nnp.place(C, A > 100, B)"),
        *("C = A.copy()\nnp.put(C, np.flatnonzero(A > 100), B)", "C = A.copy()\nC[A > 100] = 3"),
        *("C = A.copy()\nC[A > B] = A[A > B]", "C = A[A > 100]", "C = A.ravel()[A.ravel() % 9]"),
        *("C = B.take(indices=A % 100)", "C = np.take(a=B, indices=A % 100)", "C = np.repeat(B, A[0] > 100, 0)"),
        *("C = A.copy()\nnp.copyto(C, B, 'same_kind', A == 3)", "C = A.copy()\nnp.place(arr=C, mask=A > 9, vals=B)"),
    ),
    "view of several arrays' numbers as others": (
        *("C = A.view(complex)", "C = np.frombuffer(A, complex)", "C = np.ndarray((3, 3), complex, A)"),
    ),
}
"""Name of a mix -> several ways to it."""
MIXES = [
    *((body, name) for name, bodies in ALIKE.items() for body in bodies),
    *(("C = np.fmax(A, B)", "fmax"), ("C = np.where(A > B, A, B)", "where")),
    *(("C = np.select([A > 3], [A], B)", "select"), ("C = np.piecewise(A, [A > 3], [1, 0])", "piecewise")),
    *(("C = np.clip(A, B, None)", "clip"), ("C = np.inner(A, A)", "inner"), ("C = np.outer(A[0], B[0])", "outer")),
    *(("C = np.einsum('ij,kj->ik', A, A)", "einsum"), ("C = np.tensordot(A, B, 1)", "tensordot")),
    *(("C = np.kron(A, B)", "kron"), ("C = np.linalg.multi_dot([A, B, A])", "multi_dot")),
    *(("C = np.linalg.svd(A)[2]", "svd"), ("C = np.multiply.outer(A[0], B[0])", "multiply.outer")),
    ("C = np.maximum.reduce([A, B])", "maximum.reduce"),
    ("C = np.maximum.accumulate(np.stack([A, B]))[1]", "maximum.accumulate"),
    *(("C = np.add.reduceat(A, [0, 3])", "add.reduceat"), ("C = A.sum(axis=1)", "add.reduce")),
    *(("C = A.cumsum(axis=0)", "add.accumulate"), ("C = np.stack([A, B])\nC.partition(1, axis=0)", "partition")),
    *(("C = A.argsort()", "argsort"), ("C = np.argmax(np.stack([A, B]), axis=0)", "argmax")),
    *(("C = A.copy()\nnp.putmask(C, A > 100, B)", "putmask"), ("C = A.compress(A[0] > 9, axis=1)", "compress")),
    ("C = np.take_along_axis(A, B % 9, 1)", "take_along_axis"),
    *(("C = np.arange(256).searchsorted(A)", "searchsorted"), ("C = np.diff(A)", "diff")),
    *(("C = np.unique(A)", "unique"), ("C = np.convolve(A[0], B[0])", "convolve")),
    *(("C = np.apply_along_axis(lambda row: row, 0, A)", "apply_along_axis"), ("C = np.fft.fft(A)", "fft")),
    ("C = np.pad(np.stack([A, B]), ((0, 1), (0, 0), (0, 0)), 'maximum')[2]", "pad"),
    ("C = np.random.default_rng(3).permutation(A)", "permutation"),
]


@each("body", KEPT)
def test_entries_that_stay_apart_keep_their_label_and_value(run, pair, body):
    found = run(body)
    seen = found.seen
    assert "argument 0" in seen.label
    assert not [token for token in seen.label if token.startswith("mixed")], seen.label
    assert seen.mixed == seen.leaks == 0
    expect_plain_value(body, pair, found.value)


@each("body, name", MIXES)
@pytest.mark.filterwarnings("ignore:Passing more than 2 positional arguments:DeprecationWarning")
def test_entries_that_come_together_are_a_mix_with_name_and_line(run, pair, body, name):
    found = run(body)
    seen = found.seen
    mixed = [token for token in seen.label if token.startswith("mixed")]
    assert any(token.startswith(f"{MIXED}{name}") for token in mixed), seen
    assert all("(sample.py:" in token for token in mixed)
    assert seen.mixed
    expect_plain_value(body, pair, found.value)


@each("body, name", [mix for mix in MIXES if mix[1] != "selection by an index"])
def test_calls_that_are_timed_are_seen_to_mix_as_well(run, body, name):
    """Of them only operations are known, and not what is written where, which would cost time."""
    assert any(f"numpy.{name}" in mix for mix in run(body, full=False).seen.mixes)


def expect_plain_value(body, pair, got):
    """Fail unless `got` is what NumPy makes of the lines where nobody observes it."""
    if "random" in body or "empty_like(A)" in body:
        return
    scope: dict = {}
    names = "import functools, itertools, operator\nimport numpy as np\n"
    lines = body.replace("\n", "\n    ")
    exec(f"{names}def f(A, B):\n    {lines}\n    return C\n", scope)
    right = scope["f"](*(array.copy() for array in pair))
    if isinstance(right, tuple):
        right, got = right[0], got[0]
    np.testing.assert_array_equal(got, right)


@each(
    "made, kind",
    ("np.random.default_rng(seed=3)", "Generator"),
    ("np.random.Generator(np.random.PCG64(3))", "Generator"),
    ("np.random.RandomState(seed=3)", "RandomState"),
)
def test_generators_of_random_numbers_are_made_as_numpy_makes_them(run, made, kind):
    body = f"rng = {made}\nassert isinstance(rng, np.random.{kind})\nC = rng.permutation(np.arange(5))"
    assert sorted(run(body).value.tolist()) == [0, 1, 2, 3, 4]


def test_the_line_is_that_of_the_file_and_arguments_are_told_apart(run):
    assert f"{MIXED}greater (sample.py:8)" in run("C = A + 1\n\nC = C > B").seen.label
    for body, places in (("C = A", [0]), ("C = B[0]", [1]), ("C = [A, B]", [0, 1])):
        assert run(body).seen.label == tuple(f"argument {place}" for place in places)


def test_arguments_are_labelled_in_each_call_anew_and_what_an_import_makes_is_no_data(opened, pair):
    sample = opened("import numpy as np\ndef f(A, B):\n    np.maximum(A, B, out=A)\n    return B\n")
    sample.call(*pair)
    assert sample.call(*pair).seen.label == ("argument 1",)
    sample = opened("import numpy as np\nTABLE = np.arange(100).reshape(10, 10)\ndef f(A, B):\n    return TABLE\n")
    assert sample.call(*pair).seen.label == ("index",)


def test_what_is_kept_from_one_call_to_the_next_keeps_its_label_and_a_view_is_watched(opened, pair):
    text = "import numpy as np\nKEPT = {}\ndef f(A, B):\n    if 'C' not in KEPT:\n"
    sample = opened(f"{text}        KEPT['C'] = np.maximum(A, B)\n    return KEPT['C']\n")
    assert sample.call(*pair, full=False).seen.label == sample.call(*pair).seen.label
    assert "maximum" in str(sample.call(*pair).seen.label)
    text = "import numpy as np\nROOM = np.add(np.zeros((12, 12)), 0)[:]\ndef f(A, B):\n"
    sample = opened(f"{text}    ROOM[...] = np.maximum(A, B)\n    return [ROOM[0, j] for j in range(12)]\n")
    assert (sample.call(*pair, full=False).seen.leaks, sample.call(*pair).seen.leaks) == (0, 12)


def test_a_loop_of_ones_own_is_elements_and_functions_of_single_numbers_are_counted_by_name(run):
    loop = "C[i, j] = A[i, j] if A[i, j] > B[i, j] else B[i, j]"
    seen = run(f"C = np.zeros(A.shape)\nfor i in range(12):\n    for j in range(12):\n        {loop}").seen
    assert (seen.label, (seen.mixed, seen.leaks, seen.writes)) == (("elements",), (0, 0, 144))
    assert seen.reads >= 288
    seen = run("C = np.zeros(144)\nfor i in range(144):\n    C[i] = np.maximum(A.flat[i], B.flat[i])").seen
    assert (seen.singles, seen.mixed) == ({"maximum": 144}, 0)


OF_LISTS = {
    "a list of numbers": ("C = [float(i) for i in range(100)]", ("data",)),
    "rows of numbers": ("C = np.array([[1.5 * i for i in range(10)] for j in range(10)])", ("data",)),
    "a vectorized function": ("C = np.vectorize(lambda a, b: a if a > b else b)(A, B)", ("data",)),
    "many numbers made of nothing": ("C = np.concatenate([np.arange(k, k + 1) for k in range(20)])", ("data", "index")),
    "old memory": ("for _ in range(20):\n    old = A * 3 + 1\n    del old\nC = np.empty(A.shape, A.dtype)", ()),
    "arrays among objects": ("C = np.array([A, B[:1]], dtype=object).tolist()[0]", ("argument 0", "argument 1")),
}


@each("body, label", OF_LISTS)
def test_numbers_of_lists_are_data_and_what_memory_held_is_none(run, body, label):
    seen = run(body).seen
    assert (seen.label, seen.mixed) == (label, 0)


def test_an_array_behind_thousands_of_others_in_a_list_is_not_overlooked(run):
    seen = run("M = np.maximum(A, B)\nC = np.array([np.zeros(12)] * 3000 + [row for row in M])[3000:]").seen
    assert any(token.startswith("mixed: numpy.maximum") for token in seen.label)


@each("held", {"four deep": "[[[[M]]]]", "eight deep": "[[[[[[[[M]]]]]]]]", "in a tuple": "(((((M,),),),),)"})
def test_an_array_deep_in_lists_is_not_overlooked(run, held):
    seen = run(f"M = np.maximum(A, B)\nC = np.array({held}).reshape(A.shape)").seen
    assert any(token.startswith("mixed: numpy.maximum") for token in seen.label)


def test_waiting_is_seen(opened, pair):
    sample = opened("import time\ndef f(A, B):\n    time.sleep(0.01)\n    return A\n")
    assert sample.call(*pair).seen.waited_s == pytest.approx(0.01)


PIECES = {
    "copyto": "np.copyto(V[k : k + 12], list(range(12)))",
    "put": "V.put(list(range(k, k + 12)), list(range(12)))",
    "fill": "V[k : k + 1].fill(3)\n    V[k + 1 : k + 2].fill(4)",
    "add": "V[k : k + 12] += list(range(12))",
}


@each("line", PIECES)
def test_numbers_that_come_in_pieces_are_elements(run, line):
    assert "elements" in run(f"C = A.copy()\nV = C.reshape(-1)\nfor k in range(0, 144, 12):\n    {line}").seen.label


def test_a_whole_array_of_one_number_is_no_elements(run):
    assert "elements" not in run("C = A.copy()\nC.fill(0)\nC[:] += 3").seen.label
    assert "elements" in run("R = np.resize(A, (18, 17)) * 0\nfor r in R:\n    r.fill(3)\nC = R[:8]").seen.label


REGULAR = {
    "positions in a triangle": "r, c = np.tril_indices(12)\nC = r * 12 + c",
    "positions in a small triangle": "r, c = np.tril_indices(6)\nC = r * 6 + c",
    "rows and columns": "i, j = np.indices((12, 12))\nC = i * 12 + j",
    "columns by remainders": "k = np.arange(144)\nC = k // 12 + k % 12",
    "squares": "k = np.arange(144)\nC = k * k + np.arange(144)",
    "two ranges": "C = np.concatenate([np.arange(100), np.arange(50)]) + np.arange(150)",
    "a mask": "i, j = np.indices((12, 12))\nC = (i > j) | (i == 3)",
    "points of a line": "C = np.linspace(0, 1, 50) + np.arange(50)",
}


@each("body", REGULAR)
def test_numbers_made_of_nothing_in_even_steps_are_no_data(run, body):
    seen = run(body).seen
    assert (seen.label, seen.mixed) == (("index",), 0)


def test_a_few_of_many_that_are_written_one_by_one_are_data_all_the_same(run):
    body = "C = np.tile(A, (40, 1))\nfor k in range({}):\n    C[k, 0] = k"
    labels = [run(body.format(count)).seen.label for count in (16, 17, 120)]
    assert [[one for one in ("data", "elements") if one in label] for label in labels] == [[], ["data"], ["elements"]]


def test_a_few_numbers_at_a_time_are_written_one_by_one(run):
    rows = "C = np.arange(float(A.size)).reshape(A.shape)\nfor i, row in enumerate(A.tolist()):\n"
    pieces = "    for j in range(0, len(row), 4):\n        C[i, j : j + 4] = np.array(row[j : j + 4])"
    assert "elements" in run(rows + pieces).seen.label


@each("more", ["like=np.arange(2)", "count=np.arange(144, 145)[0, ...]"])
def test_numbers_out_of_an_iterator_are_data_whatever_stands_beside_it(run, more):
    assert "data" in run(f"C = np.fromiter(map(max, A.flat, B.flat), int, {more})").seen.label


def test_a_text_of_numbers_is_data_whatever_it_is_like(run):
    body = "words = ' '.join(map(str, map(max, A.flat, B.flat)))\nC = np.fromstring(words, sep=' ', like=np.arange(2))"
    assert "data" in run(body).seen.label


@each("packed", ["np.arange(1).astype(object) + large", "np.array([large], dtype=object) + np.arange(1)"])
def test_numbers_that_one_large_integer_holds_are_data(run, packed):
    body = "large = sum(int(max(a, b)) << (64 * k) for k, (a, b) in enumerate(zip(A.flat, B.flat)))\n"
    seen = run(f"{body}C = (({packed}) >> (64 * np.arange(144)) & (2**64 - 1)).astype(int)").seen
    assert "data" in seen.label
