"""The small compiler of the routines: what it makes of Python's operators, and what it refuses."""

from __future__ import annotations

import ctypes
from typing import Annotated

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.cuda_cpu.records import Bytes, Int32, Record, Words, dtype_of
from grader.cuda_cpu.routines import address_of

LIMIT = 7


def _is_small(value: int) -> bool:
    return value < LIMIT


def divides(left: int, right: int) -> int:
    return left // right * 1000003 + left % right


def decides(left: int, right: int) -> int:
    if (not _is_small(left) and 0 <= right <= 20) or left == right:
        return max(left, right) if left != -1 else min(left, right)
    if bool(left & right):
        return int(left | right) ^ 5
    return -left


def loops(left: int, right: int) -> int:
    total = count = 0
    for i in range(left):
        if i % 3 == 1:
            continue
        for j in range(i, right, 2):
            total += i * j
            count += 1
    while count > 0:
        count -= 2
        total -= 1
    first, second = total, count
    return first << 2 | second & 1


def touches(words: Words, number: int) -> int:
    words[0] = words[1] = number
    words[number] += 5
    return int(Words.at(words[3])[0]) + Bytes.at(words[3])[1]


class Pair(Record):
    small: Int32
    large: int
    numbers: Annotated[Words, 2]
    other: Pair


def swaps(pairs: Pair, number: int) -> int:
    pair = Pair.at(pairs, number)
    pair.small, pair.large = pair.large, pair.small
    pair.small -= 1
    pair.numbers[1] = pair.other.small
    return pair.numbers[0]


def slices(words: Words) -> int:
    with words:
        return 1


def needs_words(number: int) -> int:
    return number[0]


def compiled(function, parameters=2):
    return ctypes.CFUNCTYPE(*[ctypes.c_int64] * (parameters + 1))(address_of(function))


COMPILED = {function: compiled(function) for function in (divides, decides, loops)}
small = st.integers(-30, 30)


@pytest.mark.parametrize("function", COMPILED)
@given(small, small)
def test_division_decisions_and_loops_are_those_of_python(function, left, right):
    assume(right or function is not divides)
    assert COMPILED[function](left, right) == function(left, right)


def test_words_and_bytes_are_read_and_written():
    words = (ctypes.c_int64 * 4)(0, 0, 40, 0)
    other = ctypes.c_int64(0x1234)
    words[3] = ctypes.addressof(other)
    assert (compiled(touches)(ctypes.addressof(words), 2), list(words)[:3]) == (0x1234 + 0x12, [2, 2, 45])


def test_fields_of_records_are_read_and_written_by_name():
    pairs = np.zeros(2, dtype_of(Pair))
    pairs[0] = (-7, 0, (0, 0), 0)
    pairs[1] = (-2, 5, (40, 0), pairs.ctypes.data)
    assert (compiled(swaps)(pairs.ctypes.data, 1), pairs[1].tolist()[:2]) == (40, (4, -2))
    assert (pairs[1]["numbers"].tolist(), pairs.itemsize) == ([40, -7], 40)


@pytest.mark.parametrize("function", [slices, needs_words])
def test_what_it_does_not_know_is_refused_by_its_name(function):
    with pytest.raises(NotImplementedError, match=function.__name__):
        compiled(function, 1)
