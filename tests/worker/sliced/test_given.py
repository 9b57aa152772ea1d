"""What machine code is given is labelled, whatever holds it; and what it hands out."""

import textwrap

import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type feature")

HEAD = """
import numpy as np
from enum import Enum, IntEnum
from numba import cuda, int64, njit
from numba.typed import Dict, List

@njit
def entries(M, A):
    C = np.empty_like(A)
    for i, j in np.ndindex(A.shape):
        C[i, j] = M[i, j]
    return C

@njit
def value_of(held, A):
    return entries(held.value, A)

@njit
def called(give, A):
    C = np.empty_like(A)
    for i, j in np.ndindex(A.shape):
        C[i, j] = give[0](i, j)
    return C

@njit
def listed(A, B):
    l = List()
    l.append(A.copy())
    l.append(B.copy())
    return l

@njit
def table(A, B):
    d = Dict()
    d[0] = A.copy()
    d[1] = B.copy()
    return d

@njit
def letters(texts, A):
    C = np.empty_like(A)
    for i, j in np.ndindex(A.shape):
        C[i, j] = ord(texts[0][i * A.shape[1] + j])
    return C

def f(A, B):
    M = np.maximum(A, B)
    {lines}
    return C
"""
OLD = """
import numpy as np
from numba import njit

@njit
def old(A):
    return np.empty_like(A)[:-4].copy()

def f(A, B):
    for _ in range(9):
        C = old(A)
        M = np.maximum(A, B)
        del M
    return old(A)
"""
GIVE = "@njit\ndef give(i, j):\n    return M[i, j]\n"
TEXT = "text = ''.join([chr(max(a, b)) for x, y in zip(A.tolist(), B.tolist()) for a, b in zip(x, y)])\n"
GIVEN = {
    "a member of an enumeration": "class Held(Enum):\n    M = np.maximum(A, B)\nC = value_of(Held.M, A)",
    "a compiled function": f"{GIVE}C = called((give,), A)",
    "a compiled function by its name": f"{GIVE}has = (give,)\n@njit\ndef g(A):\n    return called(has, A)\nC = g(A)",
    "a text in a tuple": f"{TEXT}C = letters((text,), A)",
    "a list that holds itself": "R = [1]\nR.append(R)\n"
    "@njit\ndef g(A, B=None):\n    if B is not None:\n        return R\n    return A.copy()\nC = g(A)",
    "an array by the name of an argument": "C = entries(A=A, M=M)",
}


HANDED_OUT = {
    "a set": "@njit\ndef g(M):\n    s = {0}\n    for x in M.flat:\n        s.add(x)\n    return s\nC = g(M)",
    "a set that it was given": (
        "@njit\ndef g(s, M):\n    for j in range(12):\n        s.add(M[0, j] + 1000 * j)\nC = {0}\ng(C, M)"
    ),
    "an exception": (
        "@njit\ndef g(a, b):\n    raise ValueError((a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]))\n"
        "try:\n    g(M[0], M[1])\nexcept ValueError as error:\n    C = list(error.args)"
    ),
    "the text of an exception": (
        "@njit\ndef g(row):\n    text = ''\n    for x in row:\n        text += chr(x)\n    raise ValueError(text)\n"
        "try:\n    g(M[0])\nexcept ValueError as error:\n    C = list(error.args)"
    ),
    "a list that it was given": "@njit\ndef g(l, M):\n    for x in M[0]:\n        l.append(x)\nC = [0]\ng(C, M)",
    "texts in a list": (
        "@njit\ndef g(row):\n    l = List()\n    l.append(chr(row[0]) + chr(row[1]) + chr(row[2]) + chr(row[3]) * 5)\n"
        "    return l\nC = list(g(M[0]))"
    ),
    "texts in a list of Python's": (
        "@njit\ndef g(row):\n    return [chr(row[0]) + chr(row[1]) + chr(row[2]) + chr(row[3]) * 5]\nC = g(M[0])"
    ),
    "keys of a dictionary": (
        "@njit\ndef g(row):\n    d = Dict()\n    for i in range(12):\n        d[1000 * i + row[i]] = i\n    return d\n"
        "C = [key % 1000 for key in g(M[0])]"
    ),
    "lengths of lists in a list of Python's": (
        "@njit\ndef g(row):\n    return [[0] * x for x in row]\nC = [len(l) for l in g(M[0])]"
    ),
    "whether it raises": (
        "@njit\ndef g(row, j):\n    if row[j] >= 0:\n        raise ValueError\nC = []\nfor j in range(12):\n"
        "    try:\n        g(M[0], j)\n    except ValueError:\n        C.append(j)"
    ),
    "lengths of lists": (
        "@njit\ndef g(row):\n    l = List()\n    for x in row:\n        l.append(List([0] * (1 + x)))\n    return l\n"
        "l = g(M[0])\nC = [len(l[i]) for i in range(12)]"
    ),
}


@pytest.fixture
def body(opened, pair):
    def call(lines):
        return opened(HEAD.replace("{lines}", textwrap.indent(lines, "    ").strip())).call(*pair)

    return call


