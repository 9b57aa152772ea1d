import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from numba import cuda
from rows import each

double = kernel_of("x", "for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):\n    x[i] *= 2")


def test_a_device_array_is_a_copy_and_a_host_array_comes_back_changed():
    host = np.arange(5.0)
    device = cuda.to_device(host)
    double[1, 5](device)
    assert (host == np.arange(5)).all()
    assert (device.copy_to_host() == 2 * np.arange(5)).all()
    double[1, 5](host)
    assert (host == 2 * np.arange(5)).all()


def test_copies_go_into_a_given_array_and_elements_can_be_read_and_written():
    device = cuda.to_device(np.arange(4))
    target = np.zeros(4, np.int64)
    assert device.copy_to_host(target) is target
    assert (target == np.arange(4)).all()
    device.copy_to_device(target + 10)
    assert (device.copy_to_host() == np.arange(4) + 10).all()
    device = cuda.to_device(np.arange(4))
    device[1] = 9
    device[2:] = np.array([5, 6])
    assert device[1] == 9
    assert (np.asarray(device) == [0, 9, 5, 6]).all()
    assert len(device) == 4


@each("target, error", (np.zeros(3, np.int64), ValueError), (np.zeros(4, np.float32), TypeError))
def test_a_copy_into_an_array_of_another_kind_is_refused(target, error):
    with pytest.raises(error, match="incompatible"):
        cuda.to_device(np.arange(4)).copy_to_host(target)


@pytest.mark.parametrize("order", ["C", "F"])
def test_device_array_like_keeps_shape_type_and_order(order):
    model = np.zeros((3, 4), np.float32, order=order)
    device = cuda.device_array_like(model)
    assert (device.shape, device.dtype, device.strides) == (model.shape, model.dtype, model.strides)
    assert device.is_c_contiguous() == (order == "C")


def test_views_of_device_arrays_share_their_memory():
    device = cuda.to_device(np.zeros((3, 4)))
    write_row = kernel_of("row, value", "row[cuda.grid(1)] = value")
    write_row[1, 4](device[1], 5)
    write_row[1, 3](device[:, 0], 7)
    with pytest.raises(NotImplementedError, match="requires copying"):  # as on a GPU
        device[::2].ravel()
    write_row[1, 4](device.reshape(4, 3).ravel()[8:], 9)
    assert (device.copy_to_host() == [[7, 0, 0, 0], [7, 5, 5, 5], [9, 9, 9, 9]]).all()
    assert (device.T.copy_to_host() == device.copy_to_host().T).all()


def test_a_device_array_takes_positions_and_slices_only_and_keeps_its_memory_in_every_shape():
    device = cuda.to_device(np.asfortranarray(np.arange(6.0).reshape(2, 3)))
    for key in ([0, 1], np.array([True, False]), (np.arange(2), 0)):
        with pytest.raises(TypeError, match="integer"):
            device[key]
        with pytest.raises(TypeError, match="integer"):
            device[key] = 1.0
    assert (device[np.int64(1), -1], device[..., 1].copy_to_host().tolist()) == (5, [1, 4])
    flat = device.reshape(6)  # as on a GPU: the same numbers in the order of the memory
    assert flat.copy_to_host().tolist() == [0, 3, 1, 4, 2, 5]
    device[0, 0] = 7
    assert flat[0] == 7
    assert device.reshape((3, 2), order="F").copy_to_host().tolist() == [[7, 4], [3, 2], [1, 5]]


def test_an_array_with_holes_cannot_be_transferred_and_one_given_twice_is_two_copies_as_on_a_gpu():
    for transfer in (cuda.to_device, double[1, 5]):
        with pytest.raises(ValueError, match="non-contiguous"):
            transfer(np.zeros(10)[::2])
    host = np.arange(6)
    shift = kernel_of("source, target", "i = cuda.grid(1)\nif i + 1 < source.size:\n    target[i + 1] = source[i]")
    shift[1, 6](host, host)
    assert (host == [0, 0, 1, 2, 3, 4]).all()


def test_transfers_may_be_limited_to_one_direction():
    host = np.arange(4.0)
    double[1, 4](cuda.In(host))
    assert (host == np.arange(4)).all()
    double[1, 4](cuda.InOut(host))
    assert (host == 2 * np.arange(4)).all()
    double[1, 4](cuda.Out(host))
    assert (host == 4 * np.arange(4)).all()


class Foreign:
    def __init__(self, array):
        self.array = array
        self.__cuda_array_interface__ = {**array.__array_interface__, "stream": None}


def test_arrays_of_other_libraries_are_used_in_place():
    foreign = Foreign(np.arange(4.0))
    double[1, 4](foreign)
    assert (foreign.array == 2 * np.arange(4)).all()
    assert cuda.is_cuda_array(foreign)
    assert (cuda.as_cuda_array(foreign).copy_to_host() == foreign.array).all()


def test_streams_events_and_contexts_are_there():
    stream = cuda.stream()
    start, end = cuda.event(), cuda.event()
    with stream.auto_synchronize(), cuda.defer_cleanup(), cuda.pinned(np.zeros(3)), cuda.gpus[0]:
        start.record(stream)
        double[1, 3, stream](cuda.to_device(np.zeros(3), stream=stream))
        end.record(stream)
    cuda.synchronize()
    assert cuda.event_elapsed_time(start, end) >= 0
    assert cuda.is_available()
    assert cuda.get_current_device().MAX_THREADS_PER_BLOCK == 1024
    assert cuda.current_context().get_memory_info().total > 0
    assert [len(cuda.gpus), len(cuda.list_devices())] == [1, 1]


def test_programs_can_print_what_the_device_is():
    device, context = cuda.get_current_device(), cuda.current_context()
    assert cuda.runtime.get_version() >= (12, 0)
    assert cuda.runtime.is_supported_version()
    assert device.name.decode().startswith("CPU")
    assert device.MAX_THREADS_PER_MULTI_PROCESSOR % device.MAX_THREADS_PER_BLOCK == 0
    assert min(device.CLOCK_RATE, device.L2_CACHE_SIZE, device.MAX_REGISTERS_PER_BLOCK) > 0
    context.deallocations.clear()
    assert len(context.deallocations) == 0


@each(
    "name, error, said",
    *((name, NotImplementedError, f"{name} is not available in the CUDA") for name in ("PCI_BUS_ID", "create_event")),
    ("nmae", AttributeError, "'Device' object has no attribute 'nmae'"),
)
def test_what_only_a_driver_has_is_refused_by_name_and_a_misspelt_one_is_a_plain_attribute_error(name, error, said):
    with pytest.raises(error, match=said):
        getattr(cuda.get_current_device(), name)


def test_mapped_managed_and_pinned_arrays_are_host_arrays():
    for make in (cuda.mapped_array, cuda.managed_array, cuda.pinned_array):
        array = make(4, np.float32)
        array[:] = 1
        double[1, 4](array)
        assert (array == 2).all()


def test_structured_arrays_and_tuples_are_arguments():
    @cuda.jit
    def kernel(records, pair, out):
        i = cuda.grid(1)
        records[i]["b"] = records[i]["a"] * pair[0]
        out[i] = pair[1][i]

    records = np.zeros(3, np.dtype([("a", np.int32), ("b", np.float64)], align=True))
    records["a"] = [1, 2, 3]
    out = np.zeros(3)
    kernel[1, 3](records, (2.5, np.arange(3.0)), out)
    assert records["b"].tolist() == [2.5, 5, 7.5]
    assert (out == np.arange(3)).all()
