"""Half precision and CUDA's small vectors: NumPy says what is right."""

import numpy as np
import pytest
from cuda_cpu.written import columns_of, kernel_of
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numba import cuda
from numba.core.errors import TypingError
from rows import each

ARITHMETIC = columns_of("a, b", "a[i] + b[i]", "a[i] - b[i]", "a[i] * b[i]", "a[i] / b[i]", "-a[i]", "abs(a[i])")
NARROW = kernel_of("wide, out", "out[cuda.grid(1)] = wide[cuda.grid(1)]")


def halves(size):
    return hnp.arrays(np.float16, size, elements=st.floats(-1000, 1000, width=16))


@settings(max_examples=examples(30), deadline=None)
@given(halves(8), halves(8))
def test_operators_round_as_numpy_does(a, b):
    out = np.zeros((8, 6), np.float16)
    ARITHMETIC[1, 8](a, b, out)
    with np.errstate(all="ignore"):
        expected = np.stack([a + b, a - b, a * b, a / b, -a, abs(a)], 1)
    np.testing.assert_array_equal(out, expected)


@settings(max_examples=examples(50), deadline=None)
@given(hnp.arrays(np.float64, 16, elements=st.floats(allow_nan=True, allow_infinity=True)))
def test_doubles_are_rounded_once(wide):
    out = np.zeros(16, np.float16)
    NARROW[1, 16](wide, out)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out, wide.astype(np.float16))


def test_a_double_just_above_the_middle_of_two_halves_rounds_up():
    wide = np.array([1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-11, 2.0**-25 + 2.0**-60])
    out = np.zeros(3, np.float16)
    NARROW[1, 3](wide, out)
    np.testing.assert_array_equal(out, wide.astype(np.float16))


def test_nan_is_unequal_to_itself():
    out = np.zeros((1, 4), np.bool_)
    nan = np.array([np.nan], np.float16)
    columns_of("x, y", "x[i] < y[i]", "x[i] == y[i]", "x[i] != y[i]", "cuda.fp16.hge(x[i], y[i])")[1, 1](nan, nan, out)
    assert out[0].tolist() == [False, False, True, False]


def test_functions_agree_with_numpy():
    x = np.linspace(0, 8, 17).astype(np.float16)
    out = np.zeros((17, 4), np.float16)
    functions = ["math.sqrt(x[i])", "cuda.fp16.hexp2(x[i])", "cuda.fp16.hfma(x[i], x[i], x[i])"]
    columns_of("x", *functions, "cuda.fp16.hmax(x[i], np.float16(1))")[1, 17](x, out)
    wide = x.astype(np.float64)
    expected = [np.sqrt(wide), np.exp2(wide), wide * wide + wide, np.maximum(wide, 1)]
    np.testing.assert_array_equal(out, np.stack(expected, 1).astype(np.float16))


def test_vectors_are_made_of_numbers_and_shorter_vectors():
    out = np.zeros(4)
    made = "pair = cuda.float32x2(1.5, 2.5)\nfour = cuda.float4(pair, 3.5, 4.5)\n"
    kernel_of("out", f"{made}out[0], out[1], out[2], out[3] = four.x, four.y, four.z, four.w")[1, 1](out)
    assert out.tolist() == [1.5, 2.5, 3.5, 4.5]
    assert (cuda.double3, cuda.uint2) == (cuda.float64x3, cuda.uint32x2), "C's names mean the same"


@each(
    "wrong",
    {
        "too few": "cuda.float32x3(1.0, 2.0).x",
        "mixed": "cuda.float32x2(cuda.int32x2(1, 2)).x",
        "no such element": "cuda.int32x2(1, 2).z",
        "a text for a half": 'cuda.fp16.hsin("text")',
    },
)
def test_what_does_not_fit_is_refused(wrong):
    with pytest.raises(TypingError):
        kernel_of("out", f"out[0] = {wrong}")[1, 1](np.zeros(4))
