"""Numbers are converted by the type that a dtype names, as `C.dtype.type(0)` does; sizes are a typed tuple.

slow: its neighbours of the same kind are in the fast set
"""

import sys
import typing

Sizes = typing.NamedTuple("Sizes", [("rows", int), ("columns", int)])


def sigmoid(x):
    x = np.asarray(x, dtype=np.result_type(x, np.float64))
    one = x.dtype.type(1)
    assert issubclass(x.dtype.type, np.floating) and one.dtype == x.dtype
    return one / (one + np.exp(-np.maximum(x, x.dtype.type(-700))))


def zeros_weights(sizes):
    shapes = [Sizes(rows=m, columns=n) for m, n in zip(sizes, sizes[1:])]
    number = np.dtype("float64").type
    return [np.full((shape.rows, shape.columns), number(0)) for shape in shapes]


def add_elementwise(list1, list2):
    if sys.argv[1:2] == ["--verbose"]:
        print(len(list1))
    return [first + second for first, second in zip(list1, list2)]
