"""Everything that compiles as a kernel compiles and runs the same when it is traced."""

import cmath

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda, float64
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64
from rows import each

from grader.cuda_cpu import checking, counting


@cuda.jit(device=True)
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


@cuda.jit(debug=True, opt=False)
def raising(x):
    x[cuda.grid(1)] = 1
    if cuda.grid(1) == 3:
        raise ValueError("three")  # CUDA knows no exceptions with computed arguments


@cuda.jit("float64(float64)", device=True)
def halve(x):
    return x / 2


RECURSIVE = kernel_of("out", "i = cuda.grid(1)\nout[i] = factorial(i % 5)", names={"factorial": factorial})
CALLS_EAGER_FUNCTION = kernel_of("x", "x[cuda.grid(1)] = halve(x[cuda.grid(1)])", names={"halve": halve})
COMPLEX_NUMBERS = kernel_of("z, out", "i = cuda.grid(1)\nout[i] = cmath.exp(z[i])", names={"cmath": cmath})
TOTAL = "total = 0.0\nfor value in x[cuda.threadIdx.x]:\n    total += value\nout[cuda.threadIdx.x] = total"


@cuda.jit
def many_kinds_of_barriers(x, out):
    s = cuda.shared.array(64, float64)
    i = cuda.threadIdx.x
    s[i] = x[i]
    count = cuda.syncthreads_count(x[i] > 10)
    both = cuda.syncthreads_and(1) + cuda.syncthreads_or(0)
    votes = cuda.ballot_sync(0xFFFFFFFF, i % 2)
    cuda.syncwarp()
    out[i] = s[63 - i] + count + both + votes


CASES = [
    (RECURSIVE, 1, 8, lambda: (np.zeros(8),)),
    (kernel_of("x, y", "x[cuda.grid(1)] *= y", "void(float64[:], float64)"), 1, 8, lambda: (np.ones(8), 3.0)),
    (kernel_of("x", "x[cuda.grid(1)] /= 3", fastmath=True), 1, 8, lambda: (np.ones(8),)),
    (CALLS_EAGER_FUNCTION, 1, 8, lambda: (np.ones(8),)),
    (COMPLEX_NUMBERS, 1, 4, lambda: (np.arange(4) * 1j, np.zeros(4, complex))),
    (kernel_of("x, out", TOTAL), 1, 3, lambda: (np.ones((3, 5)), np.zeros(3))),
    (many_kinds_of_barriers, 1, 64, lambda: (np.arange(64.0), np.zeros(64))),
]


@each("kernel, grid, block, make_arguments", CASES)
def test_answers_are_the_same_and_nothing_races(kernel, grid, block, make_arguments):
    plain, traced = make_arguments(), make_arguments()
    kernel[grid, block](*plain)
    with checking() as races, counting() as costs:
        kernel[grid, block](*traced)
    for one, other in zip(plain, traced, strict=True):
        np.testing.assert_array_equal(one, other)
    assert not races.describe()
    assert costs.launches[0].threads == grid * block


def test_random_number_states_belong_to_their_threads():
    @cuda.jit
    def random_numbers(states, out):
        i = cuda.grid(1)
        out[i] = xoroshiro128p_uniform_float64(states, i)

    states = create_xoroshiro128p_states(64, seed=1)
    out = np.zeros(64)
    with checking() as record:
        random_numbers[2, 32](states, out)
        random_numbers[2, 32](states, out)
    assert not record.describe()
    assert len(set(out)) == 64


def test_an_exception_ends_the_launch_as_it_does_without_a_trace():
    with counting() as record, pytest.raises(ValueError, match="three"):
        raising[1, 8](np.zeros(8))
    assert record.launches[0].total("accesses", "store", "global") == 4


def test_a_device_array_that_is_input_and_output_at_once_is_one_region():
    x = cuda.to_device(np.arange(8.0))
    shift = kernel_of("x, y", "i = cuda.grid(1)\nif i > 0:\n    y[i] = x[i - 1]")
    with checking() as record:
        shift[1, 8](x, x)
    assert [race.kind for race in record.races] == ["read-write"]


PAIRS = np.array([(1, 2.5), (3, 4.5), (5, 6.5)], np.dtype([("n", np.int64), ("x", np.float64)]))
ELEMENTS = ["bool", "int8", "float16", "complex64", "complex128", "M8[s]", "m8[s]", "S3", "U2", PAIRS.dtype]


@each("dtype", ELEMENTS)
def test_elements_of_every_type_are_followed(dtype):
    source = PAIRS if dtype is PAIRS.dtype else np.arange(3).astype(dtype)
    target = np.zeros_like(source)
    with checking() as races, counting() as costs:
        kernel_of("x, y", "y[cuda.grid(1)] = x[cuda.grid(1)]")[1, 3](source, target)
    np.testing.assert_array_equal(source, target)
    fields = len(PAIRS.dtype) if dtype is PAIRS.dtype else 1
    assert [costs.launches[0].total("accesses", kind, "global") for kind in ("load", "store")] == [3 * fields] * 2
    assert not races.describe()


def test_records_written_by_several_threads_race():
    with checking() as record:
        kernel_of("x, y", "y[0] = x[cuda.grid(1)]")[1, 3](PAIRS, np.zeros_like(PAIRS))
    assert {(race.array, race.kind) for race in record.races} == {("y", "write-write")}
