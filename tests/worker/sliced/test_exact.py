"""Objects that decide themselves what they show: everybody sees the same of them, and NumPy's work stays seen."""

import enum
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.worker.sliced.exact import exact, items_of
from grader.worker.sliced.labels import Labelled, unwrap

LIST = """\
class Liar(list):
    def __iter__(self):
        return iter(())
    def __len__(self):
        return 0
    def __getitem__(self, key):
        return 0
    size = 1
    shape = ()
"""
TUPLE = LIST.replace("(list)", "(tuple)")
SEQUENCE = """\
class Liar:
    def __init__(self, rows):
        self.rows, self.asked = rows, 0
    def __len__(self):
        return len(self.rows)
    def __getitem__(self, key):
        if key == 0:
            self.asked += 1
        return self.rows[key] if self.asked > 1 else 0 * self.rows[key]
    size = 1
"""
TRIED = {
    "a list that shows nothing": f"{LIST}C = np.maximum(Liar(A), Liar(B))",
    "a tuple that shows nothing": f"{TUPLE}C = np.maximum(Liar(A), Liar(B))",
    "rows in a list that shows nothing": f"{LIST}C = np.max(Liar([A, B]), axis=0)",
    "a list that shows nothing, by an operator": f"{LIST}C = A + Liar(B)",
    "a list that shows nothing, by a method": f"{LIST}C = A.dot(Liar(B))",
    "a list as an index": f"{LIST}C = A[Liar(np.argsort(A[0]))]",
    "an object that counts how often it is asked": f"{SEQUENCE}C = np.maximum(Liar(A), Liar(B))",
    "such objects inside a list": f"{SEQUENCE}C = np.max([Liar(A), Liar(B)], axis=0)",
    "a double-ended queue": "from collections import deque\nC = np.maximum(deque(A), deque(B))",
    "a list of the standard library": "from collections import UserList\nC = np.maximum(UserList(A), UserList(B))",
    "an output in a tuple that shows another": f"{TUPLE}C = np.zeros_like(A)\nnp.maximum(A, B, out=Liar((C,)))",
    "a list that is returned": f"{LIST}C = Liar(np.maximum(A, B))",
    "a text that is equal to another": (
        "class Mode(str):\n    def __eq__(self, other):\n        return other == 'constant'\n"
        "    def __hash__(self):\n        return 0\nC = np.pad(A, 1, Mode('mean'))[1:-1, 1:-1]"
    ),
    "flags that say that they hold nothing": (
        "class Flags(list):\n    def __contains__(self, flag):\n        return False\nC = np.zeros_like(A)\n"
        "for a, b, c in np.nditer([A, B, C], Flags(['external_loop']), [['readonly'], ['readonly'], ['readwrite']]):\n"
        "    c[...] = np.maximum(a, b)"
    ),
    "a text of another class as the name of a type": (
        "class Kind(str):\n    def __str__(self):\n        return 'int64'\nC = np.maximum(A, B).astype(Kind('int64'))"
    ),
}


@pytest.mark.parametrize("full", [True, False])
@pytest.mark.parametrize("lines", TRIED.values(), ids=TRIED)
def test_numpys_work_is_seen_whatever_an_object_shows(unread, pair, lines, full):
    try:
        seen = unread(lines).call(*pair, full=full).seen
    except (TypeError, ValueError, IndexError):
        return  # it works no more: nothing is gained
    assert seen.mixed or seen.refused


def test_a_type_that_answers_each_time_otherwise_is_asked_once(unread, pair):
    kind = "class Kind:\n    asked = 0\n    @property\n    def dtype(self):\n        Kind.asked += 1\n"
    lines = f"{kind}        return np.dtype('int64' if Kind.asked < 4 else 'S8')\nC = A.view(Kind())"
    assert unread(lines).call(*pair).value.dtype == np.int64


class _Numbers(enum.IntEnum):
    SEVEN = 7


class _Seven(int):
    def __int__(self):
        return 8

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


class _Half(float):
    def __float__(self):
        return 1.0


class _Backwards(list):
    def __iter__(self):
        return reversed([*super().__iter__()])


class _Pair(NamedTuple):
    first: object
    second: object


class _Shown(_Pair):
    def __iter__(self):
        return iter((0, 0))


@each(
    "value, plain",
    *((_Seven(7), 7), (_Half(0.5), 0.5), (_Backwards([1, 2]), [1, 2]), ([_Backwards([1, 2]), 3], [[1, 2], 3])),
    *(({"a": _Backwards([1, 2])}, {"a": [1, 2]}), (_Shown(1, 2), (1, 2))),
)
def test_what_an_object_holds_counts_and_not_what_it_shows(value, plain):
    got = exact(value)
    assert type(got) is type(plain)
    assert got == plain


def test_named_tuples_and_enumerations_stay_what_they_are():
    pair, seven = _Pair(1, 2), _Numbers.SEVEN
    assert exact(pair) is pair
    assert type(exact(_Pair(_Backwards([1, 2]), 2))) is _Pair
    assert exact(_Pair(_Backwards([1, 2]), 2)) == ([1, 2], 2)
    assert exact(seven) is seven
    assert type(exact(seven, ask=True)) is int


def test_sequences_without_end_are_refused():
    endless = []
    endless.append(endless)
    with pytest.raises(TypeError, match="more than 12 times"):
        exact(endless)


_plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.lists(inner, max_size=4).map(tuple)
        | st.dictionaries(st.text(max_size=2), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(_plain)
def test_plain_values_are_left_alone(value):
    assert exact(value) is value


@given(st.lists(st.integers(), max_size=5))
def test_items_are_those_that_are_held(numbers):
    assert (items_of(_Backwards(numbers)), exact(_Backwards(numbers))) == (numbers, numbers)


@each("holder", list, tuple, lambda values: {"all": values})
def test_arrays_are_unwrapped_in_whatever_they_are_returned(holder):
    array = np.arange(3).view(Labelled)
    held = unwrap(holder([{"w": array, "more": [(array, {"b": array})]}]), is_answer=True)
    (inner,) = held["all"] if isinstance(held, dict) else held
    (more,) = inner["more"]
    assert [type(one) for one in (inner["w"], more[0], more[1]["b"])] == [np.ndarray] * 3
