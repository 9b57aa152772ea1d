"""A program for any Numba with a CUDA driver: runs kernels of many kinds and prints, as JSON, how they came out.

Each case returns pairs: what the kernel wrote, and what it had to write.
"""

import json
import math
import sys

import numpy as np
from numba import cuda, float32, float64, int32

CASES = {}
RNG = np.random.default_rng(1)
N = 200


def case(function):
    CASES[function.__name__] = function
    return function


def launch(kernel, *arrays, grid=4, block=64):
    on_gpu = [cuda.to_device(array) if isinstance(array, np.ndarray) else array for array in arrays]
    kernel[grid, block](*on_gpu)
    cuda.synchronize()
    return [array.copy_to_host() if hasattr(array, "copy_to_host") else array for array in on_gpu]


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
def shared_memory_and_barriers():
    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array(256, float64)
        t = cuda.threadIdx.x
        tile[t] = a[cuda.grid(1)]
        cuda.syncthreads()
        step = 128
        while step:
            if t < step:
                tile[t] += tile[t + step]
            cuda.syncthreads()
            step //= 2
        if t == 0:
            out[cuda.blockIdx.x] = tile[0]

    a = RNG.integers(0, 100, 1024).astype(float)
    _, out = launch(kernel, a, np.zeros(4), grid=4, block=256)
    yield out, a.reshape(4, 256).sum(1)


@case
def dynamic_shared_memory():
    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array(0, float32)
        t = cuda.threadIdx.x
        tile[t] = a[t]
        cuda.syncthreads()
        out[t] = tile[cuda.blockDim.x - 1 - t]

    a = RNG.normal(size=96).astype(np.float32)
    on_gpu, out = cuda.to_device(a), cuda.device_array_like(a)
    kernel[1, 96, 0, 96 * 4](on_gpu, out)
    yield out.copy_to_host(), a[::-1]


@case
def local_memory():
    @cuda.jit
    def kernel(a, out):
        mine = cuda.local.array(9, float64)
        i = cuda.grid(1)
        if i < a.size:
            for j in range(9):
                mine[(j + i) % 9] = a[i] * j
            out[i] = mine[i % 5] + mine[(i * 7) % 9]

    a = RNG.normal(size=N)
    _, out = launch(kernel, a, np.zeros(N))
    i = np.arange(N)
    yield out, a * ((i % 5 - i) % 9) + a * ((i * 7 % 9 - i) % 9)


@case
def atomics():
    @cuda.jit
    def kernel(a, sums, whole):
        i = cuda.grid(1)
        if i < a.size:
            cuda.atomic.add(sums, 0, a[i])
            cuda.atomic.max(sums, 1, a[i])
            cuda.atomic.min(sums, 2, a[i])
            cuda.atomic.add(whole, i % 3, 1)
            cuda.atomic.max(whole, 3, i)
            cuda.atomic.inc(whole, 4, 1000)
            cuda.atomic.exch(whole, 5, 9)

    a = RNG.integers(-50, 50, N).astype(float)
    sums, whole = np.zeros(3), np.zeros(6, np.uint32)
    _, sums, whole = launch(kernel, a, sums, whole)
    yield sums, np.array([a.sum(), max(a.max(), 0), min(a.min(), 0)])
    yield whole, np.array([67, 67, 66, N - 1, N, 9], np.uint32)


@case
def a_lock():
    @cuda.jit
    def kernel(lock, total):
        done = False
        while not done:  # threads of one warp: one holds the lock, the others spin
            if cuda.atomic.cas(lock, 0, 0, 1) == 0:
                total[0] += 1
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)
                done = True

    _, total = launch(kernel, np.zeros(1, np.int32), np.zeros(1, np.int64), grid=2, block=64)
    yield total, np.array([128])


