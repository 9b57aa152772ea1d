"""Kernels that compute: arithmetic, functions, conversions, control flow, types. See cases.py."""

import math

import numpy as np
from cases import RNG, N, case, launch, main
from numba import cuda, float32, int32


@case
def integers():
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i, 0] = a[i] + b[i]
            out[i, 1] = a[i] - b[i]
            out[i, 2] = a[i] * b[i]
            out[i, 3] = a[i] // b[i]
            out[i, 4] = a[i] % b[i]
            out[i, 5] = a[i] & b[i]
            out[i, 6] = a[i] | b[i]
            out[i, 7] = a[i] ^ b[i]
            out[i, 8] = a[i] << (b[i] & 7)
            out[i, 9] = a[i] >> (b[i] & 7)
            out[i, 10] = abs(a[i])
            out[i, 11] = -a[i]
            out[i, 12] = ~a[i]
            out[i, 13] = a[i] * 2 if a[i] < b[i] else b[i]

    for dtype in (np.int64, np.int32, np.uint32, np.uint64):
        low = 0 if np.dtype(dtype).kind == "u" else -1000
        a, b = RNG.integers(low, 1000, (2, N)).astype(dtype)
        b[b == 0] = 3
        *_, out = launch(kernel, a, b, np.zeros((N, 14), dtype))
        c = b & dtype(7)
        signed = np.abs(a) if np.dtype(dtype).kind == "i" else a
        want = [a + b, a - b, a * b, a // b, a % b, a & b, a | b, a ^ b, a << c, a >> c]
        want += [signed, -a if np.dtype(dtype).kind == "i" else 0 - a, ~a, np.where(a < b, a * dtype(2), b)]
        yield out, np.stack(want, 1).astype(dtype)


@case
def floats():
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i, 0] = a[i] + b[i]
            out[i, 1] = a[i] - b[i]
            out[i, 2] = a[i] * b[i]
            out[i, 3] = a[i] / b[i]
            out[i, 4] = math.floor(a[i])
            out[i, 5] = math.ceil(a[i])
            out[i, 6] = math.trunc(a[i])
            out[i, 7] = abs(a[i])
            out[i, 8] = math.sqrt(abs(a[i]))
            out[i, 9] = -a[i]
            out[i, 10] = a[i] // b[i]
            out[i, 11] = a[i] > b[i]
            out[i, 12] = math.copysign(a[i], b[i])
            out[i, 13] = a[i] % b[i]

    for dtype in (np.float64, np.float32):
        a, b = RNG.normal(0, 50, (2, N)).astype(dtype)
        *_, out = launch(kernel, a, b, np.zeros((N, 14), dtype))
        want = [a + b, a - b, a * b, a / b, np.floor(a), np.ceil(a), np.trunc(a), np.abs(a), np.sqrt(np.abs(a)), -a]
        want += [a // b, a > b, np.copysign(a, b)]
        yield out[:, :13], np.stack(want, 1).astype(dtype)
        yield np.isclose(out[:, 13], a % b, atol=1e-4), np.ones(N, bool)  # a GPU rounds once, where NumPy rounds twice


@case
def least_and_largest():
    @cuda.jit
    def kernel(a, b, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i, 0] = min(a[i], b[i])
            out[i, 1] = max(a[i], b[i])

    for dtype in (np.float64, np.float32, np.int64, np.int32):
        a, b = RNG.normal(0, 50, (2, N)).astype(dtype)
        *_, out = launch(kernel, a, b, np.zeros((N, 2), dtype))
        yield out, np.stack([np.minimum(a, b), np.maximum(a, b)], 1)


@case
def functions_of_math():
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < a.size:
            x = a[i]
            y = abs(x) + 0.1
            out[i, 0] = math.sin(x)
            out[i, 1] = math.cos(x)
            out[i, 2] = math.tan(x)
            out[i, 3] = math.exp(x)
            out[i, 4] = math.log(y)
            out[i, 5] = math.tanh(x)
            out[i, 6] = math.pow(y, 2.7)
            out[i, 7] = math.atan2(x, y)
            out[i, 8] = math.erf(x)
            out[i, 9] = math.log2(y)
            out[i, 10] = math.fmod(x, 0.7)
            out[i, 11] = math.hypot(x, y)
            out[i, 12] = math.sin(x * 1e7)  # the slow way to reduce an argument
            out[i, 13] = math.expm1(x)
            out[i, 14] = 1 / (1 + math.exp(-x))
            out[i, 15] = math.lgamma(y)

    for dtype in (np.float64, np.float32):
        a = RNG.normal(0, 3, N).astype(dtype)
        _, out = launch(kernel, a, np.zeros((N, 16)))
        x, y = a.astype(float), (np.abs(a) + 0.1).astype(float)
        want = [np.sin(x), np.cos(x), np.tan(x), np.exp(x), np.log(y), np.tanh(x), y**2.7, np.arctan2(x, y)]
        want += [np.vectorize(math.erf)(x), np.log2(y), np.fmod(x, 0.7), np.hypot(x, y), np.sin(x * 1e7), np.expm1(x)]
        want += [1 / (1 + np.exp(-x)), np.vectorize(math.lgamma)(y)]
        places = (
            slice(None) if dtype is np.float64 else [0, 1, 3, 4, 5, 7, 8, 9, 11, 14]
        )  # the others depend on rounding
        close = {"rtol": 1e-12, "atol": 1e-12} if dtype is np.float64 else {"rtol": 3e-5, "atol": 3e-6}
        yield np.isclose(out, np.stack(want, 1), **close)[:, places], np.ones((N, 16), bool)[:, places]


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
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < a.size:
            out[i, 0] = int(a[i])
            out[i, 1] = int32(a[i])
            out[i, 2] = round(a[i])
            out[i, 3] = float32(a[i])
            out[i, 4] = int32(a[i]) + float32(a[i] // 3)
            out[i, 5] = bool(a[i] > 0) + 1

    a = RNG.normal(0, 1000, N)
    _, out = launch(kernel, a, np.zeros((N, 6)))
    whole = np.trunc(a)
    thirds = whole + (a // 3).astype(np.float32)
    yield out, np.stack([whole, whole, np.round(a), a.astype(np.float32), thirds, (a > 0) + 1.0], 1)


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

    a = np.arange(N)
    _, out = launch(kernel, a, np.zeros(N, np.int64))
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
