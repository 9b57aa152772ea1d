"""Threads that work together: barriers, warps and atomics."""

import warnings

import numpy as np
import pytest
from benchmarks.executor_kernels import gram_kernel
from cuda_cpu.written import WARP_SUM, columns_of, kernel_of
from numba import cuda, float32, float64
from numba.core.errors import NumbaWarning, TypingError
from rows import each

from grader.cuda_cpu.faults import CudaBarrierError
from grader.cuda_cpu.launches import CudaAPIError


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
def two_masks(x):
    x[0] = 0
    cuda.syncwarp(0b011 if cuda.threadIdx.x == 0 else 0b111)


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


def test_reducing_barriers_tell_every_thread_the_same_and_device_functions_may_contain_barriers():
    x = np.array([0, 1, 2, 3, 0])
    out = np.zeros((5, 3), np.int64)
    columns_of("x", *(f"cuda.syncthreads_{name}(x[i])" for name in ("count", "and", "or")))[1, 5](x, out)
    assert (out == [3, 0, 1]).all()
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


def test_a_block_has_48_kib_of_shared_memory_and_not_a_byte_more():
    kernel = kernel_of("x", "s = cuda.shared.array(6143, np.float64)\ns[0] = 7\nx[0] = s[0]")
    x = np.zeros(1)
    kernel[1, 1, 0, 8](x)
    assert x[0] == 7
    with pytest.raises(CudaAPIError, match="49156 bytes of shared memory per block; the limit is 49152"):
        kernel[1, 1, 0, 12](x)


def test_barriers_that_some_threads_skip_or_that_differ_are_named():
    with pytest.raises(CudaBarrierError) as caught:
        skip_barrier[1, 32](np.zeros(32))
    line = skip_barrier.py_func.__code__.co_firstlineno + 3
    message = str(caught.value)
    assert f"test_barriers.py:{line}: syncthreads()" in message
    assert "16 threads wait there, while 16 others" in message
    two = "if cuda.threadIdx.x < 16:\n    cuda.syncthreads()\nelse:\n    x[0] = 1\n    cuda.syncthreads()"
    for body in (two, f"cuda.syncthreads()\n{two}"):
        with pytest.raises(CudaBarrierError, match="16 threads wait there, while 16 others.*wait in syncthreads"):
            kernel_of("x", body)[1, 32](np.zeros(1))
    with pytest.raises(CudaBarrierError, match="syncwarp.*half_warp.*mask"):
        half_warp[1, 32](np.zeros(1))
    with pytest.raises(CudaBarrierError, match="syncwarp.*two_masks.*mask"):
        two_masks[1, 3](np.zeros(1))


def test_threads_that_return_early_do_not_hold_up_the_others_with_or_without_the_source():
    x = np.zeros(20)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        leave_early[1, 32](x)
    assert (x == np.arange(20)).all()
    assert any("returned before" in str(warning.message) for warning in caught)
    with pytest.warns(UserWarning, match="returned before"):
        kernel_of("x", "if cuda.threadIdx.x < 16:\n    cuda.syncthreads()\nx[0] = 1")[1, 32](np.zeros(1))


def test_blocks_of_a_grid_do_not_share_their_shared_memory_values():
    x, out = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    reverse[3, 64](x, out)
    assert (out == x[::-1]).all()


FULL = 0xFFFFFFFF


def of_warps(**operations):
    """Return a kernel with a column for each operation of whole warps (name -> arguments behind the mask)."""
    return columns_of("x", *(f"cuda.{name}_sync({FULL}, {given})" for name, given in operations.items()))


@cuda.jit
def lower_half(x, out):
    i = cuda.threadIdx.x
    if i < 16:
        out[i] = cuda.shfl_sync(0xFFFF, x[i], 1)
        cuda.syncwarp(0xFFFF)
    else:
        out[i] = -1
    cuda.syncthreads()


