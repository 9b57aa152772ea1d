"""One thread's accesses: all of them, in its own order, with values, lines and waits."""

import sys
from pathlib import Path

import numpy as np
from cuda_cpu.written import kernel_of
from numba import float64, int32
from rows import each
from subprocesses import ended

from grader.cuda_cpu import observe_launches, two_threads
from grader.cuda_cpu.cuda_module import cuda
from grader.cuda_cpu.tracing.following import MAX_LAUNCHES, following, work_of_two
from grader.cuda_cpu.tracing.session import current_watchers

EXAMPLE = """\
import numpy as np
from numba import cuda, float64

@cuda.jit
def neighbours(x, out):
    i, t = cuda.grid(1), cuda.threadIdx.x
    pair = cuda.shared.array(4, float64)

    pair[t] = x[i] * 2
    cuda.syncthreads()
    out[i] = pair[t] + pair[(t + 1) % 4]

neighbours[2, 4](np.arange(8.0), np.zeros(8))
"""
DOCUMENT = Path(__file__).parents[3] / "docs/cuda_cpu.md"


def walk(kernel, grid, block, *arguments, thread):
    with following(*thread) as record:
        kernel[grid, block](*arguments)
    (found,) = record.walks
    return found, record


@cuda.jit
def largest(a, b, c):
    i, j = cuda.blockIdx.x, cuda.threadIdx.x
    if a[i, j] > b[i, j]:
        c[i, j] = a[i, j]
    else:
        c[i, j] = b[i, j]


def test_all_accesses_of_the_thread_come_in_order_with_their_values():
    a, b = np.array([[1, 9], [3, 4]]), np.array([[5, 2], [7, 8]])
    found, _ = walk(largest, 2, 2, a, b, np.zeros((2, 2), int), thread=(0, 1))
    reads = ["reads  a[0, 1] = 9", "reads  b[0, 1] = 2", "reads  a[0, 1] = 9"]
    assert [str(step) for step in found.steps] == [*reads, "writes c[0, 1] = 9"]


@cuda.jit
def typed(out):
    integers = cuda.shared.array(2, int32)
    numbers = cuda.shared.array(2, float64)
    t = cuda.threadIdx.x
    integers[t] = -7
    numbers[t] = 0.5
    cuda.syncthreads()
    cuda.atomic.add(out, 0, integers[1 - t] + numbers[1 - t])


def test_shared_memory_shows_its_own_types_and_waits_are_counted():
    found, _ = walk(typed, 1, 2, np.zeros(1), thread=(0, 1))
    *texts, last = (str(step) for step in found.steps)
    writes = ["writes integers[1] = -7", "writes numbers[1] = 0.5"]
    assert texts == [*writes, "reads  integers[0] = -7", "reads  numbers[0] = 0.5"]
    assert last.startswith("atomic out[0]")
    assert [step.waits for step in found.steps] == [0, 0, 1, 1, 1]


LONG = kernel_of("out", "for at in range(5000):\n    out[0] = at")


def test_a_long_walk_says_how_much_is_left_out():
    found, record = walk(LONG, 1, 1, np.zeros(1), thread=(0, 0))
    assert (len(found.steps), found.left_out) == (4096, 904)
    assert "904 more accesses are left out" in record.summary()[-1]


def test_launches_that_are_alike_are_told_once_and_many_are_not_followed():
    a, b = np.array([[1, 9], [3, 4]]), np.array([[5, 2], [7, 8]])
    with following(0, 1) as record:
        for _ in range(MAX_LAUNCHES + 5):
            largest[2, 2](a, b, np.zeros((2, 2), int))
        assert not current_watchers(), "what is not followed runs at full speed"
    lines = record.summary()
    assert len([line for line in lines if line.startswith("kernel largest")]) == 1
    assert lines[-2:] == ["  (the same in the next 19 launches)", "(only the first 20 launches are followed)"]


def test_a_thread_that_does_not_exist_does_nothing():
    found, record = walk(LONG, 1, 1, np.zeros(1), thread=(3, 0))
    assert found.steps == ()
    assert "no such thread" in record.summary()[0]


def run(tmp_path, *arguments):
    (tmp_path / "neighbours.py").write_text(EXAMPLE)
    return ended([sys.executable, "-m", "grader.cuda_cpu", *arguments], cwd=tmp_path)


def test_the_command_line_says_what_the_documentation_shows(tmp_path):
    done = run(tmp_path, "--trace", "1,2", "neighbours.py")
    assert done.returncode == 0
    assert done.stderr in DOCUMENT.read_text("utf-8")


@each(
    "arguments, said",
    (["--trace", "x", "neighbours.py"], "--trace needs a block and a thread"),
    (["--trace"], "--trace needs a block and a thread"),
    (["--trace", "0,0", "--check", "neighbours.py"], "leave --check out"),
)
def test_wrong_usage_is_one_sentence(tmp_path, arguments, said):
    done = run(tmp_path, *arguments)
    assert (done.returncode, said in done.stderr, done.stderr.count("\n")) == (2, True, 1)


PLACE = "cuda.blockIdx.x, cuda.blockIdx.y, cuda.threadIdx.x, cuda.threadIdx.y"
MARKS = kernel_of("out", f"out[{PLACE}] = cuda.gridsize(1)")


@each(
    "grid, block, ran",
    *(((3, 2), (4, 5), [(0, 0, 0, 0), (0, 0, 1, 0)]), (3, (1, 5), [(0, 0, 0, 0), (0, 0, 0, 1)])),
    *(((1, 3), 1, [(0, 0, 0, 0), (0, 1, 0, 0)]), (1, 1, [(0, 0, 0, 0)])),
)
def test_two_neighbouring_threads_run_alone_and_observers_hear_of_all(grid, block, ran):
    out = np.zeros((4, 4, 6, 6))
    launches = []
    with two_threads(), observe_launches(launches.append):
        MARKS[grid, block](out)
    assert [tuple(map(int, index)) for index in np.argwhere(out)] == ran
    (launch,) = launches
    assert launch.grid == (grid if isinstance(grid, tuple) else (grid, 1)) + (1,)
    assert launch.wall_s > 0
    first, second = work_of_two(lambda: MARKS[grid, block](out))
    assert [first.writes["out"], second.writes.get("out", set())] == [{ran[0]}, {*ran[1:]}]
    assert first.accesses == 1
    assert not current_watchers()
