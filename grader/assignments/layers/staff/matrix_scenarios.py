"""A Matrix of the submission, filled and read on either side; and those of its data set."""

import numpy as np
from matrices import name_error
from matrix import Matrix


def go_around(first, second, third):
    """Set `first`, let the device hold `second`, and set `third`; return what is read on both sides after each."""
    matrix = Matrix(*first.shape)
    found = {
        "shape": list(matrix.shape),
        "zeros": np.array(matrix.copy_to_host()),
    }  # a copy: theirs may be the matrix's own
    matrix.set(first)
    found |= _read("set", matrix)
    _write(matrix.allocate(), second)
    found |= _read("written", matrix)
    matrix.set(third)
    found |= _read("set_again", matrix)
    other = Matrix(*first.shape)
    _write(other.allocate(), second)
    other.set(third)  # and now the host is asked first
    return found | {"set_over_host": np.array(other.copy_to_host())}


def _write(memory, values):
    """Fill memory of the device, of whatever kind of numbers, as a kernel would."""
    memory.copy_to_device(values.astype(memory.dtype))


def _read(when, matrix):
    on_device = np.array(matrix.copy_to_device().copy_to_host())
    return {f"{when}_device": on_device, f"{when}_host": np.array(matrix.copy_to_host())}


def ask_often(first, second, third):
    """Ask for the same numbers three times on each side, but not for `third`; return what the host had of them."""
    matrix, found = Matrix(*first.shape), {}
    matrix.set(first)
    for _ in range(3):
        matrix.copy_to_device()
        found["first"] = np.array(matrix.copy_to_host())
    _write(matrix.allocate(), second)
    for _ in range(3):
        found["second"] = np.array(matrix.copy_to_host())
        matrix.copy_to_device()
    matrix.set(third)
    return found


def try_shapes():
    """Return what wrong shapes raise."""
    matrix = Matrix(2, 3)
    wrong = {"transposed": np.ones((3, 2)), "one row": np.ones((1, 3)), "flat": np.ones(6), "larger": np.ones((2, 4))}
    found = {
        f"Matrix(2, 3).set of an array of shape {array.shape}": name_error(matrix.set, array)
        for array in wrong.values()
    }
    found["Matrix(0, 3)"] = name_error(Matrix, 0, 3)
    found["Matrix(3, -1)"] = name_error(Matrix, 3, -1)
    return found


def batches(samples, batch_size, seed):
    """Return points and labels of all batches."""
    from dataset import Dataset  # noqa: PLC0415 - the file may be missing, and costs nothing above

    pairs = list(Dataset(samples, batch_size, seed).batches)
    return {"points": [X.copy_to_host() for X, _ in pairs], "labels": [Y.copy_to_host() for _, Y in pairs]}
