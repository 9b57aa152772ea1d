import numpy as np
import pytest
from cuda_cpu.written import columns_of, kernel_of
from numba import cuda
from numba.core.errors import NumbaWarning
from rows import each

from grader.cuda_cpu.faults import CudaBarrierError

FULL = 0xFFFFFFFF


def of_warps(**operations):
    """Return a kernel with a column for each operation of whole warps (name -> arguments behind the mask)."""
    return columns_of("x", *(f"cuda.{name}_sync({FULL}, {given})" for name, given in operations.items()))


@cuda.jit
def warp_sum(x, out):
    i = cuda.grid(1)
    value = x[i]
    offset = 16
    while offset > 0:
        value += cuda.shfl_down_sync(FULL, value, offset)
        offset //= 2
    if cuda.laneid == 0:
        out[i // 32] = value


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


def test_a_reduction_by_shuffles_adds_up_each_warp():
    x = np.random.default_rng(3).integers(0, 100, 128)
    out = np.zeros(4, np.int64)
    warp_sum[2, 64](x, out)
    assert (out == x.reshape(4, 32).sum(1)).all()


def test_a_mask_of_half_a_warp_does_not_wait_for_the_other_half():
    x = np.arange(32)
    out = np.zeros(32, np.int64)
    lower_half[1, 32](x, out)
    assert (out == np.where(x < 16, 1, -1)).all()


@pytest.mark.filterwarnings("ignore:cuda.activemask")
def test_lane_masks_know_a_partial_warp():
    out = np.zeros((40, 2), np.int64)
    columns_of("x", "cuda.activemask()", "cuda.lanemask_lt()")[1, 40](0, out)
    assert (out[:32, 0] == FULL).all()
    assert (out[32:, 0] == 0xFF).all()
    assert (out[:, 1] == (1 << (np.arange(40) % 32)) - 1).all()


def test_activemask_says_what_it_cannot_know():
    in_a_branch = kernel_of("out", "if cuda.threadIdx.x < 4:\n    out[cuda.threadIdx.x] = cuda.activemask()")
    with pytest.warns(NumbaWarning, match="all lanes that exist here"):
        in_a_branch[1, 32](np.zeros(4, np.uint32))


def test_a_mask_without_lanes_ends_the_launch():
    with pytest.raises(CudaBarrierError, match=r"syncwarp\(\)"):
        kernel_of("x", "cuda.syncwarp(0)\nx[0] = 1")[1, 32](np.zeros(1))
