"""What is counted of a function of plain Python is the same on every machine."""

import importlib.util
import itertools
import shutil
import time

import numpy as np
import pytest

from grader.authoring.judges.delays import MANY_CALLS, MANY_STEPS, MANY_TURNS
from grader.worker.sliced import loops

SHAPES = ((20, 40), (60, 40))
FURTHER = 40 * 40
HONEST = {
    "if and else": "if A[i, j] > B[i, j]:\n    C[i, j] = A[i, j]\nelse:\n    C[i, j] = B[i, j]",
    "two brackets": "C[i][j] = max(A[i][j], B[i][j])",
    "integers": "C[i, j] = max(int(A[i, j]), int(B[i, j]))",
    "asserts": "a, b = A[i, j], B[i, j]\nassert 0 <= a <= 255\nassert 0 <= b <= 255\nC[i, j] = a if a > b else b",
    "helpers": "C[i, j] = larger(A[i, j], B[i, j])",
    "objects": "C[i, j] = Pixel(A[i, j]).larger(Pixel(B[i, j])).value",
    "a pair": "most = 0\nfor M in (A, B):\n    if M[i, j] > most:\n        most = M[i, j]\nC[i, j] = most",
    "a fold": "C[i, j] = functools.reduce(lambda a, b: a if a > b else b, (A[i, j], B[i, j]))",
    "fractions of one": "C[i, j] = (A[i, j] + B[i, j] + abs(int(A[i, j]) - int(B[i, j]))) // 2",
}
DELAYED = {
    "a while": "k = 0\nwhile k < 10:\n    k += 1",
    "a list": "numbers = [k for k in range(10)]",
    "a list that is walked over": "for k in [0] * 10:\n    pass",
    "a generator": "for k in ticks(10):\n    pass",
    "recursion": "down(20)",
    "a fold": "functools.reduce(lambda a, b: a + b, range(20))",
    "repetition": "for _ in range(40):\n    C[i, j] = A[i, j]",
    "fractions": "Fraction(1, 7) * Fraction(3, 4)",
    "deep copies": "copy.deepcopy([1, [2, 3]])",
    "joined texts": "''.join(str(k) for k in range(10))",
}
HEAD = """
import copy, functools
import numpy as np
from fractions import Fraction

class Pixel:
    def __init__(self, value):
        self.value = value

    def larger(self, other):
        return self if checked(self.value) > checked(other.value) else other

def checked(value):
    if value < 0:
        raise ValueError
    return value

def larger(a, b):
    return a if checked(a) > checked(b) else b

def ticks(count):
    for k in range(count):
        yield k

def down(depth):
    return down(depth - 1) if depth else 0

def f(A, B):
    C = np.empty(A.shape, A.dtype)
    for i in range(A.shape[0]):
        for j in range(A.shape[1]):
"""


def pairs():
    rng = np.random.default_rng(1)
    return [tuple(rng.integers(0, 256, (2, *shape))) for shape in SHAPES]


def shares(counted):
    steps = counted["steps"] / counted["plain_steps"]
    turns, calls = counted["turns"] / FURTHER, counted["calls"] / FURTHER
    return steps / MANY_STEPS, turns / MANY_TURNS, calls / MANY_CALLS


def count(opened, body):
    lines = "".join(f"            {line}\n" for line in body.split("\n"))
    opened(f"{HEAD}{lines}    return C\n")
    return loops.count_steps("sample", "f", *pairs())


@pytest.mark.parametrize("body", HONEST.values(), ids=HONEST)
def test_honest_loops_stay_far_below_what_is_flagged(opened, body):
    assert max(shares(count(opened, body))) < 0.7


@pytest.mark.parametrize("body", DELAYED.values(), ids=DELAYED)
def test_delays_that_python_executes_are_counted(opened, body):
    assert max(shares(count(opened, f"{body}\n{HONEST['if and else']}"))) > 1


def test_the_plain_loop_is_counted_where_the_grader_is_installed(opened, tmp_path):
    """A kit and a platform's package lie in site-packages, whose files are not counted as Python's library."""
    place = tmp_path / "site-packages" / "loops.py"
    place.parent.mkdir()
    spec = importlib.util.spec_from_file_location("installed_loops", shutil.copy(loops.__file__, place))
    installed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(installed)
    expected = count(opened, HONEST["if and else"])["plain_steps"]
    assert installed.count_steps("sample", "f", *pairs())["plain_steps"] == expected > 0


def test_counts_are_the_same_again_but_for_what_python_cleans_up(opened):
    assert count(opened, HONEST["objects"]) == pytest.approx(loops.count_steps("sample", "f", *pairs()), rel=1e-3)


def test_sleeping_is_no_processor_time_and_is_told(opened):
    """It computes as well, so that it has been seen for long enough after few calls."""
    opened("import time\ndef f(A, B):\n    time.sleep(0.05)\n    sum(range(3_000_000))\n    return A\n")
    measured = loops.compare_times("sample", "f", pairs()[0])
    assert measured["waited_s"] >= 0.05
    assert loops.count_steps("sample", "f", *pairs())["waited_s"] == pytest.approx(0.1)
    assert measured["plain_s"] > 0


def test_each_time_is_the_mean_of_its_own_calls(opened, monkeypatch):
    opened("import time\ndef f(A, B):\n    return time.process_time(), time.process_time()\n")
    monkeypatch.setattr(time, "process_time", itertools.count(0.0, 0.01).__next__)
    measured = loops.compare_times("sample", "f", pairs()[0])
    assert (measured["call_s"], measured["plain_s"]) == (pytest.approx(0.03), pytest.approx(0.01))


def test_a_look_ends_when_enough_was_computed_however_long_it_slept(opened):
    text = "import time\nimport numpy as np\ndef f(A, B):\n    time.sleep(0.3)\n    C = np.maximum(A, B)\n"
    opened(f"{text}    while True:\n        C = C + 0\n")
    began_s = time.monotonic()
    looked = loops.look_in("sample", "f", pairs()[0], 0.1)
    assert not looked["ended"]
    assert any("numpy.maximum" in mix for mix in looked["mixes"])
    assert time.monotonic() - began_s > 0.3
