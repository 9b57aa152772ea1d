import math

import numba
import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda, float32, njit, types
from numba.core.errors import NumbaInvalidConfigWarning, TypingError
from rows import each

from grader.cuda_cpu.kernel import CudaKernelWarning

SIZE = 4


@cuda.jit("void(int64[:,:], int64[:,:], int64[:,:])")
def eager_max(A, B, C):  # noqa: N803  # the sheet's names
    i, j = cuda.grid(2)
    if i < C.shape[0] and j < C.shape[1]:
        C[i, j] = max(A[i, j], B[i, j])


@cuda.jit(fastmath=True)
def fast(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = math.exp(x[i]) / 3


@njit
def square(x):
    return x * x


@cuda.jit(device=True)
def power(x, exponent=3):
    result = x
    for _ in range(1, exponent):
        result *= x
    return result


@cuda.jit
def polynomial(x, out, factor, flag):
    i = cuda.grid(1)
    if i < x.size:
        pair = (square(x[i]), power(x[i]))
        out[i] = pair[0] + pair[1] * factor
        if flag:
            out[i] = -out[i]


@cuda.jit
def every_dtype_spelling(out):
    first = cuda.shared.array(SIZE, float32)
    second = cuda.shared.array(shape=(SIZE,), dtype=numba.float32)
    third = cuda.shared.array(SIZE, np.float32)
    fourth = cuda.shared.array(SIZE, dtype="float32")
    fifth = cuda.local.array((2, 2), numba.int32)
    first[0], second[0], third[0], fourth[0], fifth[1, 1] = 1, 2, 3, 4, 5
    out[0] = first[0] + second[0] + third[0] + fourth[0] + fifth[1, 1]


@cuda.jit
def raises(x):
    if x[0] > 0:
        raise ValueError("positive")  # as a student writes it
    x[0] = 7


@cuda.jit(debug=True, opt=False)
def raises_in_debug_mode(x):
    if x[cuda.grid(1)] > 0:
        raise ValueError("positive")  # as a student writes it


def make_adder(constant):
    def add(x):
        return x + constant

    inner = cuda.jit(device=True)(add)

    @cuda.jit
    def kernel(x):
        x[cuda.grid(1)] = inner(x[cuda.grid(1)])

    return kernel


def refused(body):
    with pytest.raises(Exception) as caught:  # noqa: PT011  # of which type is CUDA's business
        kernel_of("x", body)[1, 1](np.zeros(2))
    return str(caught.value)


def test_a_kernel_with_a_signature_takes_arrays_of_every_layout():
    a, b = np.arange(12).reshape(3, 4), np.arange(12)[::-1].reshape(3, 4).copy()
    for order in "CF":
        c = np.zeros((3, 4), np.int64, order=order)
        eager_max[(1, 1), (4, 4)](a, b, c)
        assert (c == np.maximum(a, b)).all()


def test_a_kernel_with_several_signatures_takes_arrays_of_every_layout():
    @cuda.jit([types.void(types.float64[:, :]), types.void(types.int64[:, :])])
    def count_up(a):
        i, j = cuda.grid(2)
        a[i, j] += 1

    for kind in (np.float64, np.int64):
        for array in (np.zeros((4, 4), kind), np.zeros((4, 4), kind, order="F")):
            count_up[1, (4, 4)](array)
            assert (array == 1).all()
        wide = cuda.to_device(np.zeros((8, 8), kind))
        count_up[1, (4, 4)](wide[::2, ::2])
        assert wide.copy_to_host().sum() == 16
    with pytest.raises(TypeError, match="No matching definition"):
        count_up[1, (4, 4)](np.zeros(4))


def test_other_types_and_options_that_cannot_be_followed_are_refused():
    with pytest.raises((TypeError, RuntimeError)):
        eager_max[1, 1](*[np.zeros(3)] * 3)
    with pytest.raises((TypingError, NotImplementedError, ValueError, TypeError)):
        fast[1, 1]([1, 2, 3])
    for option, words in (({"link": ["code.cu"]}, "links no CUDA"), ({"boundscheck": True}, "bounds checking")):
        with pytest.raises(NotImplementedError, match=words):
            cuda.jit(**option)(fast.py_func)


def test_fastmath_changes_nothing_that_matters_and_forall_launches_enough_threads():
    x = np.linspace(0, 1, 20)
    expected = np.exp(x) / 3
    fast[1, 32](x)
    np.testing.assert_allclose(x, expected)
    x = np.zeros(1000)
    fast.forall(x.size)(x)
    np.testing.assert_allclose(x, 1 / 3)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int32, np.int64])
def test_kernels_call_device_functions_and_njit_functions(dtype):
    x = np.arange(5).astype(dtype)
    out = np.zeros(5)
    polynomial[1, 8](x, out, 2, False)
    np.testing.assert_allclose(out, x**2 + 2.0 * x**3)
    polynomial[1, 8](x, out, 0.5, np.bool_(True))
    np.testing.assert_allclose(out, -(x**2 + 0.5 * x**3))


def test_closures_keep_their_constants_apart():
    x = np.zeros(4)
    make_adder(3)[1, 4](x)
    make_adder(10)[1, 4](x)
    assert (x == 13).all()