@each("dtype", [np.int32, np.int64, np.float32, np.float64, np.uint64])
def test_shuffles_read_the_lane_that_cuda_defines(dtype):
    x = (np.arange(64) * 3).astype(dtype)
    out = np.zeros((64, 4), dtype)
    of_warps(shfl="x[i], 3", shfl_up="x[i], 2", shfl_down="x[i], 5", shfl_xor="x[i], 6")[1, 64](x, out)
    lane, warp = np.arange(64) % 32, np.arange(64) // 32 * 32
    assert (out[:, 0] == x[warp + 3]).all()
    assert (out[:, 1] == x[warp + np.where(lane >= 2, lane - 2, lane)]).all()
    assert (out[:, 2] == x[warp + np.where(lane + 5 < 32, lane + 5, lane)]).all()
    assert (out[:, 3] == x[warp + (lane ^ 6)]).all()


def test_votes_count_each_warp_for_itself():
    out = np.zeros((64, 4), np.int64)
    votes = {"ballot": "x[i] % 2 == 1", "all": "x[i] >= 0", "any": "x[i] == 7", "eq": "x[i] >= 32"}
    of_warps(**votes)[1, 64](np.arange(64), out)
    odd = np.array(0xAAAAAAAA).astype(np.uint32).view(np.int32)
    assert (out[:32] == [odd, 1, 1, 1]).all()
    assert (out[32:] == [odd, 1, 0, 1]).all()


def test_matches_name_the_lanes_with_the_same_value():
    out = np.zeros((32, 3), np.int64)
    all_of = f"cuda.match_all_sync({FULL}, x[i])"
    match = columns_of("x", f"cuda.match_any_sync({FULL}, x[i])", f"{all_of}[0]", f"{all_of}[1]")
    match[1, 32](np.arange(32) // 16, out)
    assert (out[:16, 0] == 0xFFFF).all()
    assert (out[16:, 0] == np.int32(-65536)).all()
    assert (out[:, 1:] == 0).all()


def test_a_reduction_by_shuffles_adds_up_each_warp_and_half_a_mask_waits_for_no_other_half():
    x = np.random.default_rng(3).integers(0, 100, 128)
    out = np.zeros(4, np.int64)
    kernel_of("x, out", f"{WARP_SUM}if cuda.laneid == 0:\n    out[cuda.grid(1) // 32] = value")[2, 64](x, out)
    assert (out == x.reshape(4, 32).sum(1)).all()
    x = np.arange(32)
    out = np.zeros(32, np.int64)
    lower_half[1, 32](x, out)
    assert (out == np.where(x < 16, 1, -1)).all()


@pytest.mark.filterwarnings("ignore:cuda.activemask")
def test_lane_masks_know_a_partial_warp_and_a_last_one_that_is_full():
    masks = columns_of("x", "cuda.activemask()", "cuda.lanemask_lt()")
    for threads, last in ((40, 0xFF), (64, FULL)):
        out = np.zeros((threads, 2), np.int64)
        masks[1, threads](0, out)
        assert (out[:32, 0] == FULL).all()
        assert (out[32:, 0] == last).all()
        assert (out[:, 1] == (1 << (np.arange(threads) % 32)) - 1).all()
    x, y, z = (f"cuda.threadIdx.{axis}" for axis in "xyz")
    in_three_dimensions = kernel_of("out", f"out[{x} + 5 * ({y} + 4 * {z})] = cuda.activemask()")
    out = np.zeros(40, np.int64)
    in_three_dimensions[1, (5, 4, 2)](out)
    assert (out == np.where(np.arange(40) < 32, FULL, 0xFF)).all()


def test_activemask_says_what_it_cannot_know_and_a_mask_without_lanes_ends_the_launch():
    in_a_branch = kernel_of("out", "if cuda.threadIdx.x < 4:\n    out[cuda.threadIdx.x] = cuda.activemask()")
    with pytest.warns(NumbaWarning, match="all lanes that exist here"):
        in_a_branch[1, 32](np.zeros(4, np.uint32))
    with pytest.raises(CudaBarrierError, match=r"syncwarp\(\)"):
        kernel_of("x", "cuda.syncwarp(0)\nx[0] = 1")[1, 32](np.zeros(1))


INTEGERS = [np.int32, np.int64, np.uint32, np.uint64]
NUMBERS = [*INTEGERS, np.float32, np.float64]


def make_kernel(name):
    return kernel_of("a, x, old", f"i = cuda.grid(1)\nold[i] = cuda.atomic.{name}(a, i % a.size, x[i])")


def replay(function, start, values):
    state, old = list(start), []
    for i, value in enumerate(values):
        old.append(state[i % len(state)])
        state[i % len(state)] = function(state[i % len(state)], value)
    return state, old


ARITHMETIC = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b}
LEAST_AND_LARGEST = {"max": max, "min": min, "nanmax": max, "nanmin": min}
BITWISE = {"and_": lambda a, b: a & b, "or_": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "exch": lambda _, b: b}
UNSIGNED = {"inc": lambda a, b: 0 if a >= b else a + 1, "dec": lambda a, b: b if a == 0 or a > b else a - 1}
CASES = [
    *[(name, dtype, function) for name, function in (ARITHMETIC | LEAST_AND_LARGEST).items() for dtype in NUMBERS],
    *[(name, dtype, function) for name, function in BITWISE.items() for dtype in INTEGERS],
    *[(name, dtype, function) for name, function in UNSIGNED.items() for dtype in (np.uint32, np.uint64)],
]


