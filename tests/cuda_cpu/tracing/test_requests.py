"""The figures of one request against their definitions, written down naively, for any pattern of indices."""

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from examples import examples
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import cuda

from grader.cuda_cpu import counting

SIZE = 256
DTYPES = [np.uint8, np.int16, np.float32, np.float64, np.complex128]
patterns = st.lists(st.integers(0, SIZE - 1) | st.integers(0, 15), min_size=1, max_size=70)


@cuda.jit
def gather(x, indices, out):
    i = cuda.threadIdx.x
    out[i] = x[indices[i]]


SHARED_GATHER = "s = cuda.shared.array(256, np.{})\ni = cuda.threadIdx.x\nout[i] = s[indices[i]]"
SHARED = {np.dtype(one).itemsize: kernel_of("indices, out", SHARED_GATHER.format(np.dtype(one).name)) for one in DTYPES}
ATOMIC_ADD = kernel_of("out, indices", "cuda.atomic.add(out, indices[cuda.threadIdx.x], 1.0)")


def place(kernel, block, arguments, array, kind="load"):
    with counting() as record:
        kernel[1, block](*arguments)
    [found] = [one for one in record.launches[0].places if (one.array, one.kind) == (array, kind)]
    return found


def warps(indices):
    return [indices[start : start + 32] for start in range(0, len(indices), 32)]


def units(indices, itemsize, unit):
    return sum(len({index * itemsize // unit for index in warp}) for warp in warps(indices))


def least(indices, itemsize, unit):
    return sum(math.ceil(len(set(warp)) * itemsize / unit) for warp in warps(indices))


def passes_of(lanes, itemsize):
    words = defaultdict(set)
    for index in lanes:
        for part in range(max(1, itemsize // 4)):
            word = index * itemsize // 4 + part
            words[word % 32].add(word)
    return max(len(group) for group in words.values())


def passes(indices, itemsize):
    lanes = 32 // max(1, itemsize // 4)
    groups = [warp[start : start + lanes] for warp in warps(indices) for start in range(0, len(warp), lanes)]
    return sum(passes_of(group, itemsize) for group in groups), len(groups)


@pytest.mark.parametrize("dtype", DTYPES)
@settings(max_examples=examples(60), deadline=None)
@given(indices=patterns)
def test_sectors_and_lines_of_global_memory(dtype, indices):
    itemsize = np.dtype(dtype).itemsize
    load = place(gather, len(indices), (np.zeros(SIZE, dtype), np.array(indices), np.zeros(70, dtype)), "x")
    assert load.requests == len(warps(indices))
    assert load.lanes == load.accesses == len(indices)
    assert (load.sectors, load.lines) == (units(indices, itemsize, 32), units(indices, itemsize, 128))
    assert (load.least_sectors, load.least_lines) == (least(indices, itemsize, 32), least(indices, itemsize, 128))


@pytest.mark.parametrize("itemsize", list(SHARED))
@settings(max_examples=examples(60), deadline=None)
@given(indices=patterns)
def test_passes_of_shared_memory(itemsize, indices):
    out = np.zeros(70, complex if itemsize == 16 else float)
    load = place(SHARED[itemsize], len(indices), (np.array(indices), out), "s")
    assert (load.passes, load.least_passes) == passes(indices, itemsize)
    assert load.worst <= 32 * max(1, itemsize // 4)


@settings(max_examples=examples(60), deadline=None)
@given(indices=patterns)
def test_atomic_operations_queue_up_for_one_element(indices):
    update = place(ATOMIC_ADD, len(indices), (np.zeros(SIZE), np.array(indices)), "out", "atomic")
    assert update.passes == sum(max(Counter(warp).values()) for warp in warps(indices))
