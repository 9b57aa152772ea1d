from pathlib import Path

import numpy as np
from cuda_cpu.written import kernel_of
from numba import cuda, float32
from rows import each

from grader.cuda_cpu import counting, describe_costs


@cuda.jit
def good(x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] = x[i]


@cuda.jit
def bad(x, y):
    tile = cuda.shared.array((32, 32), float32)
    i = cuda.threadIdx.x
    tile[i, 0] = x[i, 0]
    cuda.syncthreads()
    if i % 2:
        cuda.atomic.add(y, 0, tile[i, 0])


def line_of(kernel, text):
    code = kernel.py_func.__code__
    lines = Path(code.co_filename).read_text().splitlines()
    return next(n for n, line in enumerate(lines, 1) if n > code.co_firstlineno and text in line)


def explain(kernel, grid, block, *arguments):
    with counting() as record:
        kernel[grid, block](*arguments)
    return describe_costs(record.launches[0])


def test_a_perfect_kernel_is_told_so():
    sentences = explain(good, 2, 64, np.zeros(128), np.zeros(128))
    assert sentences[0] == "Counted, not timed: kernel good ran 2 blocks of 64 threads, 4 warps in all"
    line = line_of(good, "y[i] = x[i]")
    assert f"Every warp's loads of x (line {line}) touch 2 lines of 128 bytes, the least possible" in sentences
    assert f"Every warp's stores to y (line {line}) touch 2 lines of 128 bytes, the least possible" in sentences
    assert "No warp splits at a branch: all its threads always take the same direction" in sentences


def test_idle_threads_and_a_split_warp_are_named():
    sentences = explain(good, 1, 64, np.zeros(40), np.zeros(40))
    line = line_of(good, "if i < x.size")
    assert "40 of 64 threads touched any array" in sentences
    assert any(sentence.startswith(f"At line {line} a warp splits in 1 of 2 cases") for sentence in sentences)


def test_every_kind_of_waste_has_a_sentence_with_its_numbers():
    text = "\n".join(explain(bad, 1, 32, np.zeros((32, 32), np.float32), np.zeros(1, np.float32)))
    load = line_of(bad, "tile[i, 0] = x[i, 0]")
    assert f"loads of x (line {load}) touch 32 lines of 128 bytes where 1 would do" in text
    assert "fetch 32 sectors of 32 bytes where 4 would do" in text
    assert f"stores to tile (line {load}) take 32 passes of shared memory where 1 would do" in text
    update = line_of(bad, "cuda.atomic.add")
    assert f"atomic operations on y (line {update}) happen in 16 steps, one after the other" in text
    assert "Each block passed 1 barrier" in text
    assert f"At line {line_of(bad, 'if i % 2')} a warp splits in 1 of 1 cases" in text


@each(
    "body, array, reason",
    [
        ("y[cuda.grid(1)] = x[cuda.grid(1) + 1]", "of x", "do not begin at a multiple of 32 bytes"),
        ("if cuda.grid(1) % 2:\n    x[cuda.grid(1)] = 1", "to x", "only 16 of its 32 threads come here"),
        ("x[cuda.grid(1) * 16] = 1", "to x", "let neighbouring threads touch neighbouring elements"),
    ],
)
def test_the_reason_of_a_waste_fits_its_pattern(body, array, reason):
    sentences = explain(kernel_of("x, y", body), 1, 32, np.zeros(512, np.float32), np.zeros(32))
    [sentence] = [one for one in sentences if f" {array} " in one]
    assert "sectors of 32 bytes where" in sentence
    assert sentence.endswith(reason)


def test_the_least_possible_is_said_of_what_is_least():
    kernel = kernel_of("x, y", "i, j = cuda.blockIdx.x, cuda.threadIdx.x\ny[i, j] = x[i, j]")
    sentences = "\n".join(explain(kernel, 10, 32, np.zeros((10, 36)), np.zeros((10, 36))))
    assert "loads of x" in sentences
    assert "fetch 8 sectors of 32 bytes, the least possible, from 2.7 lines of 128 bytes" in sentences
