"""Kernels whose threads work together: memory, barriers, atomics, shuffles, geometry. See cases.py."""

import numpy as np
from cases import RNG, N, case, launch, main
from numba import cuda, float32, float64, int32


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


if __name__ == "__main__":
    main()
