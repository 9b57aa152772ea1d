"""Half precision: NumPy's float16 says what is right."""

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numba.core.errors import TypingError


def rows_of(*expressions):
    """Return a kernel that writes each expression of `x` and `y`, an element of `a` and of `b`, into a row."""
    lines = "".join(f"    out[{row}, i] = {expression}\n" for row, expression in enumerate(expressions))
    return kernel_of("a, b, out", f"i = cuda.grid(1)\nif i < a.size:\n    x, y = a[i], b[i]\n{lines}")


ARITHMETIC = rows_of("x + y", "x - y", "x * y", "x / y", "-x", "abs(x)")
NARROW = rows_of("x")


def halves(size):
    return hnp.arrays(np.float16, size, elements=st.floats(-1000, 1000, width=16))


@settings(max_examples=examples(30), deadline=None)
@given(halves(8), halves(8))
def test_operators_round_as_numpy_does(a, b):
    out = np.zeros((6, 8), np.float16)
    ARITHMETIC[1, 8](a, b, out)
    with np.errstate(all="ignore"):
        expected = np.array([a + b, a - b, a * b, a / b, -a, abs(a)])
    np.testing.assert_array_equal(out, expected)


@settings(max_examples=examples(50), deadline=None)
@given(hnp.arrays(np.float64, 16, elements=st.floats(allow_nan=True, allow_infinity=True)))
def test_doubles_are_rounded_once(wide):
    out = np.zeros((1, 16), np.float16)
    NARROW[1, 16](wide, wide, out)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out[0], wide.astype(np.float16))


def test_a_double_just_above_the_middle_of_two_halves_rounds_up():
    wide = np.array([1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-11, 2.0**-25 + 2.0**-60])
    out = np.zeros((1, 3), np.float16)
    NARROW[1, 3](wide, wide, out)
    np.testing.assert_array_equal(out[0], wide.astype(np.float16))


def test_nan_is_unequal_to_itself():
    out = np.zeros((4, 1), np.bool_)
    nan = np.array([np.nan], np.float16)
    rows_of("x < y", "x == y", "x != y", "cuda.fp16.hge(x, y)")[1, 1](nan, nan, out)
    assert out[:, 0].tolist() == [False, False, True, False]


def test_functions_agree_with_numpy():
    x = np.linspace(0, 8, 17).astype(np.float16)
    out = np.zeros((4, 17), np.float16)
    names = ("math.sqrt(x)", "cuda.fp16.hexp2(x)", "cuda.fp16.hfma(x, x, x)", "cuda.fp16.hmax(x, np.float16(1))")
    rows_of(*names)[1, 32](x, x, out)
    wide = x.astype(np.float64)
    expected = [np.sqrt(wide), np.exp2(wide), wide * wide + wide, np.maximum(wide, 1)]
    np.testing.assert_array_equal(out, np.array(expected).astype(np.float16))


def test_a_text_is_no_half():
    with pytest.raises(TypingError):
        kernel_of("out", 'out[0] = cuda.fp16.hsin("text")')[1, 1](np.zeros(1))
