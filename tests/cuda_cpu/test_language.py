"""What students write: every kernel here compiles for a GPU as well."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from cuda_cpu.written import LOCKED, columns_of, kernel_of
from numba import cuda, float32, float64, prange, types
from numba.core.errors import TypingError
from rows import each

from grader.cuda_cpu.kernel import CudaKernelWarning

TABLE = np.arange(10.0)
TILE = (16, 2)


@cuda.jit
def python_things(a, out):
    i = cuda.grid(1)
    if 0 <= i < a.size and not (i == 3 or i == 4):  # noqa: PLR1714  # as students write it
        x, y = a[i], 2
        x, y = y, x
        total = 0.0
        for j, v in enumerate(a):
            total += v * j
        for p, q in zip(a, a):  # noqa: B905  # as students write it
            total += p * q
        while True:
            total -= 1
            if total < 10:
                break
        number = pow(2, 3) + 2**i + round(2.567, 2) + bool(total) + math.ceil(2.2) + divmod(7, 2)[1]
        out[i] += (max(y, x)) + int(total) + float32(2.5) + np.float32(1) + number


@cuda.jit
def views(a, out):
    i = cuda.grid(1)
    row = a[i, :]
    total = 0
    for k in range(row.size):
        total += row[k]
    out[i] = total + a[i][::2][1] + a[i, 1:].shape[0] + a.T[0, i] + a.ndim
    a[i, :] = i


@cuda.jit
def constants(out):
    table = cuda.const.array_like(TABLE)
    tile = cuda.shared.array(TILE, float64)
    other = cuda.local.array(3, "f8")
    third = cuda.shared.array(shape=(2, 2), dtype=types.float64)
    i = cuda.grid(1)
    tile[0, 0] = other[1] = third[1, 1] = 1
    out[i] = table[i] + TABLE[i] + len(TABLE) + tile[0, 0] + other[1] + third[1, 1]


@cuda.jit(device=True)
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@cuda.jit
def recursive(out):
    def double(x):
        return x * 2

    out[0] = double(fibonacci(10))
    for i in prange(1, 4):
        out[i] = fibonacci(i)


SUMS = "index, width = cuda.threadIdx, cuda.blockDim\nout[index.x] = width.x + (1 if flag else 0) + small + number"
SCALARS = kernel_of("out, flag, small, number", SUMS)
EMPTY = kernel_of("scalar, nothing", "scalar[()] = 3\nfor i in range(nothing.size):\n    nothing[i] = 1")
RAISES = "i = cuda.threadIdx.x\nif i == 3:\n    raise ValueError\ncuda.syncthreads()\nout[i] = 1"


def test_python_inside_kernels():
    a, out = np.arange(8.0), np.zeros(8)
    python_things[1, 8](a, out)
    total = (a * np.arange(8)).sum() + (a * a).sum()
    rest = total - np.floor(total - 10) - 1
    expected = np.maximum(a, 2) + int(rest) + 3.5 + (8 + 2.0 ** np.arange(8) + 2.57 + 1 + 3 + 1)
    expected[3:5] = 0
    np.testing.assert_allclose(out, expected)


def test_kernels_iterate_over_indices_and_entries():
    @cuda.jit
    def kernel(a, out):
        for i, j in np.ndindex(a.shape):
            out[i, j] = a[i, j] + 1
        for at, entry in np.ndenumerate(a):
            out[at] += entry

    a, out = np.arange(6.0).reshape(2, 3), np.zeros((2, 3))
    kernel[1, 1](a, out)
    assert (out == 2 * a + 1).all()


def test_rows_columns_and_slices_are_views():
    a, out = np.ones((4, 5)), np.zeros(4)
    views[1, 4](a, out)
    assert (out == 5 + 1 + 4 + 1 + 2).all()
    assert (a == np.arange(4)[:, None]).all()


def test_global_arrays_are_constants_and_device_functions_may_call_themselves():
    out = np.zeros(10)
    constants[1, 10](out)
    assert (out == 2 * TABLE + 13).all()
    out = np.zeros(4, np.int64)
    recursive[1, 1](out)
    assert out.tolist() == [110, 1, 1, 2]


@pytest.mark.parametrize(("by", "expected"), [(-2, [-4, -1, -3.5]), (0, [0, 0, np.inf])])
def test_division_follows_python_and_never_raises(by, expected):
    out = np.zeros((1, 3))
    columns_of("by", "7 // by", "7 % by", "7 / by")[1, 1](by, out)
    assert out[0].tolist() == expected


def test_the_division_that_overflows_does_not_end_the_process():
    kernel_of("out, a, b", "out[0] = a // b")[1, 1](np.zeros(1, np.int64), -(2**63), -1)


def test_a_lock_by_compare_and_swap_works():
    lock, out = np.zeros(1, np.int32), np.zeros(1)
    kernel_of("lock, out", LOCKED.format(1))[4, 32](lock, out)
    assert out[0] == 128


def test_complex_numbers_narrow_integers_and_booleans_are_what_they_are_in_numba():
    a = np.array([1j, 3 + 4j, -2])
    expected = a * (2 + 1j) + abs(a) + a.real
    kernel_of("a, factor", "i = cuda.grid(1)\na[i] = a[i] * factor + abs(a[i]) + a[i].real")[1, 3](a, 2 + 1j)
    np.testing.assert_allclose(a, expected)
    bytes_, flags = np.array([10, 1], np.uint8), np.array([True, True])
    body = "i = cuda.grid(1)\nbytes_[i] = bytes_[i] + 250\nflags[i] = flags[i] and bytes_[i] > 3"
    kernel_of("bytes_, flags", body)[1, 2](bytes_, flags)
    assert (bytes_.tolist(), flags.tolist()) == ([4, 251], [True, True])


def test_numbers_of_all_kinds_are_arguments_and_arrays_without_axes_or_elements():
    out = np.zeros(4)
    SCALARS[1, 4](out, np.bool_(True), np.int8(-3), np.float32(0.5))
    assert (out == 4 + 1 - 3 + 0.5).all()
    SCALARS[1, 4](out, False, 2**40, 1e300)
    assert (out == 1e300).all()
    scalar = np.zeros(())
    EMPTY[1, 1](scalar, np.zeros(0))
    assert scalar == 3
    for arguments in ((), (np.zeros(1), 3, 4)):
        with pytest.raises(TypeError):
            EMPTY[1, 1](*arguments)


def test_a_thread_that_raises_leaves_the_others_their_barrier():
    out = np.zeros(8)
    with pytest.warns(CudaKernelWarning):
        kernel_of("out", RAISES)[1, 8](out)
    assert out.tolist() == [1, 1, 1, 0, 1, 1, 1, 1]


@pytest.mark.parametrize("signature", ["void(float32[:])", ["void(float32[:])", "void(int64[:])"], (types.float32[:],)])
def test_signatures_may_be_given_in_every_way(signature):
    a = np.zeros(3, np.float32)
    kernel_of("a", "a[cuda.grid(1)] += 1", signature)[1, 3](a)
    assert (a == 1).all()


ALONE = (("threadIdx", "x"), ("shared", "array(4, np.float64)"), ("atomic", "add(x, 0, 1)"))
"""What numba-cuda refuses after `from numba.cuda import threadIdx`, and what a kernel does with it."""


def plain_function(x):
    return x + 1


@each(
    "body, hint",
    ("x[0] = plain_function(x[0])", r"kernels call only @cuda\.jit\(device=True\) or @njit functions"),
    ("x[0] = n[0]", "a number has no elements: leave the index out"),
    ("n[0] = x[0]", "a number has no elements: leave the index out"),
    ("x[0] = nowhere", "nothing has this name here: define it, or import it"),
    ("a = 1.5\nif n > 1:\n    a = x\nx[0] = a[0]", "a variable of a kernel has one type for good"),
    ("x[0] = settings.rate", "kernels know numbers, tuples, arrays and functions: pass such a value as an argument"),
    *((f"{name}.{rest}", "as an attribute only: import cuda, and write cuda.threadIdx") for name, rest in ALONE),
)
def test_each_refusal_has_its_own_next_step(body, hint):
    alone = {name: getattr(cuda, name) for name, _ in ALONE}
    names = {"plain_function": plain_function, "settings": SimpleNamespace(rate=2), **alone}
    kernel = kernel_of("x, n", body, names=names)
    with pytest.raises(TypingError, match=hint):
        kernel[1, 1](np.zeros(2), 3)