@pytest.mark.parametrize("lines", GIVEN.values(), ids=GIVEN)
def test_what_machine_code_is_given_is_known(body, lines):
    given = body(lines).seen.given_to_compiled
    assert given
    assert all(token == "data" or token.startswith("mixed: numpy.maximum") for token in given)


@pytest.mark.parametrize("index", ["T[d]", "T[(d,)]", "T.flat[d]", "T.take(d)", "T[[M[0]]]"])
def test_what_an_index_on_the_device_or_in_a_list_picks_is_known(body, index):
    picked = body(f"T = np.arange(256)\nd = cuda.to_device(M)\nC = {index}").seen.label
    assert any(token.startswith("mixed: numpy.maximum") for token in picked)


def test_one_number_of_an_index_on_the_device_or_in_a_list_is_a_leak(body):
    lines = "T = np.arange(256)\nd = cuda.to_device(M)\nC = [(T[d[i, :1]], T[[M[i, :1]]]) for i in range(12)]"
    assert body(f"{lines}\nD = [cuda.device_array(M[i, :2]).shape for i in range(12)]").seen.leaks >= 48


HONEST = {
    "a member of an enumeration of numbers": "class Mode(Enum):\n    MAX = 1\n"
    "@njit\ndef g(mode, A):\n    return A.copy() if mode == Mode.MAX else A\nC = g(Mode.MAX, A)",
    "a member of an enumeration of integers": "class Mode(IntEnum):\n    MAX = 1\n"
    "@njit\ndef g(mode, A):\n    return A.copy() if mode == 1 else A\nC = g(Mode.MAX, A)",
    "a compiled function": "@njit\ndef larger(a, b):\n    return a if a > b else b\n"
    "@njit\ndef g(by, A, B):\n    C = A.copy()\n    for i in range(A.size):\n"
    "        C.flat[i] = by(A.flat[i], B.flat[i])\n    return C\nC = g(larger, A, B)",
    "a short text in a tuple": "@njit\ndef g(names, A):\n    return A.copy() if names[0] == 'max' else A\n"
    "C = g(('max', 'min'), A)",
    "nothing": "@njit\ndef g(A, B=None):\n    return A.copy()\nC = g(A, None)",
    "random numbers": "C = entries(A, A)\nentries(np.random.randint(0, 256, A.shape), A)",
    "indices": "C = entries(A, A)\n@njit\ndef g(x, y):\n    return x[0] + y[0]\ng(*np.tril_indices(12))",
}


@pytest.mark.parametrize("lines", HONEST.values(), ids=HONEST)
def test_what_holds_no_numbers_of_the_host_is_none(body, lines):
    assert body(lines).seen.given_to_compiled == ()


OUT_OF = {
    "List.__getitem__": "l = listed(A, B)\na, b = l[0], l[1]",
    "List.pop": "l = listed(A, B)\nb, a = l.pop(), l.pop()",
    "Dict.get": "d = table(A, B)\na, b = d.get(0), d.get(1)",
    "Dict.pop": "d = table(A, B)\na, b = d.pop(0), d.pop(1)",
    "Dict.popitem": "d = table(A, B)\n(_, b), (_, a) = d.popitem(), d.popitem()",
    "Dict.setdefault": "d = table(A, B)\na, b = d.setdefault(0, A), d.setdefault(1, A)",
}
IN_CI = {"List.__getitem__", "Dict.pop", "Dict.popitem", "Dict.setdefault"}
"""Ways that compile for most of a second, and are like another one."""


@pytest.mark.parametrize(
    "lines",
    [pytest.param(lines, id=name, marks=pytest.mark.wide if name in IN_CI else []) for name, lines in OUT_OF.items()],
)
def test_arrays_of_numbas_containers_are_observed(body, lines):
    assert any(token.startswith("mixed: numpy.greater") for token in body(f"{lines}\nC = a * (a > b)").seen.label)


def test_numbers_of_numbas_containers_are_numbers(body):
    assert body("d = Dict()\nd['a'] = 3\nC = [d.get('a'), d.get('b'), d.pop('a')]").value == [3, None, 3]


@pytest.mark.filterwarnings("ignore:(?s).*reflected (set|list)")
@pytest.mark.parametrize("lines", HANDED_OUT.values(), ids=HANDED_OUT)
def test_numbers_that_machine_code_hands_out_without_a_label_are_counted(body, lines):
    assert body(lines).seen.reads >= 8


def test_the_message_of_compiled_code_is_no_number(body):
    raising = "@njit\ndef g(x):\n    if x < 1000:\n        raise ValueError('this number is too small for us')\n"
    assert body(f"{raising}try:\n    g(7)\nexcept ValueError as error:\n    C = str(error)").seen.reads == 1


def test_what_compiled_code_does_not_fill_holds_zeros(opened):
    filled = opened(OLD).call(*(np.full((24, 24), 7.0) for _ in "AB"))
    assert not filled.value.any()  # else what a product left in freed memory has no label


def test_the_edges_of_a_pad_that_are_not_filled_hold_zeros(run):
    edged = run(
        "for _ in range(9):\n    M = np.maximum(A, B)\n    del M\nC = np.pad(A[:1, :1], ((0, 11), (0, 11)), 'empty')"
    )
    assert not edged.value[1:].any()
