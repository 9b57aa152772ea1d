"""Methods and functions of numbers."""

import numpy as np
from numba import cuda


@cuda.jit
def bits(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = x[i].bit_count()


@cuda.jit
def rounded(x, digits, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = round(x[i], digits)


def test_bits_are_counted_in_every_width():
    for kind in (np.uint8, np.uint16, np.uint32, np.uint64):
        out = np.zeros(3, np.int32)
        bits[1, 3](np.array([0, 5, np.iinfo(kind).max], kind), out)
        assert out.tolist() == [0, 2, np.iinfo(kind).bits]


def test_singles_are_rounded_through_doubles_as_on_a_gpu():
    x = np.array([0.3425, 2.5, -1.005], np.float32)
    out = np.zeros(3, np.float32)
    rounded[1, 3](x, 3, out)
    assert out.tolist() == [np.float32(round(float(value), 3)) for value in x]
