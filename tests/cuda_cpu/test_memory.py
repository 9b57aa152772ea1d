"""Arrays that kernels make for themselves."""

import numpy as np
import pytest
from numba import cuda
from numba.core.errors import TypingError


@pytest.mark.parametrize("space", [cuda.shared, cuda.local])
@pytest.mark.parametrize("wanted", [8, 16, 64])
def test_an_array_lies_where_it_is_asked_to_lie(space, wanted):
    make = space.array

    @cuda.jit
    def kernel(out):
        first = make(3, np.uint8)
        second = make(3, np.uint8, alignment=wanted)
        first[0] = 1
        second[0] = first[0]
        out[0] = second.ctypes.data

    out = np.zeros(1, np.uint64)
    kernel[1, 1](out)
    assert out[0]
    assert out[0] % wanted == 0


@pytest.mark.parametrize("wrong", [-1, 0, 3, 4])
def test_an_alignment_that_cuda_refuses_is_refused(wrong):
    @cuda.jit
    def kernel():
        cuda.shared.array(3, np.uint8, alignment=wrong)

    with pytest.raises(ValueError, match="Alignment must be"):
        kernel[1, 1]()


def test_an_alignment_must_be_a_constant():
    @cuda.jit
    def kernel(n):
        cuda.local.array(3, np.uint8, alignment=n)

    with pytest.raises(TypingError, match="alignment must be a constant integer"):
        kernel[1, 1](16)
