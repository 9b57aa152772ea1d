"""The channel between two processes: messages that come in pieces, or wrong, or never; and memory of one size."""

import os
import socket
import threading

import numpy as np
import pytest
from rows import each

from grader.worker.channel import MAX_MESSAGE_BYTES, Channel, Closed, new_arena
from grader.worker.wire import Arena, WireError, decode, encode_args


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours, list[str]), theirs


def test_a_message_in_pieces_arrives_whole(ends):
    channel, other = ends
    other.sendall(b"\x00\x00")
    with pytest.raises(TimeoutError):
        channel.receive(0.01)
    other.sendall(b"\x00\x03\x91\xa1")
    other.sendall(b"b\x00\x00\x00\x01\x90")
    assert (channel.receive(1), channel.receive()) == (["b"], [])


@each("sent", [b"\x00\x00\x00\x01\x01", b"\x00\x00\x00\x02\x91\x90", b"\x00\x00\x00\x00", b"\x02\x00\x00\x01"])
def test_what_is_not_of_the_declared_form_is_an_error_and_not_waited_for(ends, sent):
    channel, other = ends
    other.sendall(sent)
    with pytest.raises(WireError):
        channel.receive(1)


def test_a_message_after_one_that_was_wrong_is_received(ends):
    channel, other = ends
    other.sendall(b"\x00\x00\x00\x01\x01\x00\x00\x00\x01\x90")
    with pytest.raises(WireError):
        channel.receive(1)
    assert channel.receive(1) == []


def test_what_came_whole_is_ready_and_before_the_end_received_at_once(ends):
    channel, other = ends
    assert not channel.is_ready(0)
    other.sendall(b"\x00\x00\x00\x01\x90" * 2)
    assert channel.receive(1) == []
    assert channel.is_ready(0)
    assert channel.receive(1) == []
    other.sendall(b"\x00\x00\x00\x01\x90" * 2 + b"\x00\x00")
    assert list(channel.receive_all()) == [[], []]
    other.close()
    with pytest.raises(Closed):
        list(channel.receive_all())


def test_what_is_too_long_is_not_sent_and_who_is_gone_is_no_error(ends):
    channel, other = ends
    with pytest.raises(WireError):
        channel.send(["x" * MAX_MESSAGE_BYTES])
    other.close()
    channel.send(["x"])


def test_neither_side_can_change_the_size_of_an_arena():
    with new_arena(1 << 20)[0] as file:
        for size in (0, 1 << 21):
            with pytest.raises(PermissionError):
                os.ftruncate(file.fileno(), size)


def test_where_memory_cannot_be_sealed_a_shorter_arena_is_an_error_and_no_end(monkeypatch):
    monkeypatch.delattr(os, "memfd_create")
    file, ours = new_arena(1 << 20)
    theirs = Arena(file.fileno(), 1 << 20)
    numbers = np.arange(12.0).reshape(3, 4)
    declared = encode_args([numbers, numbers.T, numbers[:0]], ours)
    for taken in (decode(declared, theirs, copy=False), decode(declared, ours, copy=True)):
        assert [one.tolist() for one in taken] == [numbers.tolist(), numbers.T.tolist(), []]
    theirs.view(declared.items[0])[...] = 7
    assert decode(declared.items[0], ours, copy=True).tolist() == [[7] * 4] * 3
    file.truncate(50)
    with file, pytest.raises(WireError):
        decode(declared, ours, copy=True)


def test_bytes_that_trickle_do_not_lengthen_the_wait(ends):
    channel, other = ends
    over = threading.Event()

    def trickle():
        other.sendall(b"\x00\x00\xff\xff")
        while not over.wait(0.01):
            other.sendall(b"x")

    thread = threading.Thread(target=trickle)
    thread.start()
    try:
        with pytest.raises(TimeoutError):
            channel.receive(0.1)
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("unread", [b"", b"nobody reads this"])
def test_an_end_that_is_closed_is_said(ends, unread):
    channel, other = ends
    channel.send(unread)
    other.recv(4 if unread else 100)
    other.close()
    with pytest.raises(Closed):
        channel.receive(1)
