from pathlib import Path

import numpy as np
import pytest
from numba import cuda


@cuda.jit
def write_beyond(matrix):
    i, j = cuda.grid(2)
    matrix[i, j] = 1


@cuda.jit
def read_row_beyond(matrix, out):
    out[0] = matrix[1][matrix.shape[1]]


@cuda.jit
def read_negative(x, out, where):
    out[0] = x[where]


@cuda.jit
def add_beyond(histogram):
    cuda.atomic.add(histogram, cuda.grid(1), 1)


@cuda.jit
def shared_beyond(out):
    tile = cuda.shared.array(8, np.float64)
    tile[cuda.grid(1)] = 1
    out[0] = tile[0]


@cuda.jit
def slice_beyond(x, out):
    part = x[2:5]
    out[0] = part[3]


def line_of(kernel, text):
    code = kernel.py_func.__code__
    lines = Path(code.co_filename).read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if n > code.co_firstlineno and text in line)


def test_the_message_names_line_array_index_shape_block_and_thread():
    with pytest.raises(IndexError) as caught:
        write_beyond[(2, 1), (2, 3)](np.zeros((3, 3)))
    message = str(caught.value)
    assert f"test_bounds.py:{line_of(write_beyond, 'matrix[i, j] = 1')}" in message
    assert "matrix[3, 0]" in message
    assert "shape (3, 3)" in message
    assert "block (1, 0, 0), thread (1, 0, 0)" in message
    assert "kernel write_beyond" in message


def test_a_chained_index_is_checked_too():
    with pytest.raises(IndexError, match=r"matrix\[...\]\[4\]"):
        read_row_beyond[1, 1](np.zeros((3, 4)), np.zeros(1))


def test_a_negative_index_counts_from_the_end_as_everywhere_in_numba():
    out = np.zeros(1)
    read_negative[1, 1](np.arange(5.0), out, -1)
    assert out[0] == 4


def test_a_negative_index_beyond_the_start_is_refused():
    with pytest.raises(IndexError, match=r"x\[-6\].*shape \(5,\)"):
        read_negative[1, 1](np.arange(5.0), np.zeros(1), -6)


def test_atomic_operations_are_checked():
    with pytest.raises(IndexError, match=r"atomic operation on histogram\[4\]"):
        add_beyond[1, 5](np.zeros(4, np.int64))


def test_shared_memory_is_checked():
    with pytest.raises(IndexError, match=r"tile\[8\].*thread \(8, 0, 0\)"):
        shared_beyond[1, 9](np.zeros(1))


def test_a_slice_is_an_array_with_its_own_bounds():
    with pytest.raises(IndexError, match=r"part\[3\].*shape \(3,\)"):
        slice_beyond[1, 1](np.zeros(10), np.zeros(1))


def test_arrays_around_the_faulty_access_keep_their_values():
    guard = np.zeros(30)
    with pytest.raises(IndexError):
        write_beyond[(1, 1), (4, 4)](guard[10:19].reshape(3, 3))
    assert not guard[:10].any()
    assert not guard[19:].any()
