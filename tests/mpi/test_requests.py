"""Requests and statuses: what of mpi4py's they do not have is for a person, not a mistake of the student."""

import socket

import numpy as np
import pytest

pytest.importorskip("mpi4py.MPI", exc_type=(ImportError, RuntimeError))

from mpi4py import MPI

from grader.mpi.calls import Call, Match, Record
from grader.mpi.link import Begun, Line, Link
from grader.mpi.messages import message_call
from grader.mpi.objects import Unfollowed
from grader.mpi.requests import Request, Status, begun, write_status
from grader.worker.channel import Channel, FileEnd


def test_to_cancel_a_call_is_for_a_person():
    with pytest.raises(Unfollowed, match=r"^Request\.Cancel$"):
        Request().Cancel()


def test_requests_are_over_until_a_call_begins_and_fill_lists_of_statuses():
    request, other = Request(), begun(Begun(None, 1))
    assert (bool(request), bool(other), request == Request(), other == request) == (False, True, True, False)
    assert [request, other].index(other) == 1
    statuses = []
    Request.Waitall([Request(), Request()], statuses)
    assert [type(status) for status in statuses] == [Status, Status]


def test_a_status_tells_who_sent_a_message_and_of_none_what_mpi_tells():
    told = []
    for match in (Match(1, source=3, tag=5), Match(1)):
        write_status(status := Status(), match)
        told.append((status.source, status.tag))
    assert told == [(3, 5), (MPI.PROC_NULL, MPI.ANY_TAG)]


def test_what_nobody_has_is_a_mistake():
    for one in (Request, Request(), Status, Status()):
        assert not hasattr(one, "waits")
        assert not hasattr(one, "_mpi_other")


def test_a_sendrecv_waits_only_when_both_of_its_calls_are_announced(tmp_path):
    channel, other = socket.socketpair()
    with channel, other, (tmp_path / "log").open("w+b") as log:
        link = Link(channel, log.fileno(), 0)
        values = {"sendbuf": np.ones(2), "dest": 0, "sendtag": 0, "recvbuf": np.zeros(2), "source": 0, "recvtag": 0}
        message_call("Sendrecv")(Line(link, MPI.COMM_SELF, "0", (0,), 0), values)
        records = Channel[Record](FileEnd(log.fileno()), Record).receive_all()
        assert [record.waits for record in records if isinstance(record, Call)] == [False, False]
