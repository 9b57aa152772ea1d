import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from rows import each

from grader.cuda_cpu.tracing.layout import GLOBAL
from grader.cuda_cpu.tracing.trace import WatchedArray, index_in, merge_regions

PAIR = np.dtype([("x", np.int32), ("y", np.int16), ("z", np.int16)])


def watched(name, memory):
    return WatchedArray(name, memory, memory.ctypes.data)


@st.composite
def views(draw):
    """Views of arrays: axes in any order, steps of any sign."""
    shape = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3))
    array = np.arange(float(np.prod(shape))).reshape(shape)
    array = array.transpose(draw(st.permutations(range(array.ndim))))
    steps = draw(st.lists(st.sampled_from([1, 2, -1, -2]), min_size=array.ndim, max_size=array.ndim))
    return array[tuple(slice(None, None, step) for step in steps)]


@given(views(), st.data())
def test_an_address_leads_back_to_its_index(array, data):
    index = tuple(data.draw(st.integers(0, extent - 1)) for extent in array.shape)
    address = array.__array_interface__["data"][0] + sum(
        number * stride for number, stride in zip(index, array.strides, strict=True)
    )
    found = index_in(array, address)
    assert array[found] == array[index]
    assert found == index


def test_arrays_that_share_memory_share_a_region_and_neighbours_do_not():
    whole = np.zeros(10)
    apart = np.zeros(10)
    regions = merge_regions((watched("a", whole[:6]), watched("b", whole[4:]), watched("c", apart)))
    names = sorted("".join(array.name for array in region.arrays) for region in regions)
    assert names == ["ab", "c"]
    assert all(region.space == GLOBAL for region in regions)
    assert {region.cells for region in regions} == {10}
    assert len(merge_regions((watched("a", whole[:5]), watched("b", whole[5:])))) == 2


@each(
    "dtype, bytes_per_cell",
    [(np.uint8, 1), (np.int16, 2), (np.float32, 4), (np.float64, 8), (np.complex64, 8), (np.complex128, 8), (PAIR, 2)],
)
def test_elements_and_fields_have_cells_of_their_own(dtype, bytes_per_cell):
    [region] = merge_regions((watched("a", np.zeros(4, dtype)),))
    assert region.cells == 4 * np.dtype(dtype).itemsize // bytes_per_cell
