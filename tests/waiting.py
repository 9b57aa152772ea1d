"""Waiting for what another process does."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], limit_s: float = 60) -> None:
    """Return as soon as `condition` is true; fail if it is not after so many seconds."""
    deadline = time.monotonic() + limit_s
    while not condition():
        assert time.monotonic() < deadline, f"it did not happen within {limit_s} s"
        time.sleep(0.02)
