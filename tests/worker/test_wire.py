"""What crosses the boundary comes out as it went in, and nothing that a worker sends can be more than data."""

import socket
import tempfile
from collections.abc import Iterator
from contextlib import suppress

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from grader.worker import wire
from grader.worker.channel import Channel

SMALL = 1 << 20
numbers = st.integers(-(2**63), 2**63 - 1) | st.floats() | st.booleans() | st.none()
arrays = hnp.arrays(
    hnp.integer_dtypes()
    | hnp.unsigned_integer_dtypes()
    | hnp.floating_dtypes(sizes=(16, 32, 64))
    | hnp.boolean_dtypes()
    | hnp.complex_number_dtypes(sizes=(64, 128)),
    hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
)
values = st.recursive(
    numbers | st.text(max_size=20) | arrays,
    lambda inner: (
        st.lists(inner, max_size=4) | st.tuples(inner, inner) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=12,
)


@pytest.fixture(scope="module")
def arena() -> Iterator[wire.Arena]:
    with tempfile.TemporaryFile() as file:
        file.truncate(SMALL)
        yield wire.Arena(file.fileno(), SMALL)


def send(value, arena):
    arena.reset()
    reply = wire.Reply(1, wire.encode(value, arena))
    ours, theirs = socket.socketpair()
    with ours, theirs:
        Channel(theirs, wire.Request).send(reply)
        return wire.decode(Channel(ours, wire.Reply).receive(1).value, arena, copy=True)


def receive(body: bytes) -> wire.Reply:
    """Return the reply that a worker's message is."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(len(body).to_bytes(4, "big") + body)
        return Channel(ours, wire.Reply).receive(1)


def same(one, other) -> bool:
    if isinstance(one, np.ndarray):
        alike = isinstance(other, np.ndarray) and one.dtype == other.dtype
        return alike and np.array_equal(one, other, equal_nan=one.dtype.kind in "fc")
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return type(one) is type(other) and (one == other or one != one)  # noqa: PLR0124 - NaN


@given(value=values)
def test_plain_values_come_out_as_they_went_in(arena, value):
    assert same(value, send(value, arena))


@given(body=st.binary(max_size=200))
def test_any_bytes_are_a_reply_or_a_wire_error(body):
    with suppress(wire.WireError):
        assert isinstance(receive(body), wire.Reply)


plain = st.recursive(
    numbers | st.text(max_size=10) | st.binary(max_size=10),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=20,
)


@given(node=plain)
def test_any_message_of_the_right_outline_decodes_or_is_a_wire_error(arena, node):
    body = msgspec.msgpack.encode({"ticket": 1, "value": node})
    with suppress(wire.WireError):
        reply = receive(body)
        if reply.value is not None:
            wire.decode(reply.value, arena, copy=True)


declared = st.builds(
    wire.Array,
    dtype=st.sampled_from(
        ["<f8", "|u1", "<i4", "|O", "<U9", "V8", "i4,f8", "3i4", "<m8", "(2**9)i4", "", "\x00", "f8" * 9]
    )
    | st.text(max_size=6),
    shape=st.lists(st.integers(-3, 2**40), max_size=10).map(tuple),
    offset=st.integers(-10, 2**62),
    origin=st.sampled_from(["ndarray", "list", "?"]),
)


@given(node=declared)
def test_a_forged_array_lies_in_the_arena_or_is_a_wire_error(arena, node):
    try:
        got = wire.decode(node, arena, copy=True)
    except wire.WireError:
        return
    assert np.asarray(got).nbytes <= 8 * SMALL


BEYOND = [((0, 2**62, 2**62), 0), ((2**62, 0), 0), ((0, -1), 0), ((2**40, 2**40, 0), 0), ((1,), -8), ((1,), SMALL - 7)]


@pytest.mark.parametrize(("shape", "offset"), BEYOND)
def test_an_array_of_huge_shape_or_beyond_an_end_is_a_wire_error(arena, shape, offset):
    with pytest.raises(wire.WireError):
        wire.decode(wire.Array("<f8", shape, offset), arena, copy=True)


def test_arrays_begin_at_aligned_places_stay_as_they_were_received_and_keep_their_shape(arena):
    arena.reset()
    _first, second = (arena.put(np.full(3, value, np.int8)) for value in (1, 2))
    assert second.offset == 64
    kept, shared = (wire.decode(second, arena, copy=copy) for copy in (True, False))
    arena.view(second)[:] = 7
    assert (kept.tolist(), shared.tolist()) == ([2] * 3, [7] * 3)
    assert send(np.empty((0, 784)), arena).shape == (0, 784)


def test_overlapping_arrays_cannot_add_up_to_more_than_the_arena(arena):
    times, whole = wire.ARENA_BYTES // SMALL, wire.Array("|u1", (SMALL,), 0)
    assert len(wire.decode(wire.Sequence("list", (whole,) * times), arena, copy=False)) == times
    with pytest.raises(wire.WireError, match="take more than"):
        wire.decode(wire.Sequence("list", (whole,) * (times + 1)), arena, copy=False)


def test_a_small_array_cannot_become_a_huge_list():
    entries = wire.ARENA_BYTES // 16
    with tempfile.TemporaryFile() as file:
        file.truncate(entries)
        with pytest.raises(wire.WireError, match="take more than"):
            wire.decode(wire.Array("|u1", (entries,), 0, "list"), wire.Arena(file.fileno(), entries), copy=True)


def test_objects_cross_by_name_only_and_texts_that_are_no_unicode_as_what_can_be_written(arena):
    class Sly:
        def __str__(self):
            raise RuntimeError

    assert send(Sly(), arena).type_name.endswith("Sly")
    assert send(10**30, arena) == wire.Foreign("int", "an integer of 100 bits")
    assert send([2**63, 2**63 - 1], arena) == [wire.Foreign("int", "an integer of 64 bits"), 2**63 - 1]
    assert isinstance(send(np.full(wire.MAX_TEXT + 1, None), arena), wire.Foreign)
    assert isinstance(send(np.array(["text"]), arena), wire.Foreign)
    assert send(["a\ud800", {"b\ud800": 1}], arena) == ["a?", {"b?": 1}]


def test_endless_nesting_ends(arena):
    loop: list = []
    loop.append(loop)
    value = send(loop, arena)
    for _ in range(wire.MAX_DEPTH):
        (value,) = value
    assert isinstance(value[0], wire.Foreign)


def test_a_subclass_of_ndarray_arrives_as_its_numbers(arena):
    class Lazy(np.ndarray):
        def __array_finalize__(self, other):
            if other is not None:
                other[...] = 7

    assert type(send(np.zeros(3).view(Lazy), arena)) is np.ndarray


def test_a_million_numbers_in_lists_are_one_array_on_the_wire(arena):
    rows = [[float(column) for column in range(100)] for _ in range(100)]
    arena.reset()
    assert isinstance(wire.encode(rows, arena), wire.Array)
    assert send(rows, arena) == rows
