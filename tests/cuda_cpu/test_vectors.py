"""CUDA's small vectors."""

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda
from numba.core.errors import TypingError
from rows import each

from grader.cuda_cpu import vectors


@cuda.jit
def combine(out):
    pair = cuda.float32x2(1.5, 2.5)
    four = cuda.float4(pair, 3.5, 4.5)
    out[0], out[1], out[2], out[3] = four.x, four.y, four.z, four.w


def test_vectors_are_made_of_numbers_and_shorter_vectors():
    out = np.zeros(4)
    combine[1, 1](out)
    assert out.tolist() == [1.5, 2.5, 3.5, 4.5]


@each(
    "wrong",
    {
        "too few": "cuda.float32x3(1.0, 2.0).x",
        "mixed": "cuda.float32x2(cuda.int32x2(1, 2)).x",
        "no such element": "cuda.int32x2(1, 2).z",
    },
)
def test_what_does_not_fit_is_refused(wrong):
    with pytest.raises(TypingError):
        kernel_of("out", f"out[0] = {wrong}")[1, 1](np.zeros(4))


def test_c_names_mean_the_same_constructors():
    assert vectors.NAMES["double3"] is vectors.NAMES["float64x3"]
    assert len(vectors.VECTOR_TYPES) == 40
