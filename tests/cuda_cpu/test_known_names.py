"""Names of `numba.cuda`: known, lent from Numba, or refused with the next step."""

import math

import numba
import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda
from numba.core.errors import TypingError
from rows import each

pytestmark = pytest.mark.wide

UNARY = {
    "acos": 0.3, "acosh": 1.5, "asin": 0.3, "asinh": 0.3, "atan": 0.3, "atanh": 0.3, "cos": 0.3, "cosh": 0.3,
    "degrees": 0.3, "erf": 0.3, "erfc": 0.3, "exp": 0.3, "expm1": 0.3, "fabs": -0.3, "gamma": 2.5, "lgamma": 2.5,
    "log": 0.3, "log10": 0.3, "log1p": 0.3, "log2": 0.3, "radians": 0.3, "sin": 0.3, "sinh": 0.3, "sqrt": 0.3,
    "tan": 0.3, "tanh": 0.3, "ceil": -0.3, "floor": -0.3, "trunc": -1.7,
}  # fmt: skip
BINARY = {"atan2": (1.0, 2.0), "copysign": (2.0, -1.0), "fmod": (-7.5, 2.0), "hypot": (3.0, 4.0), "pow": (2.0, 0.5)}


def make(expression):
    return kernel_of("x, y, out", f"i = cuda.grid(1)\nout[i] = {expression}")


@pytest.mark.parametrize("name", UNARY)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_functions_of_one_number_agree_with_python(name, dtype):
    x = np.array([UNARY[name]], dtype)
    out = np.zeros(1)
    make(f"math.{name}(x[i])")[1, 1](x, x, out)
    np.testing.assert_allclose(out[0], getattr(math, name)(float(x[0])), rtol=1e-5 if dtype == np.float32 else 1e-14)


@each("name", [*BINARY])
def test_functions_of_two_numbers_agree_with_python(name):
    x, y = (np.array([value]) for value in BINARY[name])
    out = np.zeros(1)
    make(f"math.{name}(x[i], y[i])")[1, 1](x, y, out)
    np.testing.assert_allclose(out[0], getattr(math, name)(*BINARY[name]), rtol=1e-14)


@each("value", [2.75, -2.75, 3.0, -0.0, math.inf, -math.inf])
def test_modf_and_remainder_agree_with_python_up_to_signs_and_infinities(value):
    x, out = np.array([value]), np.zeros(1)
    for part in (0, 1):
        make(f"math.modf(x[i])[{part}]")[1, 1](x, x, out)
        assert out[0] == math.modf(value)[part]
        assert math.copysign(1, out[0]) == math.copysign(1, math.modf(value)[part])
    if math.isfinite(value):
        make("math.remainder(x[i], 2.0)")[1, 1](x, x, out)
        assert out[0] == math.remainder(value, 2.0)


def test_frexp_and_ldexp_undo_each_other_and_whole_numbers_become_doubles():
    x, out = np.array([12.5]), np.zeros(1)
    make("math.ldexp(math.frexp(x[i])[0], math.frexp(x[i])[1])")[1, 1](x, x, out)
    assert out[0] == 12.5
    x, out = np.array([4]), np.zeros(1)
    make("math.sqrt(x[i]) + math.floor(x[i]) + math.isnan(x[i])")[1, 1](x, x, out)
    assert out[0] == 6


def test_floor_gives_a_float_which_is_no_index_and_what_cuda_does_not_know_is_refused():
    with pytest.raises(TypingError):
        make("x[math.floor(y[i])]")[1, 1](np.zeros(3), np.zeros(3), np.zeros(3))
    with pytest.raises(TypingError, match="gcd"):
        make("math.gcd(4, 6)")[1, 1](np.zeros(1), np.zeros(1), np.zeros(1))


def test_bits_are_counted_in_every_width_and_singles_are_rounded_through_doubles():
    for kind in (np.uint8, np.uint16, np.uint32, np.uint64):
        x, out = np.array([0, 5, np.iinfo(kind).max], kind), np.zeros(3, np.int32)
        make("x[i].bit_count()")[1, 3](x, x, out)
        assert out.tolist() == [0, 2, np.iinfo(kind).bits]
    x = np.array([0.3425, 2.5, -1.005], np.float32)
    out = np.zeros(3, np.float32)
    make("round(x[i], y)")[1, 3](x, 3, out)
    assert out.tolist() == [np.float32(round(float(value), 3)) for value in x]


def test_names_of_types_are_there_as_in_numba_cuda():
    assert cuda.float32 is numba.float32
    assert cuda.types.int64 is numba.int64


def test_ufuncs_run_on_the_device():
    @cuda.vectorize(["float64(float64, float64)"])
    def hypotenuse_squared(a, b):
        return a * a + b * b

    np.testing.assert_array_equal(hypotenuse_squared(np.arange(3.0), np.ones(3)), [1, 2, 5])


@pytest.mark.parametrize("name", ["compile_ptx", "declare_device", "nvvm", "set_memory_manager"])
def test_what_is_missing_says_what_to_do(name):
    with pytest.raises(NotImplementedError, match=f"cuda.{name} is not available .*: "):
        getattr(cuda, name)


def test_a_name_that_cuda_does_not_have_either_is_a_plain_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        cuda.nonsense  # noqa: B018  # asking is the test
