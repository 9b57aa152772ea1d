"""What is said of memory on the device, of many small parts of it, too."""

import sys
from types import SimpleNamespace

import numpy as np
from hypothesis import given
from hypothesis import strategies as some

from grader.worker.sliced.calllog import current
from grader.worker.sliced.devices import Memory

SPANS = some.tuples(some.integers(1, 40), some.integers(1, 15), some.frozensets(some.sampled_from("abc"), max_size=2))


def bytes_at(begin, size):
    pointer = SimpleNamespace(value=begin)
    return SimpleNamespace(device_ctypes_pointer=pointer, size=size, shape=(size,), strides=(1,), dtype=np.dtype("u1"))


@given(some.lists(SPANS, max_size=30), SPANS)
def test_each_byte_has_the_label_that_was_said_of_it_last(said, asked):
    memory, last = Memory(), {}
    for begin, size, label in said:
        memory.label(bytes_at(begin, size), label)
        last |= dict.fromkeys(range(begin, begin + size), label)
    begin, size, _label = asked
    wanted = frozenset().union(*(last.get(byte, ()) for byte in range(begin, begin + size)))
    assert memory.label_of(bytes_at(begin, size)) == wanted


@given(some.lists(SPANS, max_size=30), SPANS)
def test_what_is_added_is_said_of_every_part_that_is_known_and_nothing_is_lost(said, added):
    memory = Memory()
    for begin, size, label in said:
        memory.label(bytes_at(begin, size), label)
    before = {byte: memory.label_of(bytes_at(byte, 1)) for byte in range(1, 60)}
    begin, size, label = added
    memory.add(bytes_at(begin, size), label)
    assert memory.label_of(bytes_at(begin, size)) >= label
    assert all(memory.label_of(bytes_at(byte, 1)) >= known for byte, known in before.items())


def test_new_memory_of_a_gpu_holds_zeros_or_what_a_check_asks_for(monkeypatch):
    filled = []
    driver = SimpleNamespace(device_memset=lambda _array, byte, size_bytes: filled.append((byte, size_bytes)))
    monkeypatch.setitem(sys.modules, "numba.cuda.cudadrv.driver", driver)
    monkeypatch.setitem(vars(current), "device", "gpu")
    memory, array = Memory(), bytes_at(64, 8)
    array.alloc_size = 8
    memory.clear(array)
    with memory.old_bytes(7):
        memory.clear(array)
    assert filled == [(0, 8), (7, 8)]
