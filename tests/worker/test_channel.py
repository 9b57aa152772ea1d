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


@pytest.mark.parametrize("unread", [b"", b"nobody reads this"])
def test_an_end_that_is_closed_is_said(ends, unread):
    channel, other = ends
    channel.send(unread)
    other.recv(4 if unread else 100)
    other.close()
    with pytest.raises(Closed):
        channel.receive(1)


def test_a_message_that_came_with_the_one_before_is_ready(ends):
    channel, other = ends
    assert not channel.is_ready(0)
    other.sendall(b"\0\0\0\1a\0\0\0\1b")
    assert channel.receive(1) == b"a"
    assert channel.is_ready(0)
