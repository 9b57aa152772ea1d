"""Names of `numba.cuda`: lent from Numba, or refused with the next step."""

import numba
import numpy as np
import pytest
from numba import cuda


def test_names_of_types_are_there_as_in_numba_cuda():
    assert cuda.float32 is numba.float32
    assert cuda.types.int64 is numba.int64


def test_ufuncs_run_on_the_device():
    @cuda.vectorize(["float64(float64, float64)"])
    def hypotenuse_squared(a, b):
        return a * a + b * b

    np.testing.assert_array_equal(hypotenuse_squared(np.arange(3.0), np.ones(3)), [1, 2, 5])


@pytest.mark.parametrize("name", ["compile_ptx", "declare_device", "nvvm", "set_memory_manager"])
def test_what_is_missing_says_what_to_do(name):
    with pytest.raises(NotImplementedError, match=f"cuda.{name} is not available .*: "):
        getattr(cuda, name)


def test_a_name_that_cuda_does_not_have_either_is_a_plain_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        cuda.nonsense  # noqa: B018  # asking is the test
