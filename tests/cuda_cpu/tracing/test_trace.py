"""Traces of launches: what they say, in which order, also where one is the first thing that Numba compiles."""

import sys

import numpy as np
from cuda_cpu.written import kernel_of, line_of
from hypothesis import given
from hypothesis import strategies as st
from numba import cuda, float32
from rows import each
from subprocesses import ended

from grader.cuda_cpu import counting, describe_costs
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
    steps = zip(index, array.strides, strict=True)
    address = array.__array_interface__["data"][0] + sum(number * stride for number, stride in steps)
    found = index_in(array, address)
    assert (array[found], found) == (array[index], index)


def test_arrays_that_share_memory_share_a_region_and_neighbours_do_not():
    whole = np.zeros(10)
    regions = merge_regions((watched("a", whole[:6]), watched("b", whole[4:]), watched("c", np.zeros(10))))
    assert sorted("".join(array.name for array in region.arrays) for region in regions) == ["ab", "c"]
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


PROGRAM = """
from grader.cuda_cpu import checking, counting, install
install()
import numpy as np
from numba import cuda, njit

@cuda.jit
def kernel(a):
    a[cuda.grid(1)] += 1

@njit
def zeros(n):
    return np.zeros((n, n))

for mode in (checking, counting):
    with mode():
        kernel[1, 8](np.zeros(8))
print(zeros(3).shape)
"""


def test_njit_compiles_after_a_traced_kernel():
    done = ended([sys.executable, "-c", PROGRAM], timeout=120)
    assert done.stdout == "(3, 3)\n", done.stderr[-2000:]


@cuda.jit
def good(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


@cuda.jit
def bad(x, y):
    tile = cuda.shared.array((32, 32), float32)
    i = cuda.threadIdx.x
    tile[i, 0] = x[i, 0]
    cuda.syncthreads()
    if i % 2:
        cuda.atomic.add(y, 0, tile[i, 0])


def explain(kernel, grid, block, *arguments):
    with counting() as record:
        kernel[grid, block](*arguments)
    return describe_costs(record.launches[0])


def test_a_perfect_kernel_is_told_so_and_idle_threads_and_a_split_warp_are_named():
    sentences = explain(good, 2, 64, np.zeros(128), np.zeros(128))
    assert sentences[0] == "Counted, not timed: kernel good ran 2 blocks of 64 threads, 4 warps in all"
    line = line_of(good, "y[i] = x[i]")
    assert f"Every warp's loads of x (line {line}) touch 2 lines of 128 bytes, the least possible" in sentences
    assert f"Every warp's stores to y (line {line}) touch 2 lines of 128 bytes, the least possible" in sentences
    assert "No warp splits at a branch: all its threads always take the same direction" in sentences
    sentences = explain(good, 1, 64, np.zeros(40), np.zeros(40))
    line = line_of(good, "if i < x.size")
    assert "40 of 64 threads touched any array" in sentences
    assert any(sentence.startswith(f"At line {line} a warp splits in 1 of 2 cases") for sentence in sentences)


def test_every_kind_of_waste_has_a_sentence_with_its_numbers():
    text = "\n".join(explain(bad, 1, 32, np.zeros((32, 32), np.float32), np.zeros(1, np.float32)))
    load = line_of(bad, "tile[i, 0] = x[i, 0]")
    assert f"loads of x (line {load}) touch 32 lines of 128 bytes where 1 would do" in text
    assert "fetch 32 sectors of 32 bytes where 4 would do" in text
    assert f"stores to tile (line {load}) take 32 passes of shared memory where 1 would do" in text
    update = line_of(bad, "cuda.atomic.add")
    assert f"atomic operations on y (line {update}) happen in 16 steps, one after the other" in text
    assert "Each block passed 1 barrier" in text
    assert f"At line {line_of(bad, 'if i % 2')} a warp splits in 1 of 1 cases" in text


@each(
    "body, array, reason",
    ("y[cuda.grid(1)] = x[cuda.grid(1) + 1]", "of x", "do not begin at a multiple of 32 bytes"),
    ("if cuda.grid(1) % 2:\n    x[cuda.grid(1)] = 1", "to x", "only 16 of its 32 threads come here"),
    ("x[cuda.grid(1) * 16] = 1", "to x", "let neighbouring threads touch neighbouring elements"),
)
def test_the_reason_of_a_waste_fits_its_pattern(body, array, reason):
    sentences = explain(kernel_of("x, y", body), 1, 32, np.zeros(512, np.float32), np.zeros(32))
    [sentence] = [one for one in sentences if f" {array} " in one]
    assert "sectors of 32 bytes where" in sentence
    assert sentence.endswith(reason)


def test_the_least_possible_is_said_of_what_is_least():
    kernel = kernel_of("x, y", "i, j = cuda.blockIdx.x, cuda.threadIdx.x\ny[i, j] = x[i, j]")
    sentences = "\n".join(explain(kernel, 10, 32, np.zeros((10, 36)), np.zeros((10, 36))))
    assert "loads of x" in sentences
    assert "fetch 8 sectors of 32 bytes, the least possible, from 2.7 lines of 128 bytes" in sentences
