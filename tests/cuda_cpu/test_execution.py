"""Launches: how they run and what they refuse; and what a dispatcher tells of its compiled kernels."""

import multiprocessing
import os
import time

import numpy as np
import pytest
from cuda_cpu.written import columns_of, kernel_of
from numba import cuda, float32, int32
from numba.cuda import cg
from rows import each

from grader.cuda_cpu import observe_launches
from grader.cuda_cpu.devices import CudaSupportError
from grader.cuda_cpu.launches import CudaAPIError


@cuda.jit
def shift_rows(matrix, rounds):
    column = cuda.grid(1)
    grid = cg.this_grid()
    for k in range(1, rounds):
        matrix[k, column] = matrix[k - 1, (column + 1) % matrix.shape[1]]
        grid.sync()


@cuda.jit
def fill(out):
    i = cuda.grid(1)
    tile = cuda.shared.array(32, np.int64)
    tile[cuda.threadIdx.x] = i
    cuda.syncthreads()
    out[i] = tile[31 - cuda.threadIdx.x]


COUNT = kernel_of("counter, x", "cuda.atomic.add(counter, 0, 1)\nx[cuda.grid(1)] += 1")
HALF_WAITS = "if cuda.grid(1) < 2:\n    cuda.syncthreads()\ncuda.cg.this_grid().sync()\nx[0] = 1"
COUNT_UP = kernel_of("out", "out[cuda.grid(1)] += 1")


def test_blocks_wait_at_a_grid_barrier_unless_they_are_too_many_or_threads_wait_elsewhere():
    matrix = np.zeros((5, 64), np.int64)
    matrix[0] = np.arange(64)
    shift_rows[4, 16](matrix, 5)
    assert (matrix[4] == np.roll(np.arange(64), -4)).all()
    with pytest.raises(CudaAPIError, match="COOPERATIVE_LAUNCH_TOO_LARGE"):
        shift_rows[1000, 1024](np.zeros((2, 8), np.int64), 2)
    with pytest.raises(RuntimeError, match=r"syncthreads.*2 threads wait there, while 30 others.*grid.sync"):
        kernel_of("x", HALF_WAITS)[2, 32](np.zeros(1))


@pytest.mark.parametrize("cores", ["1", "3", "16", "nonsense"])
def test_the_number_of_cores_does_not_change_the_result(monkeypatch, cores):
    monkeypatch.setenv("CUDA_CPU_CORES", cores)
    out = np.zeros(32 * 50, np.int64)
    fill[50, 32](out)
    assert (out.reshape(50, 32)[:, ::-1].ravel() == np.arange(out.size)).all()


def test_atomic_operations_hold_between_cores_and_a_fault_on_any_is_reported(monkeypatch):
    monkeypatch.setenv("CUDA_CPU_CORES", "4")
    counter, x = np.zeros(1, np.int64), np.zeros(64 * 200)
    COUNT[200, 64](counter, x)
    assert counter[0] == x.size
    assert (x == 1).all()
    with pytest.raises(IndexError, match="block"):
        COUNT[200, 64](counter, np.zeros(64 * 199))


def test_a_forked_process_launches_on_cores_of_its_own(monkeypatch):
    """Threads that were kept for launches do not come along with a fork: a launch would wait for them for ever."""
    monkeypatch.setenv("CUDA_CPU_CORES", "2")
    out = np.zeros(64, np.int64)
    COUNT_UP[2, 32](out)
    time.sleep(0.2)  # until they wait for work: only then nobody would start others
    forked = multiprocessing.get_context("fork").Process(target=_launch_again, args=(out,))
    forked.start()
    forked.join(20)
    code = forked.exitcode
    forked.kill()
    assert code == 0


def _launch_again(out):
    COUNT_UP[2, 32](out)
    os._exit(int((out != 2).any()))


INSIDE = "x < out.shape[0] and y < out.shape[1] and z < out.shape[2]"
POSITIONS = f"x, y, z = cuda.grid(3)\nif {INSIDE}:\n    out[x, y, z] = x + 100 * y + 10000 * z"


@cuda.jit
def count_threads(counter):
    cuda.atomic.add(counter, 0, 1)


def test_three_dimensional_grids_cover_every_cell_and_registers_tell_where_a_thread_is():
    out = np.full((5, 6, 7), -1)
    kernel_of("out", POSITIONS)[(2, 3, 4), (3, 2, 2)](out)
    x, y, z = np.indices(out.shape)
    assert (out == x + 100 * y + 10000 * z).all()
    out = np.zeros((3 * 40, 7), np.int64)
    geometry = ("threadIdx.x", "blockIdx.x", "blockDim.x", "gridDim.x", "gridsize(1)", "laneid", "warpsize")
    columns_of("x", *(f"cuda.{name}" for name in geometry))[3, 40](0, out)
    assert out.tolist() == [[t, block, 40, 3, 120, t % 32, 32] for block in range(3) for t in range(40)]


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
    *((1, 1025, "1025 threads"), (1, (32, 33), "1056 threads"), (1, (1, 1, 65), "limits"), ((1, 65536), 1, "limits")),
    *((0, 1, "at least 1"), (1, 0, "at least 1")),
)
def test_a_launch_beyond_the_limits_of_cuda_is_refused_by_name(grid, block, words):
    with pytest.raises(CudaAPIError, match=words) as caught:
        count_threads[grid, block](np.zeros(1, np.int64))
    assert "CUDA_ERROR_INVALID_VALUE" in str(caught.value)


def test_too_much_memory_no_configuration_and_four_dimensions_are_refused():
    with pytest.raises(CudaAPIError, match="65536 bytes of shared memory"):
        count_threads[1, 1, 0, 65536](np.zeros(1, np.int64))
    with pytest.raises(ValueError, match="blockspergrid"):
        count_threads(np.zeros(1))
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


@cuda.jit
def with_shared_memory(x):
    tile = cuda.shared.array(8, float32)
    tile[cuda.threadIdx.x] = 1
    cuda.syncthreads()
    x[cuda.threadIdx.x] = tile[0]


eager = kernel_of("x", "x[0] = 1", "void(int32[::1])")


def test_shared_memory_and_code_are_told_for_one_signature_or_for_all():
    with_shared_memory[1, 8](np.zeros(8, np.float32))
    with_shared_memory[1, 8](np.zeros(8, np.float64))
    assert list(with_shared_memory.get_shared_mem_per_block().values()) == [32, 32]
    assert (eager.get_shared_mem_per_block(), eager.get_max_threads_per_block()) == (0, 1024)
    signature = (int32[::1],)
    assert "define" in eager.inspect_llvm(signature)
    assert list(eager.inspect_asm()) == [signature]
    assert "ret" in eager.inspect_asm(signature)


@pytest.mark.parametrize("ask", ["inspect_sass", "get_regs_per_thread"])
def test_what_only_a_gpu_has_is_refused(ask):
    with pytest.raises(CudaSupportError):
        getattr(eager, ask)()
