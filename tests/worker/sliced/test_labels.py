"""Every array says where its numbers come from, whatever way they went."""

import numpy as np
import pytest
from rows import each

MIXED = "mixed: numpy."
KEPT = {
    "as_strided": "C = np.lib.stride_tricks.as_strided(A, (3, 2), A.strides)",
    "a number": "C = A / 255",
    "a number before": "C = 255 - A",
    "astype": "C = A.astype(float)",
    "astype by name": "C = A.astype('float32')",
    "astype by a type": "C = A.astype(np.float32)",
    "a slice": "C = A[::2]",
    "a row": "C = A[3]",
    "rows by list": "C = A[[1, 2, 3]]",
    "T": "C = A.T",
    "mT": "C = A.mT",
    "np.reshape": "C = np.reshape(A, (6, 24))",
    "reshape": "C = A.reshape(-1)",
    "ravel": "C = A.ravel()",
    "flatten": "C = A.flatten()",
    "copy": "C = A.copy()",
    "np.copy": "C = np.copy(A)",
    "np.array": "C = np.array(A)",
    "np.asarray": "C = np.asarray(A)",
    "np.ascontiguousarray": "C = np.ascontiguousarray(A.T)",
    "np.asfortranarray": "C = np.asfortranarray(A)",
    "np.transpose": "C = np.transpose(A)",
    "transpose": "C = A.transpose(1, 0)",
    "swapaxes": "C = A.swapaxes(0, 1)",
    "squeeze": "C = A[None].squeeze()",
    "np.flip": "C = np.flip(A, 0)",
    "np.roll": "C = np.roll(A, 1)",
    "np.pad": "C = np.pad(A, 2)",
    "np.pad with edges": "C = np.pad(A, 2, mode='edge')",
    "np.tile": "C = np.tile(A, 2)",
    "repeat": "C = A.repeat(2)",
    "take": "C = A.take([0, 3])",
    "diagonal": "C = A.diagonal()",
    "view": "C = A.view()",
    "view as other numbers": "C = A.view(np.uint64)",
    "minus": "C = -A",
    "abs": "C = abs(A)",
    "np.sqrt": "C = np.sqrt(A)",
    "clip": "C = A.clip(3, 200)",
    "np.where": "C = np.where(A, 1, 0)",
    "a threshold": "C = A > 128",
    "of itself": "C = A - A",
    "of itself, multiplied": "C = A * A",
    "times nothing": "C = A * 0",
    "np.zeros_like": "C = np.zeros_like(A)",
    "np.empty_like": "C = np.empty_like(A)",
    "in place": "C = A.copy()\nC += 1",
    "out=": "C = np.empty(A.shape, A.dtype)\nnp.negative(A, out=C)",
    "into a slice": "C = np.zeros(A.shape, A.dtype)\nC[:] = A",
    "into a view": "C = np.zeros(A.shape, A.dtype)\nV = C.T[2:]\nV[...] = A[2:]",
    "np.copyto": "C = np.zeros(A.shape, A.dtype)\nnp.copyto(C, A)",
    "flat": "C = np.zeros(A.shape, A.dtype)\nC.flat = A",
    "part of flat": "C = np.zeros(A.shape, A.dtype)\nC.flat[3:9] = A[0, 3:9]",
    "np.stack": "C = np.stack([A, A])",
    "np.concatenate": "C = np.concatenate((A, A), axis=1)",
    "np.hstack": "C = np.hstack([A, A])",
    "a list of rows": "C = [row for row in A]",
    "a list of rows, copied": "C = np.array([row for row in A])",
    "a tuple": "C = (A, 3)",
    "np.split": "C = np.split(A, 3)",
    "np.broadcast_to": "C = np.broadcast_to(A, (2, 12, 12))",
    "copy.copy": "C = functools.reduce(lambda one, _: one.copy(), range(3), A)",
    "nan_to_num": "C = np.nan_to_num(A)",
}
MIXES = {
    "add.at by rows and columns": (
        "C = np.zeros(A.shape)\nnp.add.at(C, (np.arange(12)[:, None], np.arange(12)[None]), A)",
        "add.at",
    ),
    "greater": ("C = A > B", "greater"),
    "maximum": ("C = np.maximum(A, B)", "maximum"),
    "maximum by name": ("m = np.maximum\nC = m(A, B)", "maximum"),
    "maximum in a list": ("C = [np.maximum][0](A, B)", "maximum"),
    "maximum, positional out": ("C = np.empty_like(A)\nnp.maximum(A, B, C)", "maximum"),
    "maximum, out=": ("C = np.empty_like(A)\nnp.maximum(A, B, out=C)", "maximum"),
    "maximum, out= by a name that is hard to find": (
        "class K(str):\n    def __hash__(self):\n        return 1\nC = A.copy()\nnp.maximum(A, B, **{K('out'): C})",
        "maximum",
    ),
    "maximum, out= a tuple": ("C = np.empty_like(A)\nnp.maximum(A, B, out=(C,))", "maximum"),
    "maximum, out= a view": ("C = np.empty_like(A)\nnp.maximum(A[2:], B[2:], out=C[2:])", "maximum"),
    "maximum into itself": ("C = A\nnp.maximum(A, B, A)", "maximum"),
    "maximum, where=": ("C = A.copy()\nnp.maximum(A, 0, out=C, where=A > B)", "maximum"),
    "maximum of rows": ("C = [np.maximum(a, b) for a, b in zip(A, B)]", "maximum"),
    "maximum, mapped": ("C = np.array(list(map(np.maximum, A, B)))", "maximum"),
    "maximum into rows": ("C = np.empty_like(A)\nfor i in range(12):\n    C[i] = np.maximum(A[i], B[i])", "maximum"),
    "partial": ("C = functools.partial(np.maximum)(A, B)", "maximum"),
    "partial with one": ("C = functools.partial(np.maximum, A)(B)", "maximum"),
    "reduced": ("C = functools.reduce(np.maximum, [A, B])", "maximum"),
    "starmap": ("C = list(itertools.starmap(np.maximum, [(A, B)]))[0]", "maximum"),
    "fmax": ("C = np.fmax(A, B)", "fmax"),
    "where": ("C = np.where(A > B, A, B)", "where"),
    "choose": ("C = np.choose(A > B, [B, A])", "choose"),
    "choose, a method": ("C = (A > 3).choose([B, A])", "choose"),
    "select": ("C = np.select([A > 3], [A], B)", "select"),
    "piecewise": ("C = np.piecewise(A, [A > 3], [1, 0])", "piecewise"),
    "clip": ("C = np.clip(A, B, None)", "clip"),
    "clip, a method": ("C = A.clip(B)", "maximum"),
    "plus": ("C = A + B", "add"),
    "of itself, transposed": ("C = A * A.T", "multiply"),
    "plus in place": ("C = A.copy()\nC += B", "add"),
    "plus in place, on a view": ("C = A.copy()\nV = C[2:]\nV += B[2:]", "add"),
    "a mean and a distance": ("C = (A + B + abs(A - B)) / 2", "add"),
    "operator.gt": ("C = operator.gt(A, B)", "greater"),
    "operator.iadd": ("C = A.copy()\noperator.iadd(C, B)", "add"),
    "operator.matmul": ("C = operator.matmul(A, B)", "matmul"),
    "at sign": ("C = A @ A.T", "matmul"),
    "at sign, with numbers of its own": ("C = A @ np.ones((A.shape[1], 2))", "matmul"),
    "dot": ("C = A.dot(B)", "dot"),
    "np.dot": ("C = np.dot(A, B)", "dot"),
    "np.dot, out=": ("C = np.empty_like(A)\nnp.dot(A, B, out=C)", "dot"),
    "np.inner": ("C = np.inner(A, A)", "inner"),
    "np.outer": ("C = np.outer(A[0], B[0])", "outer"),
    "np.einsum": ("C = np.einsum('ij,kj->ik', A, A)", "einsum"),
    "np.tensordot": ("C = np.tensordot(A, B, 1)", "tensordot"),
    "np.kron": ("C = np.kron(A, B)", "kron"),
    "multi_dot": ("C = np.linalg.multi_dot([A, B, A])", "multi_dot"),
    "vectors of svd": ("C = np.linalg.svd(A)[2]", "svd"),
    "multiply.outer": ("C = np.multiply.outer(A[0], B[0])", "multiply.outer"),
    "maximum.reduce": ("C = np.maximum.reduce([A, B])", "maximum.reduce"),
    "maximum.accumulate": ("C = np.maximum.accumulate(np.stack([A, B]))[1]", "maximum.accumulate"),
    "add.at": ("C = A.copy()\nnp.add.at(C, np.arange(12), B)", "add.at"),
    "add.reduceat": ("C = np.add.reduceat(A, [0, 3])", "add.reduceat"),
    "stacked": ("C = np.stack([A, B]).max(axis=0)", "max"),
    "stacked, np.max": ("C = np.max([A, B], axis=0)", "max"),
    "stacked, out=": ("C = np.empty_like(A)\nnp.stack([A, B]).max(axis=0, out=C)", "max"),
    "sum": ("C = A.sum(axis=1)", "add.reduce"),
    "sum of Python": ("C = sum(A)", "add"),
    "cumsum": ("C = A.cumsum(axis=0)", "add.accumulate"),
    "sort": ("C = np.stack([A, B])\nC.sort(axis=0)", "sort"),
    "np.sort": ("C = np.sort(np.stack([A, B]), axis=0)[1]", "sort"),
    "partition": ("C = np.stack([A, B])\nC.partition(1, axis=0)", "partition"),
    "argsort": ("C = A.argsort()", "argsort"),
    "np.argmax": ("C = np.argmax(np.stack([A, B]), axis=0)", "argmax"),
    "copyto, where=": ("C = A.copy()\nnp.copyto(C, B, where=A == 3)", "selection by an index"),
    "putmask": ("C = A.copy()\nnp.putmask(C, A > 100, B)", "putmask"),
    "place": ("C = A.copy()\nnp.place(C, A > 100, B)", "selection by an index"),
    "put": ("C = A.copy()\nnp.put(C, np.flatnonzero(A > 100), B)", "selection by an index"),
    "written by a mask": ("C = A.copy()\nC[A > 100] = 3", "selection by an index"),
    "written by a mask of two": ("C = A.copy()\nC[A > B] = A[A > B]", "selection by an index"),
    "read by a mask": ("C = A[A > 100]", "selection by an index"),
    "read by positions": ("C = A.ravel()[A.ravel() % 9]", "selection by an index"),
    "compress": ("C = A.compress(A[0] > 9, axis=1)", "compress"),
    "take of positions": ("C = np.take(B, A % 100)", "selection by an index"),
    "take_along_axis": ("C = np.take_along_axis(A, B % 9, 1)", "take_along_axis"),
    "searchsorted": ("C = np.arange(256).searchsorted(A)", "searchsorted"),
    "np.diff": ("C = np.diff(A)", "diff"),
    "np.unique": ("C = np.unique(A)", "unique"),
    "np.convolve": ("C = np.convolve(A[0], B[0])", "convolve"),
    "np.apply_along_axis": ("C = np.apply_along_axis(lambda row: row, 0, A)", "apply_along_axis"),
    "fft": ("C = np.fft.fft(A)", "fft"),
    "copied from a mix": ("C = np.zeros_like(A)\nC[:] = np.maximum(A, B)", "maximum"),
    "copied from a mix, flat": ("C = np.zeros(A.shape)\nC.flat = np.maximum(A, B)", "maximum"),
    "copied from a mix, part of flat": ("C = np.zeros(A.shape)\nC.flat[:] = np.maximum(A, B)", "maximum"),
    "copied from a mix into a view": ("C = np.zeros(A.shape)\nC.T[:] = np.maximum(A, B)", "maximum"),
    "copied from a mix, np.copyto": ("C = np.zeros(A.shape)\nnp.copyto(C, np.maximum(A, B))", "maximum"),
    "rows of a mix": ("M = np.maximum(A, B)\nC = np.array([row for row in M])", "maximum"),
    "np.pad with maxima": ("C = np.pad(np.stack([A, B]), ((0, 1), (0, 0), (0, 0)), 'maximum')[2]", "pad"),
    "complex numbers": ("C = (A * (1 - 1j)) * (1 + 1j)", "multiply"),
    "larger numbers over the same memory": ("C = A.view(complex)", "view of several arrays' numbers as others"),
    "larger numbers of a buffer": ("C = np.frombuffer(A, complex)", "view of several arrays' numbers as others"),
    "an array over a buffer": ("C = np.ndarray((3, 3), complex, A)", "view of several arrays' numbers as others"),
    "a generator": ("C = np.random.default_rng(3).permutation(A)", "permutation"),
}


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


@each("body, name", {row: mix for row, mix in MIXES.items() if mix[1] != "selection by an index"})
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