def test_dtypes_and_sums_over_small_arrays_may_be_written_as_for_a_gpu():
    out = np.zeros(1)
    every_dtype_spelling[1, 1](out)
    assert out[0] == 15
    kernel = kernel_of("x, out", "out[0] = x.sum() + np.mean(x) + x.argmax() + np.isnan(x[0])")
    kernel[1, 1](np.array([1.0, 5.0, 3.0]), out)
    assert out[0] == 9 + 3 + 1


def test_an_exception_ends_the_thread_with_a_warning_and_with_debug_reaches_the_host():
    x = np.array([1.0])
    with pytest.warns(CudaKernelWarning, match=r"raises.*ValueError.*positive"):
        raises[1, 1](x)
    assert x[0] == 1
    with pytest.raises(ValueError, match=r"tid=\[2, 0, 0\] ctaid=\[0, 0, 0\].*positive"):
        raises_in_debug_mode[1, 3](np.array([0.0, 0.0, 1.0]))


def test_a_dispatcher_knows_its_function():
    assert (fast.__name__, fast.py_func.__name__) == ("fast", "fast")
    special = fast.specialize(np.zeros(1))
    assert special.specialized
    special[1, 1](np.zeros(1))


@each(
    "body, words",
    *(("return x", "void"), ("x[0] = np.dot(x, x)", "dot"), ("x[0] = x @ x", "linear algebra")),
    *(("x[0] = np.linalg.norm(x)", "norm"), ("s = cuda.shared.array(x.size, np.float32)", "constant")),
    *(("s = cuda.local.array(x.size, np.float32)", "constant"), ("x[0] = undefined_name", "undefined_name")),
    *(("x[0, 0] = 1", "x"), ("y = [1, 2]\nx[0] = len(y)", "list"), ("y = np.zeros(3)\nx[0] = y[0]", "memory")),
    *(("x[0] = np.sqrt(x[0])", "math"), ("x[0] = open('f')", "open"), ("y = {1: 2}\nx[0] = y[1]", "dict")),
    *(("try:\n    x[0] = 1\nexcept Exception:\n    x[0] = 2", "try"), ("raise ValueError(x[0])", "exception")),
    ("y = cuda.local.array(100000, np.float64)\nx[0] = y[0]", "524288"),
    ("y = cuda.shared.array(10000, np.float64)\nx[0] = y[0]", "CUDA_ERROR_INVALID_PTX"),
    ("y = cuda.shared.array(10000, np.float64)\nx[0] = y[0]", "shared data (0x13880 bytes, 0xc000 max)"),
)
def test_what_cuda_refuses_is_refused_with_a_reason(body, words):
    message = refused(body)
    assert words in message.lower() or words in message


def test_refusals_do_not_depend_on_what_was_compiled_for_the_processor_before():
    @njit
    def on_the_processor(x):
        return np.dot(x, x) + np.linalg.norm(x) + len([1, 2]) + np.zeros(3)[0] + (x @ x)

    on_the_processor(np.ones(2))
    for refusal in ("x[0] = np.dot(x, x)", "x[0] = x @ x", "x[0] = len([1, 2])", "x[0] = np.zeros(3)[0]"):
        assert refused(refusal)


def nothing(x):
    x.size  # noqa: B018  # a kernel that does nothing


def test_a_device_function_is_no_kernel_and_debugging_optimised_code_is_warned_of_as_by_cuda():
    with pytest.raises(RuntimeError, match="Cannot compile a device function as a kernel"):
        power[1, 1](np.zeros(1))
    with pytest.warns(NumbaInvalidConfigWarning, match="not supported by CUDA"):
        cuda.jit(debug=True)(nothing)


def test_an_njit_function_with_a_signature_of_its_own_cannot_be_called_from_a_kernel():
    eager = njit("float64(float64)")(square.py_func)
    with pytest.raises(TypingError, match="using cpu function on device"):
        kernel_of("x", "x[0] = eager(x[0])", names={"eager": eager})[1, 1](np.ones(1))


def test_integers_of_one_size_may_differ_in_their_sign():
    x = np.array([-1], np.int32)
    cuda.jit("void(uint32[:])")(nothing)[1, 1](x)
    with pytest.raises(TypeError, match="was given"):
        cuda.jit("void(uint32[:])")(nothing)[1, 1](x.astype(np.int64))


def test_extensions_may_be_added_after_the_decorator():
    copy = kernel_of("out, value", "out[0] = value")
    copy[1, 1](np.zeros(1), 1.0)
    copy.extensions.append(OnlyNumbers())
    out = np.zeros(1)
    copy[1, 1](out, 4.0)
    assert out[0] == 8


class OnlyNumbers:
    def prepare_args(self, kind, value, **launch):
        assert set(launch) == {"stream", "retr"}
        return kind, value * 2 if isinstance(value, float) else value


def test_addresses_are_arguments():
    source = cuda.to_device(np.array([3, 4], np.int32))
    out = np.zeros(1, np.int32)
    signature = types.void(types.int32[:], types.CPointer(types.int32))
    kernel_of("out, pointer", "out[0] = pointer[1]", signature)[1, 1](out, source.device_ctypes_pointer.value)
    assert out[0] == 4
