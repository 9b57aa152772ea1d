"""New memory that holds what was there before, as on a GPU: who takes it for zero is seen, who does not is not."""

import importlib
from pathlib import Path

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda, float32, float64, int64
from rows import each

from grader.cuda_cpu import checking
from grader.cuda_cpu.launches import old_values

REFERENCE = Path(__file__).parents[2] / "reference" / "hw1"
VALUE = 100
THREADS = 8
RECORD = np.dtype([("n", "i4"), ("x", "f8")], align=True)


def make_copy(space, dtype):
    make = space.array

    @cuda.jit
    def copy(out):
        out[cuda.grid(1)] = make(THREADS, dtype)[cuda.threadIdx.x]

    return copy


@cuda.jit(device=True)
def local_sum(x):
    sums = cuda.local.array((2, 3), float64)
    for i in range(2):
        for j in range(3):
            sums[i, j] += x
    return sums[1, 2]


@cuda.jit
def waits_and_sums(out):
    first = cuda.local.array(4, float64)
    second = cuda.shared.array(THREADS, int64)
    third = cuda.local.array(3, float32)
    i = cuda.threadIdx.x
    for _ in range(2):
        first[i % 4] += local_sum(1.0)
        cuda.syncthreads()
        second[i] += 1
        cuda.syncthreads()
        third[i % 3] += 1
    out[cuda.grid(1)] = first[i % 4] + 1000 * second[(i + 1) % THREADS] + 1e6 * third[i % 3]


ADDED_TO = """
row = cuda.shared.array(8, np.int64)
i = cuda.threadIdx.x
row[i] += {}
{}
out[cuda.grid(1)] = row[(i + 1) % 8]
"""
leaves_ones = kernel_of("out", ADDED_TO.format(1, "cuda.syncthreads()"))
waits_for_all = kernel_of("out", ADDED_TO.format("cuda.blockIdx.x", "cuda.cg.this_grid().sync()"))
COPY_DYNAMIC = "memory = cuda.shared.array(0, out.dtype)\nout[cuda.grid(1)] = memory[cuda.threadIdx.x]"


def launched(kernel, out, shared_bytes=0):
    kernel[out.size // THREADS, THREADS, 0, shared_bytes](out)
    return out


@pytest.mark.parametrize("space", [cuda.shared, cuda.local])
@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "float64", "complex128"])
def test_elements_of_every_type_hold_the_value_while_it_is_asked_for(space, dtype):
    kernel, out = make_copy(space, np.dtype(dtype)), np.ones(2 * THREADS, dtype)
    assert not launched(kernel, out).any()
    with old_values(VALUE):
        assert (launched(kernel, out) == np.full((), VALUE).astype(dtype)).all()
    assert not launched(kernel, out).any()


@each("space", ["shared", "local"])
def test_records_hold_the_value_in_every_field(space):
    out, body = np.zeros(2), f"memory = cuda.{space}.array(2, RECORD)\nout[0], out[1] = memory[1].n, memory[1].x"
    with old_values(VALUE):
        kernel_of("out", body, names={"RECORD": RECORD})[1, 1](out)
    assert out.tolist() == [VALUE, VALUE]


@each("dtype", ["int16", "int32", "int64", "float32", "float64"])
def test_dynamic_shared_memory_holds_large_numbers(dtype):
    copy_dynamic, out = kernel_of("out", COPY_DYNAMIC), np.zeros(2 * THREADS, dtype)
    assert not launched(copy_dynamic, out, 16 * THREADS).any()
    with old_values(VALUE):
        launched(copy_dynamic, out, 16 * THREADS)
    assert np.isfinite(out.astype(float)).all()
    assert (out > 255).all()


def test_another_value_is_another_fill():
    kernel, out = make_copy(cuda.local, np.int64), np.zeros(THREADS, np.int64)
    for value in (3, 4, 3):
        with old_values(value):
            assert (launched(kernel, out) == value).all()


def test_threads_that_wait_find_old_values_in_all_their_arrays():
    out = np.zeros(THREADS)
    assert (launched(waits_and_sums, out) == 2 + 2000 + 2e6).all()
    with old_values(VALUE):
        assert (launched(waits_and_sums, out) == 2 * (VALUE + 1) + VALUE + 1000 * (VALUE + 2) + 1e6 * (VALUE + 2)).all()


@pytest.mark.parametrize("cores", ["1", "2"])
def test_every_block_begins_with_old_values(cores, monkeypatch):
    monkeypatch.setenv("CUDA_CPU_CORES", cores)
    with old_values(VALUE):
        assert (launched(leaves_ones, np.zeros(5 * THREADS)) == VALUE + 1).all()


def test_blocks_that_are_in_memory_at_once_begin_with_old_values():
    with old_values(VALUE):
        out = launched(waits_for_all, np.zeros(3 * THREADS))
    assert out.reshape(3, THREADS)[:, 0].tolist() == [VALUE, VALUE + 1, VALUE + 2]


def test_the_mode_ends_with_an_exception():
    with pytest.raises(RuntimeError), old_values(VALUE):
        raise RuntimeError
    assert not launched(make_copy(cuda.local, np.int64), np.ones(THREADS, np.int64)).any()
    assert not cuda.device_array(3).copy_to_host().any()


def test_a_checked_launch_has_old_values_too():
    with old_values(VALUE), checking() as record:
        assert (launched(leaves_ones, np.zeros(2 * THREADS)) == VALUE + 1).all()
        assert (launched(make_copy(cuda.local, np.int64), np.zeros(THREADS, np.int64)) == VALUE).all()
    assert not record.races


def test_the_reference_initialises_what_it_uses(monkeypatch):
    monkeypatch.syspath_prepend(REFERENCE)
    max_functions, matmul_functions = map(importlib.import_module, ("max_functions", "matmul_functions"))
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 256, (2, 1000, 1000))
    matrix = rng.uniform(size=(200, 50))
    for _ in range(2):
        with old_values(VALUE):
            assert (max_functions.max_gpu(first, second) == np.maximum(first, second)).all()
            np.testing.assert_allclose(matmul_functions.matmul_transpose_gpu(matrix), matrix @ matrix.T)
        np.testing.assert_allclose(matmul_functions.matmul_transpose_gpu(matrix), matrix @ matrix.T)


def test_a_kernel_offers_no_way_to_ask_for_the_mode():
    assert not [name for name in vars(cuda) if "old_value" in name]