@each("name, dtype, function", CASES)
def test_each_operation_gives_old_and_new_values_as_cuda_defines(name, dtype, function):
    generator = np.random.default_rng(4)
    start = generator.integers(500, 600, 3).astype(dtype)
    values = generator.integers(1, 20 if name == "sub" else 900, 12).astype(dtype)
    if name in UNSIGNED:
        values[0] = start[0]  # the bound, where `inc` wraps and `dec` does not
    expected, expected_old = replay(function, start.tolist(), values.tolist())
    old = np.zeros(12, dtype)
    make_kernel(name)[3, 4](start, values, old)
    assert (start.tolist(), old.tolist()) == (expected, expected_old)


@each("dtype", [np.uint32, np.uint64])
def test_the_largest_unsigned_number_is_no_negative_one(dtype):
    top = np.iinfo(dtype).max
    a = np.array([top, top, 0, 0], dtype)
    kernel_of("a", "cuda.atomic.min(a, 0, 5)\ncuda.atomic.max(a, 1, 5)\ncuda.atomic.max(a, 2, a[3] - 1)")[1, 1](a)
    assert a.tolist() == [5, top, top, 0]


@pytest.mark.parametrize(("name", "expected"), [("max", [np.nan, 1]), ("nanmax", [2, 1])])
def test_only_the_nan_operations_replace_a_nan(name, expected):
    a = np.array([np.nan, 1.0])
    make_kernel(name)[1, 2](a, np.array([2.0, np.nan]), np.zeros(2))
    np.testing.assert_array_equal(a, expected)


@pytest.mark.parametrize("dtype", INTEGERS)
def test_compare_and_swap_writes_only_where_the_value_is_the_expected_one(dtype):
    a, seen = np.array([1, 2, 3], dtype), np.zeros(3, dtype)
    swap = kernel_of("a, old, new, seen", "i = cuda.grid(1)\nseen[i] = cuda.atomic.cas(a, i, old[i], new[i])")
    swap[1, 3](a, np.array([1, 9, 3], dtype), np.array([7, 8, 9], dtype), seen)
    assert (a.tolist(), seen.tolist()) == ([7, 2, 9], [1, 2, 3])


def test_atomics_take_first_elements_and_tuples_and_refuse_types_that_cuda_has_none_for():
    a, seen = np.array([5, 5]), np.zeros(1, np.int64)
    kernel_of("a, seen", "seen[0] = cuda.atomic.compare_and_swap(a, 5, 9)")[1, 1](a, seen)
    assert (a.tolist(), seen[0]) == ([9, 5], 5)
    a = np.zeros((2, 3))
    kernel_of("a", "i, j = cuda.grid(2)\ncuda.atomic.add(a, (i % 2, j % 3), 2)")[(2, 3), (2, 3)](a)
    assert (a == 12).all()
    with pytest.raises(TypingError, match=r"atomic.add works on arrays of float32, float64"):
        make_kernel("add")[1, 1](np.zeros(1, np.int8), np.zeros(1, np.int8), np.zeros(1, np.int8))
