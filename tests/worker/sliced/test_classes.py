"""Classes that Numba compiles: their objects work as ever, and no label is lost in them."""

import numpy as np
import pytest

HEAD = "import numpy as np\nfrom numba import float64, int64, njit\nfrom numba.experimental import jitclass\n\n"
TOTAL = """
@jitclass([("total", float64), ("count", int64)])
class Total:
    def __init__(self, start):
        self.total = start
        self.count = 0

    def add(self, x):
        self.total += x
        self.count += 1
        return self.total

    @property
    def mean(self):
        return self.total / self.count

    @staticmethod
    def twice(x):
        return 2 * x
"""
ROWS = """
@jitclass({"rows": int64[:, :]})
class Rows:
    def __init__(self, rows):
        self.rows = rows

    def larger(self, other):
        return np.maximum(self.rows, other)

    def put(self, out):
        for i in range(out.shape[0]):
            for j in range(out.shape[1]):
                out[i, j] = self.rows[i, j]
"""


def test_an_object_has_fields_properties_and_methods(opened, pair):
    body = (
        "def f(A, B):\n    t = Total(1.0)\n    t.add(2)\n    t.total = t.total + 4\n"
        "    return t.total, t.count, t.mean, t.twice(3), Total.twice(4), isinstance(t, Total)\n"
    )
    assert opened(f"{HEAD}{TOTAL}\n{body}").call(*pair).value == (7.0, 1, 7.0, 6, 8, True)


def test_compiled_code_makes_objects_and_hands_them_out(opened, pair):
    make = "@njit\ndef make(x):\n    t = Total(0.0)\n    t.add(x)\n    return t\n"
    assert opened(f"{HEAD}{TOTAL}\n{make}\ndef f(A, B):\n    return make(5).add(1)\n").call(*pair).value == 6


def test_annotations_name_fields(opened, pair):
    fields = "    x: float64\n    n: int\n"
    text = f"{HEAD}@jitclass\nclass P:\n{fields}    def __init__(self):\n        self.x = self.n = 3\n\n"
    assert opened(f"{text}def f(A, B):\n    return P().x + P().n\n").call(*pair).value == 6


@pytest.mark.parametrize(
    ("decorator", "body", "error"),
    [
        ("@jitclass([('x.a', float64)])", "", "the field"),
        ("@jitclass({'x\\n    import os': float64})", "", "the field"),
        ("@jitclass", "    x: 'print'\n", "the annotation"),
        ("@jitclass", "    x: list['print']\n", "the annotation"),
    ],
)
def test_a_text_that_numba_would_execute_is_refused(opened, decorator, body, error):
    text = f"{HEAD}{decorator}\nclass P:\n{body}    def __init__(self):\n        pass\n\ndef f(A, B):\n    return P()\n"
    with pytest.raises(TypeError, match=error):
        opened(text)


HIDDEN = {
    "in a field at first": "r = Rows(np.maximum(A, B))",
    "in a field that is set": "r = Rows(A)\nr.rows = np.maximum(A, B)",
    "in an object inside a tuple": "r = (Rows(np.maximum(A, B)),)[0]",
}


@pytest.mark.parametrize("how", HIDDEN)
@pytest.mark.parametrize("out", ["C = np.zeros_like(A)\nr.put(C)", "C = r.rows", "C = [[*row] for row in r.rows]"])
def test_what_numpy_made_stays_known_when_an_object_holds_it(opened, pair, how, out):
    lines = "\n".join(f"    {line}" for line in f"{HIDDEN[how]}\n{out}".splitlines())
    found = opened(f"{HEAD}{ROWS}\ndef f(A, B):\n{lines}\n    return C\n").call(*pair)
    np.testing.assert_array_equal(np.array(found.value), np.maximum(*pair))
    assert any(token.startswith("mixed") for token in found.seen.label) or found.seen.leaks >= pair[0].size


def test_an_object_from_before_the_call_holds_numbers_that_nobody_knows(opened, pair):
    body = "def f(A, B):\n    C = np.zeros_like(A)\n    R.put(C)\n    return C\n"
    text = f"{HEAD}{ROWS}\nR = Rows(np.arange(144).reshape(12, 12))\n\n{body}"
    assert "data" in opened(text).call(*pair).seen.label


def test_an_array_read_out_of_an_object_cannot_be_written(opened, pair):
    slices = opened(f"{HEAD}{ROWS}\ndef f(A, B):\n    r = Rows(A)\n    r.rows[0, 0] = 1\n    return r.rows\n")
    with pytest.raises(ValueError, match="read-only"):
        slices.call(*pair)


def test_global_arrays_of_methods_are_known(opened, pair):
    text = (
        f"{HEAD}G = np.array([*range(144)]).reshape(12, 12)\n\n@jitclass([('n', int64)])\nclass K:\n"
        "    def __init__(self):\n        self.n = 0\n    def at(self, i, j):\n        return G[i, j]\n\n"
        "@njit\ndef fill(C):\n    k = K()\n"
        "    for i in range(12):\n        for j in range(12):\n            C[i, j] = k.at(i, j)\n\n"
        "def f(A, B):\n    C = np.zeros_like(A)\n    fill(C)\n    return C\n"
    )
    assert "data" in opened(text).call(*pair).seen.label


LIBRARY = "return Rows(A).larger(B)"
LOOPS = "C = np.zeros_like(A)\n    Rows(A).put(C)\n    return C"
NDITER = (
    "C = np.zeros_like(A)\n    for a, b, c in np.nditer((A, B, C)):\n"
    "        c[()] = a.item() if a.item() > b.item() else b.item()\n    return C"
)


WORK = [
    (LIBRARY, ["maximum of whole arrays"]),
    ("return A.clip(B, None)", ["the method clip of an array"]),
    ("return A.clip(0, 9)", []),
    ("M = None\n    if A.size:\n        M = A\n    return M - B", ["sub of whole arrays"]),
    (LOOPS, []),
    (NDITER, []),
]


@pytest.mark.parametrize(("body", "expected"), WORK)
def test_the_work_of_methods_and_of_nditer_is_read(opened, pair, body, expected):
    from grader.worker.sliced import machinecode  # noqa: PLC0415 - Numba, which other tests of this file import first

    opened(f"{HEAD}{ROWS}\n@njit\ndef f(A, B):\n    {body}\n")
    found = machinecode.describe("sample", "f", [array.copy() for array in pair])
    assert [words.partition(" (")[0] for words in found["library"]] == expected
    assert "f" in found["nopython"]
