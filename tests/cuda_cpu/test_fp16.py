"""Half precision: NumPy's float16 says what is right."""

import math

import numpy as np
import pytest
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numba import cuda
from numba.core.errors import TypingError


@cuda.jit
def arithmetic(a, b, out):
    i = cuda.grid(1)
    if i < a.size:
        out[0, i] = a[i] + b[i]
        out[1, i] = a[i] - b[i]
        out[2, i] = a[i] * b[i]
        out[3, i] = a[i] / b[i]
        out[4, i] = -a[i]
        out[5, i] = abs(a[i])


@cuda.jit
def narrow(wide, out):
    i = cuda.grid(1)
    if i < wide.size:
        out[i] = wide[i]


@cuda.jit
def comparisons(a, b, out):
    out[0] = a[0] < b[0]
    out[1] = a[0] == b[0]
    out[2] = a[0] != b[0]
    out[3] = cuda.fp16.hge(a[0], b[0])


@cuda.jit
def functions(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[0, i] = math.sqrt(x[i])
        out[1, i] = cuda.fp16.hexp2(x[i])
        out[2, i] = cuda.fp16.hfma(x[i], x[i], x[i])
        out[3, i] = cuda.fp16.hmax(x[i], np.float16(1))


@cuda.jit
def of_a_text(out):
    out[0] = cuda.fp16.hsin("text")


def halves(size):
    return hnp.arrays(np.float16, size, elements=st.floats(-1000, 1000, width=16))


@settings(max_examples=examples(30), deadline=None)
@given(halves(8), halves(8))
def test_operators_round_as_numpy_does(a, b):
    out = np.zeros((6, 8), np.float16)
    arithmetic[1, 8](a, b, out)
    with np.errstate(all="ignore"):
        expected = np.array([a + b, a - b, a * b, a / b, -a, abs(a)])
    np.testing.assert_array_equal(out, expected)


@settings(max_examples=examples(50), deadline=None)
@given(hnp.arrays(np.float64, 16, elements=st.floats(allow_nan=True, allow_infinity=True)))
def test_doubles_are_rounded_once(wide):
    out = np.zeros(16, np.float16)
    narrow[1, 16](wide, out)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out, wide.astype(np.float16))


def test_a_double_just_above_the_middle_of_two_halves_rounds_up():
    wide = np.array([1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-11, 2.0**-25 + 2.0**-60])
    out = np.zeros(3, np.float16)
    narrow[1, 3](wide, out)
    np.testing.assert_array_equal(out, wide.astype(np.float16))


def test_nan_is_unequal_to_itself():
    out = np.zeros(4, np.bool_)
    nan = np.array([np.nan], np.float16)
    comparisons[1, 1](nan, nan, out)
    assert out.tolist() == [False, False, True, False]


def test_functions_agree_with_numpy():
    x = np.linspace(0, 8, 17).astype(np.float16)
    out = np.zeros((4, 17), np.float16)
    functions[1, 32](x, out)
    wide = x.astype(np.float64)
    expected = [np.sqrt(wide), np.exp2(wide), wide * wide + wide, np.maximum(wide, 1)]
    np.testing.assert_array_equal(out, np.array(expected).astype(np.float16))


def test_a_text_is_no_half():
    with pytest.raises(TypingError):
        of_a_text[1, 1](np.zeros(1))
