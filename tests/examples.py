"""How many examples tests of properties try: all in CI and by `make test-all`, a quarter of them by `make test`."""

import os

from hypothesis import settings

settings.register_profile("few", max_examples=25)


def choose(marks: str) -> None:
    """Choose for a run with this expression of marks, before any test is imported."""
    if "not wide" in marks and os.environ.get("EXAMPLES") != "all":
        settings.load_profile("few")


def examples(number: int) -> int:
    """Return how many examples this run tries of a test that tries `number` in CI."""
    return max(1, number * settings().max_examples // 100)
