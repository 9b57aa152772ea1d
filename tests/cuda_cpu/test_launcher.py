import numpy as np
import pytest
from numba import cuda
from rows import each

from grader.cuda_cpu import observe_launches
from grader.cuda_cpu.geometry import CudaAPIError


@cuda.jit
def fill_positions(out):
    x, y, z = cuda.grid(3)
    if x < out.shape[0] and y < out.shape[1] and z < out.shape[2]:
        out[x, y, z] = x + 100 * y + 10000 * z


@cuda.jit
def read_registers(out):
    i = cuda.grid(1)
    out[i, 0] = cuda.threadIdx.x
    out[i, 1] = cuda.blockIdx.x
    out[i, 2] = cuda.blockDim.x
    out[i, 3] = cuda.gridDim.x
    out[i, 4] = cuda.gridsize(1)
    out[i, 5] = cuda.laneid
    out[i, 6] = cuda.warpsize


@cuda.jit
def max_kernel(A, B, C):  # noqa: N803  # the sheet's names
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    C[i, j] = max(A[i, j], B[i, j])


@cuda.jit
def count_threads(counter):
    cuda.atomic.add(counter, 0, 1)


@cuda.jit
def stride_over(x, total):
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(total, 0, x[i])


def test_three_dimensional_grids_cover_every_cell():
    out = np.full((5, 6, 7), -1)
    fill_positions[(2, 3, 4), (3, 2, 2)](out)
    x, y, z = np.indices(out.shape)
    assert (out == x + 100 * y + 10000 * z).all()


def test_every_register_tells_where_the_thread_is():
    out = np.zeros((3 * 40, 7), np.int64)
    read_registers[3, 40](out)
    thread, block = np.tile(np.arange(40), 3), np.repeat(np.arange(3), 40)
    expected = np.stack(
        [thread, block, 0 * thread + 40, 0 * thread + 3, 0 * thread + 120, thread % 32, 0 * thread + 32]
    )
    assert (out == expected.T).all()


def test_the_launch_of_the_sheet_gives_the_maximum():
    generator = np.random.default_rng(1)
    a, b = generator.integers(0, 256, (2, 1000, 1000))
    c = np.zeros_like(a)
    max_kernel[1000, 1000](a, b, c)
    assert (c == np.maximum(a, b)).all()


def test_a_grid_stride_loop_visits_each_element_once():
    x = np.arange(1000)
    total = np.zeros(1, np.int64)
    stride_over[2, 64](x, total)
    assert total[0] == x.sum()


@each("grid", [7, (7,), (7, 1), [7, 1, 1], np.int32(7)])
def test_a_grid_may_be_written_in_every_way_that_cuda_takes(grid):
    counter = np.zeros(1, np.int64)
    count_threads[grid, (4, 8)](counter)
    assert counter[0] == 7 * 32


@each(
    "grid, block, words",
    [
        (1, 1025, "1025 threads"),
        (1, (32, 33), "1056 threads"),
        (1, (1, 1, 65), "limits"),
        ((1, 65536), 1, "limits"),
        (0, 1, "at least 1"),
        (1, 0, "at least 1"),
    ],
)
def test_a_launch_beyond_the_limits_of_cuda_is_refused_by_name(grid, block, words):
    with pytest.raises(CudaAPIError, match=words) as caught:
        count_threads[grid, block](np.zeros(1, np.int64))
    assert "CUDA_ERROR_INVALID_VALUE" in str(caught.value)


def test_too_much_dynamic_shared_memory_is_refused():
    with pytest.raises(CudaAPIError, match="65536 bytes of shared memory"):
        count_threads[1, 1, 0, 65536](np.zeros(1, np.int64))


def test_a_kernel_without_launch_configuration_says_how_to_launch():
    with pytest.raises(ValueError, match="blockspergrid"):
        count_threads(np.zeros(1))


def test_a_grid_of_four_dimensions_is_refused():
    with pytest.raises(ValueError, match="1, 2 or 3"):
        count_threads[(1, 1, 1, 1), 1]


def test_observers_see_each_finished_launch():
    seen = []
    with observe_launches(seen.append):
        count_threads[(2, 3), 5, 0, 16](np.zeros(1, np.int64))
    count_threads[1, 1](np.zeros(1, np.int64))
    assert [(launch.kernel, launch.grid, launch.block, launch.shared_bytes) for launch in seen] == [
        ("count_threads", (2, 3, 1), (5, 1, 1), 16)
    ]
    assert seen[0].py_func is count_threads.py_func


def test_observers_do_not_see_a_launch_that_failed():
    seen = []
    with observe_launches(seen.append), pytest.raises(CudaAPIError):
        count_threads[1, 5000](np.zeros(1, np.int64))
    assert seen == []
