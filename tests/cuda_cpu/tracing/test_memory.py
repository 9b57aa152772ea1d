"""The small compiler of the routines: what it makes of Python's operators, and what it refuses."""

import ctypes
import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.cuda_cpu.tracing.memory import bytes_at, compile_routine, machine_code, words_at

LIMIT = 7
_numbers = itertools.count()


@machine_code
def _is_small(value: int) -> bool:
    return value < LIMIT


def divides(left: int, right: int) -> int:
    return left // right * 1000003 + left % right


def decides(left: int, right: int) -> int:
    """Take every branch there is."""
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


def touches(words: Any, number: int) -> int:
    words[0] = words[1] = number
    words[number] += 5
    other = words_at(words[3])
    return int(other[0]) + bytes_at(words[3])[1]


def slices(words: Any) -> int:
    with words:
        return 1


def needs_words(number: int) -> int:
    return number[0]


def compiled(function, parameters=2):
    library = compile_routine(f"cuda_cpu.test.{next(_numbers)}", function)
    call = ctypes.CFUNCTYPE(*[ctypes.c_int64] * (parameters + 1))(library.get_pointer_to_function(library.name))
    call.keep = library
    return call


CASES = [compiled(divides), compiled(decides), compiled(loops)]
small = st.integers(-30, 30)


@given(small, small.filter(bool))
def test_division_rounds_down_as_in_python(left, right):
    assert CASES[0](left, right) == divides(left, right)


@given(small, small)
def test_decisions_are_those_of_python(left, right):
    assert CASES[1](left, right) == decides(left, right)


@given(small, small)
def test_loops_are_those_of_python(left, right):
    assert CASES[2](left, right) == loops(left, right)


def test_words_and_bytes_are_read_and_written():
    words = (ctypes.c_int64 * 4)(0, 0, 40, 0)
    other = ctypes.c_int64(0x1234)
    words[3] = ctypes.addressof(other)
    assert compiled(touches)(ctypes.addressof(words), 2) == 0x1234 + 0x12
    assert list(words)[:3] == [2, 2, 45]


@pytest.mark.parametrize("function", [slices, needs_words])
def test_what_it_does_not_know_is_refused_by_its_name(function):
    with pytest.raises(NotImplementedError, match=function.__name__):
        compiled(function, 1)
