"""Kernels that compute: arithmetic, functions, conversions, control flow, types. See cases.py."""

import math
import types

import numpy as np
from cases import RNG, N, case, launch, main
from numba import cuda, float32, int32

FUNCTIONS = vars(np) | {"erf": np.vectorize(math.erf), "lgamma": np.vectorize(math.lgamma)}
OF_ARRAYS = {"math": types.SimpleNamespace(**FUNCTIONS), "abs": np.abs, "min": np.minimum, "max": np.maximum}
OF_ARRAYS |= {"int": np.trunc, "int32": np.trunc, "float32": np.float32, "round": np.round, "where": np.where}
"""What the names in an expression stand for where `x` and `y` are arrays."""


@cuda.jit(device=True)
def where(is_so, first, second):
    return first if is_so else second


def computed(expressions, a, b, dtype):
    """Return what each expression of `x` in `a` and `y` in `b` comes to in a kernel, and by NumPy; one to a column."""
    lines = "".join(f"        out[i, {place}] = {one}\n" for place, one in enumerate(expressions))
    names = {"cuda": cuda, "math": math, "float32": float32, "int32": int32, "where": where}
    head = "    i = cuda.grid(1)\n    if i < a.size:\n        x, y = a[i], b[i]\n"
    exec(f"def kernel(a, b, out):\n{head}{lines}", names)
    *_, out = launch(cuda.jit(names["kernel"]), a, b, np.zeros((N, len(expressions)), dtype))
    want = [eval(one, OF_ARRAYS | {"x": a, "y": b}) for one in expressions]
    return out, np.stack(want, 1).astype(dtype)


@case
def integers():
    expressions = ["x + y", "x - y", "x * y", "x // y", "x % y", "x & y", "x | y", "x ^ y", "x << (y & 7)"]
    expressions += ["x >> (y & 7)", "abs(x)", "-x", "~x", "where(x < y, x * 2, y)"]
    for dtype in (np.int64, np.int32, np.uint32, np.uint64):
        a, b = RNG.integers(0 if np.dtype(dtype).kind == "u" else -1000, 1000, (2, N)).astype(dtype)
        b[b == 0] = 3
        yield computed(expressions, a, b, dtype)


@case
def floats():
    expressions = ["x + y", "x - y", "x * y", "x / y", "math.floor(x)", "math.ceil(x)", "math.trunc(x)", "abs(x)"]
    expressions += ["math.sqrt(abs(x))", "-x", "x // y", "x > y", "math.copysign(x, y)"]
    for dtype in (np.float64, np.float32):
        a, b = RNG.normal(0, 50, (2, N)).astype(dtype)
        yield computed(expressions, a, b, dtype)
        out, want = computed(["x % y"], a, b, dtype)
        yield np.isclose(out, want, atol=1e-4), np.ones((N, 1), bool)  # a GPU rounds once, where NumPy rounds twice


@case
def least_and_largest():
    for dtype in (np.float64, np.float32, np.int64, np.int32):
        a, b = RNG.normal(0, 50, (2, N)).astype(dtype)
        yield computed(["min(x, y)", "max(x, y)"], a, b, dtype)


@case
def functions_of_math():
    expressions = ["sin(x)", "cos(x)", "exp(x)", "log(y)", "tanh(x)", "atan2(x, y)", "erf(x)", "log2(y)", "hypot(x, y)"]
    of_doubles = ["tan(x)", "pow(y, 2.7)", "fmod(x, 0.7)", "expm1(x)", "lgamma(y)"]  # they depend on rounding
    of_doubles += ["sin(x * 1e7)"]  # the slow way to reduce an argument
    for dtype in (np.float64, np.float32):
        a = RNG.normal(0, 3, N).astype(dtype)
        names = expressions + (of_doubles if dtype is np.float64 else [])
        out, want = computed([f"math.{one}" for one in names] + ["1 / (1 + math.exp(-x))"], a, np.abs(a) + 0.1, dtype)
        close = {"rtol": 1e-12, "atol": 1e-12} if dtype is np.float64 else {"rtol": 3e-5, "atol": 3e-6}
        yield np.isclose(out, want, **close), np.ones(out.shape, bool)


@case
def printing():
    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        if i == 2:
            print("thread", i, a[i])

    kernel[1, 4](cuda.to_device(np.arange(4.0)))
    cuda.synchronize()
    yield 0, 0


@case
def conversions():
    expressions = ["int(x)", "int32(x)", "round(x)", "float32(x)", "int32(x) + float32(x // 3)", "(x > 0) + 1"]
    yield computed(expressions, RNG.normal(0, 1000, N), np.ones(N), np.float64)


@case
def loops_and_branches():  # noqa: C901 - that is the case
    def total_of(i):
        total = 0
        for j in range(i % 37):  # each thread goes round as often as it likes
            if j % 3 == 0:
                total += j
            elif j % 7 == 0:
                continue
            else:
                total -= 1
            if total > 60:
                break
        while total % 5 != 0:
            total += 1
        return total

    in_a_kernel = cuda.jit(device=True)(total_of)

    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i >= a.size:
            return
        out[i] = in_a_kernel(i) + a[i]

    _, out = launch(kernel, np.arange(N), np.zeros(N, np.int64))
    yield out, np.array([total_of(i) + i for i in range(N)])


@case
def device_functions():
    @cuda.jit(device=True, inline="never")
    def power(x, n):
        total = 1.0
        for _ in range(n):
            total *= x
        return total, total + 1

    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < a.size:
            low, high = power(a[i], i % 5)
            out[i] = low * high + power(a[i], 2)[0]

    a = RNG.normal(size=N)
    _, out = launch(kernel, a, np.zeros(N))
    p = a ** (np.arange(N) % 5)
    yield np.isclose(out, p * (p + 1) + a * a), np.ones(N, bool)


@case
def small_types_and_strides():
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i] = a[i] * 2 + b[i]

    a = RNG.integers(0, 100, 2 * N).astype(np.uint8)[::2].copy()
    b = RNG.integers(-100, 100, N).astype(np.int16)
    *_, out = launch(kernel, a, b, np.zeros(N, np.int16))
    yield out, (a.astype(np.int16) * 2 + b).astype(np.int16)
    wide = cuda.to_device(np.arange(4.0 * N).reshape(N, 4))
    out = cuda.to_device(np.zeros(N, np.int16))
    kernel[4, 64](wide[:, 1], cuda.to_device(b), out)
    yield out.copy_to_host(), (2 * (4 * np.arange(N) + 1) + b).astype(np.int16)


if __name__ == "__main__":
    main()
