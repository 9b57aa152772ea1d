"""The own code of functions and classes, told so that two processes can compare it."""

import sys
import textwrap

import pytest

from grader.worker.sliced.owncode import describe

TEXT = """
import functools
from numba import njit

SIZES = [1, 2]
UNUSED = 1

def helper(x):
    return x + len(SIZES)

def f(x, scale=2):
    return helper(x) * scale

@njit
def compiled(x):
    return x

@functools.lru_cache
def kept(x):
    return x

partly = functools.partial(f, 3)

class Total:
    def add(self, x):
        return helper(x)

    @property
    def twice(self):
        return 2
"""
NAMES = ("f", "compiled", "kept", "partly", "Total")


@pytest.fixture
def described(tmp_path, monkeypatch):
    """Return a function that describes a text, which is imported anew."""
    monkeypatch.syspath_prepend(tmp_path)

    def describe_text(text, name="sample"):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
        monkeypatch.delitem(sys.modules, name, raising=False)
        return describe(name, (*NAMES, "missing"), False)

    return describe_text


def test_every_function_and_class_that_is_there_has_a_digest_of_its_own(described):
    found = described(TEXT)
    assert set(found) == {*NAMES}
    assert len(set(found.values())) == len(NAMES) - 1, "a partial function has the code of what it calls"


@pytest.mark.parametrize(
    ("old", "new", "changed"),
    [
        ("helper(x) * scale", "helper(x) + scale", {"f", "partly"}),
        ("def compiled(x):\n    return x", "def compiled(x):\n    return 7", {"compiled"}),
        ("def kept(x):\n    return x", "def kept(x):\n    return 7", {"kept"}),
        ("        return helper(x)", "        return x", {"Total"}),
        ("        return 2", "        return 3", {"Total"}),
        ("x + len(SIZES)", "x - len(SIZES)", {"f", "partly", "Total"}),
        ("SIZES = [1, 2]", "SIZES = [1, 3]", {"f", "partly", "Total"}),
        ("scale=2", "scale=3", {"f", "partly"}),
        ("UNUSED = 1", "UNUSED = 2", set()),
    ],
)
def test_what_a_function_is_written_to_do_and_what_it_names_count(described, old, new, changed):
    assert old in TEXT
    before, after = described(TEXT), described(TEXT.replace(old, new), "other")
    assert {name for name in NAMES if before[name] != after[name]} == changed
