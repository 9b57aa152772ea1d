import numpy as np
import pytest
from cuda_cpu.written import columns_of, kernel_of
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
def count_threads(counter):
    cuda.atomic.add(counter, 0, 1)


def test_three_dimensional_grids_cover_every_cell():
    out = np.full((5, 6, 7), -1)
    fill_positions[(2, 3, 4), (3, 2, 2)](out)
    x, y, z = np.indices(out.shape)
    assert (out == x + 100 * y + 10000 * z).all()


def test_every_register_tells_where_the_thread_is():
    out = np.zeros((3 * 40, 7), np.int64)
    geometry = ("threadIdx.x", "blockIdx.x", "blockDim.x", "gridDim.x", "gridsize(1)", "laneid", "warpsize")
    columns_of("x", *(f"cuda.{name}" for name in geometry))[3, 40](0, out)
    assert out.tolist() == [[t, block, 40, 3, 120, t % 32, 32] for block in range(3) for t in range(40)]


def test_the_launch_of_the_sheet_gives_the_maximum():
    generator = np.random.default_rng(1)
    a, b = generator.integers(0, 256, (2, 1000, 1000))
    c = np.zeros_like(a)
    kernel = kernel_of("A, B, C", "i, j = cuda.blockIdx.x, cuda.threadIdx.x\nC[i, j] = max(A[i, j], B[i, j])")
    kernel[1000, 1000](a, b, c)
    assert (c == np.maximum(a, b)).all()


def test_a_grid_stride_loop_visits_each_element_once():
    x = np.arange(1000)
    total = np.zeros(1, np.int64)
    loop = "for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):\n    cuda.atomic.add(total, 0, x[i])"
    kernel_of("x, total", loop)[2, 64](x, total)
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


def test_observers_see_each_finished_launch_and_none_that_failed():
    seen = []
    with observe_launches(seen.append):
        count_threads[(2, 3), 5, 0, 16](np.zeros(1, np.int64))
    count_threads[1, 1](np.zeros(1, np.int64))
    (launch,) = seen
    assert (launch.kernel, launch.grid, launch.block) == ("count_threads", (2, 3, 1), (5, 1, 1))
    assert launch.shared_bytes == 16
    assert launch.py_func is count_threads.py_func
    seen = []
    with observe_launches(seen.append), pytest.raises(CudaAPIError):
        count_threads[1, 5000](np.zeros(1, np.int64))
    assert seen == []
