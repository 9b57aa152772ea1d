import multiprocessing
import os
import time

import numpy as np
import pytest
from numba import cuda
from numba.cuda import cg

from grader.cuda_cpu.geometry import CudaAPIError


@cuda.jit
def shift_rows(matrix, rounds):
    column = cuda.grid(1)
    grid = cg.this_grid()
    for k in range(1, rounds):
        value = matrix[k - 1, (column + 1) % matrix.shape[1]]
        matrix[k, column] = value
        grid.sync()


@cuda.jit
def half_waits(x):
    if cuda.blockIdx.x == 0 and cuda.threadIdx.x < 2:
        cuda.syncthreads()
    cg.this_grid().sync()
    x[0] = 1


@cuda.jit
def fill(out):
    i = cuda.grid(1)
    tile = cuda.shared.array(32, np.int64)
    tile[cuda.threadIdx.x] = i
    cuda.syncthreads()
    out[i] = tile[31 - cuda.threadIdx.x]


@cuda.jit
def count(counter, x):
    cuda.atomic.add(counter, 0, 1)
    x[cuda.grid(1)] += 1


def test_blocks_wait_for_each_other_at_a_grid_barrier():
    matrix = np.zeros((5, 64), np.int64)
    matrix[0] = np.arange(64)
    shift_rows[4, 16](matrix, 5)
    assert (matrix[4] == np.roll(np.arange(64), -4)).all()


def test_more_blocks_than_a_gpu_holds_at_once_are_refused_at_a_grid_barrier():
    with pytest.raises(CudaAPIError, match="COOPERATIVE_LAUNCH_TOO_LARGE"):
        shift_rows[1000, 1024](np.zeros((2, 8), np.int64), 2)


def test_threads_at_two_kinds_of_barrier_are_named():
    with pytest.raises(RuntimeError, match=r"syncthreads.*2 threads wait there, while 30 others.*grid.sync"):
        half_waits[2, 32](np.zeros(1))


@pytest.mark.parametrize("cores", ["1", "3", "16", "nonsense"])
def test_the_number_of_cores_does_not_change_the_result(monkeypatch, cores):
    monkeypatch.setenv("CUDA_CPU_CORES", cores)
    out = np.zeros(32 * 50, np.int64)
    fill[50, 32](out)
    assert (out.reshape(50, 32)[:, ::-1].ravel() == np.arange(out.size)).all()


def test_atomic_operations_hold_between_cores(monkeypatch):
    monkeypatch.setenv("CUDA_CPU_CORES", "4")
    counter, x = np.zeros(1, np.int64), np.zeros(64 * 200)
    count[200, 64](counter, x)
    assert counter[0] == x.size
    assert (x == 1).all()


def test_a_fault_on_any_core_is_reported(monkeypatch):
    monkeypatch.setenv("CUDA_CPU_CORES", "4")
    with pytest.raises(IndexError, match="block"):
        count[200, 64](np.zeros(1, np.int64), np.zeros(64 * 199))


@cuda.jit
def count_up(out):
    out[cuda.grid(1)] += 1


def test_a_forked_process_launches_on_cores_of_its_own(monkeypatch):
    """Threads that were kept for launches do not come along with a fork: a launch would wait for them for ever."""
    monkeypatch.setenv("CUDA_CPU_CORES", "2")
    out = np.zeros(64, np.int64)
    count_up[2, 32](out)
    time.sleep(0.2)  # until they wait for work: only then nobody would start others
    forked = multiprocessing.get_context("fork").Process(target=_launch_again, args=(out,))
    forked.start()
    forked.join(20)
    code = forked.exitcode
    forked.kill()
    assert code == 0


def _launch_again(out):
    count_up[2, 32](out)
    os._exit(int((out != 2).any()))
