import warnings

import numpy as np
import pytest
from benchmarks.executor_kernels import gram_kernel
from cuda_cpu.written import columns_of, kernel_of
from numba import cuda, float32, float64
from rows import each

from grader.cuda_cpu.faults import CudaBarrierError


@cuda.jit
def reverse(x, out):
    tile = cuda.shared.array(1024, float32)
    i = cuda.threadIdx.x
    tile[i] = x[i]
    cuda.syncthreads()
    out[i] = tile[cuda.blockDim.x - 1 - i]


@cuda.jit(device=True)
def rotate(tile, i, value):
    tile[i] = value
    cuda.syncthreads()
    neighbour = tile[(i + 1) % cuda.blockDim.x]
    cuda.syncthreads()
    return neighbour


@cuda.jit
def rotate_twice(x, out):
    tile = cuda.shared.array(64, float64)
    i = cuda.threadIdx.x
    out[i] = rotate(tile, i, rotate(tile, i, x[i]))


@cuda.jit
def skip_barrier(x):
    if cuda.threadIdx.x < 16:
        cuda.syncthreads()
    x[cuda.threadIdx.x] = 1


@cuda.jit
def two_barriers(x):
    if cuda.threadIdx.x < 16:
        cuda.syncthreads()
    else:
        x[0] = 1
        cuda.syncthreads()


@cuda.jit
def leave_early(x):
    i = cuda.threadIdx.x
    if i >= x.size:
        return
    cuda.syncthreads()
    x[i] = i


@cuda.jit
def half_warp(x):
    x[0] = 0
    if cuda.threadIdx.x < 16:
        cuda.syncwarp()
    cuda.syncthreads()


@cuda.jit
def dynamic(x):
    whole = cuda.shared.array(0, float32)
    numbers = whole[: x.size]
    i = cuda.threadIdx.x
    numbers[i] = x[i]
    cuda.syncthreads()
    x[i] = numbers[x.size - 1 - i] + whole.size


@cuda.jit
def keep_locals(out):
    i = cuda.grid(1)
    mine = cuda.local.array(16, np.int64)
    for k in range(16):
        mine[k] = i * k
        cuda.syncthreads()
    total = 0
    for k in range(16):
        total += mine[k]
    out[i] = total


@each("threads", [1, 7, 32, 33, 1024])
def test_a_barrier_lets_all_threads_see_what_the_others_wrote(threads):
    x = np.arange(threads, dtype=np.float32)
    out = np.zeros_like(x)
    reverse[1, threads](x, out)
    assert (out == x[::-1]).all()


@pytest.mark.parametrize("shape", [(16, 16), (50, 33), (5, 70)])
def test_a_tiled_product_with_one_block_is_right_for_every_shape(shape):
    x = np.random.default_rng(2).random(shape)
    c = np.zeros((shape[0], shape[0]))
    gram_kernel[1, (32, 32)](x, c)
    np.testing.assert_allclose(c, x @ x.T)


def test_reducing_barriers_tell_every_thread_the_same():
    x = np.array([0, 1, 2, 3, 0])
    out = np.zeros((5, 3), np.int64)
    columns_of("x", *(f"cuda.syncthreads_{name}(x[i])" for name in ("count", "and", "or")))[1, 5](x, out)
    assert (out == [3, 0, 1]).all()


def test_device_functions_may_contain_barriers():
    x = np.arange(64.0)
    out = np.zeros(64)
    rotate_twice[1, 64](x, out)
    assert (out == np.roll(x, -2)).all()


def test_dynamic_shared_memory_has_the_size_of_the_launch_and_local_arrays_survive_barriers():
    x = np.arange(8, dtype=np.float32)
    dynamic[1, 8, 0, 4 * 10](x)
    assert (x == np.arange(8)[::-1] + 10).all()
    out = np.zeros(96, np.int64)
    keep_locals[3, 32](out)
    assert (out == np.arange(96) * 120).all()


def test_a_barrier_that_some_threads_skip_is_named_with_its_line():
    with pytest.raises(CudaBarrierError) as caught:
        skip_barrier[1, 32](np.zeros(32))
    line = skip_barrier.py_func.__code__.co_firstlineno + 3
    message = str(caught.value)
    assert f"test_barriers.py:{line}: syncthreads()" in message
    assert "16 threads wait there, while 16 others" in message


def test_two_different_barriers_or_warp_operations_that_lanes_do_not_reach_are_named():
    with pytest.raises(CudaBarrierError, match="16 threads wait there, while 16 others.*wait in syncthreads"):
        two_barriers[1, 32](np.zeros(1))
    with pytest.raises(CudaBarrierError, match="syncwarp.*half_warp.*mask"):
        half_warp[1, 32](np.zeros(1))


def test_threads_that_return_early_do_not_hold_up_the_others_as_on_a_gpu():
    x = np.zeros(20)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        leave_early[1, 32](x)
    assert (x == np.arange(20)).all()
    assert any("returned before" in str(warning.message) for warning in caught)


def test_without_the_source_threads_that_leave_count_as_returned():
    with pytest.warns(UserWarning, match="returned before"):
        kernel_of("x", "if cuda.threadIdx.x < 16:\n    cuda.syncthreads()\nx[0] = 1")[1, 32](np.zeros(1))


def test_blocks_of_a_grid_do_not_share_their_shared_memory_values():
    out = np.zeros(64, np.float32)
    x = np.arange(64, dtype=np.float32)
    reverse[1, 64](x, out)
    again = np.zeros(64, np.float32)
    reverse[3, 64](x, again)
    assert (again == out).all()
