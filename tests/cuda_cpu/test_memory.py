"""Memory: device arrays, that host code reaches by copies only, and arrays that kernels make for themselves."""

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda
from numba.core.errors import TypingError
from rows import each

from grader.cuda_cpu.devicearray import DeviceNDArray, memory_of


def test_transposing_makes_a_new_array_as_on_a_gpu():
    host = np.arange(6.0).reshape(2, 3)
    device = cuda.to_device(host)
    transposed = device.T
    transposed[0, 0] = 99
    np.testing.assert_array_equal(device.copy_to_host(), host)
    assert transposed.is_c_contiguous()
    assert transposed.shape == (3, 2)


def test_a_cube_is_not_transposed_a_backward_view_not_copied_and_nothing_lent_to_processes():
    with pytest.raises(NotImplementedError, match="non-2D"):
        cuda.device_array((2, 3, 4)).transpose()
    with pytest.raises(NotImplementedError, match="negative strides"):
        cuda.to_device(np.arange(4))[::-1].copy_to_host()
    with pytest.raises(NotImplementedError, match="copy the array instead"):
        cuda.device_array(1).get_ipc_handle()


def test_cuda_s_description_shares_memory_flags_tell_its_order_and_an_empty_array_has_no_address():
    base = cuda.to_device(np.arange(3.0))
    rows = DeviceNDArray(shape=(2, 3), strides=(0, 8), dtype=base.dtype, gpu_data=base.gpu_data)
    base[1] = 7
    assert (rows.copy_to_host().tolist(), rows.gpu_data) == ([[0, 7, 2], [0, 7, 2]], base.gpu_data)
    assert cuda.device_array(0).__cuda_array_interface__["data"] == (0, False)
    matrix = cuda.device_array((2, 3), order="F")
    assert matrix.flags == {"C_CONTIGUOUS": False, "F_CONTIGUOUS": True}
    assert cuda.pinned_array_like(matrix).flags.f_contiguous


def test_a_kernel_uses_a_captured_device_array_where_it_lies():
    captured = cuda.to_device(np.arange(3.0))

    @cuda.jit
    def read(out):
        out[0] = captured[2]

    out = np.zeros(1)
    memory_of(captured)[2] = 5
    read[1, 1](out)
    memory_of(captured)[2] = 6
    read[1, 1](out)
    assert out[0] == 6


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


@each(
    "space, wrong, error, words",
    *(("shared", wrong, ValueError, "Alignment must be") for wrong in (-1, 0, 3, 4)),
    ("local", "n", TypingError, "alignment must be a constant integer"),
)
def test_an_alignment_that_cuda_refuses_or_that_is_no_constant_is_refused(space, wrong, error, words):
    with pytest.raises(error, match=words):
        kernel_of("n", f"cuda.{space}.array(3, np.uint8, alignment={wrong})")[1, 1](16)
