"""CUDA's small vectors."""

import numpy as np
import pytest
from numba import cuda
from numba.core.errors import TypingError

from grader.cuda_cpu import vectors


@cuda.jit
def combine(out):
    pair = cuda.float32x2(1.5, 2.5)
    four = cuda.float4(pair, 3.5, 4.5)
    out[0] = four.x
    out[1] = four.y
    out[2] = four.z
    out[3] = four.w


@cuda.jit
def too_few(out):
    out[0] = cuda.float32x3(1.0, 2.0).x


@cuda.jit
def mixed(out):
    out[0] = cuda.float32x2(cuda.int32x2(1, 2)).x


@cuda.jit
def no_such_element(out):
    out[0] = cuda.int32x2(1, 2).z


def test_vectors_are_made_of_numbers_and_shorter_vectors():
    out = np.zeros(4)
    combine[1, 1](out)
    assert out.tolist() == [1.5, 2.5, 3.5, 4.5]


@pytest.mark.parametrize("kernel", [too_few, mixed, no_such_element])
def test_what_does_not_fit_is_refused(kernel):
    with pytest.raises(TypingError):
        kernel[1, 1](np.zeros(4))


def test_c_names_mean_the_same_constructors():
    assert vectors.NAMES["double3"] is vectors.NAMES["float64x3"]
    assert len(vectors.VECTOR_TYPES) == 40
