import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba.core.errors import TypingError
from rows import each

INTEGERS = [np.int32, np.int64, np.uint32, np.uint64]
NUMBERS = [*INTEGERS, np.float32, np.float64]


def make_kernel(name):
    return kernel_of("a, x, old", f"i = cuda.grid(1)\nold[i] = cuda.atomic.{name}(a, i % a.size, x[i])")


def replay(function, start, values):
    state, old = list(start), []
    for i, value in enumerate(values):
        old.append(state[i % len(state)])
        state[i % len(state)] = function(state[i % len(state)], value)
    return state, old


ARITHMETIC = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b}
LEAST_AND_LARGEST = {"max": max, "min": min, "nanmax": max, "nanmin": min}
BITWISE = {"and_": lambda a, b: a & b, "or_": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "exch": lambda _, b: b}
UNSIGNED = {"inc": lambda a, b: 0 if a >= b else a + 1, "dec": lambda a, b: b if a == 0 or a > b else a - 1}
CASES = [
    *[(name, dtype, function) for name, function in (ARITHMETIC | LEAST_AND_LARGEST).items() for dtype in NUMBERS],
    *[(name, dtype, function) for name, function in BITWISE.items() for dtype in INTEGERS],
    *[(name, dtype, function) for name, function in UNSIGNED.items() for dtype in (np.uint32, np.uint64)],
]


@each("name, dtype, function", CASES)
def test_each_operation_gives_old_and_new_values_as_cuda_defines(name, dtype, function):
    generator = np.random.default_rng(4)
    start = generator.integers(500, 600, 3).astype(dtype)
    values = generator.integers(1, 20 if name == "sub" else 900, 12).astype(dtype)
    expected, expected_old = replay(function, start.tolist(), values.tolist())
    old = np.zeros(12, dtype)
    make_kernel(name)[3, 4](start, values, old)
    assert start.tolist() == expected
    assert old.tolist() == expected_old


@pytest.mark.parametrize(("name", "expected"), [("max", [np.nan, 1]), ("nanmax", [2, 1])])
def test_only_the_nan_operations_replace_a_nan(name, expected):
    a = np.array([np.nan, 1.0])
    make_kernel(name)[1, 2](a, np.array([2.0, np.nan]), np.zeros(2))
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_compare_and_swap_writes_only_where_the_value_is_the_expected_one(dtype):
    a, seen = np.array([1, 2, 3], dtype), np.zeros(3, dtype)
    swap = kernel_of("a, old, new, seen", "i = cuda.grid(1)\nseen[i] = cuda.atomic.cas(a, i, old[i], new[i])")
    swap[1, 3](a, np.array([1, 9, 3], dtype), np.array([7, 8, 9], dtype), seen)
    assert a.tolist() == [7, 2, 9]
    assert seen.tolist() == [1, 2, 3]


def test_compare_and_swap_of_the_first_element():
    a, seen = np.array([5, 5]), np.zeros(1, np.int64)
    kernel_of("a, seen", "seen[0] = cuda.atomic.compare_and_swap(a, 5, 9)")[1, 1](a, seen)
    assert a.tolist() == [9, 5]
    assert seen[0] == 5


def test_a_matrix_is_indexed_by_a_tuple():
    a = np.zeros((2, 3))
    kernel_of("a", "i, j = cuda.grid(2)\ncuda.atomic.add(a, (i % 2, j % 3), 2)")[(2, 3), (2, 3)](a)
    assert (a == 12).all()


def test_a_type_that_cuda_has_no_atomics_for_is_refused():
    with pytest.raises(TypingError, match=r"atomic.add works on arrays of float32, float64"):
        make_kernel("add")[1, 1](np.zeros(1, np.int8), np.zeros(1, np.int8), np.zeros(1, np.int8))
