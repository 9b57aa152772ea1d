"""The line of a rank: what it receives in the place of what was sent."""

import pickle

import numpy as np
import pytest

from grader.mpi.link import Exchange

BACKWARDS = float.fromhex("0x1.0d2ed66edd2e0p-1")
"""Its bytes but the last are a palindrome: behind a number like it, it stands in the other order, one byte earlier."""


@pytest.mark.parametrize("send", [np.ndarray.tobytes, pickle.dumps, lambda known: pickle.dumps(known.tolist())])
def test_all_numbers_are_exchanged_whatever_their_bytes_are_in_another_order(send):
    known, others = np.array([0.75, BACKWARDS, 0.625]), np.array([1.0, 2.0, 3.0])
    data = np.frombuffer(bytearray(send(known)), np.uint8)
    exchange = Exchange(known, others)
    exchange.apply(data)
    assert bytes(data) == bytes(send(others))
    assert exchange.arrived.all()