@case
def shuffles_and_votes():
    @cuda.jit
    def kernel(a, out):
        t = cuda.threadIdx.x
        x = a[t]
        for step in (16, 8, 4, 2, 1):
            x += cuda.shfl_down_sync(0xFFFFFFFF, x, step)
        out[t, 0] = cuda.shfl_sync(0xFFFFFFFF, x, 0)
        out[t, 1] = cuda.shfl_xor_sync(0xFFFFFFFF, a[t], 5)
        out[t, 2] = cuda.shfl_up_sync(0xFFFFFFFF, a[t], 3)
        out[t, 3] = cuda.ballot_sync(0xFFFFFFFF, a[t] > 0) & 0xFFFFFFFF
        out[t, 4] = cuda.any_sync(0xFFFFFFFF, a[t] > 90)
        out[t, 5] = cuda.all_sync(0xFFFFFFFF, a[t] > -200)
        out[t, 6] = cuda.popc(cuda.activemask())
        out[t, 7] = cuda.laneid

    a = RNG.integers(-99, 99, 64).astype(np.int32)
    _, out = launch(kernel, a, np.zeros((64, 8), np.int64), grid=1, block=64)
    rows = a.reshape(2, 32).astype(np.int64)
    lanes = np.arange(32)
    want = np.zeros((2, 32, 8), np.int64)
    want[:, :, 0] = rows.sum(1)[:, None]
    want[:, :, 1] = rows[:, lanes ^ 5]
    want[:, :, 2] = rows[:, np.where(lanes < 3, lanes, lanes - 3)]
    want[:, :, 3] = ((rows > 0) << lanes).sum(1)[:, None]
    want[:, :, 4] = (rows > 90).any(1)[:, None]
    want[:, :, 5] = 1
    want[:, :, 6] = 32
    want[:, :, 7] = lanes
    yield out, want.reshape(64, 8)


@case
def barriers_that_count():
    @cuda.jit
    def kernel(a, out):
        t = cuda.threadIdx.x
        out[t, 0] = cuda.syncthreads_count(a[t])
        out[t, 1] = cuda.syncthreads_and(a[t])
        out[t, 2] = cuda.syncthreads_or(a[t])

    a = RNG.integers(0, 2, 96).astype(np.int32)
    _, out = launch(kernel, a, np.zeros((96, 3), np.int64), grid=1, block=96)
    yield out[:, 0], np.full(96, a.sum())
    yield out[:, 1:] != 0, np.tile(np.array([bool(a.all()), bool(a.any())]), (96, 1))


@case
def threads_that_left_are_not_waited_for():
    @cuda.jit
    def kernel(out):
        t = cuda.threadIdx.x
        if t >= 40:
            return
        tile = cuda.shared.array(64, int32)
        tile[t] = t
        cuda.syncthreads()
        out[t] = tile[39 - t]

    (out,) = launch(kernel, np.zeros(40, np.int32), grid=1, block=64)
    yield out, np.arange(39, -1, -1, dtype=np.int32)


@case
def geometry():
    @cuda.jit
    def kernel(out):
        x, y, z = cuda.grid(3)
        if x < out.shape[0] and y < out.shape[1] and z < out.shape[2]:
            out[x, y, z] = x * 10000 + y * 100 + z + cuda.gridDim.x + cuda.blockDim.y

    (out,) = launch(kernel, np.zeros((9, 7, 5), np.int64), grid=(3, 4, 2), block=(4, 2, 3))
    x, y, z = np.indices((9, 7, 5))
    yield out, x * 10000 + y * 100 + z + 3 + 2


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


def differ(got, want):
    got, want = np.asarray(got), np.asarray(want)
    return "" if np.array_equal(got, want) else f"{got[got != want][:3]} not {want[got != want][:3]}"


def main(names):
    verdicts = {}
    for name in names or CASES:
        try:
            verdicts[name] = "; ".join(filter(None, (differ(got, want) for got, want in CASES[name]())))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is this case's
            verdicts[name] = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    print(json.dumps(verdicts))


if __name__ == "__main__":
    main(sys.argv[1:])
