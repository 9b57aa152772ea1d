"""How often a Matrix copies numbers that are asked for several times."""

from __future__ import annotations

from typing import Any

import numpy as np

from grader.authoring import Array, Note, expect
from grader.authoring.judges import scenarios

SET, WRITTEN, UNASKED = (
    "numbers of `set`",
    "numbers that a kernel wrote",
    "numbers of `set`, without a call of `copy_to_device`",
)
TO_DEVICE, TO_HOST = "to device", "to host"
MOST = {
    (SET, TO_DEVICE): 1,
    (SET, TO_HOST): 0,
    (WRITTEN, TO_DEVICE): 1,  # ours: it stands for the kernel
    (WRITTEN, TO_HOST): 1,
    (UNASKED, TO_DEVICE): 0,
    (UNASKED, TO_HOST): 0,
}
"""What is copied, and where -> how often at most."""


def count(run: scenarios.Watched, given: tuple[Array, ...]) -> dict[tuple[str, str], int]:
    """Return how often each of the three matrices that `ask_often` was given was copied, each way."""
    held = dict(zip((SET, WRITTEN, UNASKED), given, strict=True))
    return {
        (name, direction): sum(way == direction and _is_same(array, held[name]) for way, array in run.seen.copies)
        for name, direction in MOST
    }


def compare(run: scenarios.SceneRun, given: tuple[Array, ...], note: Note) -> scenarios.Watched:
    """Return a run of `ask_often`, compared; its numbers are the business of `matrix.values`."""

    def expect_read(value: dict[str, Any]) -> None:
        for name, right in zip(("first", "second"), given, strict=False):
            expect(f"`copy_to_host()` of the {name} numbers", value.get(name), right, rtol=1e-6)

    return run.compared(expect_read, note, "matrix.values")


def is_needless(run: scenarios.Watched, given: tuple[Array, ...]) -> bool:
    """Return whether anything was copied too often."""
    return any(found > MOST[what] for what, found in count(run, given).items())


MOST_OF_ALL = {TO_DEVICE: 2, TO_HOST: 1}
"""Copies that `ask_often` needs, of whatever."""


def count_others(run: scenarios.Watched) -> int:
    """Return how many copies there were beyond what is needed, whatever they held besides what was asked for."""
    ways = [way for way, array in run.seen.copies if array.size > 1 and (array != array.flat[0]).any()]
    return sum(max(0, ways.count(way) - most) for way, most in MOST_OF_ALL.items())


def _is_same(one: Array, other: Array) -> bool:
    return one.size == other.size and bool(np.allclose(one.ravel(), other.ravel(), rtol=1e-6))
