"""A Matrix of the submission, filled and read on either side; and those of its data set."""

import numpy as np
from matrices import read
from matrix import Matrix

from grader.worker.substitutes import name_error


def go_around(first, second, third):
    """Set `first`, let the device hold `second`, and set `third`; return what is read on both sides after each."""
    matrix = Matrix(*first.shape)
    values = {"shape": list(matrix.shape), "zeros": read(matrix)}
    matrix.set(first)
    values |= _read("set", matrix)
    _write(matrix.allocate(), second)
    values |= _read("written", matrix)
    matrix.set(third)
    values |= _read("set_again", matrix)
    other = Matrix(*first.shape)
    _write(other.allocate(), second)
    other.set(third)  # and now the host is asked first
    return values | {"set_over_host": read(other)}


def _write(memory, values):
    """Fill memory of the device, of whatever kind of numbers, as a kernel would."""
    memory.copy_to_device(values.astype(memory.dtype))


def _read(when, matrix):
    return {f"{when}_device": np.array(matrix.copy_to_device().copy_to_host()), f"{when}_host": read(matrix)}


def ask_often(first, second, third):
    """Ask for the same numbers three times on each side, but never for `third`; return the numbers on the host."""
    matrix, values = Matrix(*first.shape), {}
    matrix.set(first)
    for _ in range(3):
        matrix.copy_to_device()
        values["first"] = read(matrix)
    _write(matrix.allocate(), second)
    for _ in range(3):
        values["second"] = read(matrix)
        matrix.copy_to_device()
    matrix.set(third)
    return values


def try_shapes(rows, columns):
    """Return what wrong shapes raise; a right one has to raise nothing."""
    matrix = Matrix(rows, columns)
    matrix.set(np.ones((rows, columns)))
    raised = {}
    turned = [] if rows == columns else [(columns, rows)]
    for shape in (*turned, (1, columns), (rows * columns,), (rows, columns + 1)):
        words = f"Matrix({rows}, {columns}).set of an array of shape {shape}"
        raised[words] = name_error(matrix.set, np.ones(shape))
    raised[f"Matrix(0, {columns})"] = name_error(Matrix, 0, columns)
    raised[f"Matrix({rows}, -1)"] = name_error(Matrix, rows, -1)
    return raised


def batches(samples, batch_size, seed):
    """Return points and labels of all batches, and how many are left for the next loop over them."""
    from dataset import Dataset  # noqa: PLC0415 - the file may be missing, and costs nothing above

    data = Dataset(samples, batch_size, seed)
    pairs = list(data.batches)
    points, labels = [X.copy_to_host() for X, _ in pairs], [Y.copy_to_host() for _, Y in pairs]
    return {"points": points, "labels": labels, "left": len(list(data.batches))}
