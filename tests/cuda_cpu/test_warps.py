import numpy as np
import pytest
from numba import cuda
from numba.core.errors import NumbaWarning
from rows import each

from grader.cuda_cpu.faults import CudaBarrierError

FULL = 0xFFFFFFFF


@cuda.jit
def shuffle(x, out):
    i = cuda.threadIdx.x
    out[i, 0] = cuda.shfl_sync(FULL, x[i], 3)
    out[i, 1] = cuda.shfl_up_sync(FULL, x[i], 2)
    out[i, 2] = cuda.shfl_down_sync(FULL, x[i], 5)
    out[i, 3] = cuda.shfl_xor_sync(FULL, x[i], 6)


@cuda.jit
def vote(x, out):
    i = cuda.threadIdx.x
    out[i, 0] = cuda.ballot_sync(FULL, x[i] % 2 == 1)
    out[i, 1] = cuda.all_sync(FULL, x[i] >= 0)
    out[i, 2] = cuda.any_sync(FULL, x[i] == 7)
    out[i, 3] = cuda.eq_sync(FULL, x[i] >= 32)


@cuda.jit
def match(x, out):
    i = cuda.threadIdx.x
    out[i, 0] = cuda.match_any_sync(FULL, x[i])
    lanes, same = cuda.match_all_sync(FULL, x[i])
    out[i, 1] = lanes
    out[i, 2] = same


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


@cuda.jit
def masks(out):
    i = cuda.threadIdx.x
    out[i, 0] = cuda.activemask()
    out[i, 1] = cuda.lanemask_lt()


@each("dtype", [np.int32, np.int64, np.float32, np.float64, np.uint64])
def test_shuffles_read_the_lane_that_cuda_defines(dtype):
    x = (np.arange(64) * 3).astype(dtype)
    out = np.zeros((64, 4), dtype)
    shuffle[1, 64](x, out)
    lane, warp = np.arange(64) % 32, np.arange(64) // 32 * 32
    assert (out[:, 0] == x[warp + 3]).all()
    assert (out[:, 1] == x[warp + np.where(lane >= 2, lane - 2, lane)]).all()
    assert (out[:, 2] == x[warp + np.where(lane + 5 < 32, lane + 5, lane)]).all()
    assert (out[:, 3] == x[warp + (lane ^ 6)]).all()


def test_votes_count_each_warp_for_itself():
    out = np.zeros((64, 4), np.int64)
    vote[1, 64](np.arange(64), out)
    odd = np.array(0xAAAAAAAA).astype(np.uint32).view(np.int32)
    assert (out[:32] == [odd, 1, 1, 1]).all()
    assert (out[32:] == [odd, 1, 0, 1]).all()


def test_matches_name_the_lanes_with_the_same_value():
    out = np.zeros((32, 3), np.int64)
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
    masks[1, 40](out)
    assert (out[:32, 0] == FULL).all()
    assert (out[32:, 0] == 0xFF).all()
    assert (out[:, 1] == (1 << (np.arange(40) % 32)) - 1).all()


def test_activemask_says_what_it_cannot_know():
    @cuda.jit
    def in_a_branch(out):
        if cuda.threadIdx.x < 4:
            out[cuda.threadIdx.x] = cuda.activemask()

    with pytest.warns(NumbaWarning, match="all lanes that exist here"):
        in_a_branch[1, 32](np.zeros(4, np.uint32))


def test_a_mask_without_lanes_ends_the_launch():
    @cuda.jit
    def wait_for_nobody(x):
        cuda.syncwarp(0)
        x[0] = 1

    with pytest.raises(CudaBarrierError, match=r"syncwarp\(\)"):
        wait_for_nobody[1, 32](np.zeros(1))
