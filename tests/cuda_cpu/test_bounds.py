import numpy as np
import pytest
from cuda_cpu.written import kernel_of, line_of
from numba import cuda
from rows import each


@cuda.jit
def write_beyond(matrix):
    i, j = cuda.grid(2)
    matrix[i, j] = 1


@cuda.jit(device=True)
def pick(values, where):
    return values[where]


@cuda.jit
def device_function_beyond(x, out):
    out[0] = pick(x, cuda.threadIdx.x)


def test_the_message_names_line_array_index_shape_block_and_thread():
    with pytest.raises(IndexError) as caught:
        write_beyond[(2, 1), (2, 3)](np.zeros((3, 3)))
    message = str(caught.value)
    assert f"test_bounds.py:{line_of(write_beyond, 'matrix[i, j] = 1')}" in message
    assert "matrix[3, 0]" in message
    assert "shape (3, 3)" in message
    assert "block (1, 0, 0), thread (1, 0, 0)" in message
    assert "kernel write_beyond" in message


def test_a_negative_index_counts_from_the_end_and_a_slice_is_clipped_there_as_everywhere():
    out = np.zeros(1)
    kernel_of("x, out, where", "out[0] = x[where]")[1, 1](np.arange(5.0), out, -1)
    assert out[0] == 4
    x = np.zeros(4)
    kernel_of("x", "x[2:99] = 1")[1, 1](x)
    np.testing.assert_array_equal(x, [0, 0, 1, 1])


def test_arrays_around_the_faulty_access_keep_their_values():
    guard = np.zeros(30)
    with pytest.raises(IndexError):
        write_beyond[(1, 1), (4, 4)](guard[10:19].reshape(3, 3))
    assert not guard[:10].any()
    assert not guard[19:].any()


ROW, ROWS = np.zeros(5), np.zeros((3, 4))
OF_5 = r".* index 5 of an array of shape \(3, 4\)"
LOCAL = "scratch = cuda.local.array((2, 3), np.float64)\nscratch[1, where] = 1\nout[0] = scratch[1, 0]"
SHARED = "tile = cuda.shared.array(8, np.float64)\ntile[cuda.grid(1)] = 1\nout[0] = tile[0]"
BEYOND = {
    "a chained index": ("out[0] = x[1][where]", ROWS, 4, r"x\[...\]\[4\]"),
    "before the start": ("out[0] = x[where]", ROW, -6, r"x\[-6\].*shape \(5,\)"),
    "an atomic operation": ("cuda.atomic.add(x, cuda.grid(1), 1)", ROW, 0, r"atomic operation on x\[5\]"),
    "shared memory": (SHARED, ROW, 0, r"tile\[8\].*thread \(8, 0, 0\)"),
    "a slice": ("part = x[2:5]\nout[0] = part[where]", ROW, 3, r"part\[3\].*shape \(3,\)"),
    "a row": ("x[where, :] = 1", ROWS, 5, rf"write to x\[5, :\] {OF_5}"),
    "the last axis": ("x[..., where] = 1", ROWS, 5, rf"write to x\[..., 5\] {OF_5}"),
    "a column": ("column = x[:, where]\ncolumn[0] = 1", ROWS, 5, rf"read of x\[:, 5\] {OF_5}"),
    "a local array": (LOCAL, ROW, 3, r"scratch\[1, 3\] .* shape \(2, 3\)"),
    "an array in a tuple": ("x[1][where] = 1", (ROWS, np.zeros(3)), 3, r"x\[...\]\[3\] .* shape \(3,\)"),
    "Numba's own": ("pair = (1, 2)\nx[0] = pair[where]", ROW, 5, "index of pair is out of bounds in kernel kernel"),
}
"""What each of nine threads does with `x` and `where`, these two, and what is said of it."""


def test_the_last_column_is_within_also_of_an_array_with_fewer_rows():
    x = np.zeros((2, 4))
    kernel_of("x", "column = x[:, 3]\ncolumn[1] = 1\nx[..., 2] = 2")[1, 1](x)
    assert x.tolist() == [[0, 0, 2, 0], [0, 0, 2, 1]]


@each("body, x, where, said", BEYOND)
def test_an_index_beyond_is_refused(body, x, where, said):
    with pytest.raises(IndexError, match=said):
        kernel_of("x, where, out", body)[1, 9](x, where, np.zeros(1))


BOX = kernel_of("box, i, j, k", "box[i, j, k] = 1")


@each("where", [(2, 0, 0), (0, 3, 0), (0, 0, 4), (-3, 0, 0), (0, 0, -5)])
def test_every_axis_of_a_three_dimensional_array_is_checked(where):
    shown = ", ".join(map(str, where))
    with pytest.raises(IndexError, match=rf"box\[{shown}\] .* index \({shown}\) of an array of shape \(2, 3, 4\)"):
        BOX[1, 1](np.zeros((2, 3, 4)), *where)
    BOX[1, 1](np.zeros((2, 3, 4)), -2, -3, -4)


@pytest.mark.parametrize("where", [np.uint8(200), np.int8(-100), np.uint64(2**63), np.int64(2**62)])
def test_indices_of_all_integer_types_are_checked(where):
    with pytest.raises(IndexError, match="out of bounds"):
        kernel_of("matrix, where", "matrix[where, :] = 1")[1, 1](np.zeros((3, 4)), where)


def test_dynamic_shared_memory_ends_where_the_launch_says():
    kernel = kernel_of("out", "tile = cuda.shared.array(0, np.float64)\ntile[cuda.threadIdx.x] = 1\nout[0] = tile[0]")
    kernel[1, 4, 0, 32](np.zeros(1))
    with pytest.raises(IndexError, match=r"tile\[4\] .* shape \(4,\), in block \(0, 0, 0\), thread \(4, 0, 0\)"):
        kernel[1, 5, 0, 32](np.zeros(1))


def test_a_device_function_is_named_by_its_own_line_and_parameter():
    line = line_of(pick, "return values[where]")
    with pytest.raises(IndexError, match=rf"test_bounds.py:{line}: read of values\[2\] .* thread \(2, 0, 0\)"):
        device_function_beyond[1, 4](np.zeros(2), np.zeros(1))


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("where", [12, -1, 2**40])
def test_flat_is_checked_and_has_no_negative_indices(where, order):
    matrix = np.zeros((3, 4), order=order)
    kernel = kernel_of("matrix, where", "matrix.flat[where] = matrix.flat[0] + 1")
    kernel[1, 1](matrix, 11)
    with pytest.raises(IndexError, match=rf"matrix.flat\[{where}\] .* shape \(12,\)"):
        kernel[1, 1](matrix, where)
    assert matrix.sum() == matrix[2, 3] == 1
