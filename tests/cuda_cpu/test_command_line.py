"""``python -m grader.cuda_cpu`` in a process of its own, as students start it."""

import sys

import numpy as np
import pytest
from cuda_cpu.written import kernel_of
from rows import each
from subprocesses import ended

from grader.cuda_cpu.__main__ import Progress
from grader.cuda_cpu.launches import observe_progress

pytestmark = pytest.mark.wide

RACY = """
import sys
import numpy as np
from numba import cuda

@cuda.jit
def accumulate(x, out):
    out[0] += x[cuda.grid(1)]

accumulate[1, 32](np.ones(32), np.zeros(1))
print("arguments", sys.argv[1:])
"""
CLEAN = RACY.replace("out[0] += x[cuda.grid(1)]", "cuda.atomic.add(out, 0, x[cuda.grid(1)])")


@pytest.fixture
def run(tmp_path):
    def start(source, *switches):
        script = tmp_path / "script.py"
        script.write_text(source)
        command = [sys.executable, "-m", "grader.cuda_cpu", *switches, str(script), "--check", "one"]
        return ended(command, timeout=120)

    return start


def test_a_race_ends_in_exit_code_1_and_is_named_and_a_clean_script_is_left_alone(run):
    done = run(RACY, "--check")
    assert (done.returncode, done.stdout) == (1, "arguments ['--check', 'one']\n")
    assert "checked 1 kernel launches" in done.stderr
    assert "read-write race on out[0]" in done.stderr
    assert "script.py:8" in done.stderr
    done = run(CLEAN, "--check", "--count")
    assert done.returncode == 0
    assert "no data race found" in done.stderr
    assert "Counted, not timed: kernel accumulate ran 1 block of 32 threads" in done.stderr


TIMED = f"""{CLEAN}
import timeit
from timeit import Timer

def work():
    calls.append(1)

calls = []
times = [*timeit.repeat(work, number=20, repeat=3), timeit.timeit("work()", globals=globals())]
times += [Timer(work).timeit(50), Timer(work).autorange()[1]]
print(len(calls), "calls,", len(times), "times")
"""


@pytest.mark.parametrize(
    "watch", ["--check", *(pytest.param(more, marks=pytest.mark.wide) for more in ("--count", "--trace 0,5"))]
)
def test_where_launches_are_watched_what_is_timed_is_called_once(run, watch):
    done = run(TIMED, *watch.split())
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "4 calls, 6 times")
    assert done.stderr.startswith("what timeit measures is called once here: its times say nothing\n")


def test_without_switches_a_script_measures_as_it_says(run):
    text = TIMED.replace("timeit.timeit(", "timeit.timeit(number=3, stmt=").replace(", Timer(work).autorange()[1]", "")
    done = run(text)
    assert done.stdout.splitlines()[-1] == "113 calls, 5 times"
    assert "timeit" not in done.stderr


def test_what_was_found_is_shown_even_when_the_script_fails(run):
    done = run(RACY + "raise SystemExit(7)\n", "--check")
    assert done.returncode == 7
    assert "read-write race" in done.stderr


@each("arguments, code, text", [([], 2, "usage"), (["-h"], 0, "usage"), (["no.py"], 2, "no.py")])
def test_wrong_usage_is_explained(arguments, code, text):
    done = ended([sys.executable, "-m", "grader.cuda_cpu", *arguments], timeout=60)
    assert done.returncode == code
    assert text in done.stderr


ROUND = "out[cuda.blockIdx.x] = (out[cuda.blockIdx.x] * 1664525 + k) % 1000003"
SPIN = kernel_of("out, steps", f"for k in range(steps):\n    {ROUND}\ncuda.syncthreads()")


def test_a_launch_in_pieces_runs_each_block_once_and_says_how_far_it_is(capsys):
    expected, out, seen = np.ones(40, np.int64), np.ones(40, np.int64), []
    SPIN[40, 1](expected, 1)
    with observe_progress(lambda *now: seen.append(now)):
        SPIN[40, 1](out, 1)
    np.testing.assert_array_equal(out, expected)
    name = SPIN.py_func.__name__
    assert [seen[0], seen[-1], seen] == [(name, 0, 40), (name, 40, 40), sorted(seen)]
    with observe_progress(Progress(period_s=0.01)):
        SPIN[40, 1](out, 2_000_000)
    assert f"kernel {name}: " in capsys.readouterr().err


def test_a_launch_in_pieces_ends_with_the_first_fault():
    seen, out = [], np.zeros(2, np.int64)
    with observe_progress(lambda *now: seen.append(now)), pytest.raises(IndexError, match=r"block \(2, 0, 0\)"):
        SPIN[40, 1](out, 1)
    assert [done for _, done, _ in seen] == [0, 1, 40]
