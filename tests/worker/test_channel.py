"""The channel between two processes: messages that come in pieces, or never."""

import socket
import threading

import pytest

from grader.worker.channel import Channel, Closed


@pytest.fixture
def ends():
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Channel(ours), theirs


def test_a_message_in_pieces_arrives_whole(ends):
    channel, other = ends
    other.sendall(b"\x00\x00")
    with pytest.raises(TimeoutError):
        channel.receive(0.01)
    other.sendall(b"\x00\x02a")
    other.sendall(b"b\x00\x00\x00\x01c")
    assert channel.receive(1) == b"ab"
    assert channel.receive() == b"c"


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


def test_an_end_that_is_closed_is_said(ends):
    channel, other = ends
    other.close()
    with pytest.raises(Closed):
        channel.receive(1)
